package rigid

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestTips: two rods that lean at each other with sharp ends meet in corners, and the normal of
// their contact is a choice. It is told, by run and diagnose alike, and made so that the fall of
// the two is its own image, in either order, and that of rods whose ends are round by a
// ten-thousandth.
func TestTips(t *testing.T) {
	const angle, half = 1, .5
	fall := func(radius float64, first, second float64, accept string) (*trial.Trial, []float64) {
		rod := func(side float64) string {
			return fmt.Sprintf(`{"id": "rod%g", "shape": {"type": "rod", "length": 1, "radius": %g}, "mass": 1, "position": [%.17g, %.17g], "angle": %.17g}`,
				side, radius, side*(radius+half*math.Cos(angle)), radius+half*math.Sin(angle), math.Pi/2+side*(math.Pi/2-angle))
		}
		x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 0.1, "steps": 40, "accuracy": 0.05, "dimension": 2, "gravity": [0, -9.81], %s "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
  "friction": {"m": {"mu": 0.2}}, "material": "m", "bodies": [%s, %s]}`, accept, rod(first), rod(second)), &Model)
		return x, x.Last(t, table.TrajectoryFile)[1:]
	}
	image := func(name string, q []float64) {
		if math.Abs(q[0]+q[3]) > 1e-9 || math.Abs(q[1]-q[4]) > 1e-9 || math.Abs(q[2]+q[5]-math.Pi) > 1e-9 {
			t.Errorf("%s: rods at %g and %g are no images", name, q[:3], q[3:])
		}
	}
	_, round := fall(1e-4, -1, 1, "")
	for _, order := range []float64{-1, 1} {
		x, q := fall(0, order, -order, "")
		image(fmt.Sprint(order), q)
		for i, v := range round {
			if w := q[(i+3*int((1+order)/2))%6]; math.Abs(v-w) > 1e-3 {
				t.Errorf("coordinate %d is %g, %g of round ends", i, w, v)
			}
		}
		if run.Certified(x.Summary) || !strings.Contains(run.Failure(x.Summary), "the normal of their contact is a choice") {
			t.Errorf("%s: %s", x.Summary.Status, run.Failure(x.Summary))
		}
		if d := x.Diagnose(t); !strings.Contains(run.Failure(d), "the normal of their contact is a choice") {
			t.Errorf("diagnose: %s", run.Failure(d))
		}
	}
	x, _ := fall(0, -1, 1, `"accept": ["normal"],`)
	x.Passed(t)
	if d := x.Diagnose(t); !run.Certified(d) {
		t.Errorf("diagnose: %s", run.Failure(d))
	}
}

// TestSmallEnds: rods whose ends are round by a millionth stand on each other. A step turns the
// normal between two ends by more than a round of its bends can follow, or by as much as the last
// contact problem left, so that the step is taken without bends: the files are those of one manner,
// to the digits that their momentum and cones are judged by.
func TestSmallEnds(t *testing.T) {
	for _, c := range []struct {
		until, mu, across, tilt float64
		steps                   int
		mass                    []float64
	}{
		{0.1, 0.2, 1, -0.5, 10, []float64{1, 1}},
		{0.01, 0, 0, -0.5, 40, []float64{2, 1, 2}},
		{0.1, 0, 1, 0, 40, []float64{1, 2}},
		{0.1, 0, 0, 0.05, 10, []float64{0.1, 1}},
		{0.01, 0, -3, -0.5, 10, []float64{1, 2}},
	} {
		const length, radius = 0.5, 1e-6
		sin, cos := math.Sincos(c.tilt)
		var rods []string
		for i, m := range c.mass {
			s := (0.5+float64(i))*length + (1+2*float64(i))*radius
			rods = append(rods, fmt.Sprintf(`{"id": "b%d", "mass": %g, "position": [%.17g, %.17g], "angle": %.17g, "shape": {"type": "rod", "length": %g, "radius": %g}}`,
				i, m, -sin*s, cos*s, math.Pi/2+c.tilt, length, radius))
		}
		x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": %g, "steps": %d, "alpha": 0.5, "accuracy": 0.5, "accept": ["normal"], "gravity": [%g, -9.81],
  "friction": {"dry": {"mu": %g}}, "material": "dry", "obstacles": {"floor": {"normal": [%.17g, %.17g], "point": [0, 0]}}, "bodies": [%s]}`,
			c.until, c.steps, c.across, c.mu, -sin, cos, strings.Join(rods, ", ")), &Model)
		if d := x.Diagnose(t); run.Certified(d) != run.Certified(x.Summary) || strings.Contains(run.Failure(d), ".csv") {
			t.Errorf("%+v: run: %s; diagnose: %s", c, run.Failure(x.Summary), run.Failure(d))
		}
	}
}
