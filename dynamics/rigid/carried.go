package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// What sticks to an obstacle that turns goes with it, and rows that hold it in more ways than it can
// move must not contradict each other: bricks side by side on a table would else stick in some
// contacts and slip in others, by forces that the laws leave open and that go to the bound of
// friction. Two things make rows agree to rounding. The rounds of a step begin at the velocities
// that the obstacle gives the bodies that go along with it, in chains of contacts,
// with H, c and c_T there: at those of the bodies rows are off by O(hω). And bodies turn by φ = hω,
// while their centres move on chords: these have, in the middle of the step, the velocity
// tan(φ/2)/(φ/2) ω × x and not ω × x, so that two that are carried would slip by
//
//	(1 − tan(φ/2)/(φ/2)) ω × (a_A − a_B),  a_A − a_B = x_B − x_A,
//
// which c_T takes back. (An obstacle carries a body on its chord, see [signal.Motion.Mean], also where
// it begins to move and rounding decides what passes under what; bodies
// with joints turn by Cayley's transform, which has no such rest; and of what no obstacle carries
// it is left, so that friction does no work where it sticks.)

// carried finds the bodies that go with an obstacle.
type carried struct {
	on   bool        // there are some
	sets forest.Sets // of bodies and, after them, obstacles that stick
	by   []int       // the obstacle that carries a set, by roots; negative: none
}

// carry sets w of the bodies that an obstacle carries as it turns, and the curvature of what they
// touch, to those of going with it over h. The others are left as they are.
func (s *curvature) carry(h float64) {
	if s.findCarried(); !s.carried.on {
		return
	}
	for b := range s.model.Bodies {
		if f := s.carrierOf(b); f >= 0 && !s.model.Bodies[b].Tied {
			s.goWith(b, f, h)
		}
	}
	s.curvePath(h)
	for i := range s.touches {
		if t := &s.touches[i]; s.marks[i].active && s.isCurved(t) && s.carries(t) {
			s.updateCurve(i, h)
		}
	}
}

// findCarried joins what sticks: a set goes with its obstacle if that turns and is the only one.
func (s *drives) findCarried() {
	x, n := &s.carried, len(s.model.Bodies)
	if x.on = false; !s.rotates {
		return
	}
	x.sets, x.by = grow(x.sets, n+len(s.motions)), grow(x.by, n+len(s.motions))
	x.sets.Part()
	for i := range s.touches {
		t := &s.touches[i]
		other := t.B
		if other < 0 {
			other = n + t.Floor
		}
		if s.goesAlong(i) {
			x.sets.Join(t.A, other)
		}
	}
	for k := range x.by {
		x.by[k] = -1 // none; −2: several
	}
	for f := range s.motions {
		r := x.sets.Root(n + f)
		if x.by[r] != -1 || s.motions[f].Angle == nil {
			x.by[r] = -2
			continue
		}
		x.by[r], x.on = f, x.on || r < n
	}
}

// goesAlong reports whether what meets in touch i stuck in the step before, or is closed and does not
// move to each other, as at the start.
func (s *drives) goesAlong(i int) bool {
	m := &s.marks[i]
	if s.model.StopOf(&s.touches[i]) != nil {
		return false
	}
	return m.state == Stick || m.active && m.state != Slip && vec3.Norm(s.relativeSpeed(i, s.v)) <= s.pace*slides
}

// carrierOf is the obstacle that carries a body; negative: there is none.
func (s *drives) carrierOf(body int) int { return s.carried.by[s.carried.sets.Root(body)] }

// carries reports whether both sides of a touch are carried by one obstacle, or are it.
func (s *drives) carries(t *bodies.Touch) bool {
	if !s.carried.on {
		return false
	}
	f := s.carrierOf(t.A)
	return f >= 0 && (t.B < 0 && t.Floor == f || t.B >= 0 && s.carrierOf(t.B) == f)
}

// goWith sets w of a body to what takes it along with an obstacle over h.
func (s *drives) goWith(body, obstacle int, h float64) {
	p, m := &s.model.Bodies[body], &s.motions[obstacle]
	centre := s.poses[body].Centre
	v := m.Mean(s.t, h, centre, centre)
	copy(s.w[p.V:p.V+s.model.Dim], v[:])
	spin := vec3.Scale(m.Axis, m.Spin(s.t, h))
	switch {
	case !p.Spins:
	case s.model.Dim == 2:
		s.w[p.V+2] = spin[2]
	default:
		o := multibody.ToBody(&s.poses[body], spin)
		copy(s.w[p.V+3:p.V+6], o[:])
	}
}

// carrySlip adds to c_T of touch i of two bodies what their chords leave of the slip. Their common
// spin is taken to be ω, which ends with that of either:
//
//	ω = max(0, ω_A·ω_B)/max(|ω_A|², |ω_B|²) (ω_A + ω_B)/2.
func (s *curvature) carrySlip(i int, h float64) {
	t, b := &s.touches[i], &s.curves[i]
	if t.B < 0 || !s.carries(t) {
		return
	}
	one, other := s.spinAt(t.A), s.spinAt(t.B)
	both := vec3.Dot(one, other)
	if !(both > 0) {
		return
	}
	spin := vec3.Scale(vec3.Add(one, 1, other), 0.5*both/max(vec3.Dot(one, one), vec3.Dot(other, other)))
	half := min(0.5*h*vec3.Norm(spin), 1) // more than a radian a step is not solved, see doc.go
	if half == 0 {
		return
	}
	var arm vec
	for k, body := range [2]int{t.A, t.B} {
		if !s.model.Bodies[body].Tied {
			arm = vec3.Add(arm, 1-2*float64(k), b.arm[k])
		}
	}
	rest := vec3.Scale(vec3.Cross(spin, arm), math.Tan(half)/half-1)
	for d := 1; d < s.model.Dim; d++ {
		b.more[d] += vec3.Dot(s.marks[i].frame[d], rest)
	}
}
