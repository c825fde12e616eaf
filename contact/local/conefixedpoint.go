package local

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// coneOptions are the numbers of the fixed point of cone problems.
type coneOptions struct {
	rounds  int
	tight   float64 // an inner problem is solved to this part of the tolerance
	steps   int     // of the interior-point method
	polish  int     // Newton steps from its solution
	patient int     // rounds without a better merit
}

// coneDefault are the values of all solves.
var coneDefault = coneOptions{
	rounds:  20,
	tight:   0.01,
	steps:   80,
	polish:  30,
	patient: 2,
}

const coneName = "cone fixed point"

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
	for range coneDefault.rounds {
		status := s.coneSolve(min(end-s.iterations, coneDefault.steps))
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
		if stale > coneDefault.patient {
			break
		}
		ws.held.centre = append(ws.held.centre[:0], ws.r...)
		for _, method := range [...]localMethod{(*localRun).newton, (*localRun).naturalNewton} {
			if status = method(s, max(1, min(coneDefault.polish, end-s.iterations))); s.final(status) {
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
	status := s.subproblem(coneDefault.tight*s.tol, func() form.Status { return s.interiorPoint(limit) })
	s.c.release(&s.ws.held)
	return status
}
