package factor

import "math"

// addFused is sums[i%4] ← x[i]·y[i] + sums[i%4], each with one rounding, the last i, less than four,
// all in sums[0]: dotFused by sums and products that round to nearest, for a processor without fused
// multiply-add, where package math has it by integers. The bits are those of math.FMA [BM08]:
//
//	a·b = p + e,  s + e = t + t',  p + t = v + v'  (all exact),  the result is v + odd(t' + v').
//
// odd rounds a sum that is no float64 to that one of its two neighbours whose last bit is set:
// what is left then never looks like half a unit of v, and the last rounding is that of the whole.
// To nearest, as a sum is rounded anyhow, does as well unless v + w is halfway between two float64.
// Where w is rounded v' is not 0, so v did not cancel: |v| ≥ |t|/2 (Sterbenz), |w| is at most 3/2
// units of v, and halfway a multiple of a quarter of one, a number of three bits. So odd is asked
// only where the last 24 bits of w are 0, which is seldom.
//
// The parts are exact below 2⁵⁰⁰, where nothing overflows, and from |a·b| = 2⁻⁹⁰⁰ on: the last bit
// of e is at least 2⁻¹⁰⁶ of it, above 2⁻¹⁰⁷⁴. Beyond, math.FMA stays.
//
// All is in one loop: a call for each product takes as long as the product. The conversions to
// float64 keep the compiler from fusing where a processor could.
func addFused(sums *[4]float64, x, y []float64) {
	y = y[:len(x)]
	whole := len(x) &^ 3
	for i, a := range x {
		lane := i & 3
		if i >= whole {
			lane = 0
		}
		b, s := y[i], sums[lane]
		p := float64(a * b)
		if !(math.Abs(a) < 0x1p500 && math.Abs(b) < 0x1p500 && math.Abs(s) < 0x1p500 && math.Abs(p) > 0x1p-900) {
			sums[lane] = fusedAtEdges(a, b, s, p)
			continue
		}
		// Dekker's product of Veltkamp's halves of 26 bits: 2²⁷ + 1 times a number cuts it.
		ca, cb := float64(0x8000001*a), float64(0x8000001*b)
		ah, bh := ca-(ca-a), cb-(cb-b)
		al, bl := a-ah, b-bh
		e := float64(al*bl) - (((p - float64(ah*bh)) - float64(al*bh)) - float64(ah*bl))
		t, tLow := twoSum(s, e)
		v, vLow := twoSum(p, t)
		w := tLow + vLow
		if math.Float64bits(w)&0xffffff == 0 {
			w = odd(tLow, vLow)
		}
		sums[lane] = v + w
	}
}

// fusedAtEdges is math.FMA(a, b, s), quick for what blocks are filled with; p is a·b rounded.
func fusedAtEdges(a, b, s, p float64) float64 {
	if a == 0 || b == 0 {
		return p + s
	}
	return math.FMA(a, b, s)
}

// twoSum is a + b rounded, and what the rounding took away (Knuth, The Art of Computer Programming,
// volume 2, section 4.2.2, theorem B).
func twoSum(a, b float64) (sum, low float64) {
	sum = a + b
	z := sum - a
	return sum, (a - (sum - z)) + (b - z)
}

// odd is a + b, or where that is no float64 the odd one of its two neighbours.
func odd(a, b float64) float64 {
	sum, lost := twoSum(a, b)
	bits := math.Float64bits(sum)
	switch {
	case lost == 0 || bits&1 != 0:
	case (lost > 0) == (sum > 0): // the other neighbour is farther from 0
		bits++
	default:
		bits--
	}
	return math.Float64frombits(bits)
}
