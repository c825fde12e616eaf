package rigid

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
)

// pendulumForce is the tension of a mathematical pendulum of 1 kg and 1 m with g = 10 that is let go at 90°, at a time, and its
// angle from the vertical: Runge-Kutta in steps of 1e-5 s.
func pendulumForce(until float64) (tension, angle float64) {
	const h = 1e-5
	a, w := math.Pi/2, 0.
	f := func(a float64) float64 { return -10 * math.Sin(a) }
	for range int(math.Round(until / h)) {
		a1, w1 := w, f(a)
		a2, w2 := w+h/2*w1, f(a+h/2*a1)
		a3, w3 := w+h/2*w2, f(a+h/2*a2)
		a4, w4 := w+h*w3, f(a+h*a3)
		a, w = a+h/6*(a1+2*a2+2*a3+a4), w+h/6*(w1+2*w2+2*w3+w4)
	}
	return 10*math.Cos(a) + w*w, a
}

// TestForceOfAMotion: the joint force of a pendulum is off by what its motion is off by, of first order (α = .6) in chosen steps
// and in given ones; and in steps of 5e-9 s by the rounding of places, 1e-16 m/h² of 10 N.
func TestForceOfAMotion(t *testing.T) {
	thorough.Seconds(t)
	for _, c := range []struct {
		keys  string
		until float64
	}{{`"alpha": 0.6, "gamma": 0.6`, 5}, {`"alpha": 0.6, "gamma": 0.6, "accuracy": 1, "steps": 400`, 5},
		{`"steps": 20`, 1e-7}} {
		var list string
		times := []float64{0.31, 0.52, 0.77, 0.83, 0.99}
		for _, at := range times {
			list += fmt.Sprintf(`{"quantity": "joint_force", "joint": "j", "axis": "y", "time": %g, "value": 0, "tolerance": 1e9}, `, at*c.until)
		}
		x := trial.Run(t, fmt.Sprintf(`{"name": "pendulum", "model": "rigid", "dimension": 2, "until": %g, "gravity": [0, -10], %s,
			"bodies": [{"id": "b", "mass": 1, "inertia": 1e-9, "position": [1, 0], "shape": {"type": "point"}}],
			"joints": [{"id": "j", "type": "revolute", "body": "b", "at": [0, 0]}],
			"expect": [%s{"quantity": "joint_force", "joint": "j", "axis": "y", "min": -1e9}]}`, c.until, c.keys, list), &Model)
		for i, o := range x.Summary.Expectations[:len(times)] {
			tension, angle := pendulumForce(times[i] * c.until)
			want := math.Abs(tension * math.Cos(angle))
			if off := math.Abs(math.Abs(*o.Value) - want); off > o.Within+1e-9 {
				t.Errorf("%s, %s: %g ± %.3g, want %g", c.keys, o.Label, *o.Value, o.Within, want)
			}
		}
	}
}
