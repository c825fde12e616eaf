//go:build !amd64

package fft

func (st *stage) apply(y, x []float64) {
	switch st.radix {
	case 4:
		radix4Go(y, x, st.twiddle, st.m, st.s)
	case 2:
		radix2Go(y, x, st.twiddle, st.m, st.s)
	default:
		radix3Go(y, x, st.twiddle, st.m, st.s)
	}
}
