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
	span  float64 // over which the values of steps are means [s]
	lines []line
}

// line is the progress of one expectation.
type line struct {
	*Expectation
	t, last  float64 // time and value at the row before
	past     float64 // value at the one before that
	h        float64 // time from that one to the row before
	begun    bool
	found    bool    // value is that at the time asked for
	value    float64 // or the last one
	within   float64 // by what it may be off
	trend    trend   // of values of steps
	low, top extreme // over the rows so far
}

// extreme is the least or the largest value, when it was met first, and by how much it is beyond the nearer of the
// values two rows before and after it. Two means of two steps share none then. At the start, before which there is
// none, it is by how much it is beyond the next; at the end means are continued, see [trend]. Between rows of an h a smooth value goes further than the means over s = 2h by
// (h²/8 + s²/24 + s²/48)|f″|, see trend: twice that, by the means beside it, does where it is less.
type extreme struct {
	value, at float64
	rise      float64 // from it to that before
	before    float64 // by how much beyond that two before
	bend      float64 // h²|f″|
	beyond    float64
	after     int // so many values are to come until that two after
}

// take takes the next value, which follows on those before it, and the new extreme, if it is that; what is no number
// stays one.
func (x *extreme) take(extreme, value, last, before, t float64) {
	if x.after == 2 {
		x.bend = math.Abs(value - x.value + x.rise)
	}
	switch first := math.IsInf(x.before, 1); {
	case x.after == 2 && first:
		x.beyond = math.Abs(value - x.value)
	case x.after > 0 && !first:
		x.beyond = min(x.before, math.Abs(value-x.value), 0.75*x.bend)
	}
	x.after = max(0, x.after-1)
	if extreme != x.value {
		x.rise, x.before, x.beyond, x.after = last-value, math.Abs(value-before), 0, 2
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
		l := &e.lines[i]
		l.observe(t, value(l.Expectation), e.until, e.span)
	}
}

// Average says over which time until the row that comes next the values of its step are means [s].
func (e *Evaluator) Average(span float64) { e.span = span }

// sameTime is the distance of times, relative to the whole run, that is roundoff of
// until·k/steps.
const sameTime = 1e-12

// Within takes a state within the step whose row comes next, as one before an impact, of which value
// gives what is known.
func (e *Evaluator) Within(t float64, value func(x *Expectation) (v float64, known bool)) {
	for i := range e.lines {
		if v, known := value(e.lines[i].Expectation); known {
			e.lines[i].observe(t, v, e.until, 0)
		}
	}
}

// cut reports whether a kink or an event has cut the step until t, or the one before it: others are halves and doubles
// of each other, to 1e-6, which rounding of 1e7 steps leaves; or whether the mean is one over less than the step.
func (l *line) cut(t, span float64) bool {
	h := t - l.t
	ratio := math.Log2(h / l.h)
	return l.h > 0 && math.Abs(ratio-math.Round(ratio)) > 1e-6 || span < h*(1-1e-6)
}

func (l *line) observe(t, v, until, span float64) {
	if l.between == After && t == 0 {
		return // no step ends where a run starts
	}
	if l.between == After && span > 0 {
		bent := 0.0
		if t > l.t && l.cut(t, span) {
			bent = max(2, 2*span/(t-l.t))
		}
		l.trend.add(t-span/2, v, bent)
	}
	switch {
	case l.between == After && span > 0 && (l.Time == nil || !l.found && t >= *l.Time-sameTime*until):
		if l.Time != nil && l.begun && *l.Time < t-span-sameTime*until {
			break // in a part of the step that the mean leaves out
		}
		at := t
		if l.Time != nil {
			at = *l.Time
		}
		l.found = true
		l.value, l.within = l.trend.at(at, span)
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
	if !l.begun {
		l.past, l.last = v, v
	}
	if !l.begun && span > 0 && l.between == After {
		l.past = math.Inf(1)
	}
	size, last, before := v, l.last, l.past
	if l.sized {
		size, last, before = math.Abs(v), math.Abs(last), math.Abs(before)
	}
	l.low.take(min(l.low.value, size), size, last, before, t)
	l.top.take(max(l.top.value, size), size, last, before, t)
	l.h, l.t, l.past, l.last, l.begun = t-l.t, t, l.last, v, true
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
			o.Blur(l.within)
		}
		return o
	}
	if !l.begun {
		return o
	}
	if ended && l.between == After {
		l.continued()
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

// continued puts what is met last at the end of the run, by the means before it.
func (l *line) continued() {
	if l.trend.n == 0 {
		return
	}
	v, within := l.trend.at(l.t, 2*(l.t-l.trend.points[0].T))
	if l.sized {
		v = math.Abs(v)
	}
	if l.low.after == 2 && l.low.at == l.t {
		l.low.value, l.low.beyond = min(l.low.value, v), within
	}
	if l.top.after == 2 && l.top.at == l.t {
		l.top.value, l.top.beyond = max(l.top.value, v), within
	}
}

// Progress is what an [Evaluator] has seen: one of the same case that loads it goes on to
// the same outcomes.
type Progress []LineProgress

// LineProgress is the progress of one expectation: time and value at the row before, the
// value found, the least and the largest one with their times and by how much they are beyond the values beside them,
// and the last means of steps. (An array keeps the sign of a zero in a checkpoint.)
type LineProgress struct {
	Begun, Found bool
	After        [2]int // so many rows are to come after the least, or the largest
	Values       [20]float64
	Means        int
	Points       [4]struct{ T, Value float64 }
}

// Save returns the progress.
func (e *Evaluator) Save() Progress {
	list := make(Progress, 0, len(e.lines))
	for i := range e.lines {
		l := &e.lines[i]
		list = append(list, LineProgress{l.begun, l.found, [2]int{l.low.after, l.top.after},
			[20]float64{l.t, l.last, l.past, l.value, l.within,
				l.low.value, l.low.at, l.low.rise, l.low.before, l.low.bend, l.low.beyond,
				l.top.value, l.top.at, l.top.rise, l.top.before, l.top.bend, l.top.beyond, l.h, l.trend.bent, l.trend.before}, l.trend.n, l.trend.points})
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
		l.t, l.last, l.past, l.value, l.within = v[0], v[1], v[2], v[3], v[4]
		l.low = extreme{v[5], v[6], v[7], v[8], v[9], v[10], s.After[0]}
		l.top = extreme{v[11], v[12], v[13], v[14], v[15], v[16], s.After[1]}
		l.h, l.trend = v[17], trend{s.Means, v[18], v[19], s.Points}
	}
	return nil
}
