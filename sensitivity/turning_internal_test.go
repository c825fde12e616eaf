package sensitivity

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/events"
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
	s := courses(func(d float64) []float64 { return []float64{1 + 2*d, 3 - 2*d} }, 0, .1)
	if s.far = .4; true {
		if d, met := s.meeting(true); met {
			t.Errorf("beyond what is known to differ: %g", d)
		}
	}
	if s.seen = s.seen[:1]; true {
		if _, met := s.meeting(true); met {
			t.Error("of one walk")
		}
	}
}

// TestEnd: a bound of the parameter that was reached is a number of few digits, with the fault of
// one that can be read; of another end, or one that was not reached, it is the last value at which
// the order was the same.
func TestEnd(t *testing.T) {
	f := func(p float64) (*events.Plane, error) {
		if p < .25 {
			return nil, fmt.Errorf("found %g", p)
		}
		return nil, nil
	}
	for _, c := range []struct {
		in, far float64
		none    bool
		want    float64
		text    string
	}{
		{.75 - 4e-11, .75 + 4e-11, true, .25, "found 0.249"},
		{.75 - 4e-11, .75 + 4e-11, false, .25 + 4e-11, "other"},
		{.7, .8, true, .3, "other"},
	} {
		s := &search{f: f, p: 1, side: -1, size: 1, in: c.in, far: c.far, none: c.none, why: &Change{Err: errors.New("other")}}
		if got := s.end(); math.Abs(got-c.want) > 1e-15 || s.why.Err.Error() != c.text {
			t.Errorf("in %g, far %g: %.17g, %v, want %g, %s", c.in, c.far, got, s.why.Err, c.want, c.text)
		}
	}
	s := &search{f: func(p float64) (*events.Plane, error) { return f(p / 1e3) }, p: 1e3, side: -1, size: 1e3, in: 750 - 4e-8, far: 750 + 4e-8, none: true, why: &Change{}}
	if got := s.end(); got != 250 || s.why.At != 249 {
		t.Errorf("of a thousand: %.17g, %+v", got, s.why)
	}
	// bound finds it without a walk.
	s = &search{f: f, p: 1, side: -1, size: 1, in: .5, far: 2, why: &Change{}}
	if s.bound(); !s.none || math.Abs(s.far-.75) > 1e-10 || s.in != .5 || s.why.Err == nil || s.why.At != 1-s.far {
		t.Errorf("bound: %+v", s)
	}
	s = &search{f: f, p: 1, side: 1, size: 1, in: .5, far: 2}
	if s.bound(); s.none || s.far != 2 {
		t.Errorf("no bound: %+v", s)
	}
}

// TestSpent: one end costs a number of walks at least, and beyond it a number of steps.
func TestSpent(t *testing.T) {
	for _, c := range []struct {
		walked, stepped int
		want            bool
	}{{walks, steps, true}, {walks - 1, 9 * steps, false}, {9 * walks, steps - 1, false}} {
		if s := (&search{walked: c.walked, stepped: c.stepped}); s.spent() != c.want {
			t.Errorf("%d walks of %d steps: spent %v", c.walked, c.stepped, !c.want)
		}
	}
}
