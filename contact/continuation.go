package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// continuationName is the name of the method in results.
const continuationName = "continuation in friction"

// continuationSteps are the parts of the friction coefficients through which the
// method goes. The way from one to the next is shorter near the end, where
// solutions of jamming piles change most.
var continuationSteps = [...]float64{0.5, 0.7, 0.8, 0.999, 1}

const (
	continuationTries = 4 // halvings of a step that failed
	// continuationProximal bounds the Newton steps of a proximal phase: piles of 500
	// contacts take up to 1000.
	continuationProximal = 2000
	// continuationEnough is a merit that serves on the way. It is aimed at that of
	// the whole, but Newton's methods on jamming piles may end a little above.
	continuationEnough = 1e-7
)

// continuation solves a [Local] problem by raising its friction: all coefficients
// are multiplied by a factor that goes to 1, and each problem starts from the
// solution of the last. With less friction fewer contacts jam and Newton's method
// finds its way; near the end the states of the contacts are mostly right. A step
// that fails is halved.
func (s *localRun) continuation(limit int) Status {
	ws, c := s.ws, s.c
	end := min(s.limit, s.iterations+limit)
	clear(ws.r)
	at, status := 0.0, NoProgress
	start := append([]vec3(nil), ws.r...)
	for _, goal := range continuationSteps {
		next := goal
		for tries := 0; at < goal; {
			if s.iterations >= end || s.ctx.Err() != nil {
				return s.ended()
			}
			copy(ws.r, start)
			c.hold(&ws.friction)
			c.scaleFriction(next)
			reached := num.Inf
			status = s.subproblem(s.tol, func() Status {
				status := s.frictionStep(end - s.iterations)
				reached = s.bestMerit
				return status
			})
			c.release(&ws.friction)
			s.evaluate()
			switch {
			case status == Canceled:
				return status
			case reached <= continuationEnough:
				at, next, tries = next, goal, 0
				start = append(start[:0], ws.r...)
			case tries == continuationTries:
				return NoProgress
			default:
				tries++
				next = 0.5 * (at + next)
			}
		}
	}
	if s.evaluate() <= s.tol {
		return Converged
	}
	return NoProgress
}

// ended is the verdict where iterations or time ran out.
func (s *localRun) ended() Status {
	if s.ctx.Err() != nil {
		return Canceled
	}
	return IterationLimit
}

// scaleFriction multiplies the coefficients of the cones with friction.
func (c *reduced) scaleFriction(factor float64) {
	for j, kind := range c.kind {
		switch kind {
		case form.KindCoulomb, form.KindAssociated, form.KindPyramid:
			c.mu[j] *= factor
		}
	}
}

// frictionStep sweeps a little and then tries Newton's methods, the last of which
// is indifferent to redundant contacts, each from the sweeps.
func (s *localRun) frictionStep(limit int) Status {
	ws := s.ws
	status := s.gaussSeidel(min(limit, autoStart))
	start := append([]vec3(nil), ws.r...)
	for _, method := range [...]struct {
		run   localMethod
		limit int
	}{{(*localRun).newton, autoNewton}, {(*localRun).naturalNewton, autoNewton}, {(*localRun).proximal, continuationProximal}} {
		if s.final(status) {
			return status
		}
		copy(ws.r, start)
		status = method.run(s, min(limit, method.limit))
	}
	return status
}
