package incremental

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// ulps is the relative rounding of a coordinate that went through a frame and a
// difference: a handful of operations of 2⁻⁵³ each.
const ulps = 4 * 0x1p-52

// RoundingForce returns the force that the rounding of the positions can pretend
// [N], the largest entry of ulps·|D²E||x|: no smaller one can be told from none. h
// is D²E(t, z) and work has 6N entries. It costs a product with h.
func RoundingForce(work []float64, sys *particles.System, h *sparse.Sym, z []float64) float64 {
	roundingForces(work, sys, h, z)
	return ulps * floats.Norm(work[len(z):2*len(z)], math.Inf(1))
}

// roundingForces stores |D²E||x| in the second half of work.
func roundingForces(work []float64, sys *particles.System, h *sparse.Sym, z []float64) {
	size, force := work[:len(z)], work[len(z):2*len(z)]
	sys.Magnitudes(size, z)
	clear(force)
	for c, x := range size {
		for k := h.Ptr[c]; k < h.Ptr[c+1]; k++ {
			v, r := math.Abs(h.Val[k]), h.Row[k]
			force[r] += v * x
			if r != c {
				force[c] += v * size[r]
			}
		}
	}
}
