package assume

import (
	"context"

	"github.com/quasistatic/quasistatic/internal/eigen"
	"github.com/quasistatic/quasistatic/sparse"
)

// alpha is α_K of (2.2): the smallest eigenvalue of D²E without the rows and
// columns 3j, j ∈ K. fixed marks K by particle. The vector, by degree of
// freedom, is the softest direction.
func alpha(ctx context.Context, h *sparse.Sym, fixed []bool) (Interval, []float64) {
	sub, dofs := freeMatrix(h, fixed)
	lo, hi, x := eigen.Smallest(ctx, sub)
	soft := make([]float64, h.N)
	for k, d := range dofs {
		if x != nil {
			soft[d] = x[k]
		}
	}
	return Interval{lo, hi}, soft
}

// freeMatrix removes the rows and columns 3j, j ∈ K, and returns which degrees
// of freedom are left.
func freeMatrix(h *sparse.Sym, fixed []bool) (*sparse.Sym, []int) {
	place, dofs := make([]int, h.N), make([]int, 0, h.N)
	for d := range h.N {
		place[d] = -1
		if d%3 != 2 || !fixed[d/3] {
			place[d] = len(dofs)
			dofs = append(dofs, d)
		}
	}
	sub := &sparse.Sym{N: len(dofs), Ptr: make([]int, 1, len(dofs)+1)}
	for _, d := range dofs {
		for k := h.Ptr[d]; k < h.Ptr[d+1]; k++ {
			if r := place[h.Row[k]]; r >= 0 {
				sub.Row, sub.Val = append(sub.Row, r), append(sub.Val, h.Val[k])
			}
		}
		sub.Ptr = append(sub.Ptr, len(sub.Row))
	}
	return sub, dofs
}
