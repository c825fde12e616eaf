package casefile

import "math"

// Values of steps are means: that over the time s until a row belongs to the middle of that time. A value at a time t is
// read off the line through the two means whose middles are around t, or nearest to it at the ends of the run. Nothing
// but the means says how the value goes within steps, and so what the line may be off by is judged by its second
// differences Δ², of the two means and of those beside them:
//
//	|f(t) − line| ≤ Σ |Δ²|, twice that beyond the last middle.
//
// Of smooth values, and means of s = h or s = 2h in steps of h, the line, the mean and the lag of the trapezoidal rule
// leave at most (1/8 + 1/6 + 1/12) h²|f″| between middles, less than Δ² of one of the (up to four) of the sum, and
// (1 + 1/4) h²|f″| beyond them. A kink by the slope g adds up to Σ|Δ²| = g h, and the line is off by at most g(h + s)/4
// there; a jump by J adds up to 2J, and the line is off by at most J. What is shorter than a step shows by its mean
// alone: such loads end steps, as their kinks are known.

// means are the last means of steps, the oldest first.
type means struct {
	n    int
	list [8]mean
}

// mean is one over the time Span until T, the end of a step of the length Step; if Span is 0 the value at T.
//
// Forces that a motion asks for, as that of an obstacle, may lag behind it by Lag, which α ≠ ½ does.
type mean struct {
	StepValue
	T, Step, Value float64
}

// hides is by how much more a value may change in the step than the mean shows: a mean over two steps, of which the
// last is the shorter one, shows h/2s of it, and those before it show the rest of two equal ones.
func (m *mean) hides() float64 {
	if m.Span == 0 {
		return 1
	}
	return max(1, m.Span/m.Step-1)
}

func (m *mean) middle() float64 { return m.T - m.Span/2 }

// add takes the next mean; one until the same time replaces the last one.
func (x *means) add(m mean) {
	if x.n > 0 && !(m.T > x.list[x.n-1].T) {
		x.n--
		m.Step = x.list[x.n].Step
	}
	x.push(m)
}

// push appends, and drops the first of those that are too many.
func (x *means) push(m mean) {
	if x.n == len(x.list) {
		x.n--
		copy(x.list[:], x.list[1:])
	}
	x.list[x.n] = m
	x.n++
}

// row takes the next value at a row. Of several at one time that differ the first and the last stay, the sides of a
// jump.
func (x *means) row(m mean) {
	if last := x.n - 1; last >= 0 && !(m.T > x.list[last].T) {
		if m.Value == x.list[last].Value {
			return
		}
		if last > 0 && !(x.list[last].T > x.list[last-1].T) {
			x.n--
		}
	}
	x.push(m)
}

// piece are the rows around a time between two of which no others are at one time, and the row before it.
func (x *means) piece(t float64) (p means, k int) {
	for i, m := range x.list[:x.n] {
		if i > 0 && !(m.T > x.list[i-1].T) {
			if m.T > t {
				break
			}
			p.n = 0
		}
		if p.push(m); m.T <= t {
			k = p.n - 1
		}
	}
	return p, min(k, p.n-2)
}

// averaged reports whether it is known what the values are.
func (x *means) averaged() bool { return x.n > 0 && x.list[x.n-1].Known }

// at is the value at a time, and by what it may be off.
func (x *means) at(t float64) (value, within float64) {
	last := x.n - 1
	if last == 0 {
		return x.list[0].Value, math.Abs(x.list[0].Value) // nothing says how it goes within its step
	}
	k := 0
	for k < last-1 && x.list[k+1].middle() <= t {
		k++
	}
	if value = x.line(k, t); last == 1 {
		return value, 2 * math.Abs(x.list[1].Value-x.list[0].Value)
	}
	a, b := &x.list[k], &x.list[k+1]
	for j := max(1, k-1); j <= min(last-1, k+2); j++ {
		within += x.bend(j)
	}
	within += math.Abs(b.Lag*(b.Value-a.Value)/(b.middle()-a.middle())) + max(a.Noise, b.Noise)
	if t < x.list[0].middle() || t > x.list[last].middle() {
		within *= 2
	}
	if first := &x.list[0]; first.Span == 0 && t < first.T { // springs begin to be pressed
		within += math.Abs(first.Value)
	}
	return value, within
}

