package friction

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Stribeck is μ_k + (μ_s − μ_k) exp(−(v/v_s)^δ).
type Stribeck struct{ Static, Kinetic, Speed, Exponent float64 }

var _ Law = Stribeck{}

// Mu implements [Law].
func (l Stribeck) Mu(speed float64) float64 {
	return l.Kinetic + (l.Static-l.Kinetic)*elementary.Exp(-elementary.Pow(speed/l.Speed, l.Exponent))
}

// Weakening implements [Law]: with x = v/v_s the slope (μ_s − μ_k)/v_s δ x^(δ−1) exp(−x^δ) has its
// one maximum where x^δ = 1 − 1/δ.
func (l Stribeck) Weakening(from, to float64) float64 {
	d := l.Exponent
	x := min(max(elementary.Pow(1-1/d, 1/d), from/l.Speed), to/l.Speed)
	return (l.Static - l.Kinetic) / l.Speed * d * elementary.Pow(x, d-1) * elementary.Exp(-elementary.Pow(x, d))
}

// Bounds implements [Law].
func (l Stribeck) Bounds() (least, most float64) { return l.Kinetic, l.Static }

// Validate implements [Law].
func (l Stribeck) Validate() error {
	if !(l.Speed > 0) || math.IsInf(l.Speed, 1) {
		return fmt.Errorf("found \"speed\" %g, want a number > 0", l.Speed)
	}
	if !(l.Exponent >= 1 && l.Exponent <= mostExponent) {
		return fmt.Errorf("found \"exponent\" %g, want a number from 1 to %d: below 1 friction falls without bound at rest, and no step has one solution",
			l.Exponent, mostExponent)
	}
	return falls(l.Static, l.Kinetic)
}

// mostExponent is steeper than any that was measured; from some hundred on it is a jump [-].
const mostExponent = 100
