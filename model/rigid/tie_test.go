package rigid

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// TestCollisionsTie: a ball that was hit aslant has a ten-thousandth of the energy of the one that
// hit it, and loses a few hundredths of that to the step length until it rolls. The run judges that
// by the island of both; so does diagnose, which knows of a collision from its row, and of what it
// passed on by what touches before it. A row of bodies that the case does not have is refused.
func TestCollisionsTie(t *testing.T) {
	const r, mass = 0.028575, 0.17
	ball := func(id string, x, y, v float64) string {
		return fmt.Sprintf(`{"id": %q, "shape": {"type": "sphere", "radius": %g}, "mass": %g, "position": [%.17g, %.17g, %g], "velocity": [%g, 0, 0]}`,
			id, r, mass, x, y, r, v)
	}
	const sine, cosine = 0.9998, 0.019998999949995 // of the angle between the way of the first and the line of the centres of the second and the third
	for _, balls := range [][]string{
		{ball("cue", -0.1, 2*r*sine, 4), ball("one", 0, 0, 0)},
		{ball("cue", -0.1, 0, 4), ball("one", 0, 0, 0), ball("two", 2*r*cosine, 2*r*sine, 0)},
	} {
		x := trial.Run(t, `{"name": "break", "model": "rigid", "until": 0.2, "steps": 100, "gravity": [0, 0, -9.81], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "friction": {"cloth": {"mu": 0.2, "restitution": 0.95}, "ivory": {"mu": 0, "restitution": 0.95}}, "material": "ivory", "restitution_law": "sequential",
  "contacts": [{"body": "`+[]string{"", "one", "two"}[len(balls)-1]+`", "obstacle": "floor", "friction": "cloth"}],
  "bodies": [`+strings.Join(balls, ", ")+`]}`, &Model)
		x.Passed(t)
		if s := x.Diagnose(t); !run.Certified(s) {
			t.Errorf("%d balls: %s", len(balls), run.Failure(s))
		}
	}
}

// TestFastPushers: after an inelastic collision at 300 m/s a small ball and a plate go on together,
// pressed by a millionth of what they had: the rounds of the step end where the gap changes by a
// picometre, which diagnose allows the law of the contact, too.
func TestFastPushers(t *testing.T) {
	x := trial.Run(t, `{"name": "bullet", "model": "rigid", "until": 0.01, "steps": 10, "friction": {"m": {"mu": 0.3}}, "material": "m", "bodies": [
  {"id": "p", "shape": {"type": "box", "size": [0.005, 0.5, 0.5]}, "mass": 10, "position": [1, 0, 0]},
  {"id": "s", "shape": {"type": "sphere", "radius": 0.002}, "mass": 0.01, "position": [0.05, 0.01, 0.02], "velocity": [300, 0, 0]}]}`,
		&Model)
	x.Passed(t)
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
}

// TestFallsCount: a wheel without a rim, an octagon that rolls down a slope from corner to corner,
// loses in each collision what it has fallen since the one before. What has fallen is what moves,
// as it is in the run: diagnose, which has not the steps of collisions, judged the step length by
// what is left of it.
func TestFallsCount(t *testing.T) {
	var corners []string
	for k := range 8 {
		a := math.Pi/8 + float64(k)*math.Pi/4
		corners = append(corners, fmt.Sprintf("[%.17g, %.17g]", .1*math.Cos(a), .1*math.Sin(a)))
	}
	x := trial.Run(t, fmt.Sprintf(`{"name": "wheel", "model": "rigid", "dimension": 2, "until": 2, "steps": 1000, "accuracy": 0.1, "gravity": [%.17g, %.17g],
  "obstacles": {"slope": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"m": {"mu": 0.8}}, "material": "m",
  "bodies": [{"id": "wheel", "shape": {"type": "polygon", "vertices": [%s]}, "mass": 1, "position": [0, %.17g], "velocity": [0.3, 0], "spin": -3}]}`,
		9.81*math.Sin(.3), -9.81*math.Cos(.3), strings.Join(corners, ", "), .1*math.Cos(math.Pi/8)), &Model)
	x.Passed(t)
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
}
