package elastic

import (
	"fmt"

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

// Trace implements [dynamics.Doubling].
func (s *Stepper) Trace(dst []float64, at int) []float64 {
	return append(dst, s.slots[at].c.Now.U...)
}

// SetTrace implements [dynamics.Doubling].
func (s *Stepper) SetTrace(at int, trace []float64) error {
	if len(trace) != len(s.now.U) {
		return fmt.Errorf("elastic: %d displacements, want %d", len(trace), len(s.now.U))
	}
	s.slots[at].c.Now.U = append(s.slots[at].c.Now.U[:0], trace...)
	return nil
}

// PartNames implements [dynamics.Doubling].
func (s *Stepper) PartNames() []string { return nil }
