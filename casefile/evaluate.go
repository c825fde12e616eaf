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
	of    func(x *Expectation) StepValue // nil: nothing is known of how values go within steps
	rate  func(x *Expectation) (rate float64, known bool)
	lines []line
}

// line is the progress of one expectation.
type line struct {
	*Expectation
	t, last  float64 // time and value at the row before
	begun    bool
	found    bool       // value is that at the time asked for, or the last one
	value    float64    // of steps, means say it
	rates    [2]float64 // of the value at the row before, and at the one that comes [1/s] …
	rated    bool       // … if they are known
	within   float64    // by what the value at the time asked for may be off, as that is amid a step
	drawn    bool       // nothing but values at rows says it: means has those around
	past     int        // rows from the time asked for on
	means    means      // of values of steps
	low, top extreme    // over the rows so far
	other    *line      // the same of another run, see [Evaluator.Compare]; nil: none yet
	share    float64    // of the difference from it that the value is off by [-]
}

// extreme is the least or the largest value, when it was met first, and how far values go between rows at most.
type extreme struct {
	value, at, reach float64
}

// take takes a value at a time, which may be beyond by so much.
func (x *extreme) take(value, beyond, t float64, up bool) {
	sign := 1.
	if !up {
		sign = -1
	}
	if value != value || sign*value > sign*x.value { // what is no number stays one
		x.value, x.at = value, t
	}
	if reach := value + sign*beyond; sign*reach > sign*x.reach {
		x.reach = reach
	}
}

// newExtreme is one of no values.
func newExtreme(sign int) extreme { return extreme{value: math.Inf(-sign), reach: math.Inf(-sign)} }

// NewEvaluator returns the evaluator of a run until a time.
func NewEvaluator(list []Expectation, until float64) *Evaluator {
	e := &Evaluator{until: until}
	for i := range list {
		e.lines = append(e.lines, line{Expectation: &list[i], low: newExtreme(-1), top: newExtreme(1)})
	}
	return e
}

// Observe takes the next row, at a time, at which value gives what is expected.
func (e *Evaluator) Observe(t float64, value func(x *Expectation) float64) {
	for i := range e.lines {
		l := &e.lines[i]
		l.observe(e.mean(l, t, value(l.Expectation)), e.until)
	}
}

// StepValue says what a value of the step that ends with a row is: the mean over the time Span until then, or that at its
// end if Span is 0, and by what it may be off besides.
type StepValue struct {
	Known bool    // false: it is not known which of these it is
	Span  float64 // [s]
	Lag   float64 // by which the value may lag behind [s]
	Noise float64 // by rounding, in the unit of the value
}

// Average says what the values of the rows that come are.
func (e *Evaluator) Average(of func(x *Expectation) StepValue) { e.of = of }

// mean is the value of a line in a row.
func (e *Evaluator) mean(l *line, t, value float64) mean {
	m := mean{T: t, Value: value}
	if e.of != nil && l.between == After {
		m.StepValue = e.of(l.Expectation)
	}
	if e.rate != nil && l.between == Linear && l.Time != nil {
		l.rates[1], l.rated = e.rate(l.Expectation)
	}
	return m
}

// Rates says where to find how fast values change at the rows that come [1/s].
func (e *Evaluator) Rates(of func(x *Expectation) (rate float64, known bool)) { e.rate = of }

// Compare takes the state at a time of another run of the same case, as in steps of twice the length, of which value gives
// what is expected. By a share of its difference from that the value of a step is off as the motion is.
func (e *Evaluator) Compare(t, share float64, value func(x *Expectation) float64) {
	for i := range e.lines {
		l := &e.lines[i]
		if l.between != After {
			continue
		}
		if l.other == nil {
			l.other = &line{Expectation: l.Expectation, low: newExtreme(-1), top: newExtreme(1)}
		}
		l.share = share
		l.other.observe(e.mean(l, t, value(l.Expectation)), e.until)
	}
}

// sameTime is the distance of times, relative to the whole run, that is roundoff of
// until·k/steps.
const sameTime = 1e-12

// Amid reports whether the value is that at a time between two others, of a run until a time.
func (x *Expectation) Amid(from, to, until float64) bool {
	return x.Time != nil && *x.Time > from+sameTime*until && *x.Time < to-sameTime*until
}

