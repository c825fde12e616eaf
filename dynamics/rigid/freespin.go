package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// A body that turns about an axis about which it looks the same moves nothing but its own material: places, gaps and
// normals stay as they are. What a step has of such a spin is the slip that it makes where the body touches,
//
//	u_T = (v_A + ω_A × a) − (v_B + ω_B × b) − s₀,
//
// and where that is zero at each contact with a force no friction takes it: a ball turns about the normal of the one contact that
// carries it for ever, two that touch roll on each other in place, as wheels of a gear do. Such spins are free. A spin that slips is none, as little as one that
// moves geometry. So a body hardly moves where all its other velocities are small and the slip is, at each contact that pushes; these are at rest but for
// free spins, which go on. Bodies at rest then have
//
//	v' = 0 but for ω' = ω,  R' = R exp(hω̂),
//
// exactly, as Jω is parallel to ω: about an axis of symmetry, or any of a ball. A contact without a force may slip at rest: it takes nothing.

// turns reports whether a body has a spin that may be free, see [place.idle].
func (s *Stepper) turns(b int) bool {
	p := &s.model.body[b]
	for k := s.model.dim; k < p.n; k++ {
		if p.idle[k] && s.v[p.v+k] != 0 {
			return true
		}
	}
	return false
}

// rub is the speed of the slip of touch i by the velocities v, at the beginning of the step, if one of its bodies has a spin that may be free; else 0: of other
// bodies all velocities count anyway.
func (s *Stepper) rub(i int, v []float64) float64 {
	t := &s.touches[i]
	if !s.turns(t.A) && (t.B < 0 || !s.turns(t.B)) {
		return 0
	}
	return s.slipOf(i, s.pointSpeeds(t, v))
}

// pointSpeeds are the velocities of the points of its bodies in a touch, by v; zero of an obstacle.
func (s *Stepper) pointSpeeds(t *bodies.Touch, v []float64) (u [2]vec) {
	u[0] = s.pointSpeed(t.A, t.At, v)
	if t.B >= 0 {
		u[1] = s.pointSpeed(t.B, t.At, v)
	}
	return u
}

// slipOf is the speed of the slip of touch i by the velocities of its points, at the beginning of the step.
func (s *Stepper) slipOf(i int, u [2]vec) float64 {
	return vec3.Norm(vec3.Add(vec3.Add(u[0], -1, s.obstacleSpeed(i, 0)), -1, u[1]))
}

// worn is rub of a touch at the beginning of a step, 0 where it was part of the step before and had no force.
func (s *Stepper) worn(i int) float64 {
	if s.marks[i].state == Active {
		return 0
	}
	return s.rub(i, s.v)
}

// wearRoll times the speed of its centre is what a spin that slips nowhere counts at most in V: a ball rolls about the line of two contacts with the spin R/d of its centre's speed, d from
// the line to the centre, and in place, as a wheel of a gear, with none.
const wearRoll = 10

// wear sets worn to what the spins of the bodies of some contacts count in V: the speed of their surface at the contact where it is largest, unless that is neither slip nor rolling.
func (s *Stepper) wear(members []int) {
	x, dim := &s.p.islands, s.model.dim
	x.worn = grow(x.worn, len(s.model.body))
	clear(x.worn)
	for _, k := range members {
		i := s.p.list[k]
		t := &s.touches[i]
		if s.marks[i].state == Active || !s.turns(t.A) && (t.B < 0 || !s.turns(t.B)) {
			continue
		}
		u := s.pointSpeeds(t, s.v)
		slip := s.slipOf(i, u)
		for k, b := range [...]int{t.A, t.B} {
			if b < 0 || !s.turns(b) {
				continue
			}
			p := &s.model.body[b]
			most := max(slip, wearRoll*length(s.v[p.v:p.v+dim]))
			if most <= x.worn[b] {
				continue
			}
			var centre vec
			copy(centre[:dim], s.v[p.v:])
			x.worn[b] = max(x.worn[b], min(vec3.Norm(vec3.Add(u[k], -1, centre)), most))
		}
	}
}

// skids reports whether touch i, which has a force, slips by a spin more than bodies at rest may, see [Stepper.quiet].
func (s *Stepper) skids(i int, v []float64) bool {
	t := &s.touches[i]
	u := s.rub(i, v)
	return u > 0 && s.marks[i].r[0] > 0 && !(u <= s.restLimit(t.A)+s.restLimit(t.B))
}

// restLimit is the speed below which a step does not tell a body from one at rest: what contact problems leave, and the rounding of their impulses; 0 of an obstacle.
func (s *Stepper) restLimit(b int) float64 {
	if b < 0 {
		return 0
	}
	return s.restSpeed(&s.model.body[b]) + s.rest.noise[b]
}

// spins reports whether a body that is put to rest keeps a spin: it has more of it than what counts as none.
func (s *Stepper) spins(b int) bool {
	p, limit := &s.model.body[b], s.restLimit(b)
	for k := s.model.dim; k < p.n; k++ {
		if l := p.lever(k, s.model.dim); p.idle[k] && !(math.Abs(s.v[p.v+k])*l <= limit && math.Abs(s.w[p.v+k])*l <= limit) {
			return true
		}
	}
	return false
}

// Rest says how many bodies rest.
type Rest struct {
	Bodies   int // that contacts hold, so that the step has nothing to solve for them …
	Spinning int // … of which so many turn about themselves without slip, for ever
}

// countRest sets the numbers of bodies that rest in the present step.
func (s *Stepper) countRest() {
	s.step.Rest = Rest{}
	if !s.rest.any {
		return
	}
	for b, asleep := range s.rest.asleep {
		if asleep {
			if s.step.Rest.Bodies++; s.turns(b) {
				s.step.Rest.Spinning++
			}
		}
	}
}
