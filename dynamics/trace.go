package dynamics

import "fmt"

var _ Doubling = (*Stepper)(nil)

// Smooth implements [Doubling]: all schemes are of first order.
func (s *Stepper) Smooth() bool { return false }

// Trace implements [Doubling].
func (s *Stepper) Trace(dst []float64, at int) []float64 { return append(dst, s.slots[at].c.Path...) }

// SetTrace implements [Doubling].
func (s *Stepper) SetTrace(at int, trace []float64) error {
	if len(trace) != s.nv {
		return fmt.Errorf("dynamics: a path of %d velocities, want %d", len(trace), s.nv)
	}
	s.slots[at].c.Path = append(s.slots[at].c.Path[:0], trace...)
	return nil
}

// PartNames implements [Doubling]: a [System] names nothing.
func (s *Stepper) PartNames() []string { return s.names }

// NameParts names the parts of the system for people.
func (s *Stepper) NameParts(names []string) { s.names = names }
