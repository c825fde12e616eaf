//go:build !amd64

package factor

// tile subtracts A Bᵀ from the 3×4 block c, where a holds 3 and b 4 rows of
// length k >= 1. The arithmetic of an entry depends on k alone.
func tile(c []float64, ldc int, a []float64, lda int, b []float64, ldb, k int) {
	tileGeneric(c, ldc, a, lda, b, ldb, k)
}
