package dynamics

import (
	"bytes"
	"encoding/gob"
)

var _ Doubling = (*Stepper)(nil)

// Smooth implements [Doubling]: all schemes are of first order.
func (s *Stepper) Smooth() bool { return false }

// Freedoms implements [Doubling].
func (s *Stepper) Freedoms() int { return s.nv }

// Encode implements [Doubling].
func (s *Stepper) Encode(at int) ([]byte, error) {
	return EncodeState(&s.slots[at].c)
}

// Decode implements [Doubling].
func (s *Stepper) Decode(at int, state []byte) error {
	return DecodeState(s, at, state)
}

// Keeper is a stepper that keeps checkpoints of type C in slots.
type Keeper[C any] interface {
	Save(c *C)
	Load(c *C) error
	Keep(at int)
}

// EncodeState returns the bytes of a checkpoint.
func EncodeState[C any](c *C) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(c)
	return b.Bytes(), err
}

// DecodeState puts the checkpoint of those bytes into a slot; the state stays.
func DecodeState[C any](s Keeper[C], at int, state []byte) error {
	var now, c C
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

// NameParts names the parts of the system for people.
func (s *Stepper) NameParts(names []string) { s.names = names }
