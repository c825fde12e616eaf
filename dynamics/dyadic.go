package dynamics

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// DyadicStep returns the length of the step between two times of a run of [Adaptive], which
// is until/2^k to the bit, where the difference of the times is not. ok is false if the times
// are not those of such a step.
func DyadicStep(until, from, to float64) (h float64, ok bool) {
	k := math.Round(elementary.Log2(until / (to - from)))
	if !(k >= 1 && k <= lastLevel+1) {
		return h, ok
	}
	h = math.Ldexp(until, -int(k))
	at := from / h
	return h, math.Abs(at-math.Round(at)) <= timeRounding*at && math.Abs(to-from-h) <= timeRounding*to
}

// timeRounding: a time is a product of two numbers, rounded.
const timeRounding = 4 * 0x1p-53