// Within takes a state within the step whose row comes next, as one before an impact, of which value
// gives what is known.
func (e *Evaluator) Within(t float64, value func(x *Expectation) (v float64, known bool)) {
	for i := range e.lines {
		if v, known := value(e.lines[i].Expectation); known {
			e.lines[i].observe(e.mean(&e.lines[i], t, v), e.until)
		}
	}
}

func (l *line) observe(m mean, until float64) {
	t, v := m.T, m.Value
	m.Step = t - l.t
	if l.between == After && t == 0 {
		return // no step ends where a run starts
	}
	averaged := l.between == After && m.Known
	switch {
	case l.Time == nil:
		l.value, l.found = v, true
	case averaged:
		l.found = l.found || t >= *l.Time-sameTime*until
	case math.Abs(t-*l.Time) <= sameTime*until: // of several rows at one time the last counts, the state from which the run goes on
		l.value, l.within, l.found = v, 0, true
	case l.found || t < *l.Time:
	case !l.begun || l.between == After:
		l.value, l.found = v, true
	case l.between == Before:
		l.value, l.found = l.last, true
	default:
		l.value, l.within = l.amid(m)
		l.found, l.drawn = true, !l.rated
	}
	if v != v && !l.begun {
		return // not known yet, as the time of what has not happened
	}
	size := v
	if l.sized {
		size = math.Abs(v)
	}
	if l.between != After {
		l.low.take(size, 0, t, false)
		l.top.take(size, 0, t, true)
	}
	switch row := l.between == Linear && !l.rated; {
	case l.between == After && l.Time == nil:
		m.Value = size
		l.average(m)
	case l.Time != nil && (row || averaged) && l.past < len(l.means.list)/2:
		if l.found {
			l.past++
		}
		if row {
			l.means.row(m)
		} else {
			l.means.add(m)
		}
	}
	l.t, l.last, l.rates[0], l.begun = t, v, l.rates[1], true
}

// amid is the value at the time asked for, in the step that ends with a row, and by what it may be off: in proportion, or
// where the rates r, r' of the values x, x' at its ends are known by Hermite's cubic; h its length, s the share of it,
//
//	x + (x' − x)s + s(1 − s)((1 − s)c − sc'),   c = hr − (x' − x),  c' = hr' − (x' − x).
//
// That is exact where rates change in proportion, and as far from the line as it is from values whose rate jumps once,
// from r to r', when it has to: these go along the line from x, or that to x', which leave it by hr s or hr'(1 − s).
func (l *line) amid(m mean) (value, within float64) {
	h, way := m.T-l.t, m.Value-l.last
	s := (*l.Time - l.t) / h
	value = l.last + way*s
	if !l.rated {
		return value, 0
	}
	bend := s * (1 - s) * ((1-s)*(h*l.rates[0]-way) - s*(h*l.rates[1]-way))
	return value + bend, math.Abs(bend)
}

// average takes a mean, and what that says of the extremes: of the mean three before it, which then has three on both
// sides, and of the start of the run, for which all of the first five count.
func (l *line) average(m mean) {
	x := &l.means
	x.add(m)
	l.low.take(m.Value, m.Noise, m.T, false)
	l.top.take(m.Value, m.Noise, m.T, true)
	if x.n >= 4 {
		l.peak(x.n - 4)
	}
	if x.n == 5 {
		l.continued(0)
	}
}

// peak takes how far the value may go beyond a mean; values that are none of means over time begin and end as they are.
func (l *line) peak(k int) {
	m := &l.means.list[k]
	if !m.Known && (k == 0 || k == l.means.n-1) {
		return
	}
	l.low.take(m.Value, l.means.beyond(k, false)+m.Noise, m.T, false)
	l.top.take(m.Value, l.means.beyond(k, true)+m.Noise, m.T, true)
}

// continued takes the value at an end of the run, to which the means are continued.
func (l *line) continued(t float64) {
	x := &l.means
	if !x.averaged() {
		return
	}
	v, within := x.at(t)
	if l.sized {
		v = math.Abs(v)
	}
	l.low.take(v, within, t, false)
	l.top.take(v, within, t, true)
}

