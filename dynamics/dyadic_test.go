package dynamics

import (
	"math"
	"testing"
)

// TestDyadicStep: the steps of a run are found from its times, to the bit, and nothing else.
func TestDyadicStep(t *testing.T) {
	for _, until := range []float64{1, .3, 7e-9, 1e5 / 3} {
		for k := 1; k <= 30; k++ {
			n := int64(1) << k
			for _, at := range []int64{0, 1, n / 3, n - 1} {
				from, to := until*(float64(at)/float64(n)), until*(float64(at+1)/float64(n))
				if h, ok := DyadicStep([]float64{0, until}, from, to); !ok || h != math.Ldexp(until, -k) {
					t.Errorf("until %g, step %d of %d: %g, %t", until, at, n, h, ok)
				}
			}
		}
	}
	for _, x := range [][2]float64{{0, .3}, {.1, .2}, {.5, .5}, {.5, .25}, {0, 1}, {.25, .75 + 1e-12}, {.125, .375}, {math.NaN(), .5}} {
		if h, ok := DyadicStep([]float64{0, 1}, x[0], x[1]); ok {
			t.Errorf("%v is a step of %g", x, h)
		}
	}
}
