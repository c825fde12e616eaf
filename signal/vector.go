package signal

import (
	"fmt"
)

// Vector is a vector of signals, one a component.
type Vector []Scalar

// Fixed returns the vector of constant components v. It fails when one is not finite.
func Fixed(v ...float64) (Vector, error) {
	s := make(Vector, len(v))
	for i, c := range v {
		f, err := NewConstant(c)
		if err != nil {
			return nil, fmt.Errorf("component %d: %w", i, err)
		}
		s[i] = f
	}
	return s, nil
}

// NewVectorTable returns the piecewise linear path through values[k] at times[k]:
// a Table a component. Every row must have the length of the first.
func NewVectorTable(times []float64, values [][]float64) (Vector, error) {
	if len(values) == 0 || len(times) != len(values) {
		return nil, fmt.Errorf("signal: table: %d times but %d values", len(times), len(values))
	}
	s := make(Vector, len(values[0]))
	column := make([]float64, len(values))
	for c := range s {
		for k, row := range values {
			if len(row) != len(s) {
				return nil, fmt.Errorf("signal: table: row %d has %d components, the first has %d", k, len(row), len(s))
			}
			column[k] = row[c]
		}
		table, err := NewTable(times, column)
		if err != nil {
			return nil, fmt.Errorf("component %d: %w", c, err)
		}
		s[c] = table
	}
	return s, nil
}

// NewVectorSum returns the sum of vectors of one length, component by component.
func NewVectorSum(terms ...Vector) (Vector, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	s := make(Vector, len(terms[0]))
	column := make([]Scalar, len(terms))
	for c := range s {
		for k, v := range terms {
			if len(v) != len(s) {
				return nil, fmt.Errorf("signal: sum: term %d has %d components, the first has %d", k, len(v), len(s))
			}
			column[k] = v[c]
		}
		sum, err := NewSum(column...)
		if err != nil {
			return nil, fmt.Errorf("component %d: %w", c, err)
		}
		s[c] = sum
	}
	return s, nil
}

// At stores the components at t in dst, which must have the length of the vector.
func (v Vector) At(dst []float64, t float64) {
	if len(dst) != len(v) {
		panic("signal: Vector.At: length of dst differs")
	}
	for i, s := range v {
		dst[i] = s.At(t)
	}
}

// Rate stores the right derivatives at t in dst.
func (v Vector) Rate(dst []float64, t float64) {
	if len(dst) != len(v) {
		panic("signal: Vector.Rate: length of dst differs")
	}
	for i, s := range v {
		dst[i] = s.Rate(t)
	}
}

// Breaks appends the kinks of all components in (t0, t1), ascending, each once.
func (v Vector) Breaks(dst []float64, t0, t1 float64) []float64 {
	return mergeBreaks(dst, v, t0, t1)
}

// IsConstant reports whether every component is a Constant.
func (v Vector) IsConstant() bool {
	for _, s := range v {
		if _, ok := s.(Constant); !ok {
			return false
		}
	}
	return true
}

// Validate fails when a component is nil or the length is not n.
func (v Vector) Validate(n int) error {
	if len(v) != n {
		return fmt.Errorf("signal: %d components, want %d", len(v), n)
	}
	for i, s := range v {
		if s == nil {
			return fmt.Errorf("signal: component %d is nil", i)
		}
		if c, ok := s.(Constant); ok && !finite(float64(c)) {
			return fmt.Errorf("signal: component %d: %v is not finite", i, float64(c))
		}
	}
	return nil
}
