package elastic

import (
	"github.com/quasistatic/quasistatic/dynamics"
)

var _ dynamics.Doubling = (*Stepper)(nil)

// Smooth implements [dynamics.Doubling]: the trapezoidal rule without contact.
func (s *Stepper) Smooth() bool {
	for i, r := range s.now.R {
		if r != 0 || s.prev.R[i] != 0 {
			return false
		}
	}
	return true
}

// Freedoms implements [dynamics.Doubling].
func (s *Stepper) Freedoms() int { return len(s.now.V) }

// Encode implements [dynamics.Doubling].
func (s *Stepper) Encode(at int) ([]byte, error) {
	return dynamics.EncodeState(&s.slots[at].c)
}

// Decode implements [dynamics.Doubling].
func (s *Stepper) Decode(at int, state []byte) error {
	return dynamics.DecodeState(s, at, state)
}
