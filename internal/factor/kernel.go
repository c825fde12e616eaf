package factor

import (
	"math"
	"runtime"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// The dense blocks of a factor are stored by rows, so that both products of
// Cholesky, the update C - A Bᵀ and the triangular solve, are dot products of
// contiguous rows. One register tile of 3×4 dot products does all the work, or where there
// is AVX-512 one of 3×16 or 6×8 entries with the same bits (wide),
// unless blas64.Use has put another BLAS in the place of gonum's, see swapped.
const (
	tileRows = 3
	tileCols = 4
	depth    = 256 // columns per pass: 7 rows of a tile fill less than half of a 32 KiB cache
	wideCols = 16  // columns of C in two registers of AVX-512
	strip    = 120 // rows of A per pass: strip × depth stay in a 512 KiB cache
)

// tileGeneric is tile without assembly, to the same bits: four partial sums by fused
// multiply-adds, (s₀ + s₁) + (s₂ + s₃) subtracted from c. Where the processor has a fused
// multiply-add math.FMA is that instruction. WebAssembly has none: addFused.
func tileGeneric(c []float64, ldc int, a []float64, lda int, b []float64, ldb, k int) {
	for i := range tileRows {
		row := a[i*lda : i*lda+k]
		for j := range tileCols {
			c[i*ldc+j] -= dotFused(row, b[j*ldb:j*ldb+k])
		}
	}
}

// dotFused is xᵀy in the order of the lanes of the assembly, whose last columns, less
// than four, all go to the first lane.
func dotFused(x, y []float64) float64 {
	if runtime.GOARCH == "wasm" {
		var s [4]float64
		addFused(&s, x, y)
		return (s[0] + s[1]) + (s[2] + s[3])
	}
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 = math.FMA(x[0], y[0], s0)
		s1 = math.FMA(x[1], y[1], s1)
		s2 = math.FMA(x[2], y[2], s2)
		s3 = math.FMA(x[3], y[3], s3)
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 = math.FMA(v, y[i], s0)
	}
	return (s0 + s1) + (s2 + s3)
}

// matrix is a dense block stored by rows; entry (i, j) is v[i*ld+j].
type matrix struct {
	v  []float64
	ld int
}

func (a matrix) from(i, j int) matrix { return matrix{a.v[i*a.ld+j:], a.ld} }

// subMulTrans computes C -= A Bᵀ for m rows of A, n rows of B and k columns.
// Only the entries j <= i+diagonal of C are needed; others may change too.
func subMulTrans(c, a, b matrix, m, n, k, diagonal int) {
	if f := swapped(); f != nil && m*n*k >= blasWork {
		f.Dgemm(blas.NoTrans, blas.Trans, m, n, k, -1, a.v, a.ld, b.v, b.ld, 1, c.v, c.ld)
		return
	}
	switch {
	case n < tileCols:
		narrow(c, a, b, m, n, k)
		return
	case wideTiles:
		wide(c, a, b, m, n, k, diagonal)
		return
	case m < tileRows:
		padded(c, a, b, m, n, k)
		return
	}
	for l := 0; l < k; l += depth {
		kl := min(depth, k-l)
		for i := 0; i < m; i += strip {
			end := min(m, i+strip)
			for j := 0; j < min(n, end+diagonal); j += tileCols {
				first := i
				if above := j - diagonal - i; above > 0 {
					first += above / tileRows * tileRows
				}
				for r := first; r < end; r += tileRows {
					anyTile(c, a.from(0, l), b.from(0, l), r, j, m, n, kl)
				}
			}
		}
	}
}

// blasWork is the size of a product from which a swapped BLAS is asked: below,
// what a call costs would be felt.
const blasWork = 32 * 32 * 32

// swapped returns the BLAS that blas64.Use has put in the place of gonum's, or
// nil. Gonum's own is not used for products: it is slower than the tile, see
// docs/decisions/0007-dense-kernels.md.
func swapped() blas.Float64 {
	switch f := blas64.Implementation().(type) {
	case gonum.Implementation, elementary.BLAS:
		return nil
	default:
		return f
	}
}

// wideTiles says that products go to AVX-512, hasFMA that those which do not go to AVX2, with the
// same bits; tests do without.
var wideTiles, hasFMA = hasWide, machineFMA

// anyTile updates the tile at (i, j). A ragged one at the end of m or n is
// computed as the last whole one, and only the entries not yet done are taken.
func anyTile(c, a, b matrix, i, j, m, n, k int) {
	i0, j0 := min(i, m-tileRows), min(j, n-tileCols)
	if i0 == i && j0 == j {
		tile(c.v[i*c.ld+j:], c.ld, a.v[i*a.ld:], a.ld, b.v[j*b.ld:], b.ld, k)
		return
	}
	out := nothing
	tile(out[:], tileCols, a.v[i0*a.ld:], a.ld, b.v[j0*b.ld:], b.ld, k)
	for r := i - i0; r < tileRows; r++ {
		row := c.v[(i0+r)*c.ld+j0:]
		for s := j - j0; s < tileCols; s++ {
			row[s] += out[r*tileCols+s]
		}
	}
}

// nothing is what a sum is subtracted from to be added to an entry with its sign: to -0 nothing is
// added by -0.
var nothing = func() (out [tileRows * tileCols]float64) {
	for i := range out {
		out[i] = math.Copysign(0, -1)
	}
	return out
}()

// narrow is subMulTrans for less columns of C than a tile has.
func narrow(c, a, b matrix, m, n, k int) {
	for i := range m {
		row := a.v[i*a.ld : i*a.ld+k]
		for j := range n {
			c.v[i*c.ld+j] -= dot(row, b.v[j*b.ld:j*b.ld+k])
		}
	}
}

// padded is subMulTrans for less rows than a tile has, the rest of a block
// shared by row: copies with zero rows keep the arithmetic of an entry the same.
func padded(c, a, b matrix, m, n, k int) {
	var rows [tileRows * depth]float64
	for l := 0; l < k; l += depth {
		kl := min(depth, k-l)
		for r := range m {
			copy(rows[r*depth:], a.v[r*a.ld+l:r*a.ld+l+kl])
		}
		for j := 0; j < n; j += tileCols {
			j0 := min(j, n-tileCols)
			out := nothing
			tile(out[:], tileCols, rows[:], depth, b.v[j0*b.ld+l:], b.ld, kl)
			for r := range m {
				for s := j - j0; s < tileCols; s++ {
					c.v[r*c.ld+j0+s] += out[r*tileCols+s]
				}
			}
		}
	}
}
