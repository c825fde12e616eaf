package factor

import (
	"math"
	"runtime"
)

// fused is x·y + z with one rounding: the instruction of the processor where there is one, and
// [fusedBySums] in WebAssembly, which has none; package math emulates it by integers there.
func fused(x, y, z float64) float64 {
	if runtime.GOARCH == "wasm" {
		return fusedBySums(x, y, z)
	}
	return math.FMA(x, y, z)
}

// fusedBySums is math.FMA, bit for bit, by sums and products that round to nearest (Boldo and
// Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd,
// IEEE Trans. Comput. 57, 2008, algorithm 5):
//
//	x·y = p + e,  z + e = t + t',  p + t = v + v'  (all exact),  the result is v + odd(t' + v').
//
// odd rounds a sum that is no float64 to that one of its two neighbours whose last bit is set:
// what is left then never looks like half a unit of v, and the last rounding is that of the whole.
//
// The parts are exact below 2⁵⁰⁰, where nothing overflows, and from |x·y| = 2⁻⁹⁰⁰ on: the last bit
// of e is at least 2⁻¹⁰⁶ of it, above 2⁻¹⁰⁷⁴. Beyond, math.FMA stays. The conversions to float64
// keep the compiler from fusing a product with a sum where a processor could.
func fusedBySums(x, y, z float64) float64 {
	p := float64(x * y)
	if !(math.Abs(x) < 0x1p500 && math.Abs(y) < 0x1p500 && math.Abs(z) < 0x1p500 && math.Abs(p) > 0x1p-900) {
		if x == 0 || y == 0 {
			return p + z
		}
		return math.FMA(x, y, z)
	}
	// Dekker's product of Veltkamp's halves of 26 bits: 2²⁷ + 1 times a number cuts it.
	cx, cy := float64(0x8000001*x), float64(0x8000001*y)
	xh, yh := cx-(cx-x), cy-(cy-y)
	xl, yl := x-xh, y-yh
	e := float64(xl*yl) - (((p - float64(xh*yh)) - float64(xl*yh)) - float64(xh*yl))

	t, tLow := twoSum(z, e)
	v, vLow := twoSum(p, t)
	w, lost := twoSum(tLow, vLow)
	if lost != 0 {
		if bits := math.Float64bits(w); bits&1 == 0 {
			// The other neighbour is farther from 0 where what was lost has the sign of w.
			if (lost > 0) == (w > 0) {
				bits++
			} else {
				bits--
			}
			w = math.Float64frombits(bits)
		}
	}
	return v + w
}

// twoSum is a + b rounded, and what the rounding took away (Knuth, The Art of Computer Programming,
// volume 2, section 4.2.2, theorem B).
func twoSum(a, b float64) (sum, low float64) {
	sum = a + b
	z := sum - a
	return sum, (a - (sum - z)) + (b - z)
}
