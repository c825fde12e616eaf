package signal

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Table is the piecewise linear interpolant of values at strictly increasing
// times, constant outside.
type Table struct {
	times, values []float64
	slopes        []float64 // slopes[i] holds on [times[i], times[i+1]); the last one is 0
}

// NewTable returns the interpolant of (times[i], values[i]). The slices are
// copied. It fails for different lengths, an empty table, data that are not
// finite, times that do not increase, and slopes that overflow.
func NewTable(times, values []float64) (*Table, error) {
	return TableOf(slices.Clone(times), slices.Clone(values))
}

// TableOf is [NewTable] of slices that nobody changes any more: they are not copied, and
// tables may share their times.
func TableOf(times, values []float64) (*Table, error) {
	if len(times) != len(values) {
		return nil, fmt.Errorf("signal: table: %d times but %d values", len(times), len(values))
	}
	if len(times) == 0 {
		return nil, errors.New("signal: table: empty")
	}
	s := &Table{times, values, make([]float64, len(times))}
	for i, t := range times {
		if !finite(t) || !finite(values[i]) {
			return nil, fmt.Errorf("signal: table: row %d: (%v, %v) is not finite", i, t, values[i])
		}
	}
	for i := range times {
		if err := s.setSlope(i); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// setSlope computes the slope that follows row i and checks it.
func (s *Table) setSlope(i int) error {
	if i+1 == len(s.times) {
		return nil
	}
	dt := s.times[i+1] - s.times[i]
	if dt <= 0 {
		return fmt.Errorf("signal: table: row %d: time %v does not increase over %v", i+1, s.times[i+1], s.times[i])
	}
	s.slopes[i] = (s.values[i+1] - s.values[i]) / dt
	// The difference of two finite times may overflow too: then slope·(t−t_i) would be 0·∞.
	if !finite(dt) || !finite(s.slopes[i]) {
		return fmt.Errorf("signal: table: rows %d and %d: slope %v/%v overflows", i, i+1, s.values[i+1]-s.values[i], dt)
	}
	return nil
}

// row returns the last i with times[i] <= t, or -1.
func (s *Table) row(t float64) int {
	return sort.Search(len(s.times), func(i int) bool { return s.times[i] > t }) - 1
}

// At returns the interpolated value; it is exact at the times of the table.
func (s *Table) At(t float64) float64 {
	i := s.row(t)
	switch {
	case i < 0:
		return s.values[0]
	case i == len(s.times)-1:
		return s.values[i]
	}
	return s.values[i] + s.slopes[i]*(t-s.times[i])
}

// Rate returns the slope to the right of t.
func (s *Table) Rate(t float64) float64 {
	if i := s.row(t); i >= 0 {
		return s.slopes[i]
	}
	return 0
}

// Breaks appends the times in (t0, t1) at which the slope changes.
func (s *Table) Breaks(dst []float64, t0, t1 float64) []float64 {
	first := s.row(t0) + 1 // after t0
	before := 0.0
	if first > 0 {
		before = s.slopes[first-1]
	}
	dst = slices.Grow(dst, max(0, s.row(t1)+1-first)) // not by doubling: there may be millions
	for i := first; i < len(s.times) && s.times[i] < t1; i++ {
		if s.slopes[i] != before {
			dst = append(dst, s.times[i])
		}
		before = s.slopes[i]
	}
	return dst
}

func (s *Table) bound() (at, rate float64) {
	for i := range s.values {
		at = max(at, math.Abs(s.values[i]))
		rate = max(rate, math.Abs(s.slopes[i]))
	}
	return at, rate
}

// Idle reports whether a table that changes is constant from 0 to a time.
func (s *Table) Idle(until float64) bool {
	changes := slices.ContainsFunc(s.values, func(v float64) bool { return v != s.values[0] })
	return changes && s.Rate(0) == 0 && len(s.Breaks(nil, 0, until)) == 0
}

// Rows returns the rows of the table; the caller must not change them.
func (s *Table) Rows() (times, values []float64) { return s.times, s.values }
