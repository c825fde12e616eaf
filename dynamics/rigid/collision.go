package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// collision looks for contacts with Φ(q^l) > 0 ≥ Φ(q^{l+1}), or between, and
// returns the earliest one and the share of the step after which it closes; nil
// if there is none. Contacts whose features are new, in a pair that touches
// already, are no collisions where their points touched already: they are compressed at the next step. Contacts that are closed at the
// end to rounding of the gap arrive: whether the zero of such a gap falls into this step or the next
// one rounding decides; if they approach, it is a collision at the end of this one either way.
func (s *Stepper) collision(h float64) (hit *bodies.Touch, at float64, err error) {
	at, s.ahead, s.arrives, s.come.on = math.Inf(1), false, false, false
	if s.alone {
		s.next, s.ahead = s.next[:0], true
		return nil, at, nil
	}
	if s.o.Grid != GapGrid {
		s.next = s.find.Find(s.next, s.until, s.qNext, s.o.Margin)
		s.ahead = true
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
	pass, x, err := s.sweep(h)
	switch {
	case err != nil || pass == nil:
	case s.o.Grid == GapGrid:
		err = s.tunnel(pass, h)
	case x < at:
		hit, at = pass, x
	}
	return hit, at, err
}

// standstill: a newcomer that closes within such a share of a step is where it has been found already.
const standstill = 1e-9

// inside reports whether the points of a touch were together already: it is active, or new in a pair that is and was
// closed there, as where a corner slides from one edge to the next. Two faces that come to lie on each other
// have new features, too, as now the other one is clipped, and points that were apart: these collide.
func (s *Stepper) inside(t *bodies.Touch, h float64) bool {
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

// near reports whether the newcomer is, at the beginning of the step, where its bodies touch, but for
// what they slide in the step.
func (s *Stepper) near() bool {
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
		x.point[k] = back(&p, vec3.Add(vec3.Add(t.At, side*t.Gap, t.N), -1, p.Centre))
		x.normal[k] = back(&p, t.N)
	}
}

// places are those of the points at q.
func (x *newcomer) places(q []float64, w *bodies.World) (a, b vec) {
	pa, pb := placed(w, x.touch.A, q), placed(w, x.touch.B, q)
	return vec3.Add(pa.Centre, 1, turn(&pa, x.point[0])), vec3.Add(pb.Centre, 1, turn(&pb, x.point[1]))
}

// gap is what parts the points at q, along the normal of either body: the larger one, as of polygons that are apart.
func (x *newcomer) gap(q []float64, w *bodies.World) float64 {
	pa, pb := placed(w, x.touch.A, q), placed(w, x.touch.B, q)
	a, b := x.places(q, w)
	d := vec3.Add(a, -1, b)
	return max(vec3.Dot(d, turn(&pa, x.normal[0])), vec3.Dot(d, turn(&pb, x.normal[1])))
}

// placed is the place of a body at q.
func placed(w *bodies.World, body int, q []float64) bodies.Pose {
	c, r := w.Place(body, q)
	return bodies.Pose{Centre: c, Rotation: r}
}

// firstOf returns the first touch of a pair.
func (s *Stepper) firstOf(pair uint64) int {
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

// rootOf returns the share of the step at which the gap of a touch, closed at
// the end, is zero on the way, by regula falsi (Illinois).
func (s *Stepper) rootOf(t *bodies.Touch, h float64) float64 {
	x := *t
	fLo, fHi := s.gapAt(&x, h, 0), t.Gap
	if fLo <= 0 { // closed already, though by less than counts as touching
		return 0
	}
	return s.rootIn(&x, h, 0, 1, fLo, fHi)
}

// rootIn finds the zero of a gap between the shares lo and hi, where it is
// fLo > 0 ≥ fHi.
func (s *Stepper) rootIn(x *bodies.Touch, h, lo, hi, fLo, fHi float64) float64 {
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

// gapAt returns the gap of a touch at a share of the step: that of its
// features, or where they have changed the least of the pair; of a newcomer that of its points.
func (s *Stepper) gapAt(t *bodies.Touch, h, share float64) float64 {
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

// at is the time at a share of the part of a step.
func (s *Stepper) at(h, share float64) float64 {
	if share == 1 {
		return s.until
	}
	return s.t + share*h
}

// along evaluates the step of a share of the length with the same impulses for
// its length, in the coordinates x of the velocities,
//
//	x(s) = h s((1−γ)v^l + γ v(s)),   v(s) = v^l + s(v^{l+1} − v^l),
//
// moves q^l there and, if v is not nil, sets it to the velocity. With constant
// forces this is what the scheme does in a step of that length, so that a
// collision in between creates no energy, as an interpolant of the ends alone does
// for γ ≠ ½.
func (s *Stepper) along(h, share float64, v []float64) {
	for i, v0 := range s.v {
		d := share * (s.vEnd[i] - v0)
		s.f1[i] = share * (v0 + s.gamma*d)
		if v != nil {
			v[i] = v0 + d
		}
	}
	s.qMid = grow(s.qMid, len(s.q))
	s.move(s.qMid, s.q, s.f1, h)
}

// interpolate makes the state at a share of the step the trial's. w stays that
// of the whole trial, against which its friction works.
func (s *Stepper) interpolate(h, share float64) {
	s.cutAt = share
	s.along(h, share, s.x)
	copy(s.qNext, s.qMid)
	copy(s.vEnd, s.x)
	copy(s.vNext, s.x)
	if s.o.Scheme == Secant {
		for i := range s.model.body {
			if p := &s.model.body[i]; p.round {
				s.turnSpin(p, s.f1, h)
			}
		}
	}
	for i := range s.joint {
		s.joint[i] *= share
		s.loads[i] *= share
	}
	for i := range s.marks { // the impulses of the part of the step
		m := &s.marks[i]
		if m.r, m.h = vec3.Scale(m.r, share), m.h*share; m.h < noPart {
			m.r, m.h = vec{}, 0
		}
	}
}

// noPart of a step, as is left of the marks of what has opened after many collisions, is none: 1/h would be no number [s].
const noPart = 1e-200

// meet compresses the contacts that have come, hit among them, if not nil. One that closes
// without speed is a collision too, without an impulse: the step has been cut there.
func (s *Stepper) meet(ctx context.Context, hit *bodies.Touch) error {
	before := len(s.step.Collisions)
	if err := s.compressNew(ctx); err != nil || hit == nil || len(s.step.Collisions) > before {
		return err
	}
	s.note(hit)
	return nil
}

// note records a collision without an impulse.
func (s *Stepper) note(t *bodies.Touch) {
	c := Collision{T: s.t, A: t.A, B: t.B, Before: s.kinetic(s.v)}
	if t.B < 0 {
		c.B = -1 - t.Floor
	}
	b := &s.model.body[t.A]
	c.After = append(c.After, s.v[b.v:b.v+b.n]...)
	s.step.Collisions = append(s.step.Collisions, c)
}

// compressNew solves the compression M(v⁺ − v⁻) = Gᵀc + Hr of a collision,
// L(q⁻, v⁻, 0, 0, 1, 1), if a contact that was not active approaches.
func (s *Stepper) compressNew(ctx context.Context) error {
	if s.o.Grid == GapGrid {
		return nil
	}
	worst, speed := -1, -s.pace*approachTolerance
	for i := range s.touches {
		m := &s.marks[i]
		if !m.active || m.was {
			continue
		}
		if u := s.approach(i, s.v, 0); u < speed {
			worst, speed = i, u
		}
		m.was = true
	}
	if worst < 0 {
		return nil
	}
	return s.compress(ctx, worst, -speed)
}

const approachTolerance = 1e-10 // rounding of speeds of 1 m/s, of the size of the bodies a second

func (s *Stepper) compress(ctx context.Context, hit int, speed float64) error {
	if err := s.prepare(terms{}); err != nil {
		return err
	}
	copy(s.w, s.v)
	s.holdAll(s.w)
	s.leadFriction(0)
	s.chooseActive()
	if err := s.loadFree(s.loadImpact); err != nil {
		return err
	}
	s.drive(0)
	s.relative(s.p.b, s.w)
	if s.o.Impact == NewtonImpact {
		s.restitution()
	}
	clear(s.p.r)
	s.regain.least = 1
	if err := s.impact(ctx, speed); err != nil {
		return err
	}
	if !finite(s.w) {
		return s.unbounded(s.w)
	}
	s.collide(hit, speed)
	copy(s.v, s.w)
	s.vary()
	for k, i := range s.p.list { // loaded, but no guess for the next step
		m := &s.marks[i]
		m.loaded = s.p.r[k*s.p.dim] > 0
		m.r, m.h, m.slept = vec{}, 0, false
	}
	return nil
}

// chooseActive makes the list of the touches that take part.
func (s *Stepper) chooseActive() {
	p := &s.p
	p.list, p.laws = p.list[:0], p.laws[:0]
	for i := range s.touches {
		if s.marks[i].active {
			p.list = append(p.list, i)
			p.laws = append(p.laws, s.lawOf(i))
		}
	}
	s.untwin()
}

// holdAll projects velocities on those that the joints admit.
func (s *Stepper) holdAll(w []float64) {
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.comps[c].index
		if inv.m == 0 {
			continue
		}
		x := s.x[:inv.n]
		for i, v := range index {
			x[i] = w[v]
		}
		inv.hold(x, nil)
		for i, v := range index {
			w[v] = x[i]
		}
	}
}

// collide records a compression; v is before, w after.
func (s *Stepper) collide(hit int, speed float64) {
	t := &s.touches[hit]
	c := Collision{T: s.t, A: t.A, B: t.B, Speed: speed, Before: s.kinetic(s.v)}
	c.Loss, c.Withheld = c.Before+s.driveWork()-s.kinetic(s.w), 1-s.regain.least
	if speed > s.o.RestitutionSpeed {
		c.Ambiguous, c.Narrow = s.ambiguous(), s.narrow()
	}
	if t.B < 0 {
		c.B = -1 - t.Floor
	}
	b := &s.model.body[t.A]
	c.After = append(c.After, s.w[b.v:b.v+b.n]...)
	for k, i := range s.p.list {
		if i == hit {
			copy(c.Impulse[:], s.p.r[k*s.p.dim:(k+1)*s.p.dim])
		}
	}
	s.ledger.Impact += c.Loss
	s.drivenByAll()
	s.splitCollision()
	s.step.Impulses = s.step.Impulses[:0]
	s.step.Collisions = append(s.step.Collisions, c)
}
