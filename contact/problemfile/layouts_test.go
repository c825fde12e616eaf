package problemfile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quasistatic/quasistatic/contact"
)

// TestForeignLayouts: exponents of Fortran, the mark of UTF-8, lines of Windows and comments at the
// head change nothing.
func TestForeignLayouts(t *testing.T) {
	const text = "2\n1\n0\n2\n2\n2\t2\n1.5e+00 0\n0 2.5e+0\n-1e+00 2\n5e-01\n"
	want, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]string{
		"D":        strings.ReplaceAll(text, "e", "D"),
		"d":        strings.ReplaceAll(text, "e", "d"),
		"mark":     "\xef\xbb\xbf" + text,
		"windows":  strings.ReplaceAll(text, "\n", "\r\n"),
		"comments": "# two lines\n#\n\n" + text,
	} {
		got, err := Read([]byte(other))
		if err != nil || got.Kind != LocalKind {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want.Local.W.(*contact.Dense).Val, got.Local.W.(*contact.Dense).Val) +
			cmp.Diff(want.Local.Q, got.Local.Q) + cmp.Diff(want.Local.Laws[0].(contact.Coulomb).Mu,
			got.Local.Laws[0].(contact.Coulomb).Mu); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	// What is no number stays none, and the place is that of the whole file.
	for found, other := range map[string]string{
		"D+00": strings.Replace(text, "-1e+00", "D+00", 1), "1D": strings.Replace(text, "-1e+00", "1D", 1),
		"infD0": strings.Replace(text, "-1e+00", "infD0", 1),
		"1D999": strings.Replace(text, "-1e+00", "1D999", 1), "1D1D1": strings.Replace(text, "-1e+00", "1D1D1", 1),
	} {
		var fault *SyntaxError
		if _, err := Read([]byte("# one line\n" + other)); !errors.As(err, &fault) || fault.Line != 10 ||
			fault.Found != fmt.Sprintf("%q", found) || fault.Want != "q, a finite number" {
			t.Errorf("%s: %v", found, err)
		}
	}
	if p, err := Read([]byte("\xef\xbb\xbf" + `{"format": "quasistatic-problem"}`)); err == nil || p != nil ||
		strings.Contains(err.Error(), "invalid character") {
		t.Errorf("JSON with a mark: %v", err)
	}
}

// TestGlobalIsNotLocal: a global problem with as many unknowns as reactions whose end is missing is
// not read as a local one with the head of H for q and μ, in any storage, wherever it was cut;
// whole ones are global.
func TestGlobalIsNotLocal(t *testing.T) {
	dense := func(n int) string {
		s := fmt.Sprintf("0\n%d\n%d\n%d\t%d\n", n, n, n, n)
		for i := range n * n {
			s += fmt.Sprintf("%d ", (i+n)/(n+1)*(n+1)/(i+n)) // the identity
		}
		return s + "\n"
	}
	blocks := func(n int) string {
		s := fmt.Sprintf("1\n%d\n%d\n%d\n%d\n%d\n", n, n, n, n, n)
		for range 2 {
			for i := range n {
				s += fmt.Sprintf("%d ", i+1)
			}
		}
		s += fmt.Sprintf("\n%d\n%d\n", n+1, n)
		for i := range n + 1 {
			s += fmt.Sprintf("%d ", i)
		}
		for i := range n {
			s += fmt.Sprintf("%d ", i)
		}
		for i := range n {
			s += fmt.Sprintf("\n%d\n1", i)
		}
		return s + "\n"
	}
	sparse := func(n int) string {
		s := fmt.Sprintf("2\n%d\n%d\n1\nCSparse Version 3\ntriplet: %d-by-%d, nzmax: %d nnz: %d\n", n, n, n, n, n, n)
		for i := range n {
			s += fmt.Sprintf("%d %d : 1\n", i, i)
		}
		return s
	}
	// Before the head of H is there, its first numbers could as well be q and μ: 5, 6 and 5 words.
	words := map[string]int{"dense": 5, "blocks": 6, "sparse": 5}
	for name, storage := range map[string]func(int) string{"dense": dense, "blocks": blocks, "sparse": sparse} {
		for _, dim := range []int{2, 3, 5} {
			for nc := 1; nc <= 3; nc++ {
				n := dim * nc
				head := fmt.Sprintf("%d\n%d\n%s%s", dim, nc, storage(n), storage(n))
				text := head + strings.Repeat("1 ", 2*n+nc-1) + "1"
				if dim == 5 {
					text += strings.Repeat(" 1", nc)
				}
				if p, err := Read([]byte(text)); err != nil || p.Kind != GlobalKind {
					t.Fatalf("%s, %d of %d: %v", name, nc, dim, err)
				}
				start := len(head) - len(storage(n))
				for range words[name] {
					start += len(strings.Fields(text[start:])[0]) + 1
				}
				for cut := start; cut < len(text); cut++ {
					if p, err := Read([]byte(text[:cut])); err == nil {
						t.Fatalf("%s, %d of %d, cut at %d of %d: read as %v", name, nc, dim, cut, len(text), p.Kind)
					}
				}
			}
		}
	}
	// A q that begins like a head, but does not go on like one, is a q.
	for _, q := range []string{"0 2 2", "0 2 0.5", "2 2 2", "1 2 2 7", "0 2 2 2"} {
		if p, err := Read([]byte("2\n1\n" + dense(2) + q)); err != nil || p.Kind != LocalKind {
			t.Errorf("q, mu = %s: %v", q, err)
		}
	}
}

// TestFullMatrices: a small file does not make a large full matrix.
func TestFullMatrices(t *testing.T) {
	for _, c := range []struct {
		rows, cols, bytes int
		want              bool
	}{{2896, 2896, 1, true}, {2897, 2896, 1, false}, {8192, 8192, 134218, true}, {8192, 8192, 134217, false},
		{8193, 1, 1 << 30, false}, {1, 8193, 1 << 30, false}} {
		if expandable(c.rows, c.cols, c.bytes) != c.want {
			t.Errorf("%+v", c)
		}
	}
	text := "8000\n2\n8000\n8000\n1\nCSparse\ntriplet: 8000-by-8000, nzmax: 0 nnz: 0\n" + strings.Repeat("0 ", 8000)
	if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), "8000×8000") {
		t.Errorf("text: %v", err)
	}
	q := strings.TrimSuffix(strings.Repeat("0,", 8000), ",")
	if _, err := Read([]byte(`{"format":"` + formatName + `","version":1,"kind":"lcp","q":[` + q +
		`],"M":{"rows":8000,"cols":8000}}`)); err == nil || !strings.Contains(err.Error(), "8000×8000") {
		t.Errorf("JSON: %v", err)
	}
}
