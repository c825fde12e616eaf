package incremental

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Steps whose D²E is indefinite, of springs under pressure or a body that buckles, away from where
// Newton's method converges. They are solved by the method of Levenberg and Marquardt with friction
// and constraints kept exact in every part,
//
//	v⁺ = argmin { ½(v⁺−v)ᵀ(D²E + ε)(v⁺−v) + DE·(v⁺−v) + Ψ(v⁺) : base + v⁺ ∈ A },
//
// which is taken where E + Ψ falls by a part of what the model promises; ε follows how well it
// keeps that, and is so large at least that the model is convex. Each part goes downhill, so that
// what it ends in is a minimiser of the step, unless E + Ψ falls without bound. As parts are short
// where ε is large, the way is near to that of vanishing viscosity.
const (
	// levenbergLimit is the number of parts: ε changes by factors, and what is slow at the end is
	// left to Newton's method.
	levenbergLimit = 400
	// poor and good are the parts of what a model promises that make ε stiffer and softer.
	poor, good = 0.25, 0.75
	// harder and easier are what ε is multiplied by. A model that was not solved makes a floor
	// under ε, which sinks by easier with each part.
	harder, easier = 4, 0.25
	// firmer: the first ε of a model that was not solved, over the stiffness …
	firmer = 1e-6
	// … and stiff: an ε of this times the stiffness that no model is solved with is the end.
	stiff = 1e8
	// least is the smallest ε over the stiffness: below it is rounding.
	least = 1e-16
	// tried: Newton's method is tried again where forces are balanced so much better.
	tried = 1e-2
)

// levenberg solves a step where Newton's method and proximal points have failed, with thresholds of
// where it has come to if those before the step hold nothing; or returns a LossError, or the cause.
func (s *Stepper) levenberg(ctx context.Context, t float64, cause error) error {
	m := s.min
	m.proximal = 0
	for range regularisations {
		d, err := m.levenberg(ctx, t, s.z, s.zNext, s.gradNext, s.continued,
			func(d []float64) bool { return s.recession(t, d, cause) != cause })
		s.stats.Solves++
		s.stats.Newton, s.stats.Residual = m.newton, m.residual
		s.stats.Inner += m.inner
		s.stats.Factors += m.factors
		if err == nil {
			s.continued = true
			return nil
		}
		if !fixable(err) {
			return err
		}
		if d == nil {
			return cause
		}
		if s.stats.Lagged || !s.thresholdsOf(t) {
			return s.recession(t, d, cause)
		}
	}
	return cause
}

// errFalls is what ends a descent along a direction of recession.
var errFalls = errors.New("incremental: falls without bound")

// levenberg stores the minimiser in z and DE in grad. With errFalls it returns the direction, which
// is one of recession.
func (m *Minimiser) levenberg(ctx context.Context, t float64, base, z, grad []float64, resumes bool,
	recedes func(d []float64) bool) (d []float64, err error) {
	stiffness := m.softestAt(t, base) / regular
	eps, floor := regular*stiffness, 0.0
	if clear(m.v); resumes {
		floats.SubTo(m.v, z, base)
		eps = m.softness
	}
	m.begin(t, base)
	copy(m.floors, m.given)
	newton, inner, factors := 0, 0, 0
	defer func() { m.newton, m.inner, m.factors, m.softness = newton, inner, factors, max(eps, least*stiffness) }()
	m.gradient(t)
	best, asked, far := math.Inf(1), 1.0, 0.0
	for newton < levenbergLimit {
		newton++
		copy(m.previous, m.v)
		m.shiftBy(m.sys.Hessian(t, m.y), eps)
		m.hold()
		p := &m.problem
		p.M.MulVec(p.F, m.v)
		floats.Sub(p.F, m.grad)
		err = m.solveContact(ctx)
		inner, factors = inner+m.res.Iterations, factors+m.res.Factors
		kept := -1.0
		if err == nil {
			copy(m.next, m.res.V)
			m.snap()
			kept = m.keeps(t)
		} else if !fixable(err) {
			return nil, m.failed(t, err)
		}
		if !(kept > armijo) { // not solved, or uphill
			if eps *= harder; err != nil {
				eps = max(eps, firmer*stiffness)
			}
			if eps > stiff*stiffness {
				return nil, m.failed(t, err)
			}
			if err != nil || kept < 0 {
				floor = eps
			}
			m.place(m.v)
			m.gradient(t)
			continue
		}
		m.v, m.next = m.next, m.v
		m.place(m.v)
		m.gradient(t)
		m.residual = m.imbalance()
		switch {
		case kept < poor:
			eps *= harder
		case kept > good:
			floor *= easier
			eps = max(eps*easier, floor, least*stiffness)
		}
		if m.residual <= targetResidual || !(m.residual < 0.5*best) && best <= m.tolerance && m.residual <= m.tolerance {
			m.polish(ctx, t)
			copy(z, m.y)
			copy(grad, m.grad)
			return nil, nil
		}
		best = min(best, m.residual)
		if m.residual <= tried*asked {
			asked = m.residual
			v, r := slices.Clone(m.v), slices.Clone(m.res.R)
			err = m.descendFrom(ctx, t, m.base, z, grad, 0)
			inner, factors = inner+m.inner, factors+m.factors
			if err == nil || !fixable(err) {
				return nil, err
			}
			copy(m.v, v)
			copy(m.res.R, r)
			m.place(m.v)
			m.gradient(t)
		}
		if way := largest(m.v); way > far {
			far = 2 * way
			if move := m.lastMove(); recedes(move) {
				return move, errFalls
			}
		}
	}
	return nil, m.failed(t, nil)
}

// hold starts the next model from the reactions that come nearest to DE, and makes it stiff across
// contacts that are pressed: a spring under pressure has a negative stiffness there, which the
// obstacle holds.
func (m *Minimiser) hold() {
	clear(m.res.R)
	k := largest(m.shifted.Val)
	for c, j := range m.slot {
		if j >= m.sys.N() || m.sys.Cornered(j) || m.y[3*j+2] > 0 {
			continue
		}
		p := [3]float64{m.grad[3*j+2], m.grad[3*j], m.grad[3*j+1]}
		if !(p[0] > 0) {
			continue
		}
		m.shifted.Val[m.shifted.Ptr[3*j+2]] += k
		m.tresca[c].Project((*[3]float64)(m.res.R[3*c:]), nil, &p)
	}
	m.warm(m.v, m.res.R)
}

// keeps returns the part of what the model at m.v promises by which E + Ψ falls to m.next; negative
// where the model is not convex, or E + Ψ rises.
func (m *Minimiser) keeps(t float64) float64 {
	m.place(m.v)
	e0, _ := m.sys.Value(t, m.y)
	psi0 := m.Dissipation(m.v)
	d := m.f
	floats.SubTo(d, m.next, m.v)
	slope := elementary.Dot(m.grad, d) + m.Dissipation(m.next) - psi0
	promised := -slope - m.sharpness(d)/2
	m.place(m.next)
	e, _ := m.sys.Value(t, m.y)
	level := 1e-14 * (math.Abs(e0) + psi0 + rounding*m.positionWork())
	fallen := e0 + psi0 - e - m.Dissipation(m.next)
	switch {
	case math.Abs(promised) <= level && math.Abs(fallen) <= level:
		return 1
	case !(promised > 0):
		return -1
	}
	return (fallen + level) / promised
}

// sharpness is dᵀMd of the model.
func (m *Minimiser) sharpness(d []float64) float64 {
	out := make([]float64, len(d))
	m.problem.M.MulVec(out, d)
	return elementary.Dot(out, d)
}
