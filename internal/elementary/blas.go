package elementary

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// BLAS is gonum's, with the products that its assembly for amd64 adds in another order than
// its Go code in that order: the same bits on every processor whose compiler does not fuse
// (see internal/processor). What is not here adds nothing, or in the same order; but for the
// matrix products of level 3 with a transposed second factor, and the triangular ones from the
// right, which nothing here uses.
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
func (b BLAS) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
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
