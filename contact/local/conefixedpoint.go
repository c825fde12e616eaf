package local

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	coneName    = "cone fixed point"
	coneRounds  = 20
	coneTight   = 0.01 // an inner problem is solved to this part of the tolerance
	coneSteps   = 80   // of the interior-point method
	conePolish  = 30   // Newton steps from its solution
	conePatient = 2    // rounds without a better merit
)

// coneFixedPoint solves a [form.Local] problem of the laws that [form.MethodInterior]
// takes by a sequence of convex ones: the de Saxcé term is frozen at the last
// g = μ‖u_T‖ (zero at first), which leaves the second-order cone problem
//
//	K ∋ r ⊥ W r + q + g e_N ∈ K*
//
// for the interior-point method, polynomial and indifferent to redundant
// contacts; its solution, in the middle of the set of solutions, is where
// Newton's method on the problem itself starts. Where all contacts stick or
// open the first round is the last. The fixed point is that of the existence
// proof of [AcaryCadoux11]; it need not contract.
func (s *localRun) coneFixedPoint(limit int) form.Status {
	ws := s.ws
	clear(ws.u) // g = 0
	least, stale, end := num.Inf, 0, s.iterations+limit
	for range coneRounds {
		status := s.coneSolve(min(end-s.iterations, coneSteps))
		if status == form.Canceled || status == form.Unsolved {
			return status
		}
		m := s.evaluate()
		switch {
		case m <= s.tol:
			return form.Converged
		case s.iterations >= min(end, s.limit):
			return form.IterationLimit
		}
		if stale++; m < newtonGain*least {
			least, stale = m, 0
		}
		if stale > conePatient {
			break
		}
		ws.held.centre = append(ws.held.centre[:0], ws.r...)
		for _, method := range [...]localMethod{(*localRun).newton, (*localRun).naturalNewton} {
			if status = method(s, max(1, min(conePolish, end-s.iterations))); s.final(status) {
				return status
			}
			copy(ws.r, ws.held.centre)
		}
		s.evaluate() // u of the convex problem
	}
	return form.NoProgress
}

// coneSolve solves the convex problem of the present u, with Coulomb's cones as associated ones.
func (s *localRun) coneSolve(limit int) form.Status {
	s.c.hold(&s.ws.held)
	for j, kind := range s.c.Kind {
		if kind == form.KindCoulomb {
			s.c.freeze(j, &s.ws.u[j], form.KindAssociated)
		}
	}
	status := s.subproblem(coneTight*s.tol, func() form.Status { return s.interiorPoint(limit) })
	s.c.release(&s.ws.held)
	return status
}
