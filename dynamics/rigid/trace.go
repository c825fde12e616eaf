package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

var (
	_ dynamics.Doubling = (*Stepper)(nil)
	_ dynamics.Rough    = (*Stepper)(nil)
	_ dynamics.Phased   = (*Stepper)(nil)
	_ dynamics.Divided  = (*Stepper)(nil)
)

// Smooth implements [dynamics.Doubling]: the secant scheme with α = ½ is of second order where
// nothing touches.
func (s *Stepper) Smooth() bool {
	return s.o.Scheme == Secant && s.o.Alpha == 0.5 && s.o.Jacobians != multibody.NoJacobians && len(s.p.list) == 0 &&
		len(s.step.Collisions) == 0
}

// Rough implements [dynamics.Rough]: contact problems of bodies that move are solved to
// Options.Accept; those that hardly do come to rest by the digits behind.
func (s *Stepper) Rough(on bool) { s.rough = on }

// Freedoms implements [dynamics.Doubling].
func (s *Stepper) Freedoms() int { return len(s.v) }

// Encode implements [dynamics.Doubling].
func (s *Stepper) Encode(at int) ([]byte, error) {
	return dynamics.EncodeState(&s.slots[at].c)
}

// Decode implements [dynamics.Doubling].
func (s *Stepper) Decode(at int, state []byte) error {
	return dynamics.DecodeState(s, at, state)
}

// PartNames implements [dynamics.Doubling].
func (s *Stepper) PartNames() []string {
	names := make([]string, 0, len(s.model.Bodies)+len(s.model.Spinning)+len(s.model.Directed))
	for i := range s.model.Bodies {
		names = append(names, s.model.BodyName(i))
	}
	for _, i := range s.model.Spinning {
		names = append(names, "turn of "+s.model.BodyName(i))
	}
	for _, i := range s.model.Directed {
		names = append(names, "direction of "+s.model.BodyName(i))
	}
	return s.pairs.Names(names, s.model.ObstacleName)
}

// deviation is how far, at its surface, the direction of a body is from that in a slot, see
// [bodies.World.Deviation] [m]. slot −1 is the start.
func (s *Stepper) deviation(i, slot int) float64 {
	w, p := s.model.World, &s.model.Bodies[i]
	if slot < 0 {
		return p.Arm * w.Deviation(i, s.start, s.q, s.v)
	}
	return p.Arm * w.Deviation(i, s.slots[slot].c.Q, s.q, s.v)
}

// Limits returns the largest merit and the largest residual speed, over what the forces of a step
// give its bodies, with which a step counts as solved: Options.Accept and 0, but for models whose
// solves may be inexact, or with faces that jam, see jams.
func (s *Stepper) Limits() (merit, share float64) {
	switch {
	case s.inexactModel():
		return max(s.o.Accept, manyLimits.merit), manyLimits.most
	case s.jams():
		return max(s.o.Accept, faceLimits.merit), faceLimits.most
	}
	return s.o.Accept, 0
}
