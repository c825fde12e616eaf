package rigid

import (
	"math"
)

// A spin about an axis about which a body looks the same moves no place, gap or normal; a step has
// of it the slip u_T = (v_A + ω_A × a) − (v_B + ω_B × b) − s₀ alone. Where that is zero at each
// contact with a force no friction takes it, and it is free. A body hardly moves where all its
// other velocities are small and the slip is, at each contact that pushes: at rest it has
//
//	v' = 0 but for ω' = ω,  R' = R exp(hω̂),
//
// exactly, as Jω is parallel to ω.

// wearRoll times the speed of its centre is what a spin that slips nowhere counts at most in V: a
// ball rolls about the line of two contacts with the spin R/d of its centre's speed, d from the
// line to the centre, and in place, as a wheel of a gear, with none.
const wearRoll = 10

// skids reports whether touch i, which has a force, slips by a spin more than bodies at rest may,
// see quiet.
func (s *sleeping) skids(i int, v []float64) bool {
	t := &s.touches[i]
	u := max(s.rub(i, v), s.rolls(i, v))
	return u > 0 && s.marks[i].pressed() > 0 && !(u <= s.slipLimit(t.A)+s.slipLimit(t.B))
}

// restLimit is the speed in direction k below which a step does not tell a body from one at rest:
// what contact problems leave, and the rounding of their impulses.
func (s *sleeping) restLimit(b, k int) float64 {
	p := &s.model.Bodies[b]
	return s.restSpeed(p) + s.rest.noise[p.V+k]
}

// slipLimit is the largest restLimit of a body; 0 of an obstacle.
func (s *sleeping) slipLimit(b int) float64 {
	if b < 0 {
		return 0
	}
	return s.restSpeed(&s.model.Bodies[b]) + s.noiseOf(b)
}

// spins reports whether a body that is put to rest keeps a spin: it has more of it than what counts
// as none.
func (s *sleeping) spins(b int) bool {
	p := &s.model.Bodies[b]
	for k := s.model.Dim; k < p.N; k++ {
		if l, limit := p.Lever(k, s.model.Dim), s.restLimit(b, k); p.Idle[k] &&
			!(math.Abs(s.v[p.V+k])*l <= limit && math.Abs(s.w[p.V+k])*l <= limit) {
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
func (s *sleeping) countRest() {
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
