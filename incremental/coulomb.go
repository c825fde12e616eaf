package incremental

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
)

// solveCoulomb finds the normal forces that implicit thresholds are consistent
// with, for constant isotropic friction in large linear systems, by Newton's
// method on the contacts. It stores them in force, freezes the thresholds at
// them and reports true; the caller solves the step with them and checks. On
// false nothing has changed but the reactions to start from.
func (m *Minimiser) solveCoulomb(ctx context.Context, force []float64, t float64, base []float64) bool {
	m.inner, m.factors = 0, 0
	if !m.sys.ConstantHessian() {
		return false
	}
	clear(m.v)
	m.begin(t, base)
	m.problem.M = m.sys.Hessian(t, m.y)
	m.condense(ctx)
	solver := m.onContacts()
	if solver == nil || !solver.Of(&m.problem) || !m.coulombLaws() {
		return false
	}
	m.sys.Gradient(m.grad, nil, t, m.y)
	for i, g := range m.grad {
		m.problem.F[i] = -g
	}
	p := m.problem
	p.Laws = m.coulomb
	if err := solver.Solve(ctx, &p, slices.Max(m.floors), &m.convexTol, &m.res); err != nil {
		return false
	}
	m.inner += m.res.Iterations
	m.factors += m.res.Factors
	for c := range m.particle {
		force[c] = max(m.res.R[3*c], 0)
		m.SetThreshold(c, force[c], t, base)
	}
	return true
}

// takeCoulomb stores the state that solveCoulomb has found in z, and DE(t, z) in grad; false
// if its forces are unbalanced, or beyond what obstacles and friction exert, by more than a part of the forces.
func (m *Minimiser) takeCoulomb(t float64, z, grad []float64, part float64) bool {
	copy(m.gradBase, m.grad) // solveCoulomb took it at the base
	copy(m.next, m.res.V)
	m.snap()
	m.v, m.next = m.next, m.v
	m.place(m.v)
	m.gradient(t)
	if m.residual = m.imbalance(); !(m.residual <= part) {
		return false
	}
	if _, share := m.naturalMap(t, m.y, m.v, m.grad, m.force); !(share <= part) {
		return false
	}
	copy(z, m.y)
	copy(grad, m.grad)
	return true
}

// coulombLaws makes the exact law of each contact, once; false if one is not
// isotropic and constant.
func (m *Minimiser) coulombLaws() bool {
	if m.psi.Timed() {
		return false
	}
	if m.coulomb != nil {
		return true
	}
	laws := make([]contact.Law, len(m.particle))
	for c, j := range m.slot {
		switch f := m.psi.Matrices[j].(type) {
		case nil:
			laws[c] = contact.Frictionless{}
		case dissipation.Isotropic:
			laws[c] = contact.Coulomb{Mu: f.Mu}
		default:
			return false
		}
	}
	m.coulomb = laws
	return true
}
