package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
)

var _ dynamics.Doubling = (*Stepper)(nil)

// Smooth implements [dynamics.Doubling]: the secant scheme with α = ½ is of second order
// where nothing touches.
func (s *Stepper) Smooth() bool {
	return s.o.Scheme == Secant && s.o.Alpha == 0.5 && s.o.Jacobians != NoJacobians && len(s.p.list) == 0 && len(s.step.Collisions) == 0
}

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
	names := make([]string, 0, len(s.model.body)+len(s.model.spinning)+len(s.model.directed))
	for i := range s.model.body {
		names = append(names, s.model.bodyName(i))
	}
	for _, i := range s.model.spinning {
		names = append(names, "turn of "+s.model.bodyName(i))
	}
	for _, i := range s.model.directed {
		names = append(names, "direction of "+s.model.bodyName(i))
	}
	return names
}

// deviation is how far, at its surface, the direction of a body is from that in a slot [m]:
// the turn between both without what it has about the axis about which the body spins. That
// is the phase of the spin, which counts among the turns. slot −1 is the start: the whole
// turn, of half a revolution at most.
func (s *Stepper) deviation(i, slot int) float64 {
	from := s.start
	if slot >= 0 {
		from = s.slots[slot].c.Q
	}
	at, _ := s.model.World.Coordinates(i)
	a, b := from[at+3:at+7], s.q[at+3:at+7]
	w := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] // conj(a)·b
	x := vec{a[0]*b[1] - a[1]*b[0] - a[2]*b[3] + a[3]*b[2], a[0]*b[2] + a[1]*b[3] - a[2]*b[0] - a[3]*b[1], a[0]*b[3] - a[1]*b[2] + a[2]*b[1] - a[3]*b[0]}
	p := &s.model.body[i]
	sine := norm(x)
	if sine == 0 {
		return 0
	}
	turn := scale(x, 2*math.Atan2(sine, math.Abs(w))/sine)
	if o := p.spinOf(s.v); slot >= 0 && o != (vec{}) {
		turn = add(turn, -dot(turn, o)/dot(o, o), o)
	}
	return p.arm * norm(turn)
}
