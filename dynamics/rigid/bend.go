package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// An ellipse or ellipsoid meets others in a point that moves over it: its gap bends, and the linear row n·v^α leaves Φ = ½h²vᵀΦ″v, of one sign while it rocks. The
// projection that takes it back lifts the body by as much each step, and made energy of the order
// of h. The secant scheme takes instead
//
//	u_N = (Φ(q') − Φ(q))/h = n·v^α + c,   H at q + (1−α)h v^α.
//
// The first is exact: nothing is left to project. The second is where the contact does no work in
// the smooth part: the path of the step has the velocity v^α of the time t + αh, so that places
// are ahead of velocities by (α − ½)h, and the mean velocity (v + v')/2 belongs to the place
//
//	q(t + ½h − (α − ½)h) = q(t + (1−α)h),
//
// where n·(v + v')/2 = dΦ/dt = 0 up to O(h²). For α = 1 this is H at q, for α = ½ in the middle.
// c and H depend on v^α: rounds of contact problems, each with those of the round before.

// bend is what the scheme puts in the place of H at q and of n·v^α.
type bend struct {
	on    bool
	arm   [2]vec  // from the centres to the contact point, of the first body and of the second [m]
	frame [3]vec  // at q
	more  float64 // c [m/s]
}

const (
	bendGoal   = 1e-12 // on the change of the speeds in a round, relative; the next one would be far below
	bendStall  = 1e-6  // below which a round that gains nothing ends: rounding of Φ/h
	bendRounds = 25
)

// bends reports whether the scheme takes touch t by its bend.
func (s *Stepper) bends(t *bodies.Touch) bool {
	return s.model.curved && s.o.Scheme == Secant && !s.o.Unstabilised && (s.model.body[t.A].curved || t.B >= 0 && s.model.body[t.B].curved)
}

// straighten forgets the bends of the present touches.
func (s *Stepper) straighten() {
	for i := range s.bent {
		if s.bent[i].on {
			s.marks[i].frame = s.bent[i].frame
		}
	}
	s.bent = s.bent[:0]
}

// bendAll takes the bends of the contacts of the problem at the velocities w. It reports whether
// these have solved it: the bends are those that they were solved with.
func (s *Stepper) bendAll(h float64, last *float64) (done bool, err error) {
	most, at := -1.0, 0
	for _, i := range s.p.list {
		if !s.bends(&s.touches[i]) {
			continue
		}
		if most < 0 {
			s.bendPath(h)
		}
		if x := s.bendOne(i, h); !(x <= most) {
			most, at = x, i
		}
	}
	if most <= bendGoal || most <= bendStall && most >= 0.5**last {
		return true, nil
	}
	if *last = most; most < math.Inf(1) {
		return false, nil
	}
	return false, s.bendSteep(at)
}

// bendEvery takes the bends of all touches at the velocities w, which are those of the end.
func (s *Stepper) bendEvery(h float64) {
	for i := range s.touches {
		if s.bends(&s.touches[i]) {
			s.bendPath(h)
			s.bendOne(i, h)
		}
	}
}

// bendSteep is the error of a touch whose bend the rounds do not find.
func (s *Stepper) bendSteep(i int) error {
	return fmt.Errorf("%s roll too far: %w", s.model.name(&s.touches[i]), errSteep)
}

// bendPath sets x to the velocity of the path of the step, qMid to its end and qBend to the place of H.
func (s *Stepper) bendPath(h float64) {
	if len(s.bent) != len(s.touches) {
		s.bent = grow(s.bent, len(s.touches))
		clear(s.bent)
	}
	s.qMid, s.qBend = grow(s.qMid, len(s.q)), grow(s.qBend, len(s.q))
	for i, v := range s.v {
		s.x[i] = v + s.gamma/s.alpha*(s.w[i]-v)
	}
	s.move(s.qMid, s.q, s.x, h)
	s.move(s.qBend, s.q, s.x, (1-s.alpha)*h)
}

// bendOne takes the bend of touch i and returns how much speeds have changed by it, over their size.
func (s *Stepper) bendOne(i int, h float64) float64 {
	t, b, m := &s.touches[i], &s.bent[i], &s.marks[i]
	before := *b
	if !b.on {
		*b = bend{on: true, frame: m.frame}
		before.arm = [2]vec{vec3.Add(t.At, -1, s.poses[t.A].Centre)}
		if t.B >= 0 {
			before.arm[1] = vec3.Add(t.At, -1, s.poses[t.B].Centre)
		}
		b.arm = before.arm
	}
	if s.alpha < 1 {
		s.bendFrame(i, h)
	}
	end, ok := s.touchAt(t, s.t+h, s.qMid)
	if !ok {
		b.more = 0
		return 0
	}
	n := m.frame[0]
	u, size := s.bendSpeed(i, h)
	b.more = (end.Gap-t.Gap)/h - vec3.Dot(n, u)
	change := math.Abs(b.more - before.more)
	for k, body := range [2]int{t.A, t.B} {
		if body >= 0 {
			change = max(change, vec3.Norm(vec3.Cross(s.spinAt(body), vec3.Add(b.arm[k], -1, before.arm[k]))))
		}
	}
	if change == 0 {
		return 0
	}
	return change / max(size, s.heaviest(i))
}

// spinAt is the spin of a body in x, in space.
func (s *Stepper) spinAt(body int) vec {
	p := &s.model.body[body]
	switch {
	case !p.spins:
		return vec{}
	case s.model.dim == 2:
		return vec{0, 0, s.x[p.v+2]}
	}
	return turn(&s.poses[body], p.spinOf(s.x))
}

// bendFrame takes arms and frame of touch i at qBend.
func (s *Stepper) bendFrame(i int, h float64) {
	t, b, m := &s.touches[i], &s.bent[i], &s.marks[i]
	mid, ok := s.touchAt(t, s.t+(1-s.alpha)*h, s.qBend)
	if !ok {
		return
	}
	centre, _ := s.model.World.Place(t.A, s.qBend)
	b.arm[0] = vec3.Add(mid.At, -1, centre)
	if t.B >= 0 {
		centre, _ = s.model.World.Place(t.B, s.qBend)
		b.arm[1] = vec3.Add(mid.At, -1, centre)
	}
	m.frame = b.frame
	m.transport(s.model, &mid)
}

// touchAt is touch t at another time and place, if its features meet there.
func (s *Stepper) touchAt(t *bodies.Touch, time float64, q []float64) (bodies.Touch, bool) {
	s.again = s.find.Again(s.again[:0], time, q, t)
	for i := range s.again {
		if s.again[i].Key == t.Key {
			return s.again[i], true
		}
	}
	return bodies.Touch{}, false
}

// bendSpeed is the relative velocity in x at the arms of touch i, and the size of what it is the
// difference of.
func (s *Stepper) bendSpeed(i int, h float64) (u vec, size float64) {
	t, b := &s.touches[i], &s.bent[i]
	u = s.armSpeed(t.A, b.arm[0])
	v := s.obstacleSpeed(i, h)
	if t.B >= 0 {
		v = s.armSpeed(t.B, b.arm[1])
	}
	return vec3.Add(u, -1, v), max(vec3.Norm(u), vec3.Norm(v))
}

// armSpeed is the velocity in x of the point of a body at an arm.
func (s *Stepper) armSpeed(body int, arm vec) (u vec) {
	v := s.model.body[body].v
	copy(u[:s.model.dim], s.x[v:v+s.model.dim])
	return vec3.Add(u, 1, vec3.Cross(s.spinAt(body), arm))
}
