package dynamics

import (
	"context"
	"math"
	"slices"
)

// Approaches of kinks. What is held by a threshold, as of friction, is let go by a load that comes to exceed
// it. Where that happens in the last part of a ramp, less than half a step before its kink, a step that ends
// there holds, as the mean of its load does not exceed the threshold; and so does one twice as long: no
// comparison of steps shows it. With the load growing by g a second from τ ≤ h/2 before the kink on, the
// impulse missed is gτ²/2, and the next stretch, of length H, is made under gτ or about it: its share is τ/2H
// at most. So where something is held up to a kink of its load, the last steps are no longer than the accuracy
// times H. Nor does a step hold that ends at a kink whose load moves what was held, if by a millionth of all forces only, in a
// step of no length: a peak that exceeds the threshold for less than a step holds in all steps around it.

// approach is what of the forces is known where a pair begins that ends at a kink.
type approach struct {
	before, after, ways []float64
	parts               []int // that are held
}

// longTime makes [Variable.Reach] one of forces, whatever the sizes of parts [s].
func (a *Adaptive) longTime() float64 { return 0x1p100 * a.o.Until }

// begin takes the forces at the start of the pair.
func (x *approach) begin(a *Adaptive) { x.before = a.v.Reach(x.before, a.longTime()) }

// steep reports whether the pair, at whose end the stepper is, is longer than what it holds may be: parts that go in
// it by less than the accuracy of what the change of their loads would move them by alone, and by more in a step that
// is as long as the last one may be, behind the kink.
func (x *approach) steep(ctx context.Context, a *Adaptive) bool {
	s := &a.state
	if s.Even > 0 || !a.kinkAhead() || s.Level >= a.finest(s.Stretch) {
		return false
	}
	probe := a.o.Accuracy * a.length(s.Stretch+1)
	x.after, x.ways = a.v.Reach(x.after, a.longTime()), a.v.Distances(x.ways, a.slots[0])
	held := func(p int, time float64) bool {
		return x.ways[p] < a.o.Accuracy*math.Pow(time/a.longTime(), 2)*math.Abs(x.after[p]-x.before[p])
	}
	parts := x.parts[:0]
	for p := range min(len(x.after), len(x.before)) {
		if held(p, 2*a.half()) {
			parts = append(parts, p)
		}
	}
	if x.parts = parts; len(parts) == 0 {
		return false
	}
	a.v.Keep(a.slots[2])
	moves := func(time float64, held func(p int, time float64) bool) bool {
		s.Stats.Rejected++
		err := a.v.Advance(ctx, time, a.time(s.At+1)+time)
		x.ways = a.v.Distances(x.ways, a.slots[2])
		return a.v.Return(a.slots[2]) != nil || err != nil || slices.ContainsFunc(parts, func(p int) bool { return !held(p, time) })
	}
	return a.half() > probe && moves(probe, held) || moves(0x1p-20*a.half(), func(p int, time float64) bool {
		return x.ways[p] < 1e-6*math.Pow(time/a.longTime(), 2)*x.after[p]
	})
}

// kinkAhead reports whether the next pair ends at a kink of loads.
func (a *Adaptive) kinkAhead() bool {
	return a.state.Stretch+2 < len(a.marks) && a.state.At+1 == int64(1)<<a.state.Level
}
