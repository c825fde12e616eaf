package patch_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/table"
)

// TestComesLoose: a point that has rested on a table that tilts comes loose at .5156 s, and chosen steps, which have grown
// while it rests, end there to the accuracy: its place along the table at the end is that of an integrator of a
// referee. Steps of .0137 s were late by .003 s, .3 % of the way, as all that they were compared with.
func TestComesLoose(t *testing.T) {
	thorough.Seconds(t)
	for _, c := range []struct{ until, accuracy, end float64 }{{.9, .005, -.13360346}, {1.75, .001, -.94933861}} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "b", "model": "compliant", "dimension": 2, "accuracy": %g, "until": %g, "gravity": [0, -9.81],
  "obstacles": {"o": {"point": [0, 0], "normal": [0, 1], "motion": {"rotation": {"through": [0, 0], "angle": {"sine": {"amplitude": 0.2793, "frequency": 0.473, "phase": 5.185, "offset": 0.2486839036018635}}}}}},
  "friction": {"dry": {"static": 0.384, "kinetic": 0.319}}, "contacts": [{"body": "b", "obstacle": "o", "friction": "dry", "patch": "rigid"}],
  "bodies": [{"id": "b", "mass": 0.67, "position": [-0.029, 0], "velocity": [0, -0.01095782238317119]}]}`, c.accuracy,
			c.until), &patch.Compliant)
		x.Passed(t)
		end := x.Last(t, table.TrajectoryFile)
		if off := math.Abs(math.Hypot(end[1], end[2])+c.end) / (-.029 - c.end); !(off <= c.accuracy) {
			t.Errorf("until %g s: off by %.3g of the way, want %g", c.until, off, c.accuracy)
		}
	}
}
