package dynamics

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/signal"
)

// TestDyadicStep: the steps of a run are found from its times, to the bit, and nothing else.
func TestDyadicStep(t *testing.T) {
	for _, until := range []float64{1, .3, 7e-9, 1e5 / 3} {
		for k := 1; k <= 30; k++ {
			n := int64(1) << k
			for _, at := range []int64{0, 1, n / 3, n - 1} {
				from, to := until*(float64(at)/float64(n)), until*(float64(at+1)/float64(n))
				if h, ok := DyadicStep(until, from, to); !ok || h != math.Ldexp(until, -k) {
					t.Errorf("until %g, step %d of %d: %g, %t", until, at, n, h, ok)
				}
			}
		}
	}
	for _, x := range [][2]float64{{0, .3}, {.1, .2}, {.5, .5}, {.5, .25}, {0, 1}, {.25, .75 + 1e-12}, {.125, .375}, {math.NaN(), .5}} {
		if h, ok := DyadicStep(1, x[0], x[1]); ok {
			t.Errorf("%v is a step of %g", x, h)
		}
	}
}

// TestLongestStep: eight steps in a period of the fastest sine that counts.
func TestLongestStep(t *testing.T) {
	slow, _ := signal.NewSine(0, 1, 2, 0)
	fast, _ := signal.NewSine(0, 1, 50, 0)
	table, _ := signal.NewTable([]float64{0, 1}, []float64{0, 1})
	sum, _ := signal.NewSum(slow, fast)
	for want, loads := range map[float64][]signal.Scalar{
		0: {signal.Constant(3), table}, 1. / 16: {slow}, 1. / 400: {slow, fast, table},
	} {
		if h := LongestStep(loads...); math.Abs(h-want) > 1e-15 {
			t.Errorf("%g, want %g", h, want)
		}
	}
	if h := LongestStep(sum); !(h > 1./401 && h < 1./398) { // 2500 against 4 in the second derivative
		t.Error(h)
	}
}
