package local

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// subproblem runs a method, from ws.r, on the scaled problem as the caller has
// changed it. Afterwards tolerance and best iterate are again those of the
// problem itself; ws.r is the best iterate of the method.
func (s *localRun) subproblem(tol float64, method func() form.Status) form.Status {
	ws, best, outer := s.ws, s.bestMerit, s.tol
	save := append(ws.save[:0], ws.best...)
	ws.save = nil // of a subproblem within
	s.bestMerit, s.tol = num.Inf, tol
	s.within++
	s.evaluate()
	status := method()
	copy(ws.r, ws.best)
	s.bestMerit, s.tol = best, outer
	s.within--
	copy(ws.best, save)
	ws.save = save
	return status
}

// held is the part of a scaled problem that subproblems change.
type held struct {
	kind   []form.LawKind
	mu     []float64
	q      []vec3
	diag   []mat3
	centre []vec3 // of the proximal term; start of the Newton phases
}

// hold keeps the problem for release.
func (c *reduced) hold(h *held) {
	h.kind = append(h.kind[:0], c.Kind...)
	h.mu = append(h.mu[:0], c.Mu...)
	h.q = append(h.q[:0], c.Q...)
	h.diag = h.diag[:0]
	for _, k := range c.Diag {
		h.diag = append(h.diag, c.Blk[k])
	}
}

// release brings back, to the last bit, what hold has kept.
func (c *reduced) release(h *held) {
	copy(c.Kind, h.kind)
	copy(c.Mu, h.mu)
	copy(c.Q, h.q)
	for j, k := range c.Diag {
		c.Blk[k] = h.diag[j]
	}
}

// freeze makes the correction g of contact j at u a constant of q.
func (c *reduced) freeze(j int, u *vec3, as form.LawKind) {
	c.Q[j][0] += c.Correction(j, u)
	c.Kind[j] = as
}
