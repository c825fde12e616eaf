// Package elementary has functions of package math whose last digit there depends on the
// processor: math.Exp is written in assembly, differently for amd64 and arm64, math.Log for
// amd64 only, and math.Pow and math.Log2 rest on them. Here each operation is rounded, by explicit
// conversions, which forbid the compiler to fuse. All are right to less than a unit in the last
// place, which is tested against package math/big.
package elementary

import "math"

// ln 2 in two parts, the first with so few bits that k·ln2High is exact for |k| < 2^11,
// and its inverse.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
	invLn2  = 0x1.71547652b82fep0
)

// inverseFactorials are 1/2!, 1/3!, …, 1/14!: the remainder r^15/15! of Taylor's series
// is below 1e-19 for |r| <= ½ ln 2.
var inverseFactorials = [...]float64{1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
	1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200}

// Exp returns e^x.
func Exp(x float64) float64 { return exp(x, 0) }

// exp returns e^(x + low), |low| below a unit in the last place of x: with x = k ln 2 + r + c,
// |r| <= ½ ln 2 and c what rounding takes from r, 2^k (1 + r + (c + r² (1/2! + r/3! + …))).
func exp(x, low float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	k := math.RoundToEven(float64(x * invLn2))
	high, rest := x-float64(k*ln2High), float64(k*ln2Low)-low
	r := high - rest
	c := (high - r) - rest
	series := 0.0
	for i := len(inverseFactorials) - 1; i >= 0; i-- {
		series = float64(series*r) + inverseFactorials[i]
	}
	square := float64(r * r)
	return math.Ldexp(1+(r+(c+float64(square*series))), int(k))
}
