package elastic

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

const (
	// lanczosSteps bounds the products of one norm; the extreme eigenvalues of
	// operators of elasticity are found in ten to thirty.
	lanczosSteps = 80
	// lanczosResidual ends an iteration: some eigenvalue is then within this
	// fraction of the Ritz value, which differs from it by about its square.
	lanczosResidual = 1e-4
)

// lanczos returns the largest Ritz value of an operator on R^n that is
// self-adjoint and positive semidefinite in an inner product, by Lanczos' method
// with full orthogonalisation from a random vector (always the same). It is a
// lower bound of the largest eigenvalue, equal to it after n steps; residual is
// that of its pair, relative to it: the length by which it misses an eigenvalue
// at most. It ends early with ctx.
func lanczos(ctx context.Context, n int, apply func(dst, x []float64), inner func(x, y []float64) float64) (value, residual float64) {
	random := rand.New(rand.NewPCG(1, 2))
	q := make([]float64, n)
	for i := range q {
		q[i] = random.NormFloat64()
	}
	scale(q, 1/math.Sqrt(inner(q, q)))
	var basis [][]float64
	var alpha, beta []float64
	for k := 1; k <= min(n, lanczosSteps) && ctx.Err() == nil; k++ {
		basis = append(basis, q)
		w := make([]float64, n)
		apply(w, q)
		alpha = append(alpha, inner(w, q))
		for range 2 { // once more for the digits that the first loses
			for _, b := range basis {
				axpy(w, -inner(w, b), b)
			}
		}
		next := math.Sqrt(max(0, inner(w, w)))
		value, residual = ritz(alpha, beta, next)
		if residual <= lanczosResidual {
			break
		}
		beta = append(beta, next)
		scale(w, 1/next)
		q = w
	}
	return value, residual
}

// ritz returns the largest eigenvalue of the tridiagonal matrix and the relative
// residual of its vector, next being the entry that would follow.
func ritz(alpha, beta []float64, next float64) (value, residual float64) {
	k := len(alpha)
	t := mat.NewSymDense(k, nil)
	for i, a := range alpha {
		t.SetSym(i, i, a)
	}
	for i, b := range beta {
		t.SetSym(i, i+1, b)
	}
	var e mat.EigenSym
	if !e.Factorize(t, true) {
		return alpha[0], 1
	}
	var v mat.Dense
	e.VectorsTo(&v)
	value = e.Values(nil)[k-1]
	if value <= 0 {
		return 0, 0
	}
	return value, next * math.Abs(v.At(k-1, k-1)) / value
}

func scale(x []float64, f float64) {
	for i := range x {
		x[i] *= f
	}
}

func axpy(dst []float64, f float64, x []float64) {
	for i, v := range x {
		dst[i] += f * v
	}
}
