package elastic

import (
	"bytes"
	"encoding/gob"

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

// Encode implements [dynamics.Doubling].
func (s *Stepper) Encode(at int) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(&s.slots[at].c)
	return b.Bytes(), err
}

// Decode implements [dynamics.Doubling].
func (s *Stepper) Decode(at int, state []byte) error {
	var now, c Checkpoint
	if err := gob.NewDecoder(bytes.NewReader(state)).Decode(&c); err != nil {
		return err
	}
	s.Save(&now)
	if err := s.Load(&c); err != nil {
		return err
	}
	s.Keep(at)
	return s.Load(&now)
}

// PartNames implements [dynamics.Doubling].
func (s *Stepper) PartNames() []string { return nil }
