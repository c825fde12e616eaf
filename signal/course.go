package signal

import (
	"math"
	"slices"
)

// PerPeriod is the number of nodes in a period of a sine from which on steps see it as it is: the
// chords of eight enclose 90 % of its area, and at twice and four times the step, where twins of a
// run go, it has four nodes and two.
const PerPeriod = 8

// Period returns the shortest period of a sine in s [s]; +Inf if there is none. A sine without
// amplitude or frequency is a constant.
func Period(s Scalar) float64 {
	switch s := s.(type) {
	case *Sine:
		if s.amplitude != 0 && s.frequency != 0 {
			return 1 / math.Abs(s.frequency)
		}
	case Sum:
		least := math.Inf(1)
		for _, term := range s {
			least = min(least, Period(term))
		}
		return least
	}
	return math.Inf(1)
}

// Turn returns the time of a full turn by an angle [rad] where it changes fastest [s]; +Inf if it
// does not change, or is not known to.
func Turn(angle Scalar) float64 {
	rate := fastest(angle)
	if !(rate > 0) || math.IsInf(rate, 1) {
		return math.Inf(1)
	}
	return 2 * math.Pi / rate
}

// Course is what signals ask of the nodes of a run.
type Course struct {
	Knots  []float64 // times amid the run at which a rate jumps, ascending
	Period float64   // the shortest [s]; 0: none
}

// Add takes a signal, until the end of the run.
func (c *Course) Add(s Scalar, until float64) {
	if b, ok := s.(Breaker); ok {
		c.Knots = SortBreaks(b.Breaks(c.Knots, 0, until), 0)
	}
	c.Shorten(Period(s))
}

// Shorten takes a period; +Inf is none.
func (c *Course) Shorten(period float64) {
	if !math.IsInf(period, 1) && (c.Period == 0 || period < c.Period) {
		c.Period = period
	}
}

// Longest returns the longest step at which all periods are seen [s]; 0: any.
func (c *Course) Longest() float64 { return c.Period / PerPeriod }

// Divide returns times between which there are no others, with the knots among them and each
// stretch cut into as many equal ones as the period takes; cut tells that there are more than were
// given.
func (c *Course) Divide(times []float64) (divided []float64, cut bool) {
	marks := SortBreaks(append(slices.Clone(times), c.Knots...), 0)
	first, last := times[0], times[len(times)-1]
	for _, t := range marks {
		switch {
		case t < first || t > last:
			continue
		case len(divided) == 0:
			divided = append(divided, t)
			continue
		}
		from := divided[len(divided)-1]
		if next, given := slices.BinarySearch(times, t); !given && (t-from <= timeRounding*t || c.there(t, times[next-1], times[next])) {
			continue
		}
		parts := c.Cuts(t - from)
		for k := 1; k < parts; k++ {
			divided = append(divided, from+(t-from)*(float64(k)/float64(parts)))
		}
		divided = append(divided, t)
	}
	return divided, len(divided) > len(times)
}

// there reports whether a knot between two nodes is at one of them, as those of a [Grid] are.
func (c *Course) there(t, from, to float64) bool {
	d, near := min(t-from, to-t), atNode*(to-from)
	return d <= timeRounding*t || d <= near && lone(c.Knots, t, near)
}
