package rigid

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestSlowStart: a ball starts from rest in a pipe. In its first steps the frame of its contact
// turns by less than a velocity shows, and its impulse with it: the momentum of the files is that
// of the equations to rounding, not to 1e-9 of it.
func TestSlowStart(t *testing.T) {
	x := trial.Run(t, `{"model": "rigid", "until": 0.001, "steps": 50, "alpha": 0.5, "gravity": [0, 0, -9.81], "friction": {"smooth": {"mu": 0}}, "material": "smooth",
  "bodies": [{"id": "slides", "shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [-0.7794228634059948, 0, -0.45]}],
  "obstacles": {"pipe": {"type": "cylinder", "point": [0, 0, 0], "axis": [0, 1, 0], "radius": 1, "inside": true}}}`, &Model)
	d := x.Diagnose(t)
	for i := range d.Facts {
		if f := &d.Facts[i]; strings.HasPrefix(f.Name, "M̃(v' − v)") {
			if math.IsNaN(f.Value) || f.Value > 1e-4*f.Limit {
				t.Errorf("%s", f)
			}
			return
		}
	}
	t.Error("momentum is not judged")
}
