package convex

import (
	"context"
	"errors"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// CondenseHeld is Condense for an M that is positive definite only while its contacts are held, such as that of
// an elastic body which a force presses onto an obstacle and nothing else supports. Springs of stiffness K are
// put at the contacts, whose displacements are y = Hᵀv: K is diag M there, so that no scale is added. M + HKHᵀ
// has factors; its Schur complement, less K, is the Schur complement S of M at the contacts, which is singular.
// A solve with the springs,
//
//	(M + HKHᵀ) v = f + H(r + K y),
//
// is one without them if y is Hᵀv. It is made twice: first at any r and y, from whose y₀ = Hᵀv follows the load
// g = S y₀ − r that the contact problem in y has; and at the end, with the r and y that solve that problem, for v.
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

// Of reports whether c is the condensation of p: whether p has the same M and H.
func (c *Condensed) Of(p *form.Global) bool { return p.M == c.m && p.H == c.h }

// pull returns r + K y, the forces on the contacts in a solve with springs; a nil y is −w, at which all contacts
// are closed and stick.
func (c *Condensed) pull(p *form.Global, r, y []float64) []float64 {
	c.start = append(c.start[:0], r...)
	for i, spring := range c.held {
		if y != nil {
			c.start[i] += spring * y[i]
		} else {
			c.start[i] -= spring * p.W[i]
		}
	}
	return c.start
}
