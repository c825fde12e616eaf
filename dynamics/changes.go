package dynamics

import (
	"cmp"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/friction"
)

var (
	_ Changing  = (*Stepper)(nil)
	_ Loosening = (*Stepper)(nil)
)

// When an element changes what it does. A step has one force, the mean of it, and one answer to what an
// element does. With θ = ½ that is one of its middle; with θ = 0 the force of what sticks to something that
// speeds up is that of its start, and slip that of its end. So an element that stuck or pressed in the step before, and
// does not in this one, did so from the start of that one on, and no longer than to the end of this one; one
// that slid did so at least for 1 − θ of the step before. In between its course tells. How early or late all
// that is, as the scheme is of first order, is what twins say, see dates.go.

// Holding is an element that was not open in a step, or has touched without a force since the start.
type Holding struct {
	Key    uint64 // see [ElementKey]
	State  ContactState
	Bent   bool // it slides, not along a line
	Loose  bool // it came to rest from that, see [friction.Start]
	Course Course
	Caught Caught
	// Friction is the state of its friction, see [friction.Stateful]; 0: that of what begins to touch [s, m].
	Friction float64
}

// Timing is what the changes of a step are dated by.
type Timing struct {
	Before, Theta float64   // length of the step before [s], and its θ
	Held          []Holding // by ascending keys

	next    []Holding
	changes []Change
}

// ElementKey names an element of the patch of a key in [Change].
func ElementKey(key, element int) uint64 {
	return uint64(key)<<20 | uint64(element) // a million are more than any patch has
}

// Changes implements [Changing].
func (s *Stepper) Changes() []Change { return s.timing.changes }

// copyTo copies what a step leaves to the next one.
func (x *Timing) copyTo(dst *Timing) {
	dst.Before, dst.Theta, dst.Held = x.Before, x.Theta, append(dst.Held[:0], x.Held...)
}

// find is where Held has an element.
func (x *Timing) find(key uint64) (at int, known bool) {
	return slices.BinarySearchFunc(x.Held, key, func(h Holding, key uint64) int { return cmp.Compare(h.Key, key) })
}

// dateChanges finds what has changed in a step of h that leads to next.
func (s *Stepper) dateChanges(h float64) {
	x := &s.timing
	x.next, x.changes = x.next[:0], x.changes[:0]
	s.loose = grow(s.loose, s.partition.count)
	clear(s.loose)
	touch := gapRounding * infNorm(s.now.Q)
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		for e := p.first; e < p.last; e++ {
			now, state := Holding{Key: ElementKey(p.key, e-p.first)}, s.states[e]
			at, known := x.find(now.Key)
			if known {
				now = x.Held[at]
			}
			grazes := (known || s.step.Index == 0) && now.State == Open && s.contacts.gap[e] <= touch
			slid, stuck := now.State == Slide, now.State == Stick
			now.Loose, now.Bent = slid && state == Stick && now.Bent, slid && state == Slide && (now.Bent || s.bends(p, e))
			if state != now.State {
				t, within := s.began, 0.0
				if !grazes {
					t, within = s.date(p.patch, e, &now, state, h)
				}
				x.changes = append(x.changes, Change{Contact: now.Key, To: state.String(), T: t, Within: within})
				now.State, now.Course = state, Course{}
			}
			rubs := p.patch.slip != nil && p.patch.k == nil
			if rubs {
				s.seeRest(&now, e, s.lawInStep(p.patch, at, known), h)
			}
			s.wear(&now, p, e, h, s.contacts.gap[e] <= touch)
			if state == Open && !grazes && now.Friction == 0 {
				continue
			}
			s.extendCourse(&now.Course, p, e, h)
			if pass, told := now.Caught.Pass(now.Key, &now.Course); told && rubs && state == Slide {
				x.changes = append(x.changes, pass)
			}
			if rubs && stuck {
				s.seeLoose(&now, e, s.lawInStep(p.patch, at, known), h)
			}
			x.next = append(x.next, now)
		}
	}
	slices.SortFunc(x.next, func(a, b Holding) int { return cmp.Compare(a.Key, b.Key) })
}

