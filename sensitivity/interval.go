package sensitivity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/quasistatic/quasistatic/events"
)

// Range is the interval of the parameter in which the order of events stays the same.
type Range struct {
	Lo, Hi float64 // bounds
	// Below and Above say what changes at the ends; nil: nothing did as far as was looked.
	Below, Above *Change
	// AtLeast: the interval may be longer, for directions of slip turn, and few walks were made.
	// What changes was seen beyond its ends, at Change.At.
	AtLeast bool
}

// Change is how the order of events differs from that at p.
type Change struct {
	At        float64 // where it was seen
	Err       error   // there is no evolution, or no case
	Number    int     // of the first event that differs, from 0
	Gone, New *Step   // nil: none
}

// Text says what changes; name names contacts.
func (c *Change) Text(name func(contact int) string) string {
	switch {
	case c.Err != nil:
		return c.Err.Error()
	case c.New == nil:
		return fmt.Sprintf("event %d is gone: %s", c.Number+1, c.Gone.Text(name))
	case c.Gone == nil:
		return fmt.Sprintf("event %d is new: %s", c.Number+1, c.New.Text(name))
	}
	return fmt.Sprintf("event %d: %s, in place of %s", c.Number+1, c.New.Text(name), c.Gone.Text(name))
}

// same is the distance of two times, relative to the whole, at which events count as
// simultaneous: their order is then that of the contacts.
const same = 1e-10

// Step is an entry of the order of events: a change of regime, a kink of the loads, or the loss of
// equilibrium, the last one.
type Step struct {
	Contact  int           // −1: a kink, or a loss
	From, To events.Regime // ends of the interval
	Lost     bool          // nothing holds a motion any longer
}

// Text says what happens; name names contacts.
func (s *Step) Text(name func(contact int) string) string {
	switch {
	case s.Lost:
		return "the loss of equilibrium"
	case s.Contact < 0:
		return "a kink of the loads"
	}
	return fmt.Sprintf("%s: %s → %s", name(s.Contact), s.From, s.To)
}

// course is what happens along a walk.
type course struct {
	steps  []Step
	times  []float64 // of the steps
	curved bool      // directions turn
	length int       // steps of the walk
}

// errLong is a walk along turning directions that takes more steps than it may.
var errLong = errors.New("a walk takes many times the steps")

// order walks at p up to a time and lists events and kinks in their order. A walk along which
// directions turn may take a number of steps; 0: any.
func order(ctx context.Context, f Family, p, until, tolerance float64, most int) (*course, error) {
	plane, err := f(p)
	if err != nil {
		return nil, err
	}
	form, err := plane.Form()
	if err != nil {
		return nil, err
	}
	w, err := events.NewIntegrator(form, tolerance)
	if err != nil {
		return nil, err
	}
	type timed struct {
		Step
		t float64
	}
	var list []timed
	for _, b := range form.Source.Breaks() {
		list = append(list, timed{Step{Contact: -1}, float64(b)})
	}
	c := &course{}
	note := func() error {
		for _, e := range w.Changes() {
			if float64(e.Time) < until*(1-same) {
				list = append(list, timed{Step{Contact: e.Contact, From: e.From, To: e.To}, float64(e.Time)})
			}
		}
		if c.length++; w.Curved && most > 0 && c.length > most {
			return errLong
		}
		return nil
	}
	_ = note()
	err = w.Integrate(ctx, events.Real(until), note)
	if lost, ok := errors.AsType[*events.LossError](err); ok {
		list = append(list, timed{Step{Contact: -1, Lost: true}, lost.Time})
		until = math.Nextafter(lost.Time, math.Inf(1))
	} else if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b timed) int {
		if d := a.t - b.t; math.Abs(d) > same*until {
			return int(math.Copysign(1, d))
		}
		return a.Contact - b.Contact
	})
	for _, s := range list {
		if s.t < until {
			c.steps, c.times = append(c.steps, s.Step), append(c.times, s.t)
		}
	}
	c.curved = w.Curved
	return c, nil
}

// farthest is how far the search goes, over |p|, or 1 for p = 0.
const farthest = 1e3

// Interval finds the interval around p in which events up to a time keep their order: it goes away
// from p by steps that grow by half, the first being a thousandth, and bisects where the order
// changes, to 1e-10 of p. An interval in which another order is passed over is not found: it is
// sampled, not proven. It costs about a hundred walks. Where directions turn, walks are
// integrations, and few are made: the interval may then be one at least.
func Interval(ctx context.Context, f Family, p, until, tolerance float64) (Range, error) {
	want, err := order(ctx, f, p, until, tolerance, 0)
	if err != nil {
		return Range{}, err
	}
	if want.curved {
		return turning(ctx, &search{f: f, p: p, until: until, tolerance: tolerance, want: want})
	}
	var r Range
	if r.Lo, r.Below, err = edge(ctx, f, p, until, tolerance, -1, want); err != nil {
		return r, err
	}
	r.Hi, r.Above, err = edge(ctx, f, p, until, tolerance, 1, want)
	return r, err
}

// edge is one end of the interval, and what changes there.
func edge(ctx context.Context, f Family, p, until, tolerance, side float64, want *course) (float64, *Change, error) {
	size := math.Abs(p)
	if size == 0 {
		size = 1
	}
	differs := func(q float64) *Change {
		got, err := order(ctx, f, q, until, tolerance, 0)
		if err != nil {
			return &Change{At: q, Err: err}
		}
		return difference(q, want.steps, got.steps)
	}
	in, far := 0.0, 0.0
	var why *Change
	for d := 1e-3 * size; ; d *= 1.5 {
		if err := ctx.Err(); err != nil {
			return 0, nil, err
		}
		if d > farthest*size {
			return p + side*in, nil, nil
		}
		if why = differs(p + side*d); why != nil {
			far = d
			break
		}
		in = d
	}
	for far-in > 1e-10*size {
		if err := ctx.Err(); err != nil {
			return 0, nil, err
		}
		m := in + (far-in)/2
		if w := differs(p + side*m); w != nil {
			far, why = m, w
		} else {
			in = m
		}
	}
	at := p + side*(in+far)/2
	if why.Err != nil { // a bound of the parameter, which people write in few digits
		at = shortest(min(p+side*in, p+side*far), max(p+side*in, p+side*far))
		if w := differs(at + side*1e-3*size); w != nil && w.Err != nil {
			why = w // the same fault, of a number that can be read
		}
	}
	return at, why, nil
}

// shortest returns the number of fewest digits in an interval, 0 if it is there.
func shortest(lo, hi float64) float64 {
	middle := lo + (hi-lo)/2
	if lo <= 0 && hi >= 0 {
		return 0
	}
	for digits := range 17 {
		if x, err := strconv.ParseFloat(strconv.FormatFloat(middle, 'e', digits, 64), 64); err == nil && x >= lo && x <= hi {
			return x
		}
	}
	return middle
}

// difference says where two orders part, nil if they do not.
func difference(at float64, want, got []Step) *Change {
	for i := range max(len(want), len(got)) {
		c := &Change{At: at, Number: i}
		if i < len(want) {
			c.Gone = &want[i]
		}
		if i < len(got) {
			c.New = &got[i]
		}
		if c.Gone == nil || c.New == nil || *c.Gone != *c.New {
			return c
		}
	}
	return nil
}
