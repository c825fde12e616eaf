package signal

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scalar is a continuous function of time with its right derivative.
//
// A Scalar with kinks should also have the method of Breaker.
type Scalar interface {
	At(t float64) float64
	Rate(t float64) float64
}

// Breaker is implemented by signals whose rate jumps.
type Breaker interface {
	// Breaks appends the times strictly inside (t0, t1) at which Rate jumps,
	// ascending.
	Breaks(dst []float64, t0, t1 float64) []float64
}

// bounded is implemented by signals that know sup|At| and sup|Rate|.
type bounded interface {
	bound() (at, rate float64)
}

// Constant is the signal of one value. Its zero value is the zero signal.
type Constant float64

// NewConstant returns the constant signal v; v must be finite.
func NewConstant(v float64) (Constant, error) {
	if !finite(v) {
		return 0, fmt.Errorf("signal: constant %v is not finite", v)
	}
	return Constant(v), nil
}

// At returns the value.
func (c Constant) At(float64) float64 { return float64(c) }

// Rate returns 0.
func (c Constant) Rate(float64) float64 { return 0 }

func (c Constant) bound() (at, rate float64) { return math.Abs(float64(c)), 0 }

// Sum is a sum of signals, added in the order of the slice.
type Sum []Scalar

// NewSum returns the sum of terms. It fails for a nil term and when the terms
// of this package could add up to an overflow.
func NewSum(terms ...Scalar) (Sum, error) {
	var at, rate float64
	for i, s := range terms {
		if s == nil {
			return nil, fmt.Errorf("signal: sum: term %d is nil", i)
		}
		if b, ok := s.(bounded); ok {
			ba, br := b.bound()
			at, rate = at+ba, rate+br
		}
	}
	if !finite(at) || !finite(rate) {
		return nil, errors.New("signal: sum: the terms can add up to an overflow")
	}
	return slices.Clone(terms), nil
}

// At returns the sum of the values.
func (s Sum) At(t float64) float64 {
	var v float64
	for _, f := range s {
		v += f.At(t)
	}
	return v
}

// Rate returns the sum of the rates.
func (s Sum) Rate(t float64) float64 {
	var v float64
	for _, f := range s {
		v += f.Rate(t)
	}
	return v
}

// Breaks appends the kinks of all terms in (t0, t1), ascending, each once.
func (s Sum) Breaks(dst []float64, t0, t1 float64) []float64 {
	return mergeBreaks(dst, s, t0, t1)
}

func (s Sum) bound() (at, rate float64) {
	for _, f := range s {
		if b, ok := f.(bounded); ok {
			ba, br := b.bound()
			at, rate = at+ba, rate+br
		}
	}
	return at, rate
}

// mergeBreaks appends the kinks of signals, sorted and without repetition.
// What dst held before is left as it is.
func mergeBreaks(dst []float64, signals []Scalar, t0, t1 float64) []float64 {
	n := len(dst)
	for _, f := range signals {
		b, ok := f.(Breaker)
		if !ok {
			continue
		}
		m := len(dst)
		if dst = b.Breaks(dst, t0, t1); slices.Equal(dst[n:m], dst[m:]) {
			dst = dst[:m] // columns of one file
		} else {
			dst = SortBreaks(dst, n)
		}
	}
	return dst
}

// SortBreaks sorts dst[from:] and removes repetitions there.
func SortBreaks(dst []float64, from int) []float64 {
	tail := dst[from:]
	slices.Sort(tail)
	return dst[:from+len(slices.Compact(tail))]
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
