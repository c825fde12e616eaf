package elementary

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// BLAS is gonum's, with the products that its assembly for amd64 adds in another order than
// its Go code in that order: the same bits on every processor whose compiler does not fuse
// (see internal/processor). What is not here adds nothing, or in the same order. Wrong arguments
// are left to gonum, which panics.
type BLAS struct{ gonum.Implementation }

var _ blas.Float64 = BLAS{}

// Ddot returns xᵀy.
func (b BLAS) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	switch {
	case n <= 0 || incX <= 0 || incY <= 0 || len(x) <= (n-1)*incX || len(y) <= (n-1)*incY:
		return b.Implementation.Ddot(n, x, incX, y, incY) // empty, backwards or wrong
	case incX == 1 && incY == 1:
		return Dot(x[:n], y)
	}
	s0, s1 := pairs(n, x, incX, y, incY)
	if n%2 == 1 {
		s1 += float64(x[(n-1)*incX] * y[(n-1)*incY])
	}
	return s0 + s1
}

// Dgemv computes y = α A x + β y, or with Aᵀ. Rows are taken by pairs, and the last one of an
// odd number alone: its odd entry comes before its two sums are added and not after.
func (b BLAS) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	if t != blas.NoTrans || m <= 0 || n <= 0 || alpha == 0 || lda < n || incX <= 0 || incY <= 0 ||
		len(x) <= (n-1)*incX || len(y) <= (m-1)*incY || len(a) < lda*(m-1)+n {
		b.Implementation.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY) // no sums, empty, backwards or wrong
		return
	}
	for i := range m {
		row := a[i*lda : i*lda+n]
		s0, s1 := pairs(n, row, 1, x, incX)
		sum, odd := s0+s1, 0.0
		if n%2 == 1 {
			odd = float64(row[n-1] * x[(n-1)*incX])
		}
		if sum += odd; i == m-1 && m%2 == 1 {
			sum = (s0 + odd) + s1
		}
		old := 0.0 // where β is zero y is not read
		if beta != 0 {
			old = float64(beta * y[i*incY])
		}
		y[i*incY] = old + float64(alpha*sum)
	}
}

// Dtrmv computes x = A x, or with Aᵀ, of a triangle.
func (b BLAS) Dtrmv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	if t != blas.NoTrans || n <= 1 || lda < n || incX <= 0 || len(a) < lda*(n-1)+n || len(x) <= (n-1)*incX ||
		ul != blas.Upper && ul != blas.Lower || d != blas.Unit && d != blas.NonUnit {
		b.Implementation.Dtrmv(ul, t, d, n, a, lda, x, incX)
		return
	}
	for k := range n {
		i := k
		from, to := i+1, n
		if ul == blas.Lower {
			i = n - 1 - k
			from, to = 0, i
		}
		own := x[i*incX]
		if d == blas.NonUnit {
			own *= a[i*lda+i]
		}
		x[i*incX] = own + b.Ddot(to-from, a[i*lda+from:i*lda+to], 1, x[min(from*incX, len(x)):], incX)
	}
}

// Blocks of gonum's products of matrices: with at least fewBlocks of them each block sums a
// piece of so many products after the other.
const (
	blockSize = 64
	fewBlocks = 4
)

// Dgemm computes C = α A B + β C, with factors transposed or not.
func (g BLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	if tA != blas.NoTrans || tB == blas.NoTrans || m <= 0 || n <= 0 || k <= 0 || alpha == 0 || lda < k || ldb < k || ldc < n ||
		len(a) < lda*(m-1)+k || len(b) < ldb*(n-1)+k || len(c) < ldc*(m-1)+n {
		g.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	piece := blockSize
	if ((m+blockSize-1)/blockSize)*((n+blockSize-1)/blockSize) < fewBlocks {
		piece = k
	}
	for i := range m {
		for j := range n {
			x := &c[i*ldc+j]
			switch beta {
			case 0:
				*x = 0
			default:
				*x *= beta
			}
			for l := 0; l < k; l += piece {
				*x += float64(alpha * Dot(a[i*lda+l:i*lda+min(k, l+piece)], b[j*ldb+l:]))
			}
		}
	}
}

// Dsyrk computes a triangle of C = α A Aᵀ + β C, or of α Aᵀ A + β C.
func (g BLAS) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if t != blas.NoTrans || n <= 0 || k <= 0 || alpha == 0 || lda < k || ldc < n || len(a) < lda*(n-1)+k ||
		len(c) < ldc*(n-1)+n || ul != blas.Upper && ul != blas.Lower {
		g.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	for i := range n {
		from, to := i, n
		if ul == blas.Lower {
			from, to = 0, i+1
		}
		for j := from; j < to; j++ {
			x, old := &c[i*ldc+j], 0.0
			if beta != 0 {
				old = float64(*x * beta)
			}
			*x = old + float64(alpha*Dot(a[i*lda:i*lda+k], a[j*lda:]))
		}
	}
}

// Dtrmm computes B = α A B or α B A, or with Aᵀ, of a triangle A.
func (g BLAS) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	if !transposedRight(s, ul, t, d, m, n, alpha, a, lda, b, ldb) {
		g.Implementation.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	for i := range m {
		row := b[i*ldb : i*ldb+n]
		for step := range n {
			j, from, to := step, step+1, n
			if ul == blas.Lower {
				j = n - 1 - step
				from, to = 0, j
			}
			x := row[j]
			if d == blas.NonUnit {
				x *= a[j*lda+j]
			}
			row[j] = alpha * (x + Dot(a[j*lda+from:j*lda+to], row[from:]))
		}
	}
}

// Dtrsm solves A X = α B or X A = α B, or with Aᵀ, of a triangle A, into B.
func (g BLAS) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	if !transposedRight(s, ul, t, d, m, n, alpha, a, lda, b, ldb) {
		g.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	for i := range m {
		row := b[i*ldb : i*ldb+n]
		for step := range n {
			j, from, to := step, 0, step
			if ul == blas.Upper {
				j = n - 1 - step
				from, to = j+1, n
			}
			x := float64(alpha*row[j]) - Dot(a[j*lda+from:j*lda+to], row[from:])
			if d == blas.NonUnit {
				x /= a[j*lda+j]
			}
			row[j] = x
		}
	}
}

// transposedRight reports whether a triangle stands transposed on the right of a whole matrix:
// the one of four cases that adds scalar products.
func transposedRight(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) bool {
	return s == blas.Right && (t == blas.Trans || t == blas.ConjTrans) && m > 0 && n > 0 && alpha != 0 && lda >= n && ldb >= n &&
		len(a) >= lda*(n-1)+n && len(b) >= ldb*(m-1)+n && (ul == blas.Upper || ul == blas.Lower) && (d == blas.Unit || d == blas.NonUnit)
}
