package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Snapshot is the present state as forces see it; it belongs to the stepper.
func (s *Stepper) Snapshot() *multibody.Snapshot { return &s.snap }

// Weighted is the present state with the velocities v^α of the step, which forces that damp have been
// made with: v itself may alternate from step to step.
func (s *Stepper) Weighted() *multibody.Snapshot {
	x := s.snap
	x.V = s.w
	return &x
}

// StopForce is the force of a stop of the model along the motion of its joint, on body A, or the moment
// about it, in the last part of the last step [N, N m].
func (s *Stepper) StopForce(stop int) float64 {
	for i := range s.touches {
		t, m := &s.touches[i], &s.marks[i]
		if x := s.model.StopOf(t); x == &s.model.Stops[stop] && m.h > 0 {
			return vec3.Dot(m.r, x.Along(1)) / m.h
		}
	}
	return 0
}

// SnapshotOf is a state within the last step as forces see it.
func (s *Stepper) SnapshotOf(x *Instant) *multibody.Snapshot {
	return &multibody.Snapshot{M: s.model, Poses: s.model.World.Poses(nil, x.Q), Q: x.Q, V: x.V}
}

// Distance is the least gap at q of a body and another one, or an obstacle −1 − other, at a time; +Inf
// where they never meet [m].
func (s *Stepper) Distance(body, other int, time float64, q []float64) float64 {
	t := bodies.FloorTouch(body, -1-other)
	if other >= 0 {
		t = bodies.PairTouch(min(body, other), max(body, other))
	}
	s.again = s.find.Again(s.again[:0], time, q, &t)
	least := math.Inf(1)
	for i := range s.again {
		least = min(least, s.again[i].Gap)
	}
	return least
}

// Wrench is what another body, or the obstacle −1 − other, does to a body by contact in the last part of
// the last step: the force and its moment about the centre of mass, in space [N, N m].
func (s *Stepper) Wrench(body, other int) (force, moment [3]float64) {
	s.Contacts(func(p *Present) {
		sign := p.On(body, other)
		if sign == 0 {
			return
		}
		var f vec
		for d, r := range p.Force {
			f = vec3.Add(f, sign*r, p.Frame[d])
		}
		force = vec3.Add(force, 1, f)
		moment = vec3.Add(moment, 1, vec3.Cross(vec3.Add(p.At, -1, s.poses[body].Centre), f))
		moment = vec3.Add(moment, sign, p.Moment)
	})
	return force, moment
}
