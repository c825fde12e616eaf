package patch

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestForgets: a disc on a pad of five springs slides until it rolls and then creeps under partial slip,
// where two steps and one of twice the length differ by a part of theirs, however short they are, and
// none of that is left. Steps that are chosen come to an end, and dissipate what sixteen times as many
// do.
func TestForgets(t *testing.T) {
	thorough.Seconds(t)
	dissipated := func(steps string) (float64, int) {
		x := trial.Run(t, fmt.Sprintf(`{"model": "compliant", "dimension": 2, "until": 0.06%s, "gravity": [0, -9.81], "friction": {"dry": {"mu": 0.3}}, "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
			"patches": {"spot": {"elements": 5, "spacing": 1e-3, "epsilon": 1e-6, "poisson": 0.3, "damping": 0.2}}, "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "spot"}],
			"bodies": [{"id": "b", "mass": 1, "position": [0, 0.05], "velocity": [0.5, 0], "shape": {"type": "disc", "radius": 0.05}}], "expect": [{"quantity": "dissipation", "value": 0, "tolerance": 1}]}`,
			steps), &Compliant)
		x.Passed(t)
		return *x.Summary.Expectations[0].Value, x.Summary.Steps
	}
	fine, _ := dissipated(`, "steps": 16384`)
	got, steps := dissipated("")
	if math.Abs(got-fine) > 0.01*fine {
		t.Errorf("chosen steps dissipate %.6g J, fine ones %.6g J", got, fine)
	}
	if steps > 16384 {
		t.Errorf("%d steps", steps)
	}
}
