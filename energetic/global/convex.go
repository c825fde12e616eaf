package global

import (
	"context"

	"github.com/quasistatic/quasistatic/internal/eigen"
	"github.com/quasistatic/quasistatic/particles"
)

// semidefinite: an eigenvalue above this part of the norm, negative, is the
// roundoff of zero.
const semidefinite = -1e-12

// Convex reports whether E(t, ·) is known to be convex: the terms whose D²E
// varies say so themselves, particles.Convex, and the others add up to a positive
// semidefinite D²E.
func Convex(ctx context.Context, sys *particles.System) bool {
	var quadratic []particles.Energy
	for _, e := range sys.Energies() {
		if c, ok := e.(particles.ConstantHessian); ok && c.ConstantHessian() {
			quadratic = append(quadratic, e)
		} else if !particles.IsConvex(e) {
			return false
		}
	}
	frames := make([]particles.Frame, sys.N())
	for j := range frames {
		if frames[j] = sys.Frame(j); frames[j].Chart != nil && !frames[j].Chart.Face.Flat() {
			return false // E in curved coordinates
		}
	}
	if len(sys.Bent()) > 0 {
		return false // what is admissible is not convex
	}
	part, err := sys.Like(frames, quadratic...)
	if err != nil {
		return false
	}
	h := part.Hessian(0, make([]float64, 3*part.N()))
	lowest, _, _ := eigen.Smallest(ctx, h)
	return lowest >= semidefinite*eigen.RowSum(h)
}
