// Package eigen bounds the smallest eigenvalue of a sparse symmetric matrix.
package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

const (
	// DenseOrder is the order up to which eigenvalues are computed by dense QR;
	// beyond it a sparse Cholesky factorisation certifies bounds.
	DenseOrder = 240
	// eigenTolerance is how far the certified bounds of an eigenvalue may be
	// apart, relative to the norm of the matrix.
	eigenTolerance = 1e-10
	// eigenRounds bounds the number of factorisations of one eigenvalue.
	eigenRounds = 60
	// roundoff is what an eigenvalue of a matrix of norm 1 and order 1 may be off.
	roundoff = 0x1p-50
)

// Smallest bounds the smallest eigenvalue of a and returns a vector near
// its eigenvector. Both ends agree for orders up to DenseOrder; beyond, the lower
// one is a shift s for which a − sI has a Cholesky factorisation, less its
// backward error, and the upper one a Rayleigh quotient or a shift without one. When the
// context is done the bounds are of no use.
func Smallest(ctx context.Context, a *sparse.Sym) (lo, hi float64, x []float64) {
	switch {
	case a.N == 0:
		return math.Inf(1), math.Inf(1), nil
	case slices.ContainsFunc(a.Val, func(v float64) bool { return math.IsNaN(v - v) }): // with which an iteration would not end
		return math.Inf(-1), math.Inf(1), make([]float64, a.N)
	case a.N <= DenseOrder:
		return smallestDense(a)
	}
	return smallestSparse(ctx, a)
}

func smallestDense(a *sparse.Sym) (lo, hi float64, x []float64) {
	m := mat.NewSymDense(a.N, nil)
	for c := range a.N {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			m.SetSym(a.Row[k], c, a.Val[k])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(m, true) {
		return math.Inf(-1), math.Inf(1), make([]float64, a.N)
	}
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	value := eig.Values(nil)[0]
	return value, value, mat.Col(nil, 0, &vectors)
}

// bracket is the state of smallestSparse: lo < λ_min <= hi.
type bracket struct {
	ctx    context.Context
	a      *sparse.Sym
	shift  *sparse.Sym // a − sI
	good   factor.Factor
	trial  factor.Factor
	lo, hi float64
	x, y   []float64
}

// smallestSparse alternates inverse iteration with the best factorised shift and
// attempts to factorise a shift closer to the Rayleigh quotient.
func smallestSparse(ctx context.Context, a *sparse.Sym) (lo, hi float64, x []float64) {
	norm := RowSum(a)
	if norm == 0 {
		x = make([]float64, a.N)
		x[0] = 1
		return 0, 0, x
	}
	b := newBracket(ctx, a, norm)
	if b == nil {
		return math.Inf(-1), math.Inf(1), make([]float64, a.N)
	}
	width := eigenTolerance * norm
	for range eigenRounds {
		if ctx.Err() != nil {
			break
		}
		b.iterate()
		gap := b.hi - b.lo
		if gap <= width {
			break
		}
		// Inverse iteration leaves far less than a hundredth of the gap, once it
		// has found the direction; otherwise the attempt fails and halves it.
		if s := b.hi - max(gap/128, width/2); !b.attempt(s) {
			b.attempt(b.lo + gap/2)
		}
	}
	slack := float64(a.N) * roundoff * norm
	return b.lo - slack, b.hi, b.x
}

// newBracket returns nil where no shift makes a positive definite: it has entries that
// are not finite, or overflows, and when the context is done.
func newBracket(ctx context.Context, a *sparse.Sym, norm float64) *bracket {
	plan, err := factor.NewPlanContext(ctx, a, factor.Options{})
	if err != nil {
		return nil
	}
	b := &bracket{ctx: ctx, a: a, good: plan.Factor(), trial: plan.Factor(), x: make([]float64, a.N), y: make([]float64, a.N)}
	b.shift = &sparse.Sym{N: a.N, Ptr: a.Ptr, Row: a.Row, Val: make([]float64, len(a.Val))}
	rng := rand.New(rand.NewPCG(1, 2)) // any fixed start that is no eigenvector
	for i := range b.x {
		b.x[i] = rng.Float64() - 0.5
	}
	b.hi = norm
	// Zero is the bound that matters for energies; −norm − tiny always works.
	if !b.attempt(0) && !b.attempt(-norm*(1+1e-6)) {
		return nil
	}
	return b
}

// attempt tries whether a − sI is positive definite, for an s below the upper bound, and moves a
// bound.
func (b *bracket) attempt(s float64) bool {
	copy(b.shift.Val, b.a.Val)
	for c := range b.a.N {
		b.shift.Val[b.a.Ptr[c]] -= s
	}
	if b.trial.RefactorContext(b.ctx, b.shift) != nil {
		b.hi = s
		return false
	}
	b.lo = s
	b.good, b.trial = b.trial, b.good
	return true
}

// iterate takes three steps of inverse iteration and the Rayleigh quotient.
func (b *bracket) iterate() {
	for range 3 {
		b.good.Solve(b.x, b.x)
		floats.Scale(1/floats.Norm(b.x, 2), b.x)
	}
	b.a.MulVec(b.y, b.x)
	b.hi = max(min(b.hi, elementary.Dot(b.x, b.y)), b.lo)
}

// RowSum returns ‖a‖∞, which bounds the absolute eigenvalues.
func RowSum(a *sparse.Sym) float64 {
	sum := make([]float64, a.N)
	for c := range a.N {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			v := math.Abs(a.Val[k])
			sum[c] += v
			if r := a.Row[k]; r != c {
				sum[r] += v
			}
		}
	}
	return floats.Norm(sum, math.Inf(1))
}
