package energetic_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
)

// TestSlidingFoot: a von Mises truss one foot of which slides snaps through. On the path of
// vanishing viscosity the foot slides there and back, and friction holds it where the path ends;
// the local minimiser behind the jump has it elsewhere. The run goes on from the path: it was
// refused before, as the node behind did not solve its step.
func TestSlidingFoot(t *testing.T) {
	x := trial.Run(t, `{"name": "foot", "model": "energetic", "until": 1, "steps": 400, "solution": "viscous", "friction": {"dry": {"mu": 0.2}},
	"particles": [{"id": "apex", "at": [0, 0, 1], "obstacle": "none"}, {"id": "foot", "at": [1, 0, 0], "friction": "dry"}],
	"anchors": [{"id": "left", "at": [-1, 0, 0]}, {"id": "guide", "at": [0, 0, 0]}, {"id": "home", "at": [1, 0, -0.3]}],
	"energies": [{"type": "spring", "between": [["apex", "left"], ["apex", "foot"]], "stiffness": 1},
		{"type": "tether", "particle": "apex", "anchor": "guide", "stiffness": [0.5, 5, 0]}, {"type": "tether", "particle": "foot", "anchor": "home", "stiffness": [0.5, 0.5, 5]},
		{"type": "load", "particle": "apex", "force": {"table": [[0, [0, 0, 0]], [1, [0, 0, -0.6]]]}}]}`, &energetic.Model)
	x.Passed(t)
	if s := x.Diagnose(t); !s.Certified {
		t.Errorf("diagnosed: %s", s.Message)
	}
}
