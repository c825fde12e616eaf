package pinned

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/quasistatic/quasistatic/internal/processor"
)

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	failed int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed++ }

// TestTable: what was written is found again; a change in the ninth digit of a list, in a count, of
// the length, or of one number of a long list is seen, one of rounding is not.
func TestTable(t *testing.T) {
	type result struct {
		X     []float64
		Steps int
		Name  string
		deep  *result
	}
	file := filepath.Join(t.TempDir(), "sub", "table")
	data := func() result {
		long := make([]float64, 40)
		for i := range long {
			long[i] = float64(i%7) - 3
		}
		return result{X: []float64{1e3, 1e-9}, Steps: 4, deep: &result{X: long, Steps: 1e6, deep: &result{X: []float64{math.Inf(1)}}}}
	}
	t.Run("write", func(t *testing.T) { Open(t, file, true).Check("a", data(), 2.5) })
	for name, c := range map[string]struct {
		spoil func(x *result)
		seen  int
	}{
		"nothing": {func(x *result) {}, 0}, "text": {func(x *result) { x.Name = "other" }, 0},
		"rounding":          {func(x *result) { x.X[0] += 1e-9 }, 0},
		"small in its list": {func(x *result) { x.X[1] += 1e-7 }, 0},
		"ninth digit":       {func(x *result) { x.X[0] += 2e-6 }, 1}, "count": {func(x *result) { x.deep.Steps++ }, 1},
		"length":           {func(x *result) { x.X = x.X[:1] }, 1},
		"sign of infinity": {func(x *result) { x.deep.deep.X[0] = math.Inf(-1) }, 1},
		"infinite":         {func(x *result) { x.X[0] = math.Inf(1) }, 1},
		"finite":           {func(x *result) { x.deep.deep.X[0] = 1 }, 1},
		"one of many":      {func(x *result) { x.deep.X[11] += 1e-6 }, 1},
		"two of many":      {func(x *result) { x.deep.X[11], x.deep.X[12] = x.deep.X[12], x.deep.X[11] }, 1},
	} {
		x := data()
		c.spoil(&x)
		r := &recorder{TB: t}
		if Open(r, file, false).Check("a", x, 2.5); r.failed != c.seen {
			t.Errorf("%s: %d failures, want %d", name, r.failed, c.seen)
		}
	}
	r := &recorder{TB: t}
	if Open(r, file, false).Check("b", 1); r.failed != 1 {
		t.Error(fmt.Sprint("a name that is not in the table: ", r.failed))
	}
}

// TestLines: a text is itself; one number, one line more or less is seen.
func TestLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sub", "lines")
	Lines(t, file, true, "a 1\nb 2\n")
	for text, want := range map[string]bool{"a 1\nb 2\n": false, "a 1\nb 3\n": true, "a 1\n": true, "a 1\nb 2\nc\n": true} {
		r := &stopped{TB: t}
		func() {
			defer func() { _ = recover() }()
			Lines(r, file, false, text)
		}()
		if r.failed != want && processor.Kind() == processor.Rounded && runtime.GOARCH == "amd64" {
			t.Errorf("%q: failed %t", text, r.failed)
		}
	}
	type inner struct{ A, B float64 }
	type outer struct {
		X, y  inner
		List  []inner
		Point *inner
		Name  string
		Unset int
	}
	x := outer{X: inner{B: 0.1}, y: inner{A: 1e-300}, List: []inner{{}, {A: -1}}, Point: &inner{B: 2}, Name: "n"}
	if got, want := Text(x), "{ X:{ B:0.1 } y:{ A:1e-300 } List:[ { } { A:-1 } ] Point:{ B:2 } Name:n }"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if Bits(1.5, []int{2}) == Bits(1.5, []int{3}) || Bits(1.5) != Bits(3.0/2) {
		t.Error("names of numbers are not those of the numbers")
	}
}

// stopped is a test that ends when it fails.
type stopped struct {
	testing.TB
	failed bool
}

func (s *stopped) Helper()               {}
func (s *stopped) Fatalf(string, ...any) { s.failed = true; panic("ended") }
