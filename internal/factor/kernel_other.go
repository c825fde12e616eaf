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

// What follows is never called: hasWide is false.

func wide(c, a, b matrix, m, n, k, diagonal int) { panic(noWide) }

func leafRowsWide(x *float64, ld, rows, blocks int, table *leafTable, scaled bool) { panic(noWide) }

func backRowsWide(y *vec3, n int, u *float64, ld int, rows *int32, count int, x *vec3) {
	panic(noWide)
}

func forwardRowsWide(y *[8]float64, l *float64, ld, rows int, x *vec3, blocks int) { panic(noWide) }

func subProductsWide(c *mat3, col *int32, n int, l, b *mat3) { panic(noWide) }

func addWide(dst, src *float64, n int) { panic(noWide) }

const noWide = "factor: no AVX-512"
