package energetic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	model "github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/run"
)

// TestRidesDisc: a particle rides a disc that turns, and never slides. The run has no way of it on the disc; in the files its
// places are rounded at each node, and friction takes the way of that, a sum over the nodes. Both say the same, in however many
// steps, and where the accuracy is below the rounding of a single one.
func TestRidesDisc(t *testing.T) {
	for _, c := range []struct {
		steps    int
		accuracy string
	}{{5, "1e-10"}, {50, "1e-10"}, {1000, "1e-10"}, {50, "1e-12"}} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "energetic", "until": 0.0125, "steps": %d, "accuracy": %s, "anchors": [{"id": "a", "at": [1, 0, -0.3]}],
  "energies": [{"type": "tether", "particle": "p", "anchor": "a", "stiffness": [0, 2, 5]}], "friction": {"dry": {"mu": 0.4}},
  "obstacles": {"disc": {"point": [0, 0, 0], "normal": [0, 0, 1], "motion": {"rotation": {"axis": [0, 0, 1], "angle": {"table": [[0, 0], [10, 10]]}}}}},
  "particles": [{"id": "p", "at": [0.91, 0.28618176042508364, 0], "obstacle": "disc", "friction": "dry"}]}`, c.steps, c.accuracy), &model.Model)
		d := x.Diagnose(t)
		if run.Certified(x.Summary) != run.Certified(d) {
			t.Errorf("%d steps, %s: run: %s; diagnose: %s", c.steps, c.accuracy, run.Failure(x.Summary), run.Failure(d))
		}
		if c.accuracy == "1e-10" && !run.Certified(d) {
			t.Errorf("%d steps: %s", c.steps, run.Failure(d))
		}
		for i := range d.Facts {
			if f := &d.Facts[i]; strings.HasPrefix(f.Name, "dissipation: ") && f.Limit > 1e-11 { // 1000 roundings of a metre under 1.5 N
				t.Errorf("%d steps: %s", c.steps, f)
			}
		}
	}
}
