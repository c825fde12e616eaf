package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	warmName = "warm newton"

	warmSteps = 60 // of Newton's method
	// warmWide is a number of contacts from which on sweeps find the states sooner than
	// Newton's method does, whose step costs as much as fifty of them.
	warmWide = 400
	// warmPair is one from which on they are worth trying where Newton's method has failed.
	warmPair   = 200
	warmRounds = 5
	warmSweeps = 300  // with momentum, before the steps of a round; those of the first end where the states stand
	warmTurns  = 12   // steps of a round
	warmSmooth = 10   // sweeps after each
	warmAfter  = 2    // sweeps after a step that was shortened
	warmFailed = 5    // steps of a round that do not bring it nearer
	warmNear   = 1e-5 // merit below which what is left sits in few places
	warmFirst  = 1e-3 // first ε
	warmMost   = 0.1  // largest
	// Parts of ‖F‖ that are left after a step that counts as good and as fair, and the
	// factors on ε.
	warmGood, warmFair         = 0.3, 0.7
	warmGoodDown, warmFairDown = 0.1, 0.3
	warmHalvings               = 12
	warmBack                   = 0.1 // a step shortened to less raises ε
	// Once in a round the equations may be worse by warmWorse after a step and its sweeps, if these
	// change the states of no more than warmFlips contacts: a large turn of slip is mended by the
	// next step. Twice, and one contact goes to and fro.
	warmFlips, warmWorse = 3, 10
)

// warm solves a problem from the solution of a similar one, that of the step before:
// piles in motion. A few contacts change their states in each step, and Newton's method
// has to go through points that are worse to find them: in Alart and Curnier's form, with
// a line search that remembers [newtonLong] steps and a regularisation that starts at
// [regLong], it solved 153 of 176 problems of 100 to 170 contacts of a pile that settles,
// where a memory of six and ε = 1e-6 solved 131. Many contacts: [localRun.turns],
// unless the limit is that of Newton's steps, and of a thousand what these leave by [localRun.splitting]. Of a thousand
// whose solution is judged by the caller, see [form.Options.Enough]: [localRun.sufficing].
func (s *localRun) warm(limit int) form.Status {
	end := s.iterations + limit
	if s.c.Nc < warmWide || limit <= warmSteps {
		status := s.newtonAs(min(limit, warmSteps), true, &newtonLonger)
		if s.c.Nc < warmPair || s.final(status) || s.iterations >= end {
			return status
		}
		copy(s.ws.r, s.ws.best)
	}
	if s.o.Enough != nil && s.large() && s.regional() {
		return s.sufficing(end - s.iterations)
	}
	status := s.turns(end - s.iterations)
	if !s.large() || s.final(status) || s.iterations >= end {
		return status
	}
	copy(s.ws.r, s.ws.best)
	return s.splitting(end - s.iterations)
}

// turns goes round by sweeps with momentum, which find the states of most contacts, and steps of
// Newton's method, which find the impulses that go through the whole pile. Of 22 problems of 1,000
// to 1,900 contacts of a pile that settles it solved 20, in half the time of the plan. Where sweeps
// find no more than one other state between two looks, Newton's method mostly ends in two or three
// steps; where fifty still change it does not. Of 68 problems of 1,100 to 1,900 contacts of 1,000
// spheres that fall into a box all are solved, in three fifths of the processor time that 150
// sweeps a round and ε from 1e-2 took.
func (s *localRun) turns(limit int) form.Status {
	end := s.iterations + limit
	for round := range warmRounds {
		status := s.momentumWithin(max(1, min(warmSweeps, end-s.iterations)), s.momentumWindow(), round == 0)
		if s.final(status) || status == form.NumericalFailure {
			return status
		}
		copy(s.ws.r, s.ws.best)
		if status = s.dampedNewton(min(warmTurns, end-s.iterations)); s.final(status) {
			return status
		}
		copy(s.ws.r, s.ws.best)
		if s.bestMerit < warmNear && s.regional() {
			if s.solveRegions(); s.evaluate() <= s.tol {
				return form.Converged
			}
		}
		if s.iterations >= end {
			return form.IterationLimit
		}
	}
	return form.NoProgress
}

