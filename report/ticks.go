//go:build !js

package report

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// even marks three to eight multiples of 1, 2 or 5 times a power of ten.
type even struct{}

// Ticks implements plot.Ticker.
func (even) Ticks(low, high float64) []plot.Tick {
	step := spacing((high - low) / 5)
	ticks := marks(low, high, step)
	if len(ticks) < 3 { // the next finer one
		ticks = marks(low, high, spacing(step/2.5))
	}
	return ticks
}

// marks returns the multiples of a step.
func marks(low, high, step float64) []plot.Tick {
	digits := max(0, -int(math.Floor(math.Log10(step))))
	var ticks []plot.Tick
	first := math.Ceil(low/step - 1e-9)
	for k := range 9 { // eight at most; the bound is against overflow
		v := (first + float64(k)) * step
		if !(v <= high+1e-9*step) {
			break
		}
		label := strconv.FormatFloat(v+0, 'f', digits, 64)                 // + 0 turns −0 into 0
		if a := max(math.Abs(low), math.Abs(high)); a >= 1e5 || a < 1e-3 { // with the digits that tell marks apart
			label = strconv.FormatFloat(v+0, 'g', min(max(4, int(math.Log10(a/step))+2), 17), 64)
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}

// spacing rounds up to 1, 2 or 5 times a power of ten.
func spacing(d float64) float64 {
	if !(d > 0) || math.IsInf(d, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(d)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= d {
			return m * power
		}
	}
	return 10 * power
}

// decades marks powers of ten by their exponents, about six of them.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	from, to := int(math.Ceil(low)), int(math.Floor(high))
	step := max(1, (to-from+5)/6)
	var ticks []plot.Tick
	for e := from; e <= to; e += step {
		ticks = append(ticks, plot.Tick{Value: float64(e), Label: fmt.Sprintf("1e%d", e)})
	}
	return ticks
}
