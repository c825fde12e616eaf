package local

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// proximalOptions are the numbers of the proximal point algorithm.
type proximalOptions struct {
	start   float64 // α over the unit diagonal of W
	least   float64
	most    float64
	rounds  int
	steps   int     // Newton steps of a round
	inner   float64 // a round is solved to this part of its change, α times the merit
	patient int     // rounds without a better merit
	// Steps of a round that count as few and as many, and the factors on α.
	few, many int
	down, up  float64
	failed    float64 // after a round without a solution
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
	down: 0.3, up: 3,
	failed: 10,
}

const proximalName = "proximal newton"

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