// ends takes what the last means say of extremes.
func (l *line) ends() {
	for k := max(0, l.means.n-3); k < l.means.n; k++ {
		l.peak(k)
	}
	if l.means.n < 5 {
		l.continued(0)
	}
	l.continued(l.t)
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

// outcome compares what was seen, and adds what the motion is off by: the share of the difference from the other run. That is
// its leading order, of which at a time the next one may take half, where steps resolve the motion by few digits.
func (l *line) outcome(ended bool) table.Outcome {
	o := l.seen(ended)
	if l.other == nil || o.Value == nil {
		return o
	}
	other := l.other.seen(ended)
	if other.Value == nil {
		return o
	}
	apart := math.Abs(*o.Value - *other.Value)
	if l.Value != nil { // at a time, of which the means are kept
		apart = 2 * max(apart, l.means.apart(&l.other.means))
	}
	o.Blur(o.Within + l.share*apart)
	return o
}

// seen compares what was seen.
func (l *line) seen(ended bool) table.Outcome {
	o := table.Outcome{Label: l.Label(), Quantity: l.Quantity, Want: l.Value, Min: l.Min, Max: l.Max}
	found := l.found && (ended || l.Time != nil)
	value, within := l.value, l.within
	if l.drawn {
		value, within = l.means.amid(*l.Time)
	}
	if x := &l.means; x.averaged() && (l.Time != nil || l.Value != nil || l.observed) {
		at := l.t
		if l.Time != nil {
			at = *l.Time
		}
		value, within = x.at(at)
	}
	if l.observed {
		if o.Observed = true; found {
			o.Value, o.Met = &value, true
		}
		return o
	}
	if l.Value != nil {
		o.Tolerance = &l.Tolerance
		if found {
			o.Value = &value
			o.Met = math.Abs(value-*l.Value) <= l.Tolerance
			o.Blur(within)
		}
		return o
	}
	if !l.begun {
		return o
	}
	if ended && l.between == After {
		l.ends()
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
	o.Blur(math.Abs(x.reach - x.value)) // of means of steps
	return o
}

// Progress is what an [Evaluator] has seen: one of the same case that loads it goes on to
// the same outcomes.
type Progress []LineProgress

// LineProgress is the progress of one expectation, and the last rows or means of steps.
type LineProgress struct {
	Begun, Found, Drawn bool
	Values              [11]float64 // see numbers; an array keeps the sign of a zero in a checkpoint
	Past, Means         int
	List                [8]struct {
		StepValue
		T, Step, Value float64
	}
	Share float64
	Other *LineProgress // of the run that it is compared with
}

// numbers are those of the progress of a line, in the order of [LineProgress] Values.
func (l *line) numbers() [11]*float64 {
	return [...]*float64{&l.t, &l.last, &l.value, &l.low.value, &l.low.at, &l.low.reach, &l.top.value, &l.top.at, &l.top.reach,
		&l.rates[0], &l.within}
}

// Largest is the largest size of a quantity over the rows of a run, that at the end if it was infinite or none before.
func (p *LineProgress) Largest() float64 {
	var l line
	l.load(p)
	if size := max(math.Abs(l.low.value), math.Abs(l.top.value)); size <= math.MaxFloat64 {
		return size
	}
	return math.Abs(l.value)
}

// Save returns the progress.
func (e *Evaluator) Save() Progress {
	list := make(Progress, 0, len(e.lines))
	for i := range e.lines {
		l := &e.lines[i]
		p := l.save()
		if l.other != nil {
			other := l.other.save()
			p.Share, p.Other = l.share, &other
		}
		list = append(list, p)
	}
	return list
}

func (l *line) save() LineProgress {
	p := LineProgress{Begun: l.begun, Found: l.found, Drawn: l.drawn, Past: l.past, Means: l.means.n}
	for i, x := range l.numbers() {
		p.Values[i] = *x
	}
	for k, m := range l.means.list {
		p.List[k] = m
	}
	return p
}

// Load goes on from a progress. It fails for one of another case.
func (e *Evaluator) Load(list Progress) error {
	if len(list) != len(e.lines) {
		return fmt.Errorf("casefile: the progress has %d expectations, want %d", len(list), len(e.lines))
	}
	for i := range list {
		l, s := &e.lines[i], &list[i]
		if l.load(s); s.Other != nil {
			l.share, l.other = s.Share, &line{Expectation: l.Expectation}
			l.other.load(s.Other)
		}
	}
	return nil
}

func (l *line) load(s *LineProgress) {
	l.begun, l.found, l.drawn, l.past, l.means.n = s.Begun, s.Found, s.Drawn, s.Past, s.Means
	for i, x := range l.numbers() {
		*x = s.Values[i]
	}
	for k, m := range s.List {
		l.means.list[k] = m
	}
}
