package rigid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// TestNearRest: a point on a table that tilts is slowest at 2e-4 m/s of .55, and never rests. Schemes of first
// order bring it to rest, where friction at rest holds it for .1 s, as all of their twins do: 9 % of the way is lost.
// That is told, and told from one that is a tenth slower, and rests indeed. The way that is right is that of
// an integrator of a referee.
func TestNearRest(t *testing.T) {
	const way, slow = .20895, .5 // [m], [m/s]
	for i, keys := range []string{
		`"model": "rigid", "alpha": 0.5`, `"model": "rigid", "alpha": 0.6`, `"model": "rigid"`,
		`"model": "theta", "theta": 0, "contacts": [{"body": "b", "obstacle": "o", "friction": "dry", "patch": "rigid"}]`,
		`"model": "compliant", "contacts": [{"body": "b", "obstacle": "o", "friction": "dry", "patch": "rigid"}]`,
	} {
		if strings.Contains(keys, "rigid\"") && !strings.Contains(keys, "contacts") {
			keys += `, "material": "dry"`
		}
		for _, v := range []float64{.552284773976491, slow} {
			x := trial.Run(t, fmt.Sprintf(`{"name": "b", %s, "dimension": 2, "steps": 431, "until": 0.84, "gravity": [0, -9.81], "friction": {"dry": {"static": 0.411, "kinetic": 0.272}},
  "obstacles": {"o": {"point": [0, 0], "normal": [0, 1], "motion": {"rotation": {"through": [0, 0], "angle": {"sine": {"amplitude": 0.3046, "frequency": 0.688, "phase": 1.647, "offset": -0.3037160218249346}}}}}},
  "bodies": [{"id": "b", "mass": 1.73, "position": [-0.119, 0], "velocity": [%.17g, 0.01192890738694613]}]}`, keys, v), &rigid.Model, &patch.Theta, &patch.Compliant)
			s := x.Summary
			if want := i == 0 || v == slow; s.Certified != want || x.Diagnose(t).Certified != want {
				t.Errorf("%s, %g m/s: certified %t: %s", keys, v, s.Certified, s.Message)
			} else if !want && !trial.Names(s, "rest about t = 0.32") {
				t.Errorf("%s: which rest is open is not told: %v", keys, s.Facts)
			}
			if end := x.Last(t, table.TrajectoryFile); i == 0 && v != slow && math.Abs(math.Hypot(end[1], end[2])-way) > 1e-4*way {
				t.Errorf("%s: comes to %v, want %g m along the table", keys, end, way)
			}
		}
	}
}
