package anderson

import (
	"math"
	"testing"
)

// run iterates x ← mixed G(x) until it stands still and returns the number of
// evaluations of G.
func run(t *testing.T, n int, g func(y, x []float64)) (x []float64, evaluations int) {
	var m Mixer
	m.Resize(n)
	m.Reset()
	x = make([]float64, n)
	y := make([]float64, n)
	for evaluations = 1; evaluations <= 500; evaluations++ {
		g(y, x)
		change := 0.0
		for i := range x {
			change = max(change, math.Abs(y[i]-x[i]))
		}
		if change <= 1e-13 {
			return x, evaluations
		}
		m.Next(x, y)
	}
	t.Fatal("does not converge")
	return nil, 0
}

// TestAffine: on an affine map of dimension n the residual spans n secants, so
// n + 2 evaluations reach the fixed point up to rounding; the plain iteration,
// contracting by 0.9, would take 300.
func TestAffine(t *testing.T) {
	for n := 1; n <= 4; n++ {
		rates := []float64{0.9, 0.5, -0.7, 0.2}
		x, evaluations := run(t, n, func(y, x []float64) {
			for i := range x {
				y[i] = float64(i+1) + rates[i]*(x[i]-float64(i+1))
			}
		})
		for i, v := range x {
			if math.Abs(v-float64(i+1)) > 1e-12 { // 1e-13 over 1 − rate
				t.Errorf("n = %d: x[%d] = %g", n, i, v)
			}
		}
		if evaluations > n+4 { // normal equations lose some digits: two more
			t.Errorf("n = %d: %d evaluations", n, evaluations)
		}
	}
}

// TestKinks: thresholds are cut at zero, where the map is not smooth.
func TestKinks(t *testing.T) {
	x, _ := run(t, 3, func(y, x []float64) {
		y[0] = max(0, 1-0.8*x[1])
		y[1] = max(0, 0.5-0.9*x[0]+0.3*x[2])
		y[2] = max(0, 0.4*x[0]-1)
	})
	for i, want := range []float64{1, 0, 0} {
		if math.Abs(x[i]-want) > 1e-12 {
			t.Errorf("x = %v", x)
		}
	}
}