// dampedNewton takes whole steps of Newton's method with (W + εI) for W, ε following what they
// bring, and some sweeps after each: a step that makes the equations worse often has the right
// impulses far away and wrong states, which a sweep mends. Where it does not, the step is taken
// back to where the equations are not worse. After a step that changes no state nothing but ε and
// the turn of slip keep from the solution, and in modes of W below ε the way is long: ε falls to
// its least. One that is taken back was too long in such a mode, or beyond an edge of the states: ε
// rises.
func (s *localRun) dampedNewton(limit int) form.Status {
	ws, c := s.ws, s.c
	lu, from := ws.fewFactors(s.ctx), ws.trial
	if lu == nil {
		return form.Canceled
	}
	reg, last, failed, worse := warmFirst, num.Inf, 0, false
	for range limit {
		c.Velocity(ws.u, ws.r)
		f := c.equations(ws, ws.r, true, true)
		if s.keep(c.MeritAt(ws.u, ws.r)) <= s.tol {
			return form.Converged
		}
		changes := s.changes(false)
		switch {
		case num.Bad(f):
			return form.NumericalFailure
		case f <= last && last < num.Inf && changes == 0:
			if f > warmFair*last {
				failed++
			}
			reg = regLeast
		case f < warmGood*last:
			reg = max(warmGoodDown*reg, regLeast)
		case f < warmFair*last:
			reg = max(warmFairDown*reg, regLeast)
		case f <= last:
			failed++
		case !worse && f <= warmWorse*last && changes <= warmFlips:
			failed++
			worse = true
		default:
			failed++
			if s.stepBack(from, last) < warmBack {
				reg = min(max(regUp*reg, warmFirst), warmMost)
			}
			c.Velocity(ws.u, ws.r)
			f = c.equations(ws, ws.r, true, true)
			s.keep(c.MeritAt(ws.u, ws.r))
		}
		if failed > warmFailed {
			return form.NoProgress
		}
		s.changes(true)
		last = f
		copy(from, ws.r)
		s.direction(lu, reg)
		for j := range ws.r {
			r, d := &ws.r[j], &ws.d[j]
			ws.r[j] = vec3{r[0] + d[0], r[1] + d[1], r[2] + d[2]}
		}
		merit := s.evaluate()
		if status, stop := s.step(warmName, merit, 1); stop || merit <= s.tol {
			if merit <= s.tol {
				return form.Converged
			}
			return status
		}
		for range warmSmooth {
			s.sweep(ws.r)
		}
	}
	return form.IterationLimit
}

// stepBack halves the last step until the equations are not worse than before it, and
// returns its length.
func (s *localRun) stepBack(from []vec3, last float64) float64 {
	ws, a := s.ws, 1.0
	for range warmHalvings {
		a *= 0.5
		for j := range ws.r {
			r, d := &from[j], &ws.d[j]
			ws.r[j] = vec3{r[0] + a*d[0], r[1] + a*d[1], r[2] + a*d[2]}
		}
		s.c.Velocity(ws.u, ws.r)
		if s.c.equations(ws, ws.r, true, false) <= last {
			break
		}
	}
	for range warmAfter {
		s.sweep(ws.r)
	}
	return a
}

// contactState is what a contact does.
type contactState uint8

const (
	contactOpen contactState = iota
	contactStick
	contactSlip
)

// changes counts the contacts whose state at ws.r and ws.u is another than the noted one, and notes
// it if asked.
func (s *localRun) changes(note bool) (n int) {
	ws := s.ws
	if len(ws.states) != s.c.Nc {
		ws.states = num.Grow(ws.states, s.c.Nc)
		clear(ws.states)
	}
	for j := range ws.states {
		if x := s.c.stateOf(j, &ws.r[j], &ws.u[j]); x != ws.states[j] {
			n++
			if note {
				ws.states[j] = x
			}
		}
	}
	return n
}

// stateOf is the case of [alartCurnier] that a contact is in; of laws other than Coulomb's it says
// whether it pushes.
func (c *reduced) stateOf(j int, r, u *vec3) contactState {
	n, x, y := r[0]-u[0], r[1]-u[1], r[2]-u[2]
	switch {
	case c.Kind[j] == form.KindBilateral:
		return contactStick
	case n <= 0:
		return contactOpen
	case c.Kind[j] == form.KindCoulomb && math.Sqrt(x*x+y*y) > c.Mu[j]*n:
		return contactSlip
	}
	return contactStick
}
