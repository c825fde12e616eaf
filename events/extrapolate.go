package events

import "math"

// extrapolation integrates ẏ = F(t, y) by Gragg's modified midpoint rule in 2, 4, 6, … substeps,
// extrapolated in the square of their length: of order 2·levels [Hairer93, II.9].
type extrapolation struct {
	rhs              func(dy []Real, t Real, y []Real)
	f0, f            []Real
	before, mid, end []Real
	table            [levels][]Real
}

// levels of the extrapolation: order 12, 43 evaluations a step.
const levels = 6

func newExtrapolation(n int, rhs func(dy []Real, t Real, y []Real)) *extrapolation {
	x := &extrapolation{rhs: rhs}
	for _, v := range []*[]Real{&x.f0, &x.f, &x.before, &x.mid, &x.end} {
		*v = make([]Real, n)
	}
	for k := range x.table {
		x.table[k] = make([]Real, n)
	}
	return x
}

// step stores in dst the solution at t + h from y at t, and in off the distance to that of
// the level below. begin says that y is not that of the step before.
func (x *extrapolation) step(dst, off []Real, t, h Real, y []Real, begin bool) {
	if begin {
		x.rhs(x.f0, t, y)
	}
	for k := range x.table {
		n := 2 * (k + 1)
		x.midpoint(x.table[k], t, h, y, n)
		for j := k - 1; j >= 0; j-- {
			ratio := float64(n) / float64(2*(j+1))
			w := Real(1 / (ratio*ratio - 1))
			for i := range y {
				x.table[j][i] = x.table[j+1][i] + w*(x.table[j+1][i]-x.table[j][i])
			}
		}
	}
	for i := range y {
		dst[i] = x.table[0][i]
		off[i] = Real(math.Abs(float64(x.table[0][i] - x.table[1][i])))
	}
}

// midpoint stores the smoothed result of n substeps.
func (x *extrapolation) midpoint(dst []Real, t, h Real, y []Real, n int) {
	s := h / Real(n)
	copy(x.before, y)
	for i := range y {
		x.mid[i] = y[i] + s*x.f0[i]
	}
	for m := 1; m < n; m++ {
		x.rhs(x.f, t+Real(m)*s, x.mid)
		for i := range y {
			x.end[i] = x.before[i] + 2*s*x.f[i]
		}
		x.before, x.mid, x.end = x.mid, x.end, x.before
	}
	x.rhs(x.f, t+h, x.mid)
	for i := range y {
		dst[i] = (x.mid[i] + x.before[i] + s*x.f[i]) / 2
	}
}
