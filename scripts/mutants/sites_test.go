package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestSites: every kind of mutation is found, changes what it says and nothing else.
func TestSites(t *testing.T) {
	const text = `package p

func f(a []float64, i int) float64 {
	x := a[i+1] - 2*a[i]
	if !(x < 0.5) && i == 3 {
		panic("i + 1 is " + "left alone")
	}
	x += max(x, -x)
	return x
}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := sitesOf(set, file, "p.go", []byte(text))
	var got []string
	for i := range list {
		s := &list[i]
		got = append(got, s.kind+" "+s.old+" "+s.new)
		if text[s.start:s.end] != s.old {
			t.Errorf("%v: the text there is %q", s, text[s.start:s.end])
		}
		if changed := string(s.apply([]byte(text))); changed == text ||
			!strings.HasPrefix(changed, text[:s.start]+s.new) || !strings.HasSuffix(changed, text[s.end:]) {
			t.Errorf("%v: changed to\n%s", s, changed)
		}
	}
	want := []string{"index i+1 i", "arithmetic + -", "constant 1 2", "arithmetic - +", "constant 2 3", "arithmetic * /", "index i i+1",
		"logic ! ", "comparison < <=", "constant 0.5 1", "logic && ||", "comparison == !=", "constant 3 4",
		"arithmetic += -=", "bound max min", "sign - "}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
