package rigid

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// TestTwoRacks: two racks on both sides of a pinion, of 3 and 1 kg, are Atwood's machine with the
// acceleration (m₁ − m₂)g/(m₁ + m₂ + J/R²), and files show it to diagnose.
func TestTwoRacks(t *testing.T) {
	a := 2 * 9.81 / (3 + 1 + .5*2)
	x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 0.5, "steps": 200, "alpha": 0.5, "dimension": 2, "gravity": [0, -9.81],
  "bodies": [{"id": "pinion", "shape": {"type": "disc", "radius": 0.1}, "mass": 2},
    {"id": "heavy", "shape": {"type": "rod", "length": 1, "radius": 0.01}, "mass": 3, "position": [0.2, 0], "angle": 1.5707963267948966},
    {"id": "light", "shape": {"type": "rod", "length": 1, "radius": 0.01}, "mass": 1, "position": [-0.2, 0], "angle": 1.5707963267948966}],
  "joints": [{"type": "revolute", "body": "pinion", "at": [0, 0]}, {"type": "prismatic", "body": "heavy", "axis": [0, 1]}, {"type": "prismatic", "body": "light", "axis": [0, 1]},
    {"type": "rack", "body": "pinion", "to": "heavy", "at": [0, 0], "other": [0.1, 0]}, {"type": "rack", "body": "pinion", "to": "light", "at": [0, 0], "other": [-0.1, 0]}],
  "expect": [{"quantity": "position", "body": "heavy", "axis": "y", "value": %[1]g, "tolerance": 1e-3}, {"quantity": "position", "body": "light", "axis": "y", "value": %[2]g, "tolerance": 1e-3},
    {"quantity": "drift", "max": 1e-11}]}`, -a/8, a/8), &Model)
	x.Passed(t)
	if d := x.Diagnose(t); !run.Certified(d) {
		t.Errorf("diagnose: %s", run.Failure(d))
	}
}
