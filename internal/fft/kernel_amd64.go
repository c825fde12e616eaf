package fft

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

func (st *stage) apply(y, x []float64) {
	need := st.radix * st.m * st.s * block
	_, _ = x[need-1], y[need-1] // the assembly does not look
	switch {
	case st.radix == 4 && hasAVX2:
		radix4AVX(&y[0], &x[0], &st.twiddle[0], st.m, st.s)
	case st.radix == 2 && hasAVX2:
		radix2AVX(&y[0], &x[0], &st.twiddle[0], st.m, st.s)
	case st.radix == 4:
		radix4Go(y, x, st.twiddle, st.m, st.s)
	case st.radix == 2:
		radix2Go(y, x, st.twiddle, st.m, st.s)
	case st.radix == 3 && hasAVX2:
		radix3AVX(&y[0], &x[0], &st.twiddle[0], st.m, st.s)
	default:
		radix3Go(y, x, st.twiddle, st.m, st.s)
	}
}

//go:noescape
func radix4AVX(y, x, tw *float64, m, s int)

//go:noescape
func radix2AVX(y, x, tw *float64, m, s int)

//go:noescape
func radix3AVX(y, x, tw *float64, m, s int)
