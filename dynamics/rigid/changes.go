package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// When a contact changes what it does. A part of a step, from t to t + h, has one force, the mean of
// it, and one answer to what a contact does. Forces that change evenly have their mean at t + αh, so
// a contact that stuck or pressed in the part before, and does not in this one, did so until that time
// of the part before, and no longer than to the end of this one. One that slid slides at t, and does
// not at t + h. Where a part of a step begins with a collision, or where slip is found to change
// (reversal.go, release.go), that is the time.
//
// Between these bounds m(t*) = 0 tells it, with m what decides: of what presses its force N, of what
// sticks μN − |T|, of what slides its slip. m is known from the parts before, in which it did the same:
// the zero of its parabola through the last three, which that of the line through two of them differs
// from by what the next power would be, and more. A zero beyond the bounds is of a motion that is not
// smooth, and the bounds are what is known.

// courseLength is the number of parts of steps before that are looked at.
const courseLength = 3

// course is what decides how long a contact does what it does, in the last parts of steps.
type course struct {
	N      int
	Forced [courseLength]float64 // times of the forces [s] …
	Push   [courseLength]float64 // … and these [N]
	Ended  [courseLength]float64 // ends of the parts [s] …
	Hold   [courseLength]float64 // … and the slip there [m/s], or of what sticks what is left of friction [N]
}

// add takes one more part.
func (c *course) add(forced, push, ended, hold float64) {
	if c.N == courseLength {
		for k := range courseLength - 1 {
			c.Forced[k], c.Push[k], c.Ended[k], c.Hold[k] = c.Forced[k+1], c.Push[k+1], c.Ended[k+1], c.Hold[k+1]
		}
		c.N--
	}
	c.Forced[c.N], c.Push[c.N], c.Ended[c.N], c.Hold[c.N] = forced, push, ended, hold
	c.N++
}

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

	opens opening
	pair  uint64 // that has hit, where it opens with that
	spare []holding
}

// holding is a contact that was not open.
type holding struct {
	Key    uint64
	State  ContactState
	Course course
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
			s.change(held[0].Key, Open, from+h/2, h/2)
		}
	}
	for i := range s.touches {
		t, state, now := &s.touches[i], s.marks[i].state, holding{Key: s.touches[i].Key}
		gone(t.Key)
		if len(held) > 0 && held[0].Key == t.Key {
			now, held = held[0], held[1:]
		}
		if state != now.State {
			at, within := s.date(i, &now, from, h)
			s.change(t.Key, state, at, within)
		}
		if state != now.State || x.opens == opensHit {
			now.Course = course{}
		}
		if now.State = state; state == Open {
			continue
		}
		if s.marks[i].h > 0 && bears(state) {
			s.extendCourse(&now.Course, i, from, h)
		}
		next = append(next, now)
	}
	gone(math.MaxUint64)
	x.spare, x.Held = x.Held[:0], next
	x.Before, x.opens = h, opensStep
}

// bears reports whether a contact carries a force.
func bears(s ContactState) bool { return s == Stick || s == Slip }

// change notes one.
func (s *Stepper) change(key uint64, to ContactState, at, within float64) {
	s.step.Changes = append(s.step.Changes, dynamics.Change{Contact: key, To: to.String(), T: at, Within: within})
}

// extendCourse takes what the part from a time has shown of contact i.
func (s *Stepper) extendCourse(c *course, i int, from, h float64) {
	m := &s.marks[i]
	bound, hold := m.mu*m.pressed(), 0.0
	if s.brakeOf(&s.touches[i]) != nil {
		bound = s.brakeBound(i, m.h)
	}
	if hold = (bound - length(m.r[1:])) / m.h; m.state == Slip {
		hold = vec3.Norm(s.slipNow(i))
	}
	c.add(from+s.alpha*h, m.pressed()/m.h, s.t, hold)
}

// date is when contact i has come to what it does in the part of h from a time, beside what it did
// before, and by how much that may be off.
func (s *Stepper) date(i int, before *holding, from, h float64) (at, within float64) {
	m, x := &s.marks[i], &s.timing
	bore, now := bears(before.State), bears(m.state)
	switch {
	case x.opens == opensStart && m.was && now, x.opens == opensSlip && (bore || s.clings > 0), x.opens == opensHit && x.pair == s.touches[i].Pair():
		return from, 0
	}
	c := &before.Course
	low, high := from-(1-s.mode.alpha)*x.Before, from+h
	times, decides := c.Forced, c.Push
	if bore && now {
		if decides = c.Hold; before.State == Slip {
			low, times = from, c.Ended
		}
	}
	at, within = (low+high)/2, (high-low)/2
	if zero, off, ok := zeroBeyond(times, decides, c.N); ok && x.opens == opensStep && bore && zero >= low && zero <= high {
		at, within = zero, min(off, max(zero-low, high-zero))
	}
	return at, within
}

// zeroBeyond is where what falls comes to zero, by the parabola through its last three values, and how
// far that is from the zero of the line through two; of two values alone nothing is known of that.
func zeroBeyond(t, m [courseLength]float64, n int) (zero, off float64, ok bool) {
	if n < 2 {
		return 0, 0, false
	}
	a, b := n-2, n-1
	slope := (m[b] - m[a]) / (t[b] - t[a])
	if !(slope < 0) {
		return 0, 0, false
	}
	line := t[b] - m[b]/slope
	if n < courseLength {
		return line, math.Inf(1), true
	}
	// Newton's form: m_b + slope(t − t_b) + bend(t − t_b)(t − t_a), by the root that goes over into
	// that of the line.
	bend := (slope - (m[a]-m[a-1])/(t[a]-t[a-1])) / (t[b] - t[a-1])
	first := slope + bend*(t[b]-t[a])
	root := first*first - 4*bend*m[b]
	if !(root >= 0) || first >= 0 {
		return line, math.Inf(1), true // it does not come to zero so
	}
	zero = t[b] + 2*m[b]/(-first+math.Sqrt(root))
	return zero, math.Abs(zero - line), true
}
