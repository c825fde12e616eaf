package elastic

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// held is the matrix of a step with the contact normals held: the operators of
// Theorem 4 through its factors, without the dense W. c are the contact normals,
// * the other free dofs, t the tangents of the contacts,
//
//	S = A_c* Ã_*⁻¹ A_*c,   B = Eᵀ Ã_*⁻¹ E,   G = A_c* Ã_*⁻¹ E = −W_nn⁻¹ W_nt,
//
// G being what forces along the obstacle do to the normal reactions of closed contacts.
type held struct {
	nc, nt   int
	mu       []float64
	split    *fem.Split    // of the free dofs
	coupling *fem.Coupling // A_*c
	factor   factor.Factor // of Ã_*
	tangent  []int         // place of each tangent in *
	order    []int         // of each contact among the columns of coupling
	x, r     []float64     // scratch: *, c
}

// holdNormals factorises Ã_*.
func (t *trapezoid) holdNormals(ctx context.Context) (*held, error) {
	a := t.a
	h := &held{nc: len(a.normal), nt: a.dim - 1, mu: make([]float64, len(a.normal))}
	normals := make([]int, h.nc)
	for k, n := range a.normal {
		normals[k], h.mu[k] = a.split.Index[n], a.model.mu(k)
	}
	h.split = fem.NewSplit(t.matrix.N, normals)
	var m *sparse.Sym
	m, h.coupling = h.split.Restrict(t.matrix)
	for k, n := range a.normal {
		h.order = append(h.order, -1-h.split.Index[normals[k]])
		for c := n - h.nt; c < n; c++ {
			h.tangent = append(h.tangent, h.split.Index[a.split.Index[c]])
		}
	}
	h.x, h.r = make([]float64, m.N), make([]float64, h.nc)
	var err error
	if h.factor, err = factor.AnalyseContext(ctx, m, factor.Options{}); err != nil {
		return nil, err
	}
	return h, h.factor.RefactorContext(ctx, m)
}

// push sets x = Ã_*⁻¹ E s for forces along the obstacle.
func (h *held) push(s []float64) {
	clear(h.x)
	for k, i := range h.tangent {
		h.x[i] = s[k]
	}
	h.factor.Solve(h.x, h.x)
}

// react sets r = G s.
func (h *held) react(r, s []float64) {
	h.push(s)
	clear(h.r)
	h.coupling.SubMulTrans(h.r, h.x)
	for k, j := range h.order {
		r[k] = -h.r[j]
	}
}

// reactTrans sets s = Gᵀ r.
func (h *held) reactTrans(s, r []float64) {
	for k, j := range h.order {
		h.r[j] = -r[k]
	}
	clear(h.x)
	h.coupling.SubMul(h.x, h.r)
	h.factor.Solve(h.x, h.x)
	for k, i := range h.tangent {
		s[k] = h.x[i]
	}
}

// closed returns ‖diag(μ) G‖₂.
func (h *held) closed(ctx context.Context) (norm, residual float64) {
	r := make([]float64, h.nc)
	norm, residual = lanczos(ctx, h.nt*h.nc, func(dst, s []float64) {
		h.react(r, s)
		for k, mu := range h.mu {
			r[k] *= mu * mu
		}
		h.reactTrans(dst, r)
	}, dot)
	return math.Sqrt(norm), residual
}

// theorem4 returns the bound of the factor of Φ_n in the norm of Ã_*,
//
//	κ = α √(α² + Λβ²),   α² = λ_max(A_cc⁻¹ S),   β² = λ_max(diag(μ) B diag(μ)),   Λ = λ_max(A_cc).
//
// The obstacle problem projects in the norm of A_cc: with δp the change of its
// data, ‖δu_c‖² + ‖δλ_c‖² ≤ ‖δp‖² ≤ α²‖δv̂‖², λ_c in the norm of A_cc⁻¹, since
// projections are firmly nonexpansive. The problem with friction is strongly
// monotone: ‖δv‖² ≤ −δu_c·A_c*δv + Σ μ|δλ_c||δv_T| ≤ (α‖δu_c‖ + √Λ β‖δλ_c‖) ‖δv‖.
// So κ < 1 suffices for a unique step, whichever contacts open, stick or slide.
func (h *held) theorem4(ctx context.Context, acc *sparse.Sym) (kappa, residual float64, err error) {
	factor, err := factor.AnalyseContext(ctx, acc, factor.Options{})
	if err != nil {
		return 0, 0, err
	}
	if err := factor.RefactorContext(ctx, acc); err != nil {
		return 0, 0, err
	}
	y := make([]float64, h.nc)
	alpha2, r1 := lanczos(ctx, h.nc, func(dst, u []float64) {
		for k, j := range h.order {
			h.r[j] = u[k]
		}
		clear(h.x)
		h.coupling.SubMul(h.x, h.r)
		h.factor.Solve(h.x, h.x)
		clear(h.r)
		h.coupling.SubMulTrans(h.r, h.x)
		for k, j := range h.order {
			y[k] = h.r[j]
		}
		factor.Solve(dst, y)
	}, func(u, v []float64) float64 {
		acc.MulVec(y, v)
		return dot(u, y)
	})
	lambda, r2 := lanczos(ctx, h.nc, acc.MulVec, dot)
	beta2, r3 := 0.0, 0.0
	if h.nt > 0 {
		scaled := make([]float64, h.nt*h.nc)
		beta2, r3 = lanczos(ctx, h.nt*h.nc, func(dst, s []float64) {
			for k := range s {
				scaled[k] = h.mu[k/h.nt] * s[k]
			}
			h.push(scaled)
			for k, i := range h.tangent {
				dst[k] = h.mu[k/h.nt] * h.x[i]
			}
		}, dot)
	}
	return math.Sqrt(alpha2 * (alpha2 + lambda*beta2)), max(r1, r2, r3), nil
}

// alike returns the least μ at which closed contacts that all slide along the
// first tangent lose their unique reaction, W_nn − μ W_nt singular: one over the
// eigenvalue of G of largest modulus, by power iteration, +Inf where that is not
// real or does not come out.
func (h *held) alike(ctx context.Context) float64 {
	s, y, last := make([]float64, h.nt*h.nc), make([]float64, h.nc), make([]float64, h.nc)
	for k := range y {
		y[k] = 1
	}
	value, before := 0.0, 0.0
	for range 60 { // the value is wanted to some per cent
		if ctx.Err() != nil {
			break
		}
		before = value
		size := math.Sqrt(dot(y, y))
		if size == 0 {
			return math.Inf(1)
		}
		for k := range y {
			y[k] /= size
			s[h.nt*k] = y[k]
		}
		copy(last, y)
		h.react(y, s)
		value = dot(last, y)
	}
	if math.Abs(value-before) < 0.01*math.Abs(value) {
		return 1 / math.Abs(value)
	}
	return math.Inf(1)
}
