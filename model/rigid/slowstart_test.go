package rigid

import (
	"fmt"
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

// TestLetGoInShortSteps: a fall of the normal load lets a block go for 2 ms, with an acceleration that jumps from zero
// as friction falls to the kinetic one, in steps of microseconds: each of them begins to slip by less than what counts
// as slip, and was held by friction of rest until one did not. By its own sums until it stops.
func TestLetGoInShortSteps(t *testing.T) {
	const pull, static, kinetic, falls, least, rises, dt = .677, .21, .194, .547, .559, .5685, 1e-8
	load := func(t float64) float64 {
		return 10 - 6.95*max(0, min((t-falls)/(least-falls), (rises-t)/(rises-least)))
	}
	at, v, x := falls+(10-pull/static)/6.95*(least-falls), 0., 0.
	for v >= 0 {
		a := pull - kinetic*load(at+dt/2)
		at, v, x = at+dt, v+a*dt, x+(v+a*dt/2)*dt
	}
	trial.Run(t, fmt.Sprintf(`{"name": "a", "model": "rigid", "dimension": 2, "gravity": [0, -10], "until": 1, "accuracy": 0.003,
		"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"f": {"static": %g, "kinetic": %g}}, "material": "f",
		"bodies": [{"id": "b", "mass": 1, "position": [0, 0], "inertia": 1, "shape": {"type": "point"},
			"load": [%g, {"table": [[0, 0], [%g, 0], [%g, 6.95], [%g, 0], [1, 0]]}]}],
		"expect": [{"quantity": "position", "body": "b", "axis": "x", "value": %.9g, "tolerance": %.9g}]}`,
		static, kinetic, pull, falls, least, rises, x, .003*x), &Model).Passed(t)
}
