package models

import (
	"strings"
	"testing"
)

// TestNamesInPaths: a path through a name that is not in the case is refused with the nearest one,
// in --set, whatever the model; one that makes a whole entry, or leads to a key at
// its default, is not.
func TestNamesInPaths(t *testing.T) {
	for _, x := range []struct{ file, set, want string }{
		{"play", "friction.dry.mu=0.3", ""},
		{"play", "friction.dri.mu=0.3", `$.friction.dri: unknown name "dri", the nearest one is "dry"`},
		{"play", "friction.steel.mu=0.3", `$.friction.steel: unknown name "steel", there are dry`},
		{"play", `friction.wet={"mu": 0.3}`, ""},
		{"play", "solver.tolerance=1e-9", ""},
		{"block-braking", "friction.rogh.mu=0.3", "the nearest one"},
		{"braking-point", "patches.padd.normal_stiffness=1", "the nearest one"},
		{"dominoes", "obstacles.flor.normal=[0, 0, 1]", "the nearest one"},
		{"dominoes", "bodies[0].mass=2", ""},
	} {
		_, err := OpenCase(x.file, []string{x.set}, 0)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s --set %s: %v, want %q", x.file, x.set, err, x.want)
		}
	}
}
