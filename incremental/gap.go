package incremental

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/sparse"
)

// Gap bounds how far a state z is from solving a step with frozen thresholds
// from a base:
//
//	Lower <= sup{ F(z) − F(y) : y ∈ A } <= Upper,   F(y) = E(t, y) + Σ_j ‖S_j (y − base)_T^(j)‖.
//
// With base = z, zero means that z is stable, (S), under these thresholds; with
// base = z_{k−1}, that z = z_k solves the step.
type Gap struct {
	Lower float64 // attained by a y that was computed [J]
	Upper float64 // from the dual [J]; see Exact and Radius
	// Exact: E(t, ·) is quadratic and convex, or D²E is nowhere below a matrix that is known, so both are
	// bounds for all y ∈ A.
	// Otherwise Upper is that of the quadratic model at z, and Lower is what
	// descent from the base finds.
	Exact bool
	// Force is the first-order residual, the largest part of a force that obstacle
	// and friction do not explain: the natural map |r − P_K(r − ρu)| with r = DE
	// and ρ the stiffness at the contact [N]. Gaps are quadratic in it.
	Force float64
	// Share is the largest such force over the size of the forces of its island [-].
	Share float64
	// Radius > 0: D²E is singular, and Upper holds for ‖y − z‖ <= Radius [m].
	Radius float64
}

// negligibleGap: an upper bound below this fraction of the energy scale is
// taken as it is, without a minimisation for the lower one.
const negligibleGap = 1e-13

// Sizes are what numbers are compared with.
type Sizes struct {
	Force  float64   // [N]
	Energy float64   // [J]
	Length float64   // [m], the Radius of a Gap if D²E is singular
	Forces []float64 // by island [N]; nil: Force for all
}

// Gap evaluates the gap of the state z at time t with the thresholds of
// SetThreshold; grad is DE(t, z).
//
// Let r be the admissible reactions nearest to DE, and e = Hr − DE what they do
// not balance. Then, with v = z − base and u its local parts,
//
//	Upper = Σ_j (‖S_j u_T‖ + r·u) + ½eᵀ(D²E)⁻¹e
//
// is primal minus dual, without any minimisation: the sum vanishes if friction
// opposes the motion, and e is quadratic, so that a state solved to 1e-12 has a
// gap of 1e-24. Only if it is not negligible the minimiser y is computed, for the
// lower bound and a sharper dual one. Costs one solve with D²E, which is
// factorised once if constant.
func (m *Minimiser) Gap(ctx context.Context, t float64, base, z, grad []float64, size Sizes) (Gap, error) {
	v, g := m.gapVector(len(z)), Gap{Exact: m.sys.ConstantHessian()}
	least := m.least()
	for i, x := range z {
		v[i] = x - base[i]
	}
	m.model(t, base, z, v, grad)
	g.Force, g.Share = m.naturalMap(t, z, v, grad, size.Forces)
	for c, j := range m.particle {
		if !m.sys.Cornered(j) {
			m.balance(c, j, z, grad)
		}
	}
	if least != nil {
		g.Exact, m.problem.M = true, least
		m.modelForce(v, grad)
	}
	g.Upper, g.Radius = m.bound(ctx, v, size.Length)
	if ctx.Err() != nil {
		return g, context.Cause(ctx)
	}
	if g.Upper <= negligibleGap*size.Energy {
		return g, nil
	}
	m.warm(v, m.res.R) // from here, whatever was solved before
	if err := m.Solve(ctx, t, base, m.gapZ, m.gapGrad, size.Force); err != nil {
		if (g.Radius > 0 || !g.Exact && !math.IsInf(g.Upper, 1)) && ctx.Err() == nil {
			// at the end of what friction holds, and where a state jumps, there is no minimiser
			// near the base: the bound stands
			return g, nil
		}
		return g, err
	}
	g.Lower = max(m.excess(t, z, v, grad), 0)
	if g.Exact && least == nil {
		m.model(t, base, z, v, grad)
		rest, _ := m.bound(ctx, m.v, size.Length)
		g.Upper = g.Lower + rest
	}
	g.Upper = max(g.Upper, g.Lower)
	return g, nil
}

// model sets the quadratic problem in v = y − base that agrees with E to second
// order at z: f = D²E·(z − base) − DE.
func (m *Minimiser) model(t float64, base, z, v, grad []float64) {
	p := &m.problem
	p.M = m.sys.Hessian(t, z)
	m.heights(t, base)
	if len(m.sys.Bent()) > 0 {
		m.bend(t, base, z, v)
		m.bentModel(t, z, v, grad)
	}
	m.modelForce(v, grad)
}

// modelForce sets f = Mv − DE.
func (m *Minimiser) modelForce(v, grad []float64) {
	p := &m.problem
	p.M.MulVec(p.F, v)
	for i, g := range grad {
		p.F[i] -= g
	}
}

