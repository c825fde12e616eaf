package rigid

import (
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/table"
)

// TestAgeingForgets: a point with rate-and-state friction on a belt is lifted off and falls back: what
// bears no force has no state, and the files say the same as the run.
func TestAgeingForgets(t *testing.T) {
	x := trial.Run(t, `{"name": "up", "model": "rigid", "until": 2, "steps": 400, "alpha": 0.5, "gravity": [0, -10], "dimension": 2,
		"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1], "motion": {"translation": [{"table": [[0, 0], [10, 1]]}, 0]}}},
		"friction": {"r": {"rate_state": {"mu0": 0.4, "a": 0.01, "b": 0.015, "v0": 0.001, "length": 0.0001}}}, "material": "r",
		"bodies": [{"id": "b", "mass": 1, "position": [0, 0]}],
		"loads": [{"body": "b", "force": [0, {"table": [[0, 0], [0.5, 30], [1, 0]]}]}]}`, &Model)
	x.Passed(t)
	if d := x.Diagnose(t); !table.Holds(d.Facts, table.Solved) {
		for _, f := range d.Facts {
			if !f.Passed {
				t.Errorf("%+v", f)
			}
		}
	}
}
