package rigid

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// contactSet has the touches of the present state: which of them take part in the step, what was
// known of them in the step before, and which pairs collide ever sooner.
type contactSet struct {
	*motion

	find        *finder
	clings      int  // moments of a contact, see resistance.go; 0: the model has no resistance
	alone       bool // nothing meets anything
	touches     []bodies.Touch
	marks       []mark
	curves      []curve // of the touches, see isCurved; none before a step
	before      []bodies.Touch
	beforeMarks []mark
	next        []bodies.Touch
	again       []bodies.Touch
	ahead       bool         // next has the touches of qNext
	met         bodies.Touch // that has closed within the step
	come        newcomer     // the last touch of a pair that met elsewhere
	turned      [][2]bool    // touches that turned in the step before, see mark
	slid        []bool       // touches that slid in the step before, or were open …
	left        []bool       // … and those that have had an impact since
	wLast       []float64
	arrives     bool               // contacts are closed at the end of the trial, to rounding, that were apart
	hits        map[uint64]chatter // of a step, by pair
	counted     int                // collisions of the step before the present part of it
}

// arms returns what leads from the centres of the bodies of a touch to its point at q.
func (s *contactSet) arms(t *bodies.Touch) (arm [2]vec) {
	arm[0] = vec3.Add(t.At, -1, s.poses[t.A].Centre)
	if t.B >= 0 {
		arm[1] = vec3.Add(t.At, -1, s.poses[t.B].Centre)
	}
	return arm
}

// joinBodies joins the bodies that the touches of a list, and joints or forces, tie.
func (s *contactSet) joinBodies(sets forest.Sets, list []int) {
	for _, i := range list {
		if t := &s.touches[i]; t.B >= 0 {
			sets.Join(t.A, t.B)
		}
	}
	for c := range s.model.Components {
		for tied := s.model.Components[c].Bodies; len(tied) > 1; tied = tied[1:] {
			sets.Join(tied[0], tied[1])
		}
	}
}

// touchAt is touch t at another time and place: that of its features or, where others of its two
// bodies meet there, its heir.
func (s *contactSet) touchAt(t *bodies.Touch, time float64, q []float64) (bodies.Touch, bool) {
	if s.model.StopOf(t) == nil {
		if x, ok := s.find.OnPoint(time, q, t); ok {
			return x, true
		}
	}
	s.again = s.find.Again(s.again[:0], time, q, t)
	for i := range s.again {
		if s.again[i].Key == t.Key {
			return s.again[i], true
		}
	}
	if t.B < 0 {
		return bodies.Touch{}, false
	}
	return s.heir(t, q)
}

// heir is the one of the touches in again that is where the points of t are at q, but for what these
// slide: a corner has slid over the end of an edge, or a face that lay on another one has tilted, so
// that now the other one is clipped.
func (s *contactSet) heir(t *bodies.Touch, q []float64) (heir bodies.Touch, ok bool) {
	var x newcomer
	x.follow(t, s.q, s.model.World)
	a, b := x.places(q, s.model.World)
	apart := vec3.Add(a, -1, b)
	least := vec3.Norm(vec3.Add(apart, -vec3.Dot(apart, t.N), t.N)) + s.unit*touchGap
	for i := range s.again {
		y := &s.again[i]
		onA, onB := vec3.Add(y.At, 0.5*y.Gap, y.N), vec3.Add(y.At, -0.5*y.Gap, y.N)
		if d := min(vec3.Norm(vec3.Add(onA, -1, a)), vec3.Norm(vec3.Add(onB, -1, b))); d <= least {
			heir, ok, least = *y, true, d
		}
	}
	return heir, ok
}

// near reports whether the newcomer is, at the beginning of the step, where its bodies touch, but
// for what they slide in the step.
func (s *contactSet) near() bool {
	a, b := s.come.places(s.q, s.model.World)
	slide := vec3.Norm(vec3.Add(a, -1, b)) + s.releaseGap()
	pair := s.come.touch.Pair()
	for i := s.firstOf(pair); i < len(s.touches) && s.touches[i].Pair() == pair; i++ {
		at := s.touches[i].At
		if s.marks[i].active && min(vec3.Norm(vec3.Add(at, -1, a)), vec3.Norm(vec3.Add(at, -1, b))) <= slide {
			return true
		}
	}
	return false
}

// firstOf returns the first touch of a pair.
func (s *contactSet) firstOf(pair uint64) int {
	lo, hi := 0, len(s.touches)
	for lo < hi {
		if m := (lo + hi) / 2; s.touches[m].Pair() < pair {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// note records a collision without an impulse.
func (s *contactSet) note(t *bodies.Touch) {
	c := Collision{T: s.t, A: t.A, B: t.B, Before: s.kinetic(s.v)}
	if t.B < 0 {
		c.B = -1 - t.Floor
	}
	b := &s.model.Bodies[t.A]
	c.After = append(c.After, s.v[b.V:b.V+b.N]...)
	s.step.Collisions = append(s.step.Collisions, c)
}

// crowded is the error of more touches than there is memory for, which were not all looked for.
func (s *contactSet) crowded() error {
	if n := len(s.touches); s.find.Most > 0 && n >= s.find.Most {
		return fmt.Errorf("rigid: %w", &MemoryError{Contacts: n, Limit: s.o.Memory})
	}
	return nil
}

// deepest is the largest penetration of the present touches.
func (s *contactSet) deepest() float64 {
	d := 0.0
	for i := range s.touches {
		d = max(d, -s.touches[i].Gap)
	}
	return d
}

// relook finds the touches again; they have hardly moved.
func (s *contactSet) relook() {
	for i := range s.marks {
		s.marks[i].active = s.marks[i].was
	}
	s.detectAnew()
}

// detectAnew is detect at a state that no step has led to.
func (s *contactSet) detectAnew() {
	s.ahead = false
	s.detect()
}

// detect finds the touches at q and gives them the marks of the last ones.
func (s *contactSet) detect() {
	s.poses = s.model.World.Poses(s.poses, s.q)
	s.snap = multibody.Snapshot{M: s.model, Poses: s.poses, Q: s.q, V: s.v}
	s.before, s.touches = s.touches, s.before
	s.beforeMarks, s.marks = s.marks, s.beforeMarks
	if s.ahead { // found already, when the step was searched for collisions
		s.touches, s.next, s.ahead = s.next, s.touches, false
	} else {
		s.touches = s.find.Find(s.touches, s.t, s.q, s.o.Margin)
	}
	s.marks, s.curves = grow(s.marks, len(s.touches)), s.curves[:0]
	k := 0
	for i := range s.touches {
		t := &s.touches[i]
		for k < len(s.before) && s.before[k].Key < t.Key {
			k++
		}
		m := mark{mu: s.model.Rest(t)}
		if k < len(s.before) && s.before[k].Key == t.Key {
			m = s.beforeMarks[k]
			m.was, m.soft, m.speculative = m.active && !m.soft, false, false
		}
		s.takeFrame(&m, t)
		s.marks[i] = m
	}
	s.activate()
}

// activate marks the touches that take part: closed ones, loaded ones as long as they have not left
// by more than a millionth of the margin, and those of thin bodies that have met in this step and
// glide along each other.
func (s *contactSet) activate() {
	for i := range s.touches {
		m, gap := &s.marks[i], s.touches[i].Gap
		m.active = gap <= s.unit*touchGap || m.loaded && gap <= s.releaseGap() || m.met && gap <= s.unit*glide || s.chatters(i)
	}
	s.cling()
}

func (s *contactSet) releaseGap() float64 { return 1e-3 * s.o.Margin }