// least is a matrix that a D²E that varies is nowhere below; nil: none is known.
func (m *Minimiser) least() *sparse.Sym {
	if m.sys.ConstantHessian() {
		return nil
	}
	return m.sys.Least()
}

// naturalMap returns Gap.Force and Gap.Share, and balances the reactions of corners. Where E is not
// quadratic a step is solved to the forces of its model, D²E v − DE, and so these are sizes too.
func (m *Minimiser) naturalMap(t float64, z, v, grad, sizes []float64) (force, share float64) {
	e, a := m.f, m.problem.M
	copy(e, grad)
	for i := range m.corners {
		m.naturalCorner(e, &m.corners[i], t, z, v, grad)
	}
	for c, j := range m.particle {
		if m.sys.Cornered(j) {
			continue
		}
		// springs under pressure have less than none
		rho := max(math.Abs(a.Val[a.Ptr[3*j]]), math.Abs(a.Val[a.Ptr[3*j+1]]), math.Abs(a.Val[a.Ptr[3*j+2]]))
		p := &m.point
		*p = [3]float64{grad[3*j+2] - rho*z[3*j+2], grad[3*j] - rho*v[3*j], grad[3*j+1] - rho*v[3*j+1]}
		m.tresca[c].Project(p, nil, p)
		e[3*j] -= p[1]
		e[3*j+1] -= p[2]
		e[3*j+2] -= p[0]
	}
	if sizes != nil {
		copy(m.off, sizes)
		if !m.sys.ConstantHessian() {
			for i, f := range m.problem.F {
				k := m.island[i/3]
				m.off[k] = max(m.off[k], math.Abs(f))
			}
		}
	}
	for i, f := range e {
		force = max(force, math.Abs(f))
		if k := m.island[i/3]; sizes != nil && f != 0 {
			share = max(share, math.Abs(f)/m.off[k])
		}
	}
	return force, share
}

// balance sets the reaction of contact c to the admissible one nearest to DE.
func (m *Minimiser) balance(c, j int, z, grad []float64) {
	r := (*[3]float64)(m.res.R[3*c : 3*c+3])
	*r = [3]float64{grad[3*j+2], grad[3*j], grad[3*j+1]}
	m.tresca[c].Project(r, nil, r)
	if z[3*j+2] > 0 {
		r[0] = 0
	}
}

// bound returns primal minus dual of the model at v and the reactions at hand.
// For a singular D²E the force e = Mv − f − Hr left over counts with the length
// over which it may act, which is returned.
func (m *Minimiser) bound(ctx context.Context, v []float64, length float64) (gap, radius float64) {
	p := &m.problem
	d := contact.DualityGap(ctx, p, v, m.res.R, &m.ws)
	if !math.IsInf(d.Force, 1) && !m.floats() {
		return max(d.Total(), 0), 0
	}
	p.M.MulVec(m.f, v)
	for i, f := range p.F {
		m.f[i] = f - m.f[i]
	}
	p.H.MulAdd(m.f, m.res.R)
	return max(d.Complementarity, 0) + math.Sqrt(elementary.Dot(m.f, m.f))*length, length
}

// floats reports whether D²E, that varies, has no stiffness along a translation of an island along
// its obstacles: whether it has a Cholesky factor then is a matter of rounding, and a trajectory
// and what a file has of it would be judged by different lengths. As only energies that no anchor
// holds are asked, what is so for one state is for all.
func (m *Minimiser) floats() bool {
	if m.floating == nil {
		m.floating = new(bool)
		*m.floating = !m.sys.ConstantHessian() && floatingOnly(m.sys) && m.translates(len(m.v))
	}
	return *m.floating
}

// translates looks for a translation without stiffness in the model at hand.
func (m *Minimiser) translates(n int) bool {
	least := pure * largest(m.problem.M.Val)
	d, k := make([]float64, n), make([]float64, n)
	for island := range m.floors {
		for axis := range 2 {
			for j, i := range m.island {
				d[3*j], d[3*j+1] = 0, 0
				if i == island {
					d[3*j+axis] = 1
				}
			}
			if m.problem.M.MulVec(k, d); largest(k) <= least {
				return true
			}
		}
	}
	return false
}

// excess returns F(z) − F(y) for the minimiser y just computed; with a constant
// Hessian as −DE·d − ½dᵀD²E d + Ψ(v) − Ψ(v + d), d = y − z, without the
// cancellation of two energies.
func (m *Minimiser) excess(t float64, z, v, grad []float64) float64 {
	psi := m.Dissipation(v) - m.Dissipation(m.v)
	if !m.sys.ConstantHessian() {
		e0, _ := m.sys.Value(t, z)
		e1, _ := m.sys.Value(t, m.y)
		return e0 - e1 + psi
	}
	d := m.next
	for i, x := range m.v {
		d[i] = x - v[i]
	}
	m.problem.M.MulVec(m.f, d)
	return psi - elementary.Dot(grad, d) - 0.5*elementary.Dot(d, m.f)
}
