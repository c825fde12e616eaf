package profile_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/contact/problemfile/profile"
)

// TestBatch: files are counted by what their first solver does, and all that apply are timed.
func TestBatch(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plane := file("plane.dat", "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n-2 3\n0.5\n") // r = (2, −1), it slides
	lcp := file("infeasible.dat", "1\n0\n1\n1\n1 1\n-1\n-1\n")             // −z − 1 = w
	b := profile.Batch{Compare: true}
	if rows := b.Solve(t.Context(), plane); len(rows) != len(problemfile.SolverNames()) || !rows[0].Solved() || rows[0].Slip != 1 {
		t.Errorf("%d rows, the first %+v", len(rows), rows[0])
	}
	if rows := b.Solve(t.Context(), lcp); len(rows) != 1 || rows[0].Solved() {
		t.Errorf("an infeasible problem: %+v", rows)
	}
	if rows := b.Solve(t.Context(), file("letter.dat", "hello")); len(rows) != 1 || rows[0].Error == "" {
		t.Errorf("a file that is none: %+v", rows)
	}
	if b.Unsolved != 1 || b.Refused != 1 || len(b.Profile.Times) != 2 {
		t.Errorf("%d not solved, %d refused, %d timed, want 1, 1, 2", b.Unsolved, b.Refused, len(b.Profile.Times))
	}
	one := profile.Batch{Solver: "admm"} // takes no LCP
	if rows := one.Solve(t.Context(), lcp); len(rows) != 1 || !rows[0].Refused() || one.Refused != 1 ||
		one.Unsolved != 1 || one.Profile.Times != nil {
		t.Errorf("%+v, %+v", one, rows)
	}
}

func TestBatchValidate(t *testing.T) {
	for _, b := range []profile.Batch{{Solver: "magic"}, {Tolerance: 1}, {Tolerance: -1}, {TimeLimit: -time.Second}} {
		if b.Validate() == nil {
			t.Errorf("%+v is valid", b)
		}
	}
	if err := new(profile.Batch).Validate(); err != nil {
		t.Error(err)
	}
}
