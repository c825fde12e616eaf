package lcp

import (
	"math"
	"testing"
)

// TestResidualsOfComplementarity: min(z, Mz + q) in scaled units is what Residual says, of answers
// that are wrong by a known amount.
func TestResidualsOfComplementarity(t *testing.T) {
	p := &LCP{M: []float64{2, 1, 0, 4}, Q: []float64{-5, 2}}
	for _, c := range []struct{ z []float64 }{{[]float64{2.5, 0}}, {[]float64{2.5, .1}}, {[]float64{2, 0}},
		{[]float64{0, 0}}, {[]float64{2.5, -.1}}} {
		w := []float64{2*c.z[0] + c.z[1] - 5, 4*c.z[1] + 2}
		got, worst := p.Residual(c.z)
		exact := max(math.Abs(min(c.z[0], w[0])), math.Abs(min(c.z[1], w[1]))) == 0
		if (got == 0) != exact || math.IsNaN(got) || worst < 0 && !exact {
			t.Errorf("%v: residual %g at %d, w = %v", c.z, got, worst, w)
		}
	}
}
