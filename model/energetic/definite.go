package energetic

import (
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// moderate bounds the numbers at the start: their squares do not overflow.
const moderate = 1e150

// checkEnergy refuses energies that overflow at the start, and those that are
// indefinite where that does not depend on the state: E must be convex for
// minimisers to be unique, (N4), and bounded below for them to exist.
func (b *builder) checkEnergy(sys *particles.System, z []float64) {
	grad := make([]float64, len(z))
	sys.Gradient(grad, nil, 0, z)
	e, _ := sys.Value(0, z)
	if !(math.Abs(e) <= moderate) {
		b.Add(casefile.Path{"energies"}, "the energy at the start is %g J, want values of a moderate size, at most %g", e, moderate)
		return
	}
	for i, g := range grad {
		if !(math.Abs(g) <= moderate) {
			b.Add(casefile.Path{"energies"}, "the force on particle %q at the start is %g N, want values of a moderate size, at most %g",
				b.ids[i/3], g, moderate)
			return
		}
	}
	h := sys.Hessian(0, z)
	for k, v := range h.Val {
		if !(math.Abs(v) <= moderate) {
			b.Add(casefile.Path{"energies"}, "the stiffness of particle %q at the start is %g N/m, want values of a moderate size, at most %g",
				b.ids[h.Row[k]/3], v, moderate)
			return
		}
	}
	if sys.ConstantHessian() && slices.ContainsFunc(sys.Energies(), func(e particles.Energy) bool { return !particles.IsConvex(e) }) {
		b.checkDefinite(h)
	}
}

// checkDefinite factors D²E + δI, with δ above what roundoff does to a
// semidefinite matrix: rigid motions without stiffness are allowed.
func (b *builder) checkDefinite(h *sparse.Sym) {
	a := &sparse.Sym{N: h.N, Ptr: h.Ptr, Row: h.Row, Val: append([]float64(nil), h.Val...)}
	largest := size(a.Val)
	if largest == 0 {
		return
	}
	// The backward error of Cholesky is n·2⁻⁵² of the largest entry; four times that is safe.
	shift := largest * max(1e-12, 4*float64(a.N)*0x1p-52)
	for j := range a.N {
		a.AddAt(j, j, shift)
	}
	// A pivot counts as positive if it is: the shift is what is judged, not its digits.
	solver, err := factor.AnalyseContext(b.Context, a, factor.Options{PivotTolerance: 0x1p-1000})
	if !b.Accept(nil, err) { // the context is done
		return
	}
	var indefinite *factor.NotPositiveDefiniteError
	if err := solver.RefactorContext(b.Context, a); errors.As(err, &indefinite) {
		b.Add(casefile.Path{"energies"}, "the energy is indefinite: it decreases without bound when particle %q moves along %c (and others follow), pivot %.3g N/m, want D²E >= 0",
			b.ids[indefinite.Column/3], "ton"[indefinite.Column%3], indefinite.Pivot-shift)
	}
}
