package casefile

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/table"
)

// Evaluator compares a run of any model with the expectations of its case while it goes: by its rows,
// and by what the model knows of its state within steps. It keeps two of them, not the trajectory.
type Evaluator struct {
	until float64
	lines []line
}

// line is the progress of one expectation.
type line struct {
	*Expectation
	t, last  float64 // time and value at the row before
	begun    bool
	found    bool    // value is that at the time asked for
	value    float64 // or the last one
	low, top extreme // over the rows so far
}

// extreme is the least or the largest value, when it was met first, and by how much it is beyond the nearer of the
// values before and after it: 0 at either end of the run.
type extreme struct {
	value, at float64
	before    float64 // by how much beyond that before
	beyond    float64
	after     bool // the next value is the one after
}

// take takes the next value, which follows on last, and the new extreme, if it is that; what is no number stays one.
func (x *extreme) take(extreme, value, last, t float64) {
	if x.after {
		x.beyond, x.after = min(x.before, math.Abs(value-x.value)), false
	}
	if extreme != x.value {
		x.before, x.beyond, x.after = math.Abs(value-last), 0, true
		x.value, x.at = extreme, t
	}
}

// NewEvaluator returns the evaluator of a run until a time.
func NewEvaluator(list []Expectation, until float64) *Evaluator {
	e := &Evaluator{until: until}
	for i := range list {
		e.lines = append(e.lines, line{Expectation: &list[i], low: extreme{value: math.Inf(1)}, top: extreme{value: math.Inf(-1)}})
	}
	return e
}

// Observe takes the next row, at a time, at which value gives what is expected.
func (e *Evaluator) Observe(t float64, value func(x *Expectation) float64) {
	for i := range e.lines {
		e.lines[i].observe(t, value(e.lines[i].Expectation), e.until)
	}
}

// sameTime is the distance of times, relative to the whole run, that is roundoff of
// until·k/steps.
const sameTime = 1e-12

// Within takes a state within the step whose row comes next, as one before an impact, of which value
// gives what is known.
func (e *Evaluator) Within(t float64, value func(x *Expectation) (v float64, known bool)) {
	for i := range e.lines {
		if v, known := value(e.lines[i].Expectation); known {
			e.lines[i].observe(t, v, e.until)
		}
	}
}

func (l *line) observe(t, v, until float64) {
	if l.between == After && t == 0 {
		return // no step ends where a run starts
	}
	switch {
	case l.Time == nil:
		l.value, l.found = v, true
	case l.found || t < *l.Time-sameTime*until:
	case t <= *l.Time+sameTime*until || !l.begun || l.between == After:
		l.value, l.found = v, true
	case l.between == Before:
		l.value, l.found = l.last, true
	default:
		l.value, l.found = l.last+(v-l.last)*(*l.Time-l.t)/(t-l.t), true
	}
	if v != v && !l.begun {
		return // not known yet, as the time of what has not happened
	}
	size, last := v, l.last
	if l.sized {
		size, last = math.Abs(v), math.Abs(last)
	}
	if !l.begun {
		last = size
	}
	l.low.take(min(l.low.value, size), size, last, t)
	l.top.take(max(l.top.value, size), size, last, t)
	l.t, l.last, l.begun = t, v, true
}

// Outcomes compares what was seen; ended says that the run came to its end. What it did not reach is not
// met: values at the end, and bounds that held so far.
func (e *Evaluator) Outcomes(ended bool) []table.Outcome {
	list := make([]table.Outcome, 0, len(e.lines))
	for i := range e.lines {
		list = append(list, e.lines[i].outcome(ended))
	}
	return list
}

func (l *line) outcome(ended bool) table.Outcome {
	o := table.Outcome{Label: l.Label(), Quantity: l.Quantity, Want: l.Value, Min: l.Min, Max: l.Max}
	found := l.found && (ended || l.Time != nil)
	if l.observed {
		if o.Observed = true; found {
			o.Value, o.Met = &l.value, true
		}
		return o
	}
	if l.Value != nil {
		o.Tolerance = &l.Tolerance
		if found {
			o.Value = &l.value
			o.Met = math.Abs(l.value-*l.Value) <= l.Tolerance
		}
		return o
	}
	if !l.begun {
		return o
	}
	if o.Met = (l.Max == nil || l.top.value <= *l.Max) && (l.Min == nil || l.low.value >= *l.Min); o.Met && !ended {
		o.Met = false
		return o
	}
	x := &l.top
	if l.Max == nil || l.Min != nil && l.low.value < *l.Min {
		x = &l.low
	}
	o.Value, o.At = &x.value, &x.at
	if l.between == After { // a step has one value, which is its mean
		o.Blur(x.beyond)
	}
	return o
}

// Progress is what an [Evaluator] has seen: one of the same case that loads it goes on to
// the same outcomes.
type Progress []LineProgress

// LineProgress is the progress of one expectation: time and value at the row before, the
// value found, the least and the largest one with their times and by how much they are beyond the values beside them. (An array keeps the sign of a zero in a
// checkpoint.)
type LineProgress struct {
	Begun, Found bool
	After        [2]bool // the row after the least, or the largest, is to come
	Values       [11]float64
}

// Save returns the progress.
func (e *Evaluator) Save() Progress {
	list := make(Progress, 0, len(e.lines))
	for i := range e.lines {
		l := &e.lines[i]
		list = append(list, LineProgress{l.begun, l.found, [2]bool{l.low.after, l.top.after},
			[11]float64{l.t, l.last, l.value, l.low.value, l.top.value, l.low.at, l.top.at, l.low.before, l.top.before,
				l.low.beyond, l.top.beyond}})
	}
	return list
}

// Load goes on from a progress. It fails for one of another case.
func (e *Evaluator) Load(list Progress) error {
	if len(list) != len(e.lines) {
		return fmt.Errorf("casefile: the progress has %d expectations, want %d", len(list), len(e.lines))
	}
	for i, s := range list {
		l, v := &e.lines[i], &s.Values
		l.begun, l.found = s.Begun, s.Found
		l.t, l.last, l.value = v[0], v[1], v[2]
		l.low, l.top = extreme{v[3], v[5], v[7], v[9], s.After[0]}, extreme{v[4], v[6], v[8], v[10], s.After[1]}
	}
	return nil
}
