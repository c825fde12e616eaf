package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// updateCurves takes the curvature of the contacts of the problem at the velocities w. It reports
// whether these have solved it: it is that that they were solved with. Where the rounds do not end
// the step is cut, or as short as it may be taken straight.
func (s *solution) updateCurves(h float64, round int, last *float64) (done bool, err error) {
	most, swing, at := -1.0, 0.0, 0
	for _, i := range s.p.list {
		if !s.isCurved(&s.touches[i]) {
			continue
		}
		if most < 0 {
			s.curvePath(h)
		}
		x, by := s.updateCurve(i, h)
		if !(x <= most) {
			most, at = x, i
		}
		swing = max(swing, by)
	}
	stalls := most >= 0.5**last
	// What the momentum of the files may be off by is taken of rounds that gain nothing after eight of
	// them, as of walls whose forces the laws leave open and differ from round to round: without
	// curvature the step would be off by O(h).
	enough := round >= 8 && most <= 10*curveSwing
	if most <= curveGoal || stalls && (most <= max(curveStall, 10*s.solved) && swing <= curveSwing || enough) {
		back, more := s.restoreCurves(h)
		if !back && !more {
			return true, nil
		}
		if *last = math.Inf(1); back && round < curveRounds {
			return false, nil
		}
		most = math.Inf(1) // c is left out for forces that the step does not have: all are
	}
	if *last = most; most < math.Inf(1) && round < curveRounds {
		return false, nil
	}
	if s.mayCut && s.oval(&s.touches[at]) {
		return false, fmt.Errorf("%s roll too far: %w", s.model.TouchName(&s.touches[at]), errSteep)
	}
	s.forgetCurves()
	s.straight = true
	return false, nil
}

// openShifts sets the speeds by which a step brings the joints back from the rounding of the steps
// before. Where a mechanism lies on many contacts it is left to the projection: two that stick on
// both sides of a joint contradict its return, and hold it by as much tension as it takes to have
// one of them slip by rounding.
func (s *assembly) openShifts(h float64) {
	s.countClosed()
	for c := range s.inv {
		inv := &s.inv[c]
		inv.Shift = grow(inv.Shift, inv.M)
		for k, i := range s.model.Components[c].Rows {
			theta := s.model.Rows[i].Value(s.poses)
			inv.Shift[k] = 0
			if s.p.mark[c] < augmentedContacts && math.Abs(theta) <= s.unit*multibody.GapGoal &&
				h >= shortPart*s.step.H { // more is left to the projection
				inv.Shift[k] = -theta / h
			}
		}
	}
}

// countClosed sets p.mark to the number of closed touches of each component without loops.
func (s *assembly) countClosed() {
	mark := grow(s.p.mark, len(s.inv))
	clear(mark)
	s.p.mark = mark
	for i := range s.touches {
		t := &s.touches[i]
		if t.Gap > s.unit*touchGap {
			continue
		}
		a := s.model.Home[t.A]
		mark[a]++
		if t.B >= 0 && s.model.Home[t.B] != a {
			mark[s.model.Home[t.B]]++
		}
	}
	for c := range s.inv {
		if len(s.inv[c].Tree.Loops) > 0 {
			mark[c] = 0
		}
	}
}

// grossImpulses sets f to the sums of the sizes of what loads, contacts and joints give. Their sum
// makes the velocities, which have its rounding: those of a body that many hold at rest are that
// alone.
func (s *assembly) grossImpulses(f []float64) {
	for i, x := range s.kick {
		f[i] = math.Abs(x)
	}
	s.pushSizes(f)
	for c := range s.inv {
		inv := &s.inv[c]
		on := s.column[:inv.N]
		clear(on)
		for k := range inv.Bands {
			inv.Bands[k].PushGross(on)
		}
		for j, v := range s.model.Components[c].Index {
			f[v] += on[j]
		}
	}
}

// roundChange is what a round has changed, over the goals: most of what may be rounding, see changeOf, and
// what is left of spins; own over the velocities alone.
type roundChange struct{ most, own float64 }

// falls reports whether the rounds go on to make smaller what is no rounding of the velocities: impulses that
// cancel, as on a heavy body held beside its centre, would give a billion times these.
func (x roundChange) falls(last roundChange) bool {
	if math.IsInf(last.own, 1) { // the first round: nobody knows how fast
		return x.own > secantNear
	}
	return x.own > 1 && x.own < 0.5*last.own && x.own*(x.own/last.own) > 1
}

// settled reports whether the round from wOld to w has solved the equations of the secant scheme:
// the velocities of jointed bodies have not changed, and Newton's method is exact for the spins of
// the others.
func (s *assembly) settled(h float64, last *roundChange) (bool, error) {
	var now roundChange
	change, left, at := 0.0, 0.0, 0 // of joints and what is left of spins, over their goals
	s.grossImpulses(s.f0)
	spins := spinGoal
	if len(s.p.list) > 0 {
		spins = contactGoal
	}
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		switch {
		case p.Tied || p.Led:
			c, own := s.changeOf(p, s.f0)
			if now.own = max(now.own, own/secantGoal); !(c/secantGoal <= change) {
				change, at = c/secantGoal, i
			}
		case p.Gyro && p.SpinOf(s.w) != (vec{}):
			left = max(left, s.newtonDefect(p, h)/spins)
		}
	}
	if !(max(change, left) < math.Inf(1)) {
		return false, s.steep(at, h)
	}
	s.turning = at
	now.most = max(change, left)
	done := now.most <= 1 && !now.falls(*last) || now.most <= secantStall && now.most >= 0.5*last.most
	if s.model.Pinned && len(s.p.list) == 0 && left <= 1 && change <= secantNear && !now.falls(*last) { // quadratic convergence
		rate := change / last.most
		done = done || change*rate*rate <= secantLeft // what the next round would change
	}
	*last = now
	if done {
		if i := s.farTurn(h); i >= 0 {
			return false, s.steep(i, h)
		}
	}
	return done, nil
}
