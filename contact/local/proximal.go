package local

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	proximalName    = "proximal newton"
	proximalStart   = 0.1 // α over the unit diagonal of W
	proximalLeast   = 1e-6
	proximalMost    = 10.0
	proximalRounds  = 300
	proximalSteps   = 60  // Newton steps of a round
	proximalInner   = 0.1 // a round is solved to this part of its change, α times the merit
	proximalPatient = 40  // rounds without a better merit

	// Steps of a round that count as few and as many, and the factors on α.
	proximalFew, proximalMany = 8, 25
	proximalDown, proximalUp  = 0.3, 3
	proximalFailed            = 10 // after a round without a solution
)

// proximal solves a [form.Local] problem by the proximal point algorithm
// around [form.MethodNewton]: round k solves
//
//	u = (W + αI) r + q − α r_k,   the laws between u and r,
//
// whose matrix is regular whatever the rank of W, from r_k, and takes the
// solution for r_k+1; at a fixed point the two terms in α cancel. α falls while
// Newton's method has little to do and rises when it fails. For associated laws
// it converges for every W ⪰ 0; redundant contacts are what it is for.
func (s *localRun) proximal(limit int) form.Status {
	ws, alpha := s.ws, proximalStart
	least, stale, end := num.Inf, 0, s.iterations+limit
	for range proximalRounds {
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
		if stale > proximalPatient {
			break
		}
		before := s.iterations
		status := s.proximalRound(alpha, max(proximalInner*s.tol, proximalInner*min(alpha, 1)*m))
		switch steps := s.iterations - before; {
		case status != form.Converged:
			copy(ws.r, ws.held.centre)
			alpha = min(alpha*proximalFailed, proximalMost)
		case steps < proximalFew:
			alpha = max(alpha*proximalDown, proximalLeast)
		case steps > proximalMany:
			alpha = min(alpha*proximalUp, proximalMost)
		}
	}
	return form.NoProgress
}

// proximalRound solves the problem around ws.r; held.centre keeps that.
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
		status := s.newton(proximalSteps)
		if status == form.NoProgress || status == form.NumericalFailure {
			copy(ws.r, h.centre)
			status = s.naturalNewton(proximalSteps)
		}
		return status
	})
	c.release(h)
	return status
}
