package problemfile

import (
	"errors"
	"strings"
	"testing"
)

// TestForeignFilesAreNamed: what is no problem of ours is neither read as one nor
// refused without its name.
func TestForeignFilesAreNamed(t *testing.T) {
	for _, c := range [...]struct{ want, text string }{
		{"relay", "2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n-1 -1\n1 1\n"},
		{"relay problem", "1\n0\n1 1\n1 1\n2\n-3\n-1\n1\n"},
		{"relay problem", "2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n1 2\n3 4\n"}, // bounds without zero between them
		{"relay problem", "2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n0 0\n1 1\n"}, // 0 <= z <= 1
		{"GMP", "2\n0\n5 5\n5 5\n" + strings.Repeat("1 ", 25) + "\n1 2 3 4 5\n2\n2\n4\n3\n0.5\n"},
		{"old FC3D header", "1\n0\n3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 1 0\n0.3\n"},
	} {
		_, err := Read([]byte(c.text))
		if other, ok := errors.AsType[*ForeignError](err); !ok || !strings.Contains(other.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
	// An LCP with its solution behind it stays an LCP.
	for _, text := range [...]string{
		"2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n3 0\n0 0.5\n",
		"2\n0\n2 2\n2 2\n1 0 0 1\n3 0.5\n0 0\n3 0.5\n", // z = 0, w = q
		"2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n3 1e-17\n1e-16 0.5\n",
	} {
		p, err := Read([]byte(text))
		if err != nil || p.Kind != LCPKind {
			t.Errorf("LCP with a solution: %v, %v", p, err)
		}
	}
}

// TestNumbersBehindAnLCP: a relay problem that was cut in its bounds, or has more numbers than
// it should, is not solved as the LCP that it begins with.
func TestNumbersBehindAnLCP(t *testing.T) {
	const lcp = "2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n"
	for _, c := range [...]struct{ tail, found string }{
		{"-1 -1\n1\n", "3 that solve nothing"},    // the last bound is missing
		{"-1 -1\n", "2 that solve nothing"},       // all upper ones are
		{"-1\n", "1 that solve nothing"},          //
		{"0 0\ninf inf 7\n", "5 that solve"},      // one too many
		{"-inf -inf\n2 inf\n", "4 that solve"},    // infinite bounds
		{"3 0\n0 0.5 1\n", "5 that solve"},        // a solution and more
		{"3 1\n0 0.5\n", "4 that solve"},          // w is not M z + q
		{"4 0\n1 0.5\n", "4 that solve"},          // z and w of one pair are positive
		{"3 0\n-1e-3 0.5\n", "4 that solve"},      // a negative w
		{"3 0\n0 0.5001\n", "4 that solve"},       // off by more than six digits leave
		{"2 -1\n1 -2\n", "4 that solve"},          // neither bounds nor a solution
		{"3 -0.5\n0 0\n", "4 that solve"},         // a negative z
		{"1e3 1\n1e3 -0x1p-1\n1 words", "5 that"}, //
	} {
		_, err := Read([]byte(lcp + c.tail))
		syntax, ok := errors.AsType[*SyntaxError](err)
		if !ok || !strings.Contains(err.Error(), c.found) || syntax.Line != 7 {
			t.Errorf("%q: %v", c.tail, err)
		}
	}
	for _, tail := range [...]string{"", "\n", "# 3 0 0 .5", "3 0\n0 0.5\nis the solution 1 of 1", "3 0\n0 .500001"} {
		if p, err := Read([]byte(lcp + tail)); err != nil || p.Kind != LCPKind {
			t.Errorf("%q: %v", tail, err)
		}
	}
}
