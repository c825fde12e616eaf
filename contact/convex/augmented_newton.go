package convex

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
)

// factorise makes the factorisation fit M and D: exactly at the first step of
// a solve, within newtonDefault.staleFactor later. A singular matrix gets a proximal term;
// only a negative direction of M is an error.
func (s *augmented) factorise(ctx context.Context, exact bool) error {
	ws := s.ws
	if ws.factored(s.p, exact) {
		return nil
	}
	ws.assemble(s.p)
	ws.mFactored = append(ws.mFactored[:0], s.p.M.Val...)
	ws.dFactored = append(ws.dFactored[:0], ws.jac...)
	if s.p.H.Turns {
		ws.hFactored = append(ws.hFactored[:0], s.p.H.Val...)
	}
	s.fresh = true
	err := s.refactor(ctx, 1e-12, 1e-8)
	if err != nil {
		ws.forget()
	}
	return err
}

// refactor factorises what is assembled, with ever larger shifts of its diagonal, in parts of
// the largest entry, as long as it is singular and the context is not done.
func (s *augmented) refactor(ctx context.Context, shifts ...float64) error {
	ws := s.ws
	s.factors++
	err := ws.factor.RefactorContext(ctx, ws.a)
	for _, shift := range shifts {
		if err == nil || ctx.Err() != nil {
			break
		}
		ws.shift(shift)
		s.factors++
		err = ws.factor.RefactorContext(ctx, ws.a)
	}
	return err
}

// shift adds a multiple of the largest diagonal entry to the diagonal.
func (ws *Workspace) shift(factor float64) {
	a, largest := ws.a, 0.0
	for c := range a.N {
		largest = max(largest, a.Val[a.Ptr[c]])
	}
	for c := range a.N {
		a.Val[a.Ptr[c]] += factor * largest
	}
}

// forget says that the factorisation serves for nothing: of a problem without contacts M tells.
func (ws *Workspace) forget() {
	ws.mFactored, ws.dFactored = ws.mFactored[:0], ws.dFactored[:0]
}

// factored reports whether the present factorisation serves for M and D.
func (ws *Workspace) factored(p *form.Global, exact bool) bool {
	if len(ws.dFactored) != len(ws.jac) || len(ws.mFactored) != len(p.M.Val) {
		return false
	}
	for k, x := range p.M.Val {
		if x != ws.mFactored[k] {
			return false
		}
	}
	if p.H.Turns && !slices.Equal(ws.hFactored, p.H.Val) {
		return false
	}
	for j := range ws.jac {
		if ws.jac[j] == ws.dFactored[j] {
			continue
		}
		if exact {
			return false
		}
		for k, x := range ws.jac[j] {
			if y := ws.dFactored[j][k]; math.Abs(x-y) > newtonDefault.staleFactor*max(math.Abs(y), math.Abs(x)) {
				return false
			}
		}
	}
	return true
}

// newton takes one step along −(M + HDHᵀ)⁻¹∇φ and returns its length, 0 if the
// direction does not descend.
func (s *augmented) newton() float64 {
	ws := s.ws
	ws.factor.Solve(ws.dir, ws.grad)
	slope := 0.0
	for i, g := range ws.grad {
		ws.dir[i] = -ws.dir[i]
		slope += g * ws.dir[i]
	}
	if !(slope < 0) {
		return 0
	}
	s.kinematics(ws.du, ws.dir, nil)
	s.p.M.MulVec(ws.mdir, ws.dir)
	curvature := 0.0
	for i, d := range ws.dir {
		curvature += d * ws.mdir[i]
	}
	alpha := s.search(slope, curvature)
	for i, d := range ws.dir {
		ws.v[i] += alpha * d
	}
	return alpha
}

// search returns a step length that lowers φ. Its derivative along the
// direction is increasing, so where it is still negative φ has only fallen.
func (s *augmented) search(slope, curvature float64) float64 {
	end := s.slopeAt(1, slope, curvature)
	if end <= 0 {
		return 1
	}
	if end <= -newtonDefault.slopeFactor*slope && s.slopeAt(0.5, slope, curvature) <= newtonDefault.slopeFactor*slope {
		return 1 // what rises in the second half is less than what fell in the first
	}
	lo, hi, slo, shi := 0.0, 1.0, slope, end
	for range newtonDefault.lineSearchLimit { // regula falsi, Illinois variant
		x := (lo*shi - hi*slo) / (shi - slo)
		if !(x > lo && x < hi) {
			x = 0.5 * (lo + hi)
		}
		sx := s.slopeAt(x, slope, curvature)
		if sx <= 0 {
			lo, slo = x, sx
			shi *= 0.5
			if sx >= 0.5*slope {
				break
			}
		} else {
			hi, shi = x, sx
			slo *= 0.5
		}
	}
	return lo
}

// slopeAt returns dφ(v + αd)/dα from its value at α = 0 and dᵀMd.
func (s *augmented) slopeAt(alpha, slope, curvature float64) float64 {
	ws := s.ws
	sum := slope + alpha*curvature
	for j, law := range s.p.Laws {
		p, d, rho := &ws.p[j], &ws.du[j], alpha*ws.rho[j]
		ws.trial[j] = [3]float64{p[0] - rho*d[0], p[1] - rho*d[1], p[2] - rho*d[2]}
		law.Project(&ws.trial[j], nil, &ws.trial[j])
		r, x := &ws.r[j], &ws.trial[j]
		sum -= (x[0]-r[0])*d[0] + (x[1]-r[1])*d[1] + (x[2]-r[2])*d[2]
	}
	return sum
}
