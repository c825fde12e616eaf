//go:build !amd64

package factor

// See kernel_amd64.go.
const (
	machineFMA = false
	hasWide    = false
)

// tile subtracts A Bᵀ from the 3×4 block c, where a holds 3 and b 4 rows of
// length k >= 1. The arithmetic of an entry depends on k alone.
func tile(c []float64, ldc int, a []float64, lda int, b []float64, ldb, k int) {
	tileGeneric(c, ldc, a, lda, b, ldb, k)
}

// wide is never called: hasWide is false.
func wide(c, a, b matrix, m, n, k, diagonal int) { panic("factor: no AVX-512") }
