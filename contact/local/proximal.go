package local

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// proximalOptions are the numbers of the proximal point algorithm. A round is one proximal problem.
type proximalOptions struct {
	// start, least and most are the first, the smallest and the largest α [-]; the diagonal of the
	// scaled W is 1, so that 0.1 changes no more than what is nearly singular.
	start, least, most float64
	rounds             int // at most
	steps              int // Newton steps in a round, at most
	// inner is how exactly a round is solved [-]: to inner·α·merit. α·merit is of the size of the
	// step that the round makes, and an error well below the step does not slow the rounds.
	inner   float64
	patient int // rounds without a smaller merit after which the method gives up
	// A round that took fewer Newton steps than few multiplies α by down; one that took more than
	// many multiplies it by up, and one that was not solved by failed.
	few, many        int
	down, up, failed float64
}

// proximalDefault are the values of all solves.
var proximalDefault = proximalOptions{
	start:   0.1,
	least:   1e-6,
	most:    10.0,
	rounds:  300,
	steps:   60,
	inner:   0.1,
	patient: 40,
	few:     8, many: 25,
	down: 0.3, up: 3, failed: 10,
}

const proximalName = "proximal newton"

// proximal solves a [form.Local] problem by the proximal point algorithm [Rockafellar76]: r_k+1 is
// the solution r of
//
//	u = (W + αI) r + q − α r_k   with the laws between u and r,
//
// found by Newton's method from r_k. W + αI is positive definite whatever the rank of W, which is why
// the method serves redundant contacts; where r_k+1 = r_k the two terms in α cancel and r solves the
// problem itself. A small α means few rounds, a large one easy rounds: α falls after a round of few
// Newton steps and rises after one of many. With associated laws the problem is a monotone inclusion
// and the method converges for every W ⪰ 0 that has a solution; with Coulomb's there is no proof.
func (s *localRun) proximal(limit int) form.Status {
	ws, alpha := s.ws, proximalDefault.start
	least, stale, end := num.Inf, 0, s.iterations+limit
	for range proximalDefault.rounds {
		m := s.evaluate()
		switch {
		case m <= s.tol:
			return form.Converged
		case num.Bad(m):
			return form.NumericalFailure
		case s.ctx.Err() != nil:
			return form.Canceled
		case s.iterations >= min(end, s.limit):
			return form.IterationLimit
		}
		if stale++; m < newtonGain*least {
			least, stale = m, 0
		}
		if stale > proximalDefault.patient {
			break
		}
		before := s.iterations
		status := s.proximalRound(alpha, max(proximalDefault.inner*s.tol, proximalDefault.inner*min(alpha, 1)*m))
		switch steps := s.iterations - before; {
		case status != form.Converged:
			copy(ws.r, ws.held.centre)
			alpha = min(alpha*proximalDefault.failed, proximalDefault.most)
		case steps < proximalDefault.few:
			alpha = max(alpha*proximalDefault.down, proximalDefault.least)
		case steps > proximalDefault.many:
			alpha = min(alpha*proximalDefault.up, proximalDefault.most)
		}
	}
	return form.NoProgress
}

// proximalRound solves the proximal problem of r_k = ws.r to the merit tol and puts the solution
// there; r_k is kept in held.centre.
func (s *localRun) proximalRound(alpha, tol float64) form.Status {
	ws, c, h := s.ws, s.c, &s.ws.held
	c.hold(h)
	h.centre = append(h.centre[:0], ws.r...)
	for j, k := range c.Diag {
		for i := range 3 {
			c.Blk[k][4*i] += alpha
			c.Q[j][i] -= alpha * ws.r[j][i]
		}
	}
	status := s.subproblem(tol, func() form.Status {
		status := s.newton(proximalDefault.steps)
		if status == form.NoProgress || status == form.NumericalFailure {
			copy(ws.r, h.centre)
			status = s.naturalNewton(proximalDefault.steps)
		}
		return status
	})
	c.release(h)
	return status
}
