package rigid

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

const nut = `{"model": "rigid", "until": 1, "steps": 400, "alpha": 0.5, "dimension": 3, "gravity": [0, 0, -9.81],
  "bodies": [{"id": "nut", "shape": {"type": "sphere", "radius": 0.3}, "mass": 2}],
  "joints": [{"type": "screw", "body": "nut", "axis": [0, 0, 1], "pitch": 0.5}],
  "expect": [{"quantity": "position", "body": "nut", "axis": "z", "value": %.17g, "tolerance": 1e-4}, {"quantity": "drift", "max": 1e-11}]}`

// TestNut: a nut of the moment J on an upright screw, λ = pitch/2π, falls by gt²/2(1 + J/mλ²), and
// files show it to diagnose.
func TestNut(t *testing.T) {
	lead, moment := .5/(2*math.Pi), .4*2*.3*.3
	x := trial.Run(t, fmt.Sprintf(nut, -9.81/2/(1+moment/(2*lead*lead))), &Model)
	x.Passed(t)
	if d := x.Diagnose(t); !run.Certified(d) {
		t.Errorf("diagnose: %s", run.Failure(d))
	}
}
