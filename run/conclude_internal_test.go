package run

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// TestDamageFirst: where a file is damaged and a check fails in another one, the damage is named
// first; in the same one the check, which says more.
func TestDamageFirst(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"collisions.csv", "/run/collisions.csv: from byte 64 on, line 2: cut off; trajectory.csv:5: t=0.5, column x: it moves: off by 2 m, 1 allowed"},
		{"trajectory.csv", "trajectory.csv:5: t=0.5, column x: it moves: off by 2 m, 1 allowed"},
	} {
		a := &Audit{Plan: &Plan{}}
		a.Check("motion", "it moves", "m").AtMost(2, 1, At("trajectory.csv", 3, 0.5, "column x"))
		a.conclude(true, &table.DamageError{File: "/run/" + c.file, From: 64, Line: [2]int{2, 2}, Text: "cut off"})
		if a.Summary.Certified || a.Summary.Message != c.want {
			t.Errorf("%s: %q, want %q", c.file, a.Summary.Message, c.want)
		}
		if f := a.Summary.Facts[1]; f.Passed || !strings.Contains(f.Place, c.file) {
			t.Errorf("%s: %+v", c.file, f)
		}
	}
}

// TestFileErrorUnwraps: a fault of files tells its cause.
func TestFileErrorUnwraps(t *testing.T) {
	if err := error(fileError{fs.ErrNotExist}); !errors.Is(err, fs.ErrNotExist) || err.Error() != fs.ErrNotExist.Error() {
		t.Error(err)
	}
}
