package convex

import (
	"context"
	"errors"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// CondenseHeld is Condense for an M that is positive definite only with its contacts held, as of an
// elastic body that is pressed onto an obstacle by a force: with springs K at the contacts, as stiff as
// M is there, M + HKHᵀ has factors, and its Schur complement less K is S, which is singular. From
//
//	(M + HKHᵀ) v = f + H(r + K y)
//
// come the load g = S y₀ − r of the contacts, at any r and with the y₀ that follows from it, and v at the end.
// The solver fails where active sets do, without trying other methods: that is left to [Solve]. It fails
// too if the contacts do not hold M, with a *[form.IndefiniteError], or if a column of H is not one dof.
func (p *CondensedPlan) CondenseHeld(ctx context.Context, m *sparse.Sym, h *form.Jacobian) (*Condensed, error) {
	dofs, plan := selection(h), p.many
	if dofs == nil {
		return nil, errors.New("contact: condensation: contacts that share degrees of freedom are not held by springs")
	}
	if plan == nil {
		var err error
		if plan, err = factor.PlanSchur(ctx, m, dofs); err != nil {
			return nil, err
		}
	}
	c := newCondensed(m, h)
	stiff := *m
	stiff.Val = slices.Clone(m.Val)
	for _, i := range dofs {
		k := m.Index(i, i)
		c.held = append(c.held, m.Val[k])
		stiff.Val[k] += m.Val[k]
	}
	if err := c.condenseMany(ctx, plan, &stiff); err != nil {
		return nil, err
	}
	return c, nil
}

// Held reports whether c was made by [CondensedPlan.CondenseHeld].
func (c *Condensed) Held() bool { return c.held != nil }

// Of reports whether p has the M and the H of c.
func (c *Condensed) Of(p *form.Global) bool { return p.M == c.m && p.H == c.h }

// pull sets rhs = f + H(r + K y), with y = −w, at which all contacts are held, if it is nil.
func (c *Condensed) pull(p *form.Global, r, y []float64) {
	copy(c.rhs, p.F)
	if c.held == nil {
		c.h.MulAdd(c.rhs, r)
		return
	}
	c.start = append(c.start[:0], r...)
	for i, spring := range c.held {
		if y != nil {
			c.start[i] += spring * y[i]
		} else {
			c.start[i] -= spring * p.W[i]
		}
	}
	c.h.MulAdd(c.rhs, c.start)
}

// end is the y of the last solve.
func (c *Condensed) end() []float64 {
	if c.primal == nil {
		return nil
	}
	return c.primal.y
}
