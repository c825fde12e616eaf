package incremental

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
)

// solveContact solves the convex problem of a step, on the contacts alone where
// that is cheaper.
func (m *Minimiser) solveContact(ctx context.Context) error {
	if m.work.spent() {
		return &WorkError{Solves: m.work.solves, Iterations: m.work.iterations}
	}
	err := m.solveConvex(ctx)
	m.work.solves, m.work.iterations = m.work.solves+1, m.work.iterations+m.res.Iterations
	return err
}

func (m *Minimiser) solveConvex(ctx context.Context) error {
	switch {
	case m.condense(ctx) && m.condensed.Solve(ctx, &m.problem, slices.Max(m.floors), &m.convexTol, &m.res) == nil:
		return nil
	case m.held != nil && m.held.Of(&m.problem) && m.held.Solve(ctx, &m.problem, slices.Max(m.floors), &m.convexTol, &m.res) == nil:
		return nil
	case m.split():
		return m.solveParts(ctx)
	}
	return contact.SolveConvex(ctx, &m.problem, slices.Max(m.floors), &m.convexTol, &m.ws, &m.res)
}

// ownCondensed is that of the matrix at hand, held or not; nil: none is used.
func (m *Minimiser) ownCondensed(ctx context.Context) *contact.Condensed {
	if m.condense(ctx) {
		return m.condensed
	}
	return m.held
}

// Guess makes a gradient that is near to DE at the end of the next step the start of its solver, where that
// is on the contacts alone and has solved one before.
func (s *Stepper) Guess(grad []float64) {
	m := s.min
	solver := m.onContacts()
	if solver == nil || len(m.slot) > 0 && m.slot[len(m.slot)-1] >= m.sys.N() {
		return
	}
	r := make([]float64, 3*len(m.slot))
	for c, j := range m.slot {
		r[3*c], r[3*c+1], r[3*c+2] = grad[3*j+2], grad[3*j], grad[3*j+1]
	}
	solver.StartFrom(r)
}

// condense makes the condensed problem at the first call, if the plan is to. What has a
// singular matrix, since contacts alone hold it, is tried on these first, and is for all
// that looks at its state a problem of the whole, which such a one may have no solution of.
func (m *Minimiser) condense(ctx context.Context) bool {
	if !m.tried {
		if m.unplanned() {
			p, err := NewPlan(ctx, m.psi, Implicit, 0)
			if err != nil {
				return false
			}
			m.UsePlan(p)
		}
		if m.plan != nil && m.plan.condense {
			if m.condensed = m.plan.make(ctx, m.problem.M, m.problem.H); m.condensed != nil && m.condensed.Held() {
				m.condensed, m.held = nil, m.condensed
			}
		}
		m.tried = ctx.Err() == nil // what was stopped says nothing
	}
	return m.condensed != nil
}
