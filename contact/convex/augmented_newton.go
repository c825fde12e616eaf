package convex

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// factorise makes the factorisation fit M and D: exactly at the first step of
// a solve, within newtonDefault.staleFactor later. A singular matrix gets a proximal term;
// only a negative direction of M is an error.
func (s *augmented) factorise(ctx context.Context, exact bool) error {
	ws := s.ws
	if serves, same := ws.factored(s.p, exact); serves {
		s.fresh = same
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

// factored reports whether the present factorisation serves for M and D, and whether it is that of
// them: one of the solve before is then as good as a new one, which a run that resumes makes.
func (ws *Workspace) factored(p *form.Global, exact bool) (serves, same bool) {
	if len(ws.dFactored) != len(ws.jac) || len(ws.mFactored) != len(p.M.Val) {
		return false, false
	}
	for k, x := range p.M.Val {
		if x != ws.mFactored[k] {
			return false, false
		}
	}
	if p.H.Turns && !slices.Equal(ws.hFactored, p.H.Val) {
		return false, false
	}
	same = true
	for j := range ws.jac {
		if ws.jac[j] == ws.dFactored[j] {
			continue
		}
		if exact {
			return false, false
		}
		same = false
		for k, x := range ws.jac[j] {
			if y := ws.dFactored[j][k]; math.Abs(x-y) > newtonDefault.staleFactor*max(math.Abs(y), math.Abs(x)) {
				return false, false
			}
		}
	}
	return true, same
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

// penalties sets ρ_j = newtonDefault.penaltyFactor times the stiffness that the rows of
// contact j see, from the diagonal of M.
func (ws *Workspace) penalties(p *form.Global) {
	if ws.scaled { // what is factorised has others
		ws.forget()
		ws.scaled = false
	}
	h, largest := p.H, 0.0
	for j := range ws.rho {
		k := 0.0
		for c := range h.Dim {
			num, den := 0.0, 0.0
			for a := h.Ptr[j]; a < h.Ptr[j+1]; a++ {
				x := h.Val[h.Dim*a+c]
				num += x * x * p.M.Val[p.M.Ptr[h.Row[a]]]
				den += x * x
			}
			if den > 0 {
				k = max(k, num/(den*den))
			}
		}
		ws.rho[j] = newtonDefault.penaltyFactor * k
		largest = max(largest, k)
	}
	if largest == 0 {
		largest = 1
	}
	for j := range ws.rho {
		if !(ws.rho[j] > 1e-8*newtonDefault.penaltyFactor*largest) { // no stiffness of its own: borrow
			ws.rho[j] = newtonDefault.penaltyFactor * largest
		}
	}
}

// updateMultipliers takes r for r̄. The penalty grows again after newtonDefault.relief, and
// beyond its usual value where the multipliers converge slowly: at a wedge of
// contacts that barely has reactions they are very large.
func (s *augmented) updateMultipliers() {
	copy(s.ws.rBar, s.ws.r)
	if s.relieved > 0 || s.relieved > -2 && s.step > newtonDefault.slowUpdate*s.lastStep {
		s.relieved--
		s.ws.scalePenalties(newtonDefault.relief)
	}
	s.lastStep = s.step
	s.evaluate()
}

// relieve lowers the penalty after two short steps in a row.
func (s *augmented) relieve(alpha float64) {
	if alpha >= newtonDefault.shortStep {
		s.short = 0
		return
	}
	if s.short++; s.short >= 2 && s.relieved < 2 {
		s.short = 0
		s.relieved++
		s.ws.scalePenalties(1. / newtonDefault.relief)
	}
}

// scalePenalties multiplies all ρ_j; what is factorised no longer fits.
func (ws *Workspace) scalePenalties(factor float64) {
	for j := range ws.rho {
		ws.rho[j] *= factor
	}
	ws.scaled = true
	ws.forget()
}

// dualRoundoff returns the relative size of the errors in ∇φ, at most: those
// of the sums Mv.
func (s *augmented) dualRoundoff() float64 {
	if s.dual > newtonDefault.nearby {
		return 0
	}
	m, y := s.p.M, s.ws.work
	clear(y)
	for c := range m.N {
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			i, a := m.Row[k], math.Abs(m.Val[k])
			y[i] += a * math.Abs(s.ws.v[c])
			if i != c {
				y[c] += a * math.Abs(s.ws.v[i])
			}
		}
	}
	return newtonDefault.roundoffFactor * num.Eps * max(num.InfNorm(y)/s.force, 1)
}

// stepRoundoff is the same for the change of the reactions: ρ times the errors
// in u = Hᵀv + w, at the contacts that carry something.
func (s *augmented) stepRoundoff() float64 {
	if s.step > newtonDefault.nearby {
		return 0
	}
	h, worst := s.p.H, 0.0
	for j, r := range s.ws.r {
		if r == [3]float64{} {
			continue
		}
		size := math.Abs(s.p.W[h.Dim*j])
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			c := triple(h, k)
			size += math.Abs(s.ws.v[h.Row[k]]) * max(math.Abs(c[0]), math.Abs(c[1]), math.Abs(c[2]))
		}
		worst = max(worst, s.ws.rho[j]*size)
	}
	return newtonDefault.stepRoundoffFactor * num.Eps * worst / s.force
}