// amid is a value at a time between two rows of which nothing but values at rows is known, and by what it may be off.
func (x *means) amid(t float64) (value, within float64) {
	p, k := x.piece(t)
	return p.cubic(k, t)
}

// cubic is the value between the rows k and k + 1 on the cubic through the two values on either side, or nearest to
// them at an end, or where that promises more on the line between both, see chord. It is judged by how third divided
// differences T of four values change from the cubic's to both of its neighbours, or over three in a row at an end;
// h is its longest step:
//
//	|f(t) − cubic| ≤ 3h³ Σ|ΔT|, twice that at an end.
//
// In equal steps that is ½Σ|Δ⁴|: for smooth values h⁴|f⁗|, of which the cubic leaves 3/128; a kink by the slope g
// between the rows adds up to gh at least, and the cubic is off by less than gh/4; a jump by J to 6J, and it is off
// by J at most.
func (x *means) cubic(k int, t float64) (value, within float64) {
	last := x.n - 1
	value, within = x.line(k, t), x.chord(k)
	if last < 5 {
		return value, within
	}
	j := min(max(k-1, 0), last-3)
	next, part := min(max(j-1, 0), last-5), 3.
	if j != k-1 || next != j-1 {
		part = 6
	}
	third, off, h := x.divided(j, 3), 0., 0.
	for i := next; i < next+2; i++ {
		off += math.Abs(x.divided(i+1, 3) - x.divided(i, 3))
	}
	for i := j; i < j+3; i++ {
		h = max(h, x.list[i+1].T-x.list[i].T)
	}
	if off *= part * h * h * h; !(off < within) {
		return value, within
	}
	a, b, c := t-x.list[j].T, t-x.list[j+1].T, t-x.list[j+2].T
	return x.list[j].Value + a*(x.divided(j, 1)+b*(x.divided(j, 2)+c*third)), off
}

// divided is the divided difference of an order of the values at rows from i on.
func (x *means) divided(i, order int) float64 {
	if order == 0 {
		return x.list[i].Value
	}
	return (x.divided(i+1, order-1) - x.divided(i, order-1)) / (x.list[i+order].T - x.list[i].T)
}

// chord is what the line from value k to the next may be off by between their rows: half of |Δ²|
// at both, and no less than the lesser |Δ²| outside of these, as a kink may straighten what bends on both sides of it;
// at an end, where there is one, all of it and of that beside it. A jump by J within the step
// adds up to 2J there, and the line is off by at most J; a kink by the slope g to gh, and gh/4; smooth values to
// 2h²|f″|, and h²|f″|/8. Of a run of one step nothing says more than the change. What happens within the step and
// leaves both ends where they were does not show.
func (x *means) chord(k int) float64 {
	last := x.n - 1
	switch {
	case last == 1:
		return math.Abs(x.list[1].Value - x.list[0].Value)
	case k == 0:
		return x.change(1) + x.change(min(2, last-1))
	case k == last-1:
		return x.change(k) + x.change(max(1, k-1))
	}
	within := (x.change(k) + x.change(k+1)) / 2
	if k >= 2 && k <= last-3 {
		within = max(within, min(x.change(k-1), x.change(k+2)))
	}
	return within
}

// apart is the largest difference from other means of the same, of the middles of those here that are between middles of
// the others: where two motions that swing cross each other they are no nearer to the truth.
func (x *means) apart(other *means) (most float64) {
	if x.n < 2 || other.n < 2 {
		return 0
	}
	for i := range x.list[:x.n] {
		if t := x.list[i].middle(); t >= other.list[0].middle() && t <= other.list[other.n-1].middle() {
			value, _ := other.at(t)
			most = max(most, math.Abs(x.list[i].Value-value))
		}
	}
	return most
}

