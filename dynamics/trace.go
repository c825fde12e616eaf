package dynamics

import (
	"bytes"
	"encoding/gob"
)

var _ Doubling = (*Stepper)(nil)

// Smooth implements [Doubling]: all schemes are of first order.
func (s *Stepper) Smooth() bool { return false }

// Encode implements [Doubling].
func (s *Stepper) Encode(at int) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(&s.slots[at].c)
	return b.Bytes(), err
}

// Decode implements [Doubling].
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

// PartNames implements [Doubling]: a [System] names nothing.
func (s *Stepper) PartNames() []string { return s.names }

// NameParts names the parts of the system for people.
func (s *Stepper) NameParts(names []string) { s.names = names }
