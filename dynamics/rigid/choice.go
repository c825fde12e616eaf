package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// list collects the active touches and their laws into the problem.
func (s *assembly) list(law func(i int) contact.Law) {
	p := &s.p
	p.list, p.laws = p.list[:0], p.laws[:0]
	for i := range s.touches {
		if s.marks[i].active && (s.frictionSpan > 0 || s.brakeOf(&s.touches[i]) == nil) { // see [multibody.Stop]
			p.list, p.laws = append(p.list, i), append(p.laws, law(i))
		}
	}
}

// chooseActive makes the problem of the active touches; of coincident ones it takes one.
func (s *assembly) chooseActive() {
	s.list(s.lawOf)
	s.dropCoincident()
}

// choose makes the problem of a step from the active set; in time stepping (gap grid) a touch is
// active if it is closed, carried a force in the step before, or would close in the step at v^α.
func (s *sleeping) choose(h float64) {
	if s.mode.grid == GapGrid {
		s.turnBodies(s.w)
		for i := range s.touches {
			m := &s.marks[i]
			m.active = s.touches[i].Gap <= s.unit*touchGap || m.loaded || s.touches[i].Gap+h*s.approachTurned(i, s.w, h) < 0
		}
	}
	s.chooseActive()
}

// piled reports whether there is a large island in which each pair of bodies meets in one point, as
// in a pile of balls: there the solution closes further contacts in nearly every step.
func (s *sleeping) piled() bool {
	p, x := &s.p, &s.rest
	if len(p.list) < largeIsland {
		return false
	}
	s.tie(s.p.list)
	p.mark = grow(p.mark, len(x.root))
	clear(p.mark)
	most, last := 0, uint64(math.MaxUint64)
	for _, i := range p.list { // sorted, as the touches are
		t := &s.touches[i]
		if t.Pair() == last {
			return false
		}
		last = t.Pair()
		r := x.first(t.A)
		p.mark[r]++
		most = max(most, p.mark[r])
	}
	return most >= largeIsland
}

// turnBodies computes the spins of all bodies in space once, for approachTurned: in a pile a body has
// about ten touches.
func (s *sleeping) turnBodies(w []float64) {
	x := &s.predictor
	x.spins = grow(x.spins, len(s.model.Bodies))
	for b := range x.spins {
		x.spins[b] = s.spinOf(b, w)
	}
}

// approachTurned is approach with the spins of turnBodies.
func (s *sleeping) approachTurned(i int, w []float64, h float64) float64 {
	t, spins := &s.touches[i], [2]vec{s.predictor.spins[s.touches[i].A]}
	if t.B >= 0 {
		spins[1] = s.predictor.spins[t.B]
	}
	return s.approachBy(i, w, h, &spins)
}

// joins adds touches that the velocities of the solution p.r would close, and reports whether there
// are any; w has the velocities without contact impulses.
func (s *sleeping) joins(h float64) bool {
	copy(s.x, s.w)
	s.pushSolved(s.x)
	s.stay(s.x)
	before := len(s.p.list)
	if !s.extend(s.x, h, 0) {
		return false
	}
	s.p.list, s.p.laws = s.p.list[:before], s.p.laws[:before]
	s.remember(h)
	s.chooseActive()
	return true
}

// classify counts open, sticking and slipping contacts by v^α, and Painlevé configurations by v^α of
// the step before, since v itself may alternate at sticking contacts.
func (s *sleeping) classify(h float64) {
	p, st := &s.p, &s.step
	st.Open, st.Stick, st.Slip, st.Painleve = len(s.touches)-len(p.list), 0, 0, 0
	for i := range s.marks {
		m := &s.marks[i]
		if !s.rests(i) {
			m.state = Open
			continue
		}
		switch m.state { // of a sleeping island: as before
		case Stick:
			st.Stick, st.Open = st.Stick+1, st.Open-1
		case Slip:
			st.Slip, st.Open = st.Slip+1, st.Open-1
		}
	}
	if len(p.list) == 0 {
		if len(s.marks) > 0 {
			s.remember(h)
		}
		return
	}
	st.Painleve = s.paradoxes()
	u := s.uMean
	s.relative(u, s.w)
	s.curveTerms(u)
	omega := s.meanSpins()
	for k := range p.list {
		m := &s.marks[p.list[k]]
		m.turns = s.turnsAt(k, omega)
		push, slip := s.tangential(k, p.r[k*p.dim:(k+1)*p.dim], u[k*p.dim:(k+1)*p.dim], omega)
		m.state = s.stateOf(p.pressed(k), push, lawMu(p.laws[k]), slip)
		if s.brakeOf(&s.touches[p.list[k]]) != nil {
			m.state = s.brakeState(p.list[k], h, slip)
		}
		if m.state == Slip && s.sways(k, u) {
			m.state = Stick
		}
		switch m.state {
		case Active:
			st.Open++
		case Slip:
			st.Slip++
		default:
			st.Stick++
		}
	}
}

// onBound reports whether a force is on its bound, to the tolerance of solvers.
func onBound(force, bound float64) bool { return force >= bound*(1-1e-6) }

// stateOf is the state of a contact by its impulses normal, that friction is in proportion to, and
// along the surface, friction coefficient and slip speed [m/s].
func (s *contactSet) stateOf(normal, along, mu, slip float64) ContactState {
	switch {
	case !(normal > 0):
		return Active
	case onBound(along, mu*normal) && (mu == 0 || slip > s.pace*slides):
		return Slip
	}
	return Stick
}
