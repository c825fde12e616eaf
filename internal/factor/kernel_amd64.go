package factor

import "golang.org/x/sys/cpu"

// What the processor has: AVX2 with fused multiply-adds, AVX-512.
var (
	machineFMA = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	hasWide    = machineFMA && cpu.X86.HasAVX512F
)

// tileFMA is tileGeneric in AVX2 with fused multiply-adds.
//
//go:noescape
func tileFMA(c *float64, ldc int, a *float64, lda int, b *float64, ldb int, k int)

// stripWide is C -= A Bᵀ in AVX-512 for m rows of A, n <= wideCols rows of B and k <= depth
// columns, with the arithmetic of tileGeneric.
//
//go:noescape
func stripWide(c *float64, ldc int, a *float64, lda int, b *float64, ldb int, m, n, k int)

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

// wide is subMulTrans for four columns of C and more, where the processor has AVX-512.
func wide(c, a, b matrix, m, n, k, diagonal int) {
	for l := 0; l < k; l += depth {
		kl := min(depth, k-l)
		for j := 0; j < min(n, m+diagonal); j += wideCols {
			i, nj := max(0, j-diagonal), min(wideCols, n-j)
			ci, ai, bj := c.v[i*c.ld+j:], a.v[i*a.ld+l:], b.v[j*b.ld+l:]
			// The last entries touched: the bounds checks of the assembly.
			_, _, _ = ci[(m-i-1)*c.ld+nj-1], ai[(m-i-1)*a.ld+kl-1], bj[(nj-1)*b.ld+kl-1]
			stripWide(&ci[0], c.ld, &ai[0], a.ld, &bj[0], b.ld, m-i, nj, kl)
		}
	}
}

// leafRowsWide is leafRows in AVX-512.
//
//go:noescape
func leafRowsWide(x *float64, ld, rows, blocks int, table *leafTable, scaled bool)

// backRowsWide is subRows in AVX-512 for n <= wideCols columns.
//
//go:noescape
func backRowsWide(y *vec3, n int, u *float64, ld int, rows *int32, count int, x *vec3)

// forwardRowsWide is subProductRows in AVX-512 for up to eight rows.
//
//go:noescape
func forwardRowsWide(y *[8]float64, l *float64, ld, rows int, x *vec3, blocks int)

// subProductsWide is SubProducts of n >= 1 blocks in AVX-512.
//
//go:noescape
func subProductsWide(c *mat3, col *int32, n int, l, b *mat3)

// addWide adds n >= 0 numbers in AVX-512.
//
//go:noescape
func addWide(dst, src *float64, n int)
