package sensitivity

import (
	"math"
	"testing"
)

// TestMeeting: two events at 1 + 2d and 3 − 2d pass each other at d = 1/2; two at 2 ± √(.4 − d)
// vanish as roots do; one at 4 + d comes to the end at 5; those that are simultaneous, or go apart,
// never meet.
func TestMeeting(t *testing.T) {
	courses := func(times func(d float64) []float64, at ...float64) (s *search) {
		s = &search{until: 5, size: 1, far: 10, in: at[len(at)-1], at: at}
		for _, d := range at {
			s.seen = append(s.seen, &course{times: times(d)})
		}
		return s
	}
	for _, c := range []struct {
		name   string
		linear bool
		want   float64 // 0: none
		times  func(d float64) []float64
	}{
		{"lines", true, .5, func(d float64) []float64 { return []float64{1 + 2*d, 3 - 2*d} }},
		{"roots", false, .4, func(d float64) []float64 { g := math.Sqrt(.4 - d); return []float64{2 - g, 2 + g} }},
		{"at the end", true, 1, func(d float64) []float64 { return []float64{1, 4 + d} }},
		{"the first of three", true, .2, func(d float64) []float64 { return []float64{1, 2 - d, 2.2 - 2*d} }},
		{"apart", true, 0, func(d float64) []float64 { return []float64{1 - d, 1.5} }},
		{"at one time", true, 0, func(d float64) []float64 { return []float64{1, 1 + 1e-12 - 1e-12*d} }},
	} {
		s := courses(c.times, 0, .1, .15)
		if d, met := s.meeting(c.linear); met != (c.want != 0) || met && math.Abs(d-c.want) > 1e-12 {
			t.Errorf("%s: %g, %v, want %g", c.name, d, met, c.want)
		}
	}
}
