package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestOutline: what is kept of a path says how far it swings about uniform motions and how often,
// whatever its mean velocity and the axes are.
func TestOutline(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, c := range []struct {
		name           string
		x              func(t float64) float64
		swing, returns float64
		tolerance      float64
	}{
		{"rest", func(float64) float64 { return 0 }, 0, 0, 0},
		{"fall", func(t float64) float64 { return 4 * t * t }, 1, 1, .002},
		{"late", func(t float64) float64 { return 10 * max(0, t-.1) }, .9, 1, .02},
		{"a period", func(t float64) float64 { return math.Sin(2 * math.Pi * t) }, 1, 2, .02},
		{"many", func(t float64) float64 { return math.Sin(2 * math.Pi * 300 * t) }, 1, math.Inf(1), .02},
	} {
		for _, v := range []float64{0, 1e3} {
			o := outline(make([]float64, outlineSize))
			cosine, sine := math.Cos(v), math.Sin(v)
			for t := 0.0; t < 1; {
				t = min(1, t+6e-4*r.Float64())
				x := c.x(t) + v*t
				o.add(t, [3]float64{x * cosine, 0, x * sine})
			}
			swing, returns := o.swing()
			if few := math.IsInf(c.returns, 1); math.Abs(swing-c.swing) > c.tolerance+1e-10*v || few && returns < 5 ||
				!few && c.swing > 0 && math.Abs(returns-c.returns) > .05 {
				t.Errorf("%s, %g m/s: %g, %g times, want %g, %g", c.name, v, swing, returns, c.swing, c.returns)
			}
		}
	}
}

// TestOutlineOfAFile: whatever a checkpoint says, an outline has a number of places that it can have.
func TestOutlineOfAFile(t *testing.T) {
	for _, n := range []float64{math.NaN(), -1, 1e300, math.Inf(1), 2.5} {
		o := outline(make([]float64, outlineSize))
		o[0] = n
		o.add(1, [3]float64{1})
		o.swing()
	}
}
