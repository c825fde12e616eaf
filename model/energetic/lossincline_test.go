package energetic_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// TestLossOfUnlikeFriction: blocks with different friction, tied by springs, on an incline that is tilted slide away where
// Σ μ N = Σ m g sin θ, tan θ = mean of μ. Which of them holds how much is known before the step: of three in a row Newton's method
// ended after 100 steps where nodes were chosen, or far beyond the loss.
func TestLossOfUnlikeFriction(t *testing.T) {
	const load = `{"type": "load", "particle": %q, "force": [{"sine": {"amplitude": 9.81, "frequency": 0.002777777777777778}}, 0, {"sine": {"amplitude": 9.81, "frequency": 0.002777777777777778, "phase": -1.5707963267948966}}]}`
	for _, steps := range []string{"", `"steps": 60,`, `"steps": 2,`} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "row", "model": "energetic", "until": 90, %s "until_loss": true, "accuracy": 0.5, "stability": "convex", "friction": {"dry": {"mu": 0.5}, "wet": {"mu": 0.2}},
	"particles": [{"id": "b", "at": [0, 0, 0], "friction": "dry"}, {"id": "c", "at": [1, 0, 0], "friction": "wet"}, {"id": "d", "at": [2, 0, 0], "friction": "dry"}],
	"energies": [{"type": "spring", "between": [["b", "c"], ["c", "d"]], "stiffness": 20}, `+load+`, `+load+`, `+load+`],
	"expect": [{"quantity": "loss_time", "value": %.15g, "tolerance": 1e-6}]}`, steps, "b", "c", "d", math.Atan(0.4)*180/math.Pi), &energetic.Model)
		if o := x.Summary.Expectations[0]; !o.Met || x.Summary.Status != table.Done {
			t.Errorf("%q: %s, %v: %s", steps, x.Summary.Status, x.Summary.Message, o.Label)
		}
	}
}
