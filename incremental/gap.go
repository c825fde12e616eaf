package incremental

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// Gap bounds how far a state is from minimising with the frozen thresholds:
//
//	Lower <= sup{ E(t, z) − E(t, y) − Σ_j ‖S_j (y − z)_T^(j)‖ : y ∈ A } <= Upper.
//
// Zero means that z is stable, (S), under these thresholds.
type Gap struct {
	Lower float64 // attained by a y that was computed [J]
	Upper float64 // from the dual [J]; see Exact and Radius
	// Exact: E(t, ·) is quadratic and convex, so both are bounds for all y ∈ A.
	// Otherwise Upper is that of the quadratic model at z, and Lower is what
	// descent from z finds.
	Exact bool
	// Radius > 0: D²E is singular, and Upper holds for ‖y − z‖ <= Radius [m].
	Radius float64
}

// negligibleGap: an upper bound below this fraction of the energy scale is
// taken as it is, without a minimisation for the lower one.
const negligibleGap = 1e-13

// Gap evaluates the gap of z at time t under the thresholds of SetThreshold.
// grad is DE(t, z); floor is a size of forces and scale one of energies that
// matter; radius is a length for singular energies [m].
//
// The force −DE that the laws cannot balance, e = P_K(DE) − DE, gives the upper
// bound ½eᵀ(D²E)⁻¹e without any minimisation. It is quadratic in e: a state
// solved to 1e-12 has a gap of 1e-24. Only if it is not negligible, the
// minimiser y is computed, for the lower bound and a sharper dual one. Costs one
// solve with D²E, which is factorised once if constant.
func (m *Minimiser) Gap(ctx context.Context, t float64, z, grad []float64, floor, scale, radius float64) (Gap, error) {
	p := &m.problem
	p.M = m.sys.Hessian(t, z)
	for i, g := range grad {
		p.F[i] = -g
	}
	for c, j := range m.particle {
		p.W[3*c] = z[3*j+2]
		m.balance(c, j, z, grad)
	}
	clear(m.next)
	g := Gap{Exact: m.sys.ConstantHessian()}
	d := contact.DualityGap(p, m.next, m.res.R, &m.ws)
	g.Upper = max(d.Total(), 0)
	if math.IsInf(d.Force, 1) {
		g.Radius = radius
		g.Upper = m.unbalanced() * radius
	}
	if g.Upper <= negligibleGap*scale {
		return g, nil
	}
	return m.sharpen(ctx, g, t, z, floor)
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

// unbalanced returns ‖f + Hr‖.
func (m *Minimiser) unbalanced() float64 {
	copy(m.f, m.problem.F)
	m.problem.H.MulAdd(m.f, m.res.R)
	return math.Sqrt(dot(m.f, m.f))
}

// sharpen computes the minimiser and with it both bounds.
func (m *Minimiser) sharpen(ctx context.Context, g Gap, t float64, z []float64, floor float64) (Gap, error) {
	if err := m.Solve(ctx, t, z, m.gapState(z), m.gapGrad, floor); err != nil {
		return g, err
	}
	if !g.Exact {
		e0, _ := m.sys.Value(t, z)
		e1, _ := m.sys.Value(t, m.y)
		g.Lower = max(e0-e1-m.Dissipation(m.v), 0)
		g.Upper = max(g.Upper, g.Lower)
		return g, nil
	}
	// −P(v) = fᵀv − ½vᵀMv − Ψ(v), without the cancellation of two energies.
	p := &m.problem
	m.sys.Gradient(m.grad, nil, t, z)
	p.M.MulVec(m.f, m.v)
	sum := 0.0
	for i, v := range m.v {
		p.F[i] = -m.grad[i]
		sum += v * (p.F[i] - 0.5*m.f[i])
	}
	g.Lower = max(sum-m.Dissipation(m.v), 0)
	if d := contact.DualityGap(p, m.v, m.res.R, &m.ws); !math.IsInf(d.Force, 1) {
		g.Upper = g.Lower + max(d.Total(), 0)
	} else {
		g.Upper = g.Lower + m.remaining()*g.Radius
	}
	return g, nil
}

// remaining returns ‖Mv − f − Hr‖ at the minimiser.
func (m *Minimiser) remaining() float64 {
	p := &m.problem
	p.M.MulVec(m.f, m.v)
	for i, f := range p.F {
		m.f[i] = f - m.f[i]
	}
	p.H.MulAdd(m.f, m.res.R)
	return math.Sqrt(dot(m.f, m.f))
}

func (m *Minimiser) gapState(z []float64) []float64 {
	if m.gapGrad == nil {
		m.gapGrad, m.gapZ = make([]float64, len(z)), make([]float64, len(z))
	}
	return m.gapZ
}