// seeRest takes what element e of a rigid patch does in the step of h that leads to next.
func (s *Stepper) seeRest(now *Holding, e int, law friction.Law, h float64) {
	var along [2]float64
	force := s.next.Lambda[s.dim*e : s.dim*(e+1)]
	for k, r := range force[1:] {
		along[k] = h * r
	}
	over := now.Caught.Lose
	if now.State != Open {
		over = func() (float64, float64) {
			return now.Caught.See(now.State == Slide, s.now.T+h, h*force[0], along[:s.dim-1], law)
		}
	}
	if at, least := over(); least < 0 {
		s.timing.changes = append(s.timing.changes, Change{Contact: now.Key, T: at, Margin: Rests, Depth: least})
	}
}

// seeLoose takes what element e, which stuck before the step of h that leads to next, makes of [Loosening]: friction falls by
// (μ(0) − μ_k)λ_n where it comes loose.
func (s *Stepper) seeLoose(now *Holding, e int, law friction.Law, h float64) {
	c, t := &s.contacts.h, &s.turns
	fall := (law.Mu(0) - law.Mu(math.SmallestNonzeroFloat64)) * s.next.Lambda[s.dim*e]
	if now.State == Stick {
		if zero, _, ok := zeroBeyond(&now.Course.Forced, &now.Course.Hold, now.Course.N); !ok || zero > s.now.T+2*h {
			return
		}
	}
	for _, row := range c.Row[c.Ptr[e]:c.Ptr[e+1]] {
		if t.arms == nil || t.arms[row] == 0 {
			part := s.partition.of[row]
			s.loose[part] = max(s.loose[part], h*fall/s.mass.diagonal(row))
		}
	}
}

// Loosened implements [Loosening].
func (s *Stepper) Loosened(dst []float64) []float64 { return append(dst, s.loose...) }

// keepChanges makes what was found that of the step before.
func (x *Timing) keepChanges(h, theta float64) {
	x.Held, x.next = x.next, x.Held
	x.Before, x.Theta = h, theta
}

// date is when an element of a patch has come to a state, in the step of h that leads to next or in the one
// before.
//
// Friction that falls when slip begins does so for the whole of a step, in all twins whose steps begin
// together. So slip is too fast by up to h(μ(0) − μ)λ_n/m, and ends, under μλ_n, too late by h(μ(0)/μ − 1).
func (s *Stepper) date(p *Patch, e int, before *Holding, to ContactState, h float64) (at, within float64) {
	x, from := &s.timing, s.now.T
	low, by := from-x.Before, Presses
	switch {
	case before.State == Open:
		low = from
	case to == Open:
	case before.State == Slide:
		low, by = from-x.Theta*x.Before, Slides
	default:
		by = Holds
	}
	at, within = before.Course.Date(by, low, from+h, true)
	if p.slip != nil && by == Slides {
		law := s.solver.slipping.laws[e]
		least, most := law.Bounds()
		if _, stateful := p.slip.(friction.Stateful); stateful { // which falls no further in a step
			least, most = s.contacts.mu[e], max(law.Mu(0), s.contacts.mu[e])
		}
		within += max(h, x.Before) * (most/least - 1)
	}
	return at, within
}

// bends reports whether element e of a rigid patch, which slides, does so along another line at the end of the step that
// leads to next.
func (s *Stepper) bends(p *placed, e int) bool {
	if p.patch.slip == nil || p.patch.k != nil {
		return false
	}
	start := friction.Start{Slip: slipOf(s.solver.before[s.dim*e : s.dim*(e+1)]), Reach: s.solver.limit}
	return start.Misses(slipOf(s.next.Slip[s.dim*e : s.dim*(e+1)]))
}

// extendCourse takes what the step of h that leads to next has shown of element e.
func (s *Stepper) extendCourse(c *Course, p *placed, e int, h float64) {
	force, slip := s.next.Lambda[s.dim*e:s.dim*(e+1)], s.next.Slip[s.dim*e:s.dim*(e+1)]
	hold := norm(slip[1:])
	if s.states[e] != Slide {
		hold = frictionLeft(s.contacts.lawOf(p, e), force)
	}
	c.Add(s.now.T+h/2, force[0], s.now.T+(1-s.step.Theta)*h, hold)
}

// frictionLeft is by how much friction is below its bound; NaN where that is not the same in all directions.
func frictionLeft(law contact.Law, force []float64) float64 {
	if l, ok := law.(contact.Coulomb); ok && l.Shape == (contact.Shape{}) {
		return l.Mu*force[0] - norm(force[1:])
	}
	return math.NaN()
}
