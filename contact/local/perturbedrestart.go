package local

import "github.com/quasistatic/quasistatic/contact/form"

const (
	restartName     = "neighbour in friction"
	restartProximal = 2000 // Newton steps around proximal points on a neighbour
)

// restartFactors are those on the friction coefficients near 1.
var restartFactors = [...]float64{1.003, 0.997, 1.01, 0.99, 1.001, 0.999, 1.03, 0.97}

// perturbedRestart goes from the best iterate to the solution of a problem with a little more or
// less friction and back. Where Newton's methods stand still at an edge between
// states, close to a solution, the solution of the neighbour usually lies off the
// edge.
func (s *localRun) perturbedRestart(limit int) form.Status {
	ws, c := s.ws, s.c
	end := min(s.limit, s.iterations+limit)
	status := form.NoProgress
	for _, factor := range restartFactors {
		copy(ws.r, ws.best)
		c.hold(&ws.friction)
		c.scaleFriction(factor)
		status = s.subproblem(s.tol, func() form.Status { return s.frictionStep(end - s.iterations) })
		c.release(&ws.friction)
		if status == form.Canceled || s.iterations >= end { // what was solved is the neighbour at best
			return s.ended()
		}
		if status = s.frictionStep(end - s.iterations); s.final(status) {
			return status
		}
		if s.bestMerit <= s.want && s.confirm(ws.best) {
			copy(ws.r, ws.best)
			return form.Converged
		}
	}
	return form.NoProgress
}

// ended is the verdict where iterations or time ran out.
func (s *localRun) ended() form.Status {
	if s.ctx.Err() != nil {
		return form.Canceled
	}
	return form.IterationLimit
}

// scaleFriction multiplies the coefficients of the cones with friction.
func (c *reduced) scaleFriction(factor float64) {
	for j, kind := range c.Kind {
		switch kind {
		case form.KindCoulomb, form.KindAssociated, form.KindPyramid:
			c.Mu[j] *= factor
		}
	}
}

// frictionStep sweeps a little and then tries Newton's methods, the last of which
// is indifferent to redundant contacts, each from the sweeps.
func (s *localRun) frictionStep(limit int) form.Status {
	ws := s.ws
	status := s.gaussSeidel(min(limit, autoStart))
	start := append([]vec3(nil), ws.r...)
	for _, method := range [...]struct {
		run   localMethod
		limit int
	}{{(*localRun).newton, autoNewton}, {(*localRun).naturalNewton, autoNewton}, {(*localRun).proximal, restartProximal}} {
		if s.final(status) {
			return status
		}
		copy(ws.r, start)
		status = method.run(s, min(limit, method.limit))
	}
	return status
}
