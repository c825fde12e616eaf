package signal

import (
	"math"
	"slices"
)

// Turns appends the times strictly inside (t0, t1) at which a signal has a kink or turns back,
// ascending: all of tables, sines, and sums of tables and one sine, where a turn is that of the
// sum; what is at t0 or t1 may be found beside it, by rounding. Of a sine with more than most half
// cycles between the times, about that many turns are found, high and low by turns.
func Turns(dst []float64, s Scalar, t0, t1 float64, most int) []float64 {
	from := len(dst)
	if k, ok := s.(Breaker); ok {
		dst = k.Breaks(dst, t0, t1)
	}
	// Between two marks the rate of one sine and of lines is monotone.
	marks := append(slices.Clone(dst[from:]), t0, t1)
	marks = inflections(marks, s, t0, t1, most)
	slices.Sort(marks)
	for i, b := range marks[1:] {
		if t, found := crest(s, marks[i], b); found && t > t0 && t < t1 {
			dst = append(dst, t)
		}
	}
	return SortBreaks(dst, from)
}

// inflections appends the times at which sines pass their offset.
func inflections(dst []float64, s Scalar, t0, t1 float64, most int) []float64 {
	switch s := s.(type) {
	case Sum:
		for _, term := range s {
			dst = inflections(dst, term, t0, t1, most)
		}
	case *Sine:
		if s.amplitude == 0 || s.frequency == 0 {
			return dst
		}
		shift := s.phase / math.Pi
		a, b := 2*s.frequency*t0+shift, 2*s.frequency*t1+shift
		first, last := math.Ceil(min(a, b)), math.Floor(max(a, b))
		if !(math.Abs(first) < wholeCycles && math.Abs(last) < wholeCycles) {
			return dst
		}
		// An odd number of half cycles apart the rate has opposite signs.
		stride := 1 + 2*math.Floor((last-first)/float64(2*max(1, most)))
		for k := first; k <= last; k += stride {
			if t := (k - shift) / (2 * s.frequency); t > t0 && t < t1 {
				dst = append(dst, t)
			}
		}
	}
	return dst
}

// wholeCycles is a number beyond which half cycles have no parts worth the name.
const wholeCycles = 1 << 50

// crest returns the time in (a, b) at which the rate of s changes its sign, by bisection.
func crest(s Scalar, a, b float64) (t float64, found bool) {
	const inside = 1e-9 // the rate at b is that after a kink
	b -= inside * (b - a)
	before, after := s.Rate(a), s.Rate(b)
	if !(before < 0 && after > 0 || before > 0 && after < 0) {
		return 0, false
	}
	for {
		m := a + (b-a)/2
		if !(m > a && m < b) {
			return b, true
		}
		if v := s.Rate(m); v == 0 {
			return m, true
		} else if v < 0 == (before < 0) {
			a = m
		} else {
			b = m
		}
	}
}
