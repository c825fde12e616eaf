package convex

import (
	"sync"

	"github.com/quasistatic/quasistatic/contact/form"
)

// Sibling returns another solver of problems with the M of c and a Jacobian that is equal to its
// own: it has the factors of M and the matrix of the contacts in common with c, and all that
// changes from solve to solve, where iterations begin too, for itself. Its solutions are those of
// one that NewCondensed makes. Each is for one goroutine; two siblings may be used by two.
func (c *Condensed) Sibling(h *form.Jacobian) *Condensed {
	shared, ok := c.factor.(*sharedFactor)
	if !ok {
		shared = &sharedFactor{solver: c.factor}
		c.factor = shared
	}
	s := &Condensed{m: c.m, h: h, factor: shared, schur: c.schur, low: make([]float64, len(c.low)), column: c.column, w: c.w, held: c.held,
		small: form.Global{M: c.small.M, H: c.small.H, F: make([]float64, len(c.small.F))},
		rhs:   make([]float64, len(c.rhs)), v: make([]float64, len(c.v)), free: make([]float64, len(c.free)), y: make([]float64, len(c.y))}
	s.check.residualVectors(s.m, h)
	if c.newton != nil {
		s.newton = newActiveSet(h.Dim, h.Contacts(), c.w)
	}
	if c.primal != nil {
		s.primal = newPrimalSet(h.Dim, h.Contacts(), c.primal.s.Data, c.held != nil)
	}
	return s
}

// sharedFactor solves for several, one after the other: factors have scratch of their own.
type sharedFactor struct {
	sync.Mutex
	solver
}

// Solve solves with the factors of M.
func (f *sharedFactor) Solve(dst, b []float64) {
	f.Lock()
	defer f.Unlock()
	f.solver.Solve(dst, b)
}
