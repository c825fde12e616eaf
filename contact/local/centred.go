package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
)

const (
	centredName = "centred sweeps"

	// centredMargin is how far inside the cones the interior-point method starts, in units of its
	// variables, in which q and the diagonal of W are 1. A smaller one is reached by shorter steps.
	centredMargin = 0.1
	// centredAim is the merit at which that method ends: a hundred sweeps then cost less than its
	// next factorisation. From ten times as much, sweeps stood still in one of four piles.
	centredAim = 3e-5
	// centredAgain is that merit in later rounds, whose de Saxcé term is that of sweeps which came
	// close: what 3e-5 leaves there is as slow as before it (spheres, 20,000, seed 11: sweeps stood
	// at 3.5e-8 then, with this at 5.7e-9).
	centredAgain = 1e-6
	// centredNear times the tolerance is the merit from which the first round is such a later one.
	centredNear   = 2.0
	centredFine   = 1e-5 // part of a right side to which its directions are refined
	centredSteps  = 40   // of the interior-point method
	centredSweeps = 4000
	centredRounds = 3 // two from autoPointed contacts on
	// centredPatience are the sweeps within which the merit has to fall from autoCurved contacts
	// on: a dozen factorisations, the next centre, cost as many, and what follows much more.
	centredPatience = 2500
	centredGain     = 0.5 // part of the merit to which a round has to bring it
)

// centredSweeps solves large piles whose sweeps nearly stand still. A cluster of weak contacts can
// carry what it has to by reactions far from the present ones only, and a sweep goes a small step
// of that way. The convex problem with the de Saxcé term frozen, at zero in the first round, where
// most piles stick, goes all of it in a dozen steps of the interior-point method, from the present
// iterate moved into the cones. That iterate lies in their middle, so that few contacts change
// their states afterwards, and what it leaves is in no slow mode more than in others. Sweeps on the
// problem itself end from there.
func (s *localRun) centredSweeps(limit int) form.Status {
	end, rounds, sweeps, first := s.iterations+limit, centredRounds, (*localRun).momentumSweeps, 0
	if s.c.Nc > autoCurved {
		sweeps = (*localRun).patientSweeps
	}
	if s.c.Nc > autoPointed {
		rounds = 2
	}
	if s.bestMerit <= centredNear*s.want || s.insidable() { // the first round was that of insideSweeps
		first = 1
	}
	extra := true
	for round := first; round < first+rounds; round++ { // which may grow
		before := s.bestMerit
		if s.evaluate(); round == 0 {
			clear(s.ws.u)
		}
		aim := centredAim
		if round > 0 {
			aim = centredAgain
		}
		status := s.centre(min(centredSteps, max(1, end-s.iterations)), aim)
		if status == form.Canceled || status == form.Unsolved {
			return status
		}
		// Confirmed here: what is left to the check is for more sweeps, not for another centre.
		status = s.confirmed(sweeps, max(1, min(centredSweeps, end-s.iterations)))
		if status == form.NoProgress && s.bestMerit <= s.want && s.confirm(s.ws.best) {
			return form.Converged // not as good as aimed at, but what was asked for
		}
		switch {
		case s.final(status):
			return status
		case s.iterations >= end:
			return form.IterationLimit
		case s.bestMerit > centredGain*before:
			return form.NoProgress
		case round == first+rounds-1 && extra && s.bestMerit <= centredNear*s.want: // so close, another one is worth it
			rounds, extra = rounds+1, false
		}
		copy(s.ws.r, s.ws.best)
	}
	return form.NoProgress
}

// patientSweeps are the sweeps after a centre of a very large pile.
func (s *localRun) patientSweeps(limit int) form.Status {
	return s.momentumWithin(limit, centredPatience, false)
}

// centre moves the iterate to the middle of the cones, near a solution of the convex problem of its
// motions. It may be farther from a solution than before.
func (s *localRun) centre(limit int, aim float64) form.Status {
	ws, inside := s.ws, s.insidable()
	if inside { // the first steps are left to sweeps
		if status := s.followInside(insideAgain); status != form.Unsolved {
			return status
		}
	}
	s.freezeCones()
	best, outer := s.bestMerit, s.tol
	s.within++
	ws.save = append(ws.save[:0], ws.best...)
	s.tol = aim
	status := form.Unsolved
	if s.interiorBegin() {
		s.ws.interior.fine = centredFine
		if inside {
			s.interiorInside(insideLast)
		} else {
			s.interiorWarm(centredMargin)
		}
		status = s.interiorMarch(limit)
	}
	s.bestMerit, s.tol = best, outer
	s.within--
	copy(ws.best, ws.save)
	s.c.release(&ws.held)
	return status
}

// interiorWarm starts the interior-point method from ws.r, moved into the cones by margin.
func (s *localRun) interiorWarm(margin float64) {
	p, c, ws := &s.ws.interior, s.c, s.ws
	c.Velocity(ws.u, ws.r)
	for j := range p.x {
		x, z := &ws.r[j], &ws.u[j]
		switch kind, _ := c.interiorKind(j); kind {
		case form.KindBilateral:
			p.x[j], p.z[j] = *x, vec3{}
		case form.KindFrictionless:
			p.x[j], p.z[j] = vec3{max(x[0], 0) + margin}, vec3{max(z[0], 0) + margin}
		default:
			mu := c.Mu[j]
			p.x[j] = vec3{max(mu*x[0], math.Sqrt(x[1]*x[1]+x[2]*x[2])) + margin, x[1], x[2]}
			p.z[j] = vec3{max(z[0]/mu, math.Sqrt(z[1]*z[1]+z[2]*z[2])) + margin, z[1], z[2]}
		}
	}
}
