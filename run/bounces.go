package run

import "math"

// Bounces. What bounces lower and lower comes to rest after infinitely many hits. No run makes them
// all: it ends the series early, in a step or at a speed that counts as none. With intervals that
// shrink by r = Δ_n/Δ_{n−1} each time, as those of restitution under a constant weight do, they
// accumulate at
//
//	t_∞ = t_n + Δ_n (r + r² + …) = t_n + Δ_n r/(1 − r),
//
// which is off by what it is from the r before, and by what t_n is off by.

// bounces are the last hits of one pair.
type bounces struct {
	Name  string
	Times [4]float64 // the last one last [s]
	Count int
	Off   float64 // what the last is off by [s]
}

// add takes a hit whose time is known, as near the end those are not that runs beside this one do not
// make. One of another pair begins anew.
func (b *bounces) add(e *Event) {
	if math.IsInf(e.Within, 1) {
		return
	}
	if e.Name != b.Name {
		*b = bounces{Name: e.Name}
	}
	copy(b.Times[:], b.Times[1:])
	b.Times[len(b.Times)-1] = e.T
	b.Count, b.Off = b.Count+1, e.Within
}

// end is where the series ends; not ok: the hits are no such series.
func (b *bounces) end() (c Change, ok bool) {
	if b.Count < len(b.Times) {
		return c, false
	}
	t := &b.Times
	last := t[3] - t[2]
	r, before := last/(t[2]-t[1]), (t[2]-t[1])/(t[1]-t[0])
	if !(r > 0 && r < 1 && before > 0 && before < 1) {
		return c, false
	}
	left, other := last*r/(1-r), last*before/(1-before)
	return Change{T: t[3] + left, Within: math.Abs(left-other) + b.Off}, true
}
