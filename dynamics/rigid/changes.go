package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// When a contact changes what it does. A part of a step, from t to t + h, has one force, the mean of
// it, and one answer to what a contact does. Forces that change evenly have their mean at t + αh, so
// a contact that stuck or pressed in the part before, and does not in this one, did so until that time
// of the part before, and no longer than to the end of this one. One that slid slides at t, and does
// not at t + h. Where a part of a step begins with a collision, or where slip is found to change
// (reversal.go, release.go), that is the time.
//
// Between these bounds [dynamics.Course] tells it.

// opening says what a part of a step begins with.
type opening uint8

const (
	opensStep  opening = iota
	opensStart         // of the run
	opensHit
	opensSlip // a slip that changes
)

// timing is what the changes of a part of a step are dated by.
type timing struct {
	Before float64   // length of the part before [s]
	Held   []holding // what was not open in it, by ascending keys

	opens   opening
	pair    uint64  // that has hit, where it opens with that
	dateOff float64 // what the time is known to, where it opens with a slip that changes [s]
	spare   []holding
}

// holding is a contact that was not open.
type holding struct {
	Key    uint64
	State  ContactState
	Course dynamics.Course
	Caught dynamics.Caught
}

// copyTo copies what a step leaves to the next one.
func (x *timing) copyTo(dst *timing) {
	dst.Before, dst.Held, dst.opens = x.Before, append(dst.Held[:0], x.Held...), opensStep
}

// Changes implements [dynamics.Changing].
func (s *Stepper) Changes() []dynamics.Change { return s.step.Changes }

// HitOf names the collisions of a pair in [dynamics.Change], b being −1−f of an obstacle.
func HitOf(a, b int) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(int32(b))) }

// Hit is what a pair does that collides, in [dynamics.Change].
const Hit = "collision"

// dateChanges notes what has changed in a part of a step of length h, that now has ended.
func (s *Stepper) dateChanges(h float64) {
	x, from := &s.timing, s.t-h
	next, held := x.spare[:0], x.Held
	gone := func(below uint64) { // out of sight
		for ; len(held) > 0 && held[0].Key < below; held = held[1:] {
			if held[0].State != Open {
				s.change(held[0].Key, Open, from+h/2, h/2)
			}
			s.endRest(held[0].Key, held[0].Caught.Lose)
		}
	}
	for i := range s.touches {
		t, state, now := &s.touches[i], s.marks[i].state, holding{Key: s.touches[i].Key}
		s.bend(i)
		gone(t.Key)
		if len(held) > 0 && held[0].Key == t.Key {
			now, held = held[0], held[1:]
		}
		if state != now.State {
			at, within := s.date(i, &now, from, h)
			s.change(t.Key, state, at, within)
		}
		if state != now.State || x.opens == opensHit {
			now.Course = dynamics.Course{}
		}
		before := now.State
		if now.State = state; state == Open {
			if before == Open {
				s.endRest(t.Key, now.Caught.Lose)
			} else { // for a part that is short it may be no more than rounding
				next = append(next, now)
			}
			continue
		}
		if m := &s.marks[i]; m.h > 0 && bears(state) {
			s.extendCourse(&now.Course, i, from, h)
			if law := s.slipLaw(i); s.slip.on && law != nil {
				s.endRest(t.Key, func() (float64, float64) {
					return now.Caught.See(state == Slip, s.t, m.pressed(), m.r[1:s.model.Dim], law)
				})
				if pass, told := now.Caught.Pass(t.Key, &now.Course); told && state == Slip {
					s.step.Changes = append(s.step.Changes, pass)
				}
			}
		}
		next = append(next, now)
	}
	gone(math.MaxUint64)
	x.spare, x.Held = x.Held[:0], next
	x.Before, x.opens = h, opensStep
}

// endRest notes the rest of a contact that is over.
func (s *Stepper) endRest(key uint64, over func() (at, least float64)) {
	if at, least := over(); least < 0 {
		s.step.Changes = append(s.step.Changes, dynamics.Change{Contact: key, T: at, Margin: dynamics.Rests, Depth: least})
	}
}

// bend follows the line along which contact i slides, in space.
func (s *Stepper) bend(i int) {
	if !s.slip.on || s.model.Dim == 2 {
		return
	}
	x := &s.marks[i].line
	slid := x.slip != [2]float64{}
	x.loose = slid && s.marks[i].state == Stick && x.bent
	if s.marks[i].state != Slip {
		x.bent, x.slip = false, [2]float64{}
		return
	}
	slip, start := s.slipAtStart(i), friction.Start{Slip: x.slip, Reach: s.pace * slides}
	x.bent, x.slip = slid && (x.bent || start.Misses(slip)), slip
}

// bears reports whether a contact carries a force.
func bears(s ContactState) bool { return s == Stick || s == Slip }

// change notes one.
func (s *Stepper) change(key uint64, to ContactState, at, within float64) {
	s.step.Changes = append(s.step.Changes, dynamics.Change{Contact: key, To: to.String(), T: at, Within: within})
}

// extendCourse takes what the part from a time has shown of contact i.
func (s *Stepper) extendCourse(c *dynamics.Course, i int, from, h float64) {
	m := &s.marks[i]
	hold := (s.frictionBound(i) - length(m.r[1:])) / m.h
	if m.state == Slip {
		hold = vec3.Norm(s.slipNow(i))
	}
	c.Add(from+s.alpha*h, m.pressed()/m.h, s.t, hold)
}

// date is when contact i has come to what it does in the part of h from a time, beside what it did
// before, and by how much that may be off.
func (s *Stepper) date(i int, before *holding, from, h float64) (at, within float64) {
	m, x := &s.marks[i], &s.timing
	bore, now := bears(before.State), bears(m.state)
	switch {
	case x.opens == opensSlip && (bore || s.clings > 0):
		return from, x.dateOff
	case x.opens == opensStart && m.was && now, x.opens == opensHit && x.pair == s.touches[i].Pair():
		return from, 0
	}
	low, high, by := from-(1-s.mode.alpha)*x.Before, from+h, dynamics.Presses
	if bore && now {
		if by = dynamics.Holds; before.State == Slip {
			low, by = from, dynamics.Slides
		}
	}
	return before.Course.Date(by, low, high, x.opens == opensStep && bore)
}
