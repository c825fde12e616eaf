package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// TestComesLoose: a point that has rested on a table that tilts by φ comes loose when μ_s(g cos φ + qφ̈) = g sin φ − qφ̇², found
// by bisection, and is then where q̈ = −g sin φ + qφ̇² + μ_k(g cos φ + qφ̈ + 2q̇φ̇) has it, by Runge and Kutta's steps of 1e-5 s. Where steps
// shrink before that its normal force swings, which is no release: it was dated .5151 s, and .1 % of the way too far at the end.
func TestComesLoose(t *testing.T) {
	const amplitude, frequency, phase, offset, static, kinetic, g, q0, until = .2793, .473, 5.185, .2486839036018635,
		.384, .319, 9.81, -.029, .9
	const w = 2 * math.Pi * frequency
	angle := func(t float64) (phi, rate, acceleration float64) {
		sin, cos := math.Sincos(w*t + phase)
		return offset + amplitude*sin, amplitude * w * cos, -amplitude * w * w * sin
	}
	pull := func(t, q, v, mu float64) float64 { // along the table, with friction against a slip down
		phi, rate, acceleration := angle(t)
		sin, cos := math.Sincos(phi)
		return -g*sin + q*rate*rate + mu*(g*cos+q*acceleration+2*v*rate)
	}
	low, high := 0., .6
	for range 60 {
		if middle := (low + high) / 2; pull(middle, q0, 0, static) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	q, v, steps := q0, 0., math.Round((until-low)/1e-5)
	for n, h := 0., (until-low)/steps; n < steps; n++ {
		at := low + n*h
		a := pull(at, q, v, kinetic)
		b := pull(at+h/2, q+h/2*v, v+h/2*a, kinetic)
		c := pull(at+h/2, q+h/2*(v+h/2*a), v+h/2*b, kinetic)
		d := pull(at+h, q+h*(v+h/2*b), v+h*c, kinetic)
		q, v = q+h*v+h*h/6*(a+b+c), v+h/6*(a+2*b+2*c+d)
	}
	x := trial.Run(t, `{"name": "b", "model": "rigid", "dimension": 2, "accuracy": 0.0001, "until": 0.9, "gravity": [0, -9.81],
  "obstacles": {"o": {"point": [0, 0], "normal": [0, 1], "motion": {"rotation": {"through": [0, 0], "angle": {"sine": {"amplitude": 0.2793, "frequency": 0.473, "phase": 5.185, "offset": 0.2486839036018635}}}}}},
  "friction": {"dry": {"static": 0.384, "kinetic": 0.319}}, "material": "dry",
  "bodies": [{"id": "b", "mass": 0.67, "position": [-0.029, 0], "velocity": [0, -0.01095782238317119]}]}`, &rigid.Model)
	x.Passed(t)
	end := x.Last(t, table.TrajectoryFile)
	if off := math.Abs(math.Hypot(end[1], end[2])+q) / (q0 - q); !(off <= 1e-4) {
		t.Errorf("off by %.3g of the way, want 1e-4", off)
	}
	if loose, off := nearest(datesOf(t, x), dated{t: low, what: "b/o stick slip"}); !(off <= 1e-4) {
		t.Errorf("loose at %.6g s, want %.6g s", loose.t, low)
	}
}
