package rigid

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

const coneCase = `{"model": "rigid", "until": %.17g, "steps": %d, "alpha": %g, "dimension": 3, "gravity": [%.17g, 0, -9.81],
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"dry": {"mu": %g}}, "material": "dry", "accept": ["dissipation"],
  "bodies": [{"id": "cone", "shape": {"type": "cone", "radius": 0.3, "height": 0.8}, "mass": 2, "position": [%.17g, 0, %.17g], "orientation": [%.17g, 0, %.17g, 0], "velocity": [0, %.17g, 0], "spin": [%.17g, 0, %.17g]}],
  "expect": [{"quantity": "position", "body": "cone", "axis": "x", "value": %.17g, "tolerance": %g}, {"quantity": "position", "body": "cone", "axis": "y", "value": %.17g, "tolerance": %g},
    {"quantity": "position", "body": "cone", "axis": "z", "value": %.17g, "tolerance": %g}]}`

// TestCone: a cone of base R and height H, half an angle a = atan(R/H). Standing on a slope it tips
// where tan > R/(H/4). On its side the centre of mass is 3H/4 cos a from the apex, 3H/4 sin a high,
// and it lies. Rolling, the apex stays and the line of contact goes round at Ω with the spin
// Ω cot a about that line: after a quarter of a turn the centre is on the other axis. Files show
// each to diagnose.
func TestCone(t *testing.T) {
	const radius, height, turn = .3, .8, 2.
	half := math.Atan2(radius, height)
	sin, cos := math.Sincos(half)
	x, z := .75*height*cos, .75*height*sin
	angle := math.Atan2(-cos, -sin) // about y, from upright
	spin := turn * cos / sin
	for _, c := range []struct {
		name  string
		until float64
		steps int
		alpha float64
		slope float64
		mu    float64
		at    [2]float64 // x, z
		angle float64
		spin  float64
		want  [3]float64
		tol   float64
	}{
		{"stands", .2, 20, 1, 0, 3, [2]float64{0, height / 4}, 0, 0, [3]float64{0, 0, height / 4}, 1e-12},
		{"stands on a slope", .2, 20, 1, 1.49 / 1.5 * radius / (height / 4), 3, [2]float64{0, height / 4}, 0, 0,
			[3]float64{0, 0, height / 4}, 1e-10},
		{"lies", .2, 20, 1, 0, 3, [2]float64{x, z}, angle, 0, [3]float64{x, 0, z}, 1e-12},
		{"rolls", math.Pi / 2 / turn, 128, .5, 0, .8, [2]float64{x, z}, angle, spin, [3]float64{0, x, z}, 5e-5},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, k := math.Sincos(c.angle) // −spin e_x in axes of the body
			text := fmt.Sprintf(coneCase, c.until, c.steps, c.alpha, 9.81*c.slope, c.mu, c.at[0], c.at[1],
				math.Cos(c.angle/2), math.Sin(c.angle/2), c.spin*c.at[1],
				-c.spin*k, -c.spin*s, c.want[0], c.tol, c.want[1], c.tol, c.want[2], c.tol)
			run1 := trial.Run(t, text, &Model)
			run1.Passed(t)
			if d := run1.Diagnose(t); !run.Certified(d) {
				t.Errorf("diagnose: %s", run.Failure(d))
			}
		})
	}
}

// TestConeTips: beyond that slope it does not stand.
func TestConeTips(t *testing.T) {
	x := trial.Run(t, fmt.Sprintf(coneCase, .6, 300, .5, 9.81*1.55, 3., 0., .2, 1., 0., 0., 0., 0., .0736, 1e-3, 0.,
		1e-9, .2806, 1e-3), &Model)
	x.Passed(t)
}
