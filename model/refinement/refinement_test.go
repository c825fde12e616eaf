package refinement_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/model/refinement"
)

// TestErrors: relative to the largest size, or the share of another one; what overflowed, or is no
// number, is the worst of its group wherever it stands there.
func TestErrors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	list := []refinement.Quantity{{Group: "a", Name: "sound"}, {Group: "a", Name: "other", Like: []int{0}, Share: .5}}
	for name, c := range map[string]struct{ apart, size, want float64 }{
		"none":       {0, 0, 0},
		"share":      {1, .1, .5},
		"own":        {1, 8, .25},
		"NaN":        {nan, nan, math.MaxFloat64},
		"overflow":   {inf, inf, math.MaxFloat64},
		"no size":    {1, nan, math.MaxFloat64},
		"large size": {1, inf, 0},
	} {
		var e refinement.Estimate
		e.Observe(0, 1, 1, 8)
		e.Observe(1, 1, c.apart, c.size)
		if got := e.Errors(list, refinement.Finer); got[0] != .25 || got[1] != c.want {
			t.Errorf("%s: %v, want .25 and %v", name, got, c.want)
		}
		if f := e.Facts(list, refinement.Finer, .3, "beside", refinement.FinerMesh); len(f) != 1 || f[0].Passed != (c.want <= .3) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
