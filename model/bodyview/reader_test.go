package bodyview_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
)

// TestPage: the page of a disc that falls on a floor and stays: its pictures, the impact
// with ½mv² = 4.9 J, and frames from the start to the end.
func TestPage(t *testing.T) {
	x := trial.Run(t, `{"name": "drop", "model": "rigid", "dimension": 2, "gravity": [0, -9.81], "until": 1, "steps": 400,
  "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.3}}, "material": "dry",
  "bodies": [{"id": "disc", "shape": {"type": "disc", "radius": 0.1}, "mass": 1, "position": [0, 0.6]}],
  "expect": [{"quantity": "collision_time", "value": 0.3192754284070505, "tolerance": 0.025}, {"quantity": "position", "body": "disc", "axis": "y", "value": 0.1, "tolerance": 1e-8}]}`,
		&rigid.Model) // √(2·0.5/g) within a step
	x.Passed(t)
	p := x.Page(t)
	if got := trial.Figures(t, p); got != "positions velocities normal contacts impacts energies balance constraints variation" &&
		!strings.Contains(got, "impacts energies balance constraints variation") {
		t.Error(got)
	}
	if n := len(p.Scene.Times); n < 100 || p.Scene.Times[0] != 0 || math.Abs(p.Scene.Times[n-1]-1) > 1e-12 {
		t.Errorf("%d frames", n)
	}
	if text := strings.Join(p.Verdict.Sentences, "\n"); !strings.Contains(text, "There is one impact, which takes 4.9 J.") {
		t.Error(text)
	}
}
