package signal

import "fmt"

// Scale returns factor·s for a signal of this package, of the same kind as s: what is piecewise linear stays so. It fails where
// numbers overflow.
func Scale(s Scalar, factor float64) (Scalar, error) {
	switch s := s.(type) {
	case Constant:
		return NewConstant(factor * float64(s))
	case *Sine:
		return NewSine(factor*s.offset, factor*s.amplitude, s.frequency, s.phase)
	case *Table:
		values := make([]float64, len(s.values))
		for i, v := range s.values {
			values[i] = factor * v
		}
		return TableOf(s.times, values)
	case Sum:
		terms := make([]Scalar, len(s))
		for i := range s {
			var err error
			if terms[i], err = Scale(s[i], factor); err != nil {
				return nil, err
			}
		}
		return NewSum(terms...)
	}
	return nil, fmt.Errorf("signal: a %T is no signal of this package", s)
}
