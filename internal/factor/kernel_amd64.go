package factor

import "golang.org/x/sys/cpu"

var hasFMA = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// tileFMA is tileGeneric in AVX2 with fused multiply-adds.
//
//go:noescape
func tileFMA(c *float64, ldc int, a *float64, lda int, b *float64, ldb int, k int)

// tile subtracts A Bᵀ from the 3×4 block c, where a holds 3 and b 4 rows of
// length k >= 1. The arithmetic of an entry depends on k alone.
func tile(c []float64, ldc int, a []float64, lda int, b []float64, ldb, k int) {
	if !hasFMA {
		tileGeneric(c, ldc, a, lda, b, ldb, k)
		return
	}
	// The last entries touched: the bounds checks of the assembly.
	_, _, _ = c[2*ldc+3], a[2*lda+k-1], b[3*ldb+k-1]
	tileFMA(&c[0], ldc, &a[0], lda, &b[0], ldb, k)
}