// bend is |Δ²| of mean k and those beside it. The slope of a mean over next to no time says little: it is no more
// than both rises. What a mean hides comes on top.
func (x *means) bend(k int) float64 {
	at, after := &x.list[k], &x.list[k+1]
	rise, next := (at.Value-x.list[k-1].Value)*at.hides(), (after.Value-at.Value)*after.hides()
	most := math.Abs(rise) + math.Abs(next)
	if change := x.change(k); change < most {
		return change
	}
	return most
}

// change is that of the slope at mean k over the longer one of both distances.
func (x *means) change(k int) float64 {
	before, at, after := &x.list[k-1], &x.list[k], &x.list[k+1]
	left, right := at.middle()-before.middle(), after.middle()-at.middle()
	rise, next := (at.Value-before.Value)*at.hides(), (after.Value-at.Value)*after.hides()
	return math.Abs(next/right-rise/left) * max(left, right)
}

// beyond is by how much the value goes beyond mean k at a peak there, upwards or downwards: no further than Σ|Δ²| of it
// and its neighbours; and no further than the lines through the two means on either side of these go until the ends of
// what they are means of. Where the means from k on are on one line, to a thousandth of that, as those of a load that
// is held, that line alone says it; amid such a line there is no peak.
func (x *means) beyond(k int, up bool) (most float64) {
	sign, last := 1., x.n-1
	if !up {
		sign = -1
	}
	rise := func(v float64) float64 { return sign * (v - x.list[k].Value) }
	if last == 0 || k > 0 && rise(x.list[k-1].Value) > 0 || k < last && rise(x.list[k+1].Value) > 0 {
		return 0 // no peak
	}
	for j := max(1, k-1); j <= min(last-1, k+1); j++ {
		most += x.bend(j)
	}
	if last == 1 {
		return math.Abs(x.list[1].Value - x.list[0].Value)
	}
	if k > 0 && k < last && x.bend(k) <= 1e-3*most {
		return 0 // amid a straight line
	}
	straight := func(j int) bool { return x.bend(j)+x.bend(j+1) <= 1e-3*most }
	before, after := math.Inf(1), math.Inf(1)
	if k >= 3 {
		before = rise(x.line(k-3, x.list[k+min(1, last-k)].T))
	}
	if k <= last-3 {
		m := &x.list[max(0, k-1)]
		after = rise(x.line(k+2, m.T-max(m.Span, m.Step)))
	}
	switch {
	case k <= last-3 && straight(k+1):
		before = after
	case k >= 3 && straight(k-2):
		after = before
	}
	return min(most, x.arc(k), max(0, before, after))
}

// arc is what a smooth peak at mean k is beyond it at most, (h²/8 + s²/24 + s²/48)|f″|, twice; f″ is the larger one at the
// mean and its neighbours, where these agree to a factor of two, as they do of ten steps a period. +Inf: they do not.
func (x *means) arc(k int) float64 {
	if k < 2 || k > x.n-3 {
		return math.Inf(1)
	}
	least, most := math.Inf(1), math.Inf(-1)
	for j := k - 1; j <= k+1; j++ {
		a, b, c := &x.list[j-1], &x.list[j], &x.list[j+1]
		left, right := b.middle()-a.middle(), c.middle()-b.middle()
		second := func(of func(m *mean) float64) float64 {
			return 2 * ((of(c)-of(b))/right - (of(b)-of(a))/left) / (left + right)
		}
		spans := second(func(m *mean) float64 { return m.Span * m.Span / 24 }) // by which means of f″ differ from middles
		bend := second(func(m *mean) float64 { return m.Value }) / (1 + spans)
		least, most = min(least, bend), max(most, bend)
	}
	if least < 0 {
		least, most = -most, -least
	}
	if !(least > 0.5*most) {
		return math.Inf(1)
	}
	at := &x.list[k]
	h := max(at.middle()-x.list[k-1].middle(), x.list[k+1].middle()-at.middle())
	return 2 * most * (h*h/8 + at.Span*at.Span/16)
}

// line is the value at a time of the line through mean k and the next one.
func (x *means) line(k int, t float64) float64 {
	a, b := &x.list[k], &x.list[k+1]
	return a.Value + (b.Value-a.Value)*(t-a.middle())/(b.middle()-a.middle())
}
