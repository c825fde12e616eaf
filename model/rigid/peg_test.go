package rigid

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// TestPegsAgree: a peg of welded parts in a hole that is as wide as it or narrower by 5e-9 m,
// pushed to the side, rests, free or held by two welds from the ground. Run and diagnose agree that
// it does.
func TestPegsAgree(t *testing.T) {
	for _, little := range []float64{0, 5e-9} {
		for _, grounded := range []bool{false, true} {
			var parts, joints []string
			for i := range 3 {
				load := ""
				if i == 2 {
					load = `, "load": [30, -20]`
				}
				parts = append(parts, fmt.Sprintf(`{"id": "p%d", "shape": {"type": "polygon", "vertices": [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]]}, "mass": 1, "position": [0, %g]%s}`,
					i, .05+.1*float64(i), load))
				if i > 0 {
					joints = append(joints, fmt.Sprintf(`{"type": "fixed", "body": "p%d", "to": "p%d", "at": [0, %g]}`,
						i, i-1, .1*float64(i)))
				}
			}
			joints = append(joints, `{"type": "fixed", "body": "p2", "to": "p0", "at": [0, 0.1]}`)
			if grounded {
				joints = append(joints, `{"type": "fixed", "body": "p0", "at": [0, 0]}`, `{"type": "fixed", "body": "p2", "at": [0, 0.3]}`)
			}
			x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 0.1, "steps": 10, "dimension": 2, "gravity": [0, -9.81], "friction": {"m": {"mu": 0.3}}, "material": "m",
  "obstacles": {"left": {"point": [%.17g, 0], "normal": [1, 0]}, "right": {"point": [%.17g, 0], "normal": [-1, 0]}, "floor": {"point": [0, 0], "normal": [0, 1]}},
  "contacts": [{"between": ["p0", "p2"], "apart": true}], "bodies": [%s], "joints": [%s]}`, -.05+little/2, .05-little/2,
				strings.Join(parts, ", "), strings.Join(joints, ", ")), &Model)
			x.Passed(t)
			if d := x.Diagnose(t); !run.Certified(d) {
				t.Errorf("little %g, grounded %v: diagnose: %s", little, grounded, run.Failure(d))
			}
		}
	}
}
