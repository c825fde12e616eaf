package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// collision looks for contacts with Φ(q^l) > 0 ≥ Φ(q^{l+1}), or between, and returns the earliest
// one and the share of the step after which it closes; nil if there is none. Contacts whose
// features are new, in a pair that touches already, are no collisions where their points touched
// already: they are compressed at the next step. Contacts that are closed at the end to rounding of
// the gap arrive: whether the zero of such a gap falls into this step or the next one rounding
// decides; if they approach, it is a collision at the end of this one either way.
func (s *detection) collision(h float64) (hit *bodies.Touch, at float64, err error) {
	at, s.ahead, s.arrives, s.come.on = math.Inf(1), false, false, false
	if s.alone {
		s.next, s.ahead = s.next[:0], true
		return nil, at, nil
	}
	if s.mode.grid != GapGrid {
		s.next = s.find.Find(s.next, s.until, s.qNext, s.o.Margin)
		s.ahead = true
		if err := s.roundEdge(s.next, s.until, s.qNext); err != nil {
			return nil, at, err
		}
		for i := range s.next {
			t := &s.next[i]
			switch {
			case t.Gap > s.unit*touchGap || s.inside(t, h):
			case t.Gap > 0:
				s.arrives = true
			default:
				x := s.rootOf(t, h)
				if s.come.on && x*h <= standstill*s.step.H {
					continue // it has collided
				}
				if x < at {
					hit, at = t, x
				}
			}
		}
	}
	s.come.on = false
	for i := range s.touches {
		if t := &s.touches[i]; s.mode.grid != GapGrid && !s.marks[i].active {
			if x, ok := s.turnsBack(t, h); ok && x < at {
				hit, at = t, x
			}
		}
	}
	pass, x, err := s.sweep(h)
	switch {
	case err != nil || pass == nil:
	case s.mode.grid == GapGrid:
		err = s.tunnel(pass, h)
	case x < at:
		hit, at = pass, x
	}
	return hit, at, err
}

// standstill: a newcomer that closes within such a share of a step is where it has been found
// already.
const standstill = 1e-9

// inside reports whether the points of a touch were together already: it is active, or new in a
// pair that is and was closed there, as where a corner slides from one edge to the next. Two faces
// that come to lie on each other have new features, too, as now the other one is clipped, and
// points that were apart: these collide.
func (s *detection) inside(t *bodies.Touch, h float64) bool {
	seen, pair := false, false
	s.come.on = false
	for i := s.firstOf(t.Pair()); i < len(s.touches) && s.touches[i].Pair() == t.Pair(); i++ {
		if s.touches[i].Key == t.Key {
			if s.marks[i].active {
				return true
			}
			seen = true
		}
		pair = pair || s.marks[i].active
	}
	if !pair || seen {
		return false
	}
	if t.B < 0 { // features of an obstacle are there at any distance
		x := *t
		return s.gapAt(&x, h, 0) <= s.unit*touchGap
	}
	s.come.follow(t, s.qNext, s.model.World)
	if s.come.gap(s.q, s.model.World) <= s.unit*touchGap || s.near() {
		return true
	}
	s.come.on = true
	return false
}

// newcomer is a touch of two bodies that meet in other points already: it goes with each of them.
type newcomer struct {
	on     bool
	touch  bodies.Touch
	point  [2]vec // of each, in its axes
	normal [2]vec
}

// follow takes the points and normals of a touch at q.
func (x *newcomer) follow(t *bodies.Touch, q []float64, w *bodies.World) {
	x.touch = *t
	for k, body := range [2]int{t.A, t.B} {
		p, side := placed(w, body, q), 0.5-float64(k)
		x.point[k] = multibody.ToBody(&p, vec3.Add(vec3.Add(t.At, side*t.Gap, t.N), -1, p.Centre))
		x.normal[k] = multibody.ToBody(&p, t.N)
	}
}

// places are those of the points at q.
func (x *newcomer) places(q []float64, w *bodies.World) (a, b vec) {
	pa, pb := placed(w, x.touch.A, q), placed(w, x.touch.B, q)
	return vec3.Add(pa.Centre, 1, multibody.ToSpace(&pa, x.point[0])), vec3.Add(pb.Centre, 1, multibody.ToSpace(&pb, x.point[1]))
}

