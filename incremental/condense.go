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
	case m.condense(ctx):
		return m.condensed.Solve(ctx, &m.problem, slices.Max(m.floors), &m.convexTol, &m.res)
	case m.split():
		return m.solveParts(ctx)
	}
	return contact.SolveConvex(ctx, &m.problem, slices.Max(m.floors), &m.convexTol, &m.ws, &m.res)
}

// condense makes the condensed problem at the first call, if the plan is to. A
// matrix that cannot be condensed, because it is singular, is left to the solver of
// the whole.
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
			m.condensed = m.plan.make(ctx, m.problem.M, m.problem.H)
		}
		m.tried = ctx.Err() == nil // what was stopped says nothing
	}
	return m.condensed != nil
}
