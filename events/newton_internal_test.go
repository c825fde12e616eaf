package events

import (
	"math"
	"testing"
)

// TestNewton: the root that bisect finds, of functions that fall, with a kink of the rate or none, flat at the root, or at their bound at the start, in fewer values.
func TestNewton(t *testing.T) {
	for name, f := range map[string]func(t float64) (value, rate float64){
		"cosine":   func(t float64) (float64, float64) { return math.Cos(40*t) - 0.2, -40 * math.Sin(40*t) },
		"line":     func(t float64) (float64, float64) { return 0.017 - t, -1 },
		"cubic":    func(t float64) (float64, float64) { return 1e-6 - t*t*t, -3 * t * t },
		"at bound": func(t float64) (float64, float64) { return -t * t, -2 * t },
		"no rate":  func(t float64) (float64, float64) { return 0.03 - t - t*t, 0 },
	} {
		for _, origin := range [2]float64{0, 1e3} {
			count := 0
			one := func(t float64) point {
				count++
				v, r := f(t)
				return point{t, v, r, 1}
			}
			a, b := one(0), one(0.05)
			count = 0
			want := bisect(a, b, origin, one)
			before := count
			count = 0
			got := newton(a, b, origin, one)
			if math.Abs(got-want) > 4e-16*(1+origin)+1e-12*want || !(one(got).value < 0) {
				t.Errorf("%s from %g: root at %.17g, by bisection at %.17g", name, origin, got, want)
			}
			if name == "cosine" && !(4*count <= 3*before) {
				t.Errorf("%s from %g: %d values, by bisection %d", name, origin, count, before)
			}
		}
	}
}
