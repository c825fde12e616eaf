package dynamics

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/signal"
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

// LongestStep returns the longest step at which loads are seen as they are: an eighth of the
// shortest period that their first two derivatives admit; 0 if they say nothing. Kinks are
// for [AdaptiveOptions.Breaks].
func LongestStep(loads ...signal.Scalar) float64 {
	longest := 0.0
	for _, s := range loads {
		second, _ := signal.DerivativeBound(s, 2)
		third, _ := signal.DerivativeBound(s, 3)
		if !(third > 0) { // not known, or of pieces of the first degree
			continue
		}
		if h := 2 * math.Pi * second / third / 8; longest == 0 || h < longest { // ω = third/second
			longest = h
		}
	}
	return longest
}
