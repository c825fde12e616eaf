package dynamics

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	fixedLimit   = 200 // steps of Υ; at the slowest rate accepted they give 1e-9
	fixedSlow    = 0.9 // rate above which shooting is cheaper
	shootingStep = 1e-7
	shootLimit   = 60 // steps of the shooting method from one start
	halvings     = 12 // of a line search
)

// fixedPoint iterates Υ(v) = v − B⁻¹ R(v), R the residual of (13): with
// B = M_v + N_v this is the map of Theorem 8. It stops where R does not fall.
func (r *boundaryRun) fixedPoint(ctx context.Context, v []float64) (done bool, err error) {
	nv := r.b.nv
	res, last := make([]float64, nv), math.Inf(1)
	step := mat.NewVecDense(nv, nil)
	trial := append([]float64(nil), v...)
	for k := range fixedLimit {
		size, err := r.shoot(ctx, res, trial)
		if err != nil {
			return false, err
		}
		r.watch(k, "fixed point", size)
		if rate := size / last; k > 0 && !math.IsNaN(rate) {
			r.res.Rate = rate
		}
		if !(size < last) || k > 3 && size > fixedSlow*last {
			return false, nil
		}
		last = size
		copy(v, trial)
		r.consider(v, size, "fixed point")
		if size <= 0.1*r.o.Tolerance || size <= r.o.Tolerance && k > 50 {
			return true, nil
		}
		if r.flight.SolveVecTo(step, false, mat.NewVecDense(nv, res)) != nil {
			return false, nil
		}
		for i := range trial {
			trial[i] = v[i] - step.AtVec(i)
		}
	}
	return last <= r.o.Tolerance, nil
}

func (r *boundaryRun) watch(k int, method string, size float64) {
	if r.o.OnIteration != nil {
		r.o.OnIteration(BoundaryIteration{Start: r.index, Iteration: k, Method: method, Residual: size})
	}
}

// shooting is a quasi-Newton method on R(v) = 0: Broyden's update of a
// difference matrix, which is renewed where a step fails; steps are halved
// until ‖R‖₂ falls. R is Lipschitz and piecewise smooth (it kinks where a
// contact changes its state at the end of a step), so that a step that lands
// across a kink is mended by the next one.
func (r *boundaryRun) shooting(ctx context.Context, v []float64) (done bool, err error) {
	nv := r.b.nv
	res, next, trial := make([]float64, nv), make([]float64, nv), make([]float64, nv)
	size, err := r.shoot(ctx, res, v)
	if err != nil {
		return false, err
	}
	if math.IsInf(size, 1) {
		return false, nil
	}
	jac, fresh := mat.NewDense(nv, nv, nil), false
	renew := true
	for k := range shootLimit {
		r.watch(k, "shooting", size)
		r.consider(v, size, "shooting")
		if size <= 0.1*r.o.Tolerance {
			return true, nil
		}
		if renew {
			if err := r.differences(ctx, jac, v, res); err != nil {
				return size <= r.o.Tolerance, err
			}
			fresh, renew = true, false
		}
		ok, newSize, err := r.lineSearch(ctx, jac, v, res, trial, next)
		switch {
		case err != nil:
			return size <= r.o.Tolerance, err
		case !ok && fresh:
			return size <= r.o.Tolerance, nil
		case !ok:
			renew = true
			continue
		}
		broyden(jac, v, trial, res, next)
		renew = newSize > 0.3*size && !fresh
		fresh = false
		copy(v, trial)
		copy(res, next)
		size = newSize
	}
	return size <= r.o.Tolerance, nil
}

// differences overwrites jac by one-sided differences of R at v.
func (r *boundaryRun) differences(ctx context.Context, jac *mat.Dense, v, res []float64) error {
	moved := append([]float64(nil), v...)
	shifted := make([]float64, len(v))
	for j := range v {
		d := shootingStep * max(1, math.Abs(v[j]))
		moved[j] = v[j] + d
		if _, err := r.shoot(ctx, shifted, moved); err != nil {
			return err
		}
		for i := range v {
			jac.Set(i, j, (shifted[i]-res[i])/d)
		}
		moved[j] = v[j]
	}
	return nil
}

// lineSearch tries v − τ J⁻¹ R for τ = 1, ½, …; J is damped by its size where
// it is singular.
func (r *boundaryRun) lineSearch(ctx context.Context, jac *mat.Dense, v, res, trial, next []float64) (ok bool, size float64, err error) {
	step := mat.NewVecDense(len(v), nil)
	if step.SolveVec(jac, mat.NewVecDense(len(v), append([]float64(nil), res...))) != nil {
		var normal mat.Dense // Levenberg: (JᵀJ + κI) s = Jᵀ R
		normal.Mul(jac.T(), jac)
		damp := 1e-6 * mat.Trace(&normal)
		for i := range v {
			normal.Set(i, i, normal.At(i, i)+damp+1e-300)
		}
		var right mat.VecDense
		right.MulVec(jac.T(), mat.NewVecDense(len(v), append([]float64(nil), res...)))
		if step.SolveVec(&normal, &right) != nil {
			return false, size, nil
		}
	}
	before := euclid(res)
	for tau, k := 1.0, 0; k < halvings; tau, k = tau/2, k+1 {
		for i := range v {
			trial[i] = v[i] - tau*step.AtVec(i)
		}
		if size, err = r.shoot(ctx, next, trial); err != nil {
			return false, size, err
		}
		if !math.IsInf(size, 1) && euclid(next) <= (1-1e-4*tau)*before { // Armijo's constant
			return true, size, nil
		}
	}
	return false, size, nil
}

// broyden adds the rank-one update with J(trial − v) = next − res.
func broyden(jac *mat.Dense, v, trial, res, next []float64) {
	n := len(v)
	s, y := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range v {
		s.SetVec(i, trial[i]-v[i])
		y.SetVec(i, next[i]-res[i])
	}
	var js mat.VecDense
	js.MulVec(jac, s)
	y.SubVec(y, &js)
	if l := mat.Dot(s, s); l > 0 {
		jac.RankOne(jac, 1/l, y, s)
	}
}

func euclid(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s)
}
