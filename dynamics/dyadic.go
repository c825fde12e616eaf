package dynamics

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// DyadicStep returns the length of the step between two times of a run of [Adaptive] in stretches,
// see [signal.Stretches], which is that of a stretch over 2^k to the bit, where the difference of
// the times is not. ok is false if the times are not those of such a step.
func DyadicStep(stretches []float64, from, to float64) (h float64, ok bool) {
	i, _ := slices.BinarySearch(stretches, from+(to-from)/2)
	i = min(max(i, 1), len(stretches)-1)
	at, until := stretches[i-1], stretches[i]-stretches[i-1]
	k := math.Round(elementary.Log2(until / (to - from)))
	if !(k >= 1 && k <= lastLevel+1) {
		return h, ok
	}
	h = math.Ldexp(until, -int(k))
	n := (from - at) / h
	return h, math.Abs(n-math.Round(n)) <= timeRounding*(n+at/h) && math.Abs(to-from-h) <= timeRounding*to
}

// timeRounding: a time is a product of two numbers, rounded.
const timeRounding = 4 * 0x1p-53
