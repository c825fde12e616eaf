package casefile

import "math"

// Values of steps are means. That over the time s until a row belongs to the middle of that time, s/2 before the row,
// and a force that is told for the time of the row would lag by as much. So a value at a time is the continuation of
// the last means, by the line through the last two,
//
//	f(t) = f₀ + f′(t − t₀) + e,  |e| ≤ (|t − t₀||t − t₁|/2 + s²/24 + s²/48) |f″|,
//
// with what the line, the mean over s and the lag h²f″/12 of the trapezoidal rule in steps of h = s/2 leave. f″ is the
// larger one of the last four means, which are those before t: twice the bound is told. Where f″ bends the line more
// than half of what it rises from one mean to the next, as behind a jump, nothing is continued.
//
// A kink amid s is smeared: a slope g that begins a before the row moves the mean by g a²/2s, and the one of h before it
// by g (a−h)²/2s. So what has come since, g a, is at most 2s/h times the difference of both, and nothing is continued. A kink up and down amid s is twice its mean.

// trend are the last means of a line, the newest first.
type trend struct {
	n      int
	bent   float64 // 2s/h where a kink is amid the time of the newest, else 0
	before float64 // that of the one before it
	points [4]struct{ T, Value float64 }
}

// add takes a mean that belongs to a time.
func (x *trend) add(t, value, bent float64) {
	x.bent, x.before = bent, x.bent
	if x.n > 0 && !(t > x.points[0].T) { // the same row again
		x.points[0].Value = value
		return
	}
	copy(x.points[1:], x.points[:])
	x.points[0].T, x.points[0].Value = t, value
	x.n = min(x.n+1, len(x.points))
}

// at is the value at a time, and by what it may be off; the last mean is one over a span.
func (x *trend) at(t, span float64) (value, within float64) {
	p := &x.points
	if value = p[0].Value; x.n < 2 {
		return value, 0
	}
	h, rise := p[0].T-p[1].T, p[0].Value-p[1].Value
	if x.n < 3 {
		return value, max(1, x.bent, x.before) * math.Abs(rise)
	}
	if bent := max(x.bent, x.before); bent > 0 {
		return value, bent * (math.Abs(rise) + math.Abs(p[1].Value-p[2].Value))
	}
	bend := 0.0
	for k := range x.n - 2 {
		before, now := p[k+1].T-p[k+2].T, p[k].T-p[k+1].T // a mean over next to no time says little of a rise
		bend = max(bend, math.Abs(p[k].Value-p[k+1].Value-(p[k+1].Value-p[k+2].Value)*min(1, now/before)))
	}
	ahead := t - p[0].T
	within = 2 * bend * (math.Abs(ahead*(t-p[1].T))/2 + span*span/16) / (h * h)
	if bend > 0.5*math.Abs(rise) {
		return value, within + math.Abs(rise*ahead/h)
	}
	return value + rise*ahead/h, within
}
