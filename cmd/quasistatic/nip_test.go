package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestForcesOfSeveralObstacles: the overview of a particle between two rollers shows what both
// bear, 20 N, and 4 N of friction, which no column of forces.csv has.
func TestForcesOfSeveralObstacles(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, "run", "nip", "--out", out, "--quiet")
	picture := read(t, out, "overview.svg")
	for _, want := range []string{"normal forces, sum of all obstacles", ">20<", "friction |r|, sum of all obstacles",
		"friction bounds μσ, sum"} {
		if !strings.Contains(picture, want) {
			t.Errorf("overview.svg has no %q", want)
		}
	}
}