// gap is what parts the points at q, along the normal of either body: the larger one, as of
// polygons that are apart.
func (x *newcomer) gap(q []float64, w *bodies.World) float64 {
	pa, pb := placed(w, x.touch.A, q), placed(w, x.touch.B, q)
	a, b := x.places(q, w)
	d := vec3.Add(a, -1, b)
	return max(vec3.Dot(d, multibody.ToSpace(&pa, x.normal[0])), vec3.Dot(d, multibody.ToSpace(&pb, x.normal[1])))
}

// placed is the place of a body at q.
func placed(w *bodies.World, body int, q []float64) bodies.Pose {
	c, r := w.Place(body, q)
	return bodies.Pose{Centre: c, Rotation: r}
}

// rootOf returns the share of the step at which the gap of a touch, closed at the end, is zero on
// the way, by regula falsi (Illinois).
func (s *detection) rootOf(t *bodies.Touch, h float64) float64 {
	x := *t
	fLo, fHi := s.gapAt(&x, h, 0), t.Gap
	if fLo <= 0 { // closed already, though by less than counts as touching
		return 0
	}
	return s.rootIn(&x, h, 0, 1, fLo, fHi)
}

// rootIn finds the zero of a gap between the shares lo and hi, where it is fLo > 0 ≥ fHi.
func (s *detection) rootIn(x *bodies.Touch, h, lo, hi, fLo, fHi float64) float64 {
	side := 0
	for range 100 { // superlinear; bisections by the rule
		mid := (lo*fHi - hi*fLo) / (fHi - fLo)
		if !(mid > lo && mid < hi) {
			break
		}
		f := s.gapAt(x, h, mid)
		if math.Abs(f) < s.unit*1e-15 || hi-lo < 1e-15 { // rounding of the unit of length and of a share
			return mid
		}
		if f > 0 {
			lo, fLo = mid, f
			if side == 1 {
				fHi /= 2
			}
			side = 1
		} else {
			hi, fHi = mid, f
			if side == -1 {
				fLo /= 2
			}
			side = -1
		}
	}
	return hi
}

// gapAt returns the gap of a touch at a share of the step: that of its features, or where they have
// changed the least of the pair; of a newcomer that of its points.
func (s *detection) gapAt(t *bodies.Touch, h, share float64) float64 {
	s.along(h, share, nil)
	if s.come.on {
		return s.come.gap(s.qMid, s.model.World)
	}
	s.again = s.find.Again(s.again[:0], s.at(h, share), s.qMid, t)
	least := math.Inf(1)
	for i := range s.again {
		if s.again[i].Key == t.Key {
			return s.again[i].Gap
		}
		least = min(least, s.again[i].Gap)
	}
	return min(least, 1)
}

// noPart of a step, as is left of the marks of what has opened after many collisions, is none: 1/h
// would be no number [s].
const noPart = 1e-200

const approachTolerance = 1e-10 // rounding of speeds of 1 m/s, of the size of the bodies a second

// collide records a compression; v is before, w after.
func (s *detection) collide(hit int, speed float64) {
	t := &s.touches[hit]
	s.instant(s.v)
	c := Collision{T: s.t, A: t.A, B: t.B, Speed: speed, Before: s.kinetic(s.v)}
	c.Loss, c.Withheld = c.Before+s.driveWork()-s.kinetic(s.w), 1-s.restitutionLimit.least
	if speed > s.o.RestitutionSpeed {
		c.Ambiguous, c.Narrow = s.ambiguous(), s.narrow()
	}
	if t.B < 0 {
		c.B = -1 - t.Floor
	}
	b := &s.model.Bodies[t.A]
	c.After = append(c.After, s.w[b.V:b.V+b.N]...)
	for k, i := range s.p.list {
		if i == hit {
			copy(c.Impulse[:], s.p.r[k*s.p.dim:(k+1)*s.p.dim])
		}
	}
	s.ledger.Impact += c.Loss
	s.instant(s.w)
	s.drivenByAll()
	s.splitCollision()
	s.step.Impulses = s.step.Impulses[:0]
	s.step.Collisions = append(s.step.Collisions, c)
}

// detection searches a step for the first collision.
type detection struct {
	*motion
	*contactSet
	*drives
	*assembly
	*accounts
	*impacts

	swept       []bodies.Touch
	passage     bodies.Sweep
	way         way
	flights     []flight       // of the bodies, see speculate
	order       []int          // of the bodies from the left to the right, there
	speculative []bodies.Touch // that it has found
}
