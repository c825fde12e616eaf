package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Forces of the last part of the last step, and for α = ½ those of the last two.
//
// A contact or a joint holds Gv^α, so that what Gv is off by in a step is −(1−α)/α as much in the next. For α = ½
// nothing damps that: GM⁻¹Gᵀ times the impulse of a part is off by twice the speed that v is off by, and that of the next
// by as much with the other sign, however long the two are. Of the impulse of both, over both lengths, it is no part:
//
//	F = (r + r₀)/(h + h₀).

// partForces are those of a part of a step.
type partForces struct {
	Length  float64      // h; 0: there is none [s]
	Lag     float64      // (α − ½)h [s]
	Hits    int          // collisions of its step before its end
	Struck  bool         // its step has ended with another one
	Touches []touchForce // that bear one
	Joints  []Reaction
}

// touchForce is what a touch does to its first body.
type touchForce struct {
	Touch         bodies.Touch
	Force, Couple vec     // in space [N, N m]
	Arms          [2]vec  // from the centres of mass [m]
	Stop          float64 // along the motion of the joint of a stop [N, N m]
}

// keepForces takes those of a part of length h. Two are put together that are next to each other, without an impact
// between them, and in the mode α = ½; the first one after velocities were put back is right by itself.
func (s *Stepper) keepForces(h float64) {
	now, before := &s.lately[0], &s.lately[1]
	*now, *before = *before, *now
	if s.alpha != 0.5 || s.tried.put || before.Struck || len(s.step.Collisions) > before.Hits {
		before.Length = 0
	}
	*now = partForces{Length: h, Lag: (s.alpha - 0.5) * h, Hits: len(s.step.Collisions), Touches: now.Touches[:0], Joints: append(now.Joints[:0], s.reactions...)}
	s.Contacts(func(p *Present) {
		if p.Force == (vec{}) && p.Moment == (vec{}) {
			return
		}
		x := touchForce{Touch: *p.Touch, Couple: p.Moment}
		if stop := s.model.StopOf(p.Touch); stop != nil {
			x.Stop = vec3.Dot(p.Force, stop.Along(1))
		} else {
			x.Arms = s.arms(p.Touch)
			for d, r := range p.Force {
				x.Force = vec3.Add(x.Force, r, p.Frame[d])
			}
		}
		now.Touches = append(now.Touches, x)
	})
}

// eachPart visits the parts whose forces are put together, with their shares.
func (s *Stepper) eachPart(visit func(x *partForces, share float64)) {
	all := s.lately[0].Length + s.lately[1].Length
	for k := range s.lately {
		if x := &s.lately[k]; x.Length > 0 {
			visit(x, x.Length/all)
		}
	}
}

// Averaged is the time over which forces are means, which ends with the last step, the shortest part of it, and by how much
// those that a motion asks for lag: as Gv^α follows the motion, v is that of a time (α − ½)h before [s].
func (s *Stepper) Averaged() (span, shortest, lag float64) {
	span, shortest = s.lately[0].Length+s.lately[1].Length, s.lately[0].Length
	if before := s.lately[1].Length; before > 0 {
		shortest = min(shortest, before)
	}
	return span, shortest, s.lately[0].Lag
}

// endStep notes the collision that a step has ended with.
func (x *partForces) endStep(hits int) { x.Hits, x.Struck = 0, hits > x.Hits }

// copied overwrites dst, in its memory.
func (x *partForces) copied(dst partForces) partForces {
	return partForces{x.Length, x.Lag, x.Hits, x.Struck, append(dst.Touches[:0], x.Touches...), append(dst.Joints[:0], x.Joints...)}
}

// StopForce is the force of a stop of the model along the motion of its joint, on body A, or the moment
// about it, in the last part of the last step, for α = ½ in the last two [N, N m].
func (s *Stepper) StopForce(stop int) (force float64) {
	s.eachPart(func(x *partForces, share float64) {
		for i := range x.Touches {
			if y := &x.Touches[i]; s.model.StopOf(&y.Touch) == &s.model.Stops[stop] {
				force += share * y.Stop
			}
		}
	})
	return force
}

// Wrench is what another body, or the obstacle −1 − other, does to a body by contact in the last part of
// the last step, for α = ½ in the last two: the force and its moment about the centre of mass, in space [N, N m].
func (s *Stepper) Wrench(body, other int) (force, moment [3]float64) {
	s.eachPart(func(x *partForces, share float64) {
		for i := range x.Touches {
			y := &x.Touches[i]
			sign := y.Touch.On(body, other)
			if sign == 0 {
				continue
			}
			arm := y.Arms[0]
			if sign < 0 {
				arm = y.Arms[1]
			}
			force = vec3.Add(force, share*sign, y.Force)
			moment = vec3.Add(moment, share*sign, vec3.Add(vec3.Cross(arm, y.Force), 1, y.Couple))
		}
	})
	return force, moment
}

// Reaction returns the reaction of joint i, see [Setup]; zero before the first step.
func (s *Stepper) Reaction(i int) (sum Reaction) {
	s.eachPart(func(x *partForces, share float64) {
		sum.Force = vec3.Add(sum.Force, share, x.Joints[i].Force)
		sum.Moment = vec3.Add(sum.Moment, share, x.Joints[i].Moment)
	})
	return sum
}
