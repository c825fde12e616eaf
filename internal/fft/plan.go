package fft

import "math"

// lanes is the number of vectors that are transformed together; a block holds one
// entry of each, real parts first.
const (
	lanes = 8
	block = 2 * lanes
)

// plan transforms eight complex vectors of length n by the decimation in frequency
// of Stockham [VanLoan, 1.7]: a stage of radix r takes n = r·m at stride s to n/r
// at stride r·s,
//
//	y[q + s(r p + k)] = w^(kp) Σ_l x[q + s(p + l m)] e^(−2πi kl/r),   w = e^(−2πi/n).
type plan struct {
	n      int
	stages []stage
}

type stage struct {
	radix, m, s int
	twiddle     []float64 // w^p, …, w^((radix−1)p), real and imaginary, for p < m
}

func newPlan(n int) *plan {
	pl := &plan{n: n}
	rest, s := n, 1
	for rest > 1 {
		r := radix(rest)
		st := stage{radix: r, m: rest / r, s: s}
		for p := range st.m {
			for k := 1; k < r; k++ {
				sin, cos := unit(k*p%rest, rest)
				st.twiddle = append(st.twiddle, cos, -sin)
			}
		}
		pl.stages = append(pl.stages, st)
		rest, s = rest/r, s*r
	}
	return pl
}

// radix is the next factor: 4 as long as it divides, since it saves passes.
func radix(n int) int {
	switch {
	case n%4 == 0:
		return 4
	case n%2 == 0:
		return 2
	}
	return 3
}

// unit returns sin and cos of 2πj/n, exact in the octants.
func unit(j, n int) (sin, cos float64) {
	switch a := 8 * j; {
	case a > 4*n: // below the axis
		sin, cos = unit(n-j, n)
		return -sin, cos
	case a > 2*n: // left of it
		sin, cos = half(4*j-n, 4*n)
		return cos, -sin
	case a > n: // above the diagonal: π/2 − angle
		sin, cos = half(n-4*j, 4*n)
		return cos, sin
	}
	return half(4*j, 4*n)
}

func half(j, n int) (sin, cos float64) {
	return math.Sincos(2 * math.Pi * float64(j) / float64(n))
}

// Smooth returns the least length >= n that plans have: 2^a·{1, 3, 9}, a >= 2.
func Smooth(n int) int {
	best := 0
	for _, odd := range [...]int{1, 3, 9} {
		m := 4 * odd
		for m < n {
			m *= 2
		}
		if best == 0 || m < best {
			best = m
		}
	}
	return best
}

// transform overwrites a, of n blocks, by its transform; b is scratch of the same
// length. It returns where the result is: a or b.
func (pl *plan) transform(a, b []float64) (result, scratch []float64) {
	for i := range pl.stages {
		st := &pl.stages[i]
		st.apply(b, a)
		a, b = b, a
	}
	return a, b
}
