package elementary

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestOrderOfSums: on amd64, where gonum is assembly, the portable products have its bits, of
// all lengths, strides, triangles and factors; and so have what LAPACK makes of them.
func TestOrderOfSums(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("gonum has assembly for amd64 only")
	}
	r := rand.New(rand.NewPCG(3, 4))
	vector := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64() * math.Exp(8*r.Float64())
		}
		return x
	}
	same := func(what string, n int, got, want []float64) {
		t.Helper()
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("%s of %d: entry %d is %v, gonum's %v", what, n, i, got[i], want[i])
			}
		}
	}
	var own BLAS
	var theirs gonum.Implementation
	// Products of blocks.
	x, y := vector(150*200), vector(130*200)
	got, want := make([]float64, 150*130), make([]float64, 150*130)
	own.Dgemm(blas.NoTrans, blas.Trans, 150, 130, 200, 1.5, x, 200, y, 200, 0, got, 130)
	theirs.Dgemm(blas.NoTrans, blas.Trans, 150, 130, 200, 1.5, x, 200, y, 200, 0, want, 130)
	same("A Bᵀ", 200, got, want)
	for n := range 40 {
		for range 10 {
			m, incX, incY := 1+r.IntN(12), 1+r.IntN(3), 1+r.IntN(3)
			k := max(n, m)
			x, y := vector(3*k+1), vector(3*k+1)
			same("x·y", n, []float64{own.Ddot(n, x, incX, y, incY), Dot(x[:n], y)},
				[]float64{theirs.Ddot(n, x, incX, y, incY), floats.Dot(x[:n], y[:n])})
			lda := n + 1 + r.IntN(2)
			a := vector(lda * k)
			alpha, beta := r.NormFloat64(), []float64{0, 1, r.NormFloat64()}[r.IntN(3)]
			got, want := slices.Clone(y), slices.Clone(y)
			own.Dgemv(blas.NoTrans, m, n, alpha, a, lda, x, incX, beta, got, incY)
			theirs.Dgemv(blas.NoTrans, m, n, alpha, a, lda, x, incX, beta, want, incY)
			same("A x", n, got, want)
			got = vector((m + 1) * m)
			want = slices.Clone(got)
			wide := vector(lda * k)
			own.Dgemm(blas.NoTrans, blas.Trans, m, m, n, alpha, a, lda, wide, lda, beta, got, m+1)
			theirs.Dgemm(blas.NoTrans, blas.Trans, m, m, n, alpha, a, lda, wide, lda, beta, want, m+1)
			same("A Bᵀ", n, got, want)
			for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
				got := vector((m + 1) * m)
				want := slices.Clone(got)
				own.Dsyrk(ul, blas.NoTrans, m, n, alpha, a, lda, beta, got, m+1)
				theirs.Dsyrk(ul, blas.NoTrans, m, n, alpha, a, lda, beta, want, m+1)
				same("A Aᵀ", n, got, want)
				for _, d := range []blas.Diag{blas.Unit, blas.NonUnit} {
					got, want := slices.Clone(x), slices.Clone(x)
					own.Dtrmv(ul, blas.NoTrans, d, n, a, lda, got, incX)
					theirs.Dtrmv(ul, blas.NoTrans, d, n, a, lda, want, incX)
					same("triangle times x", n, got, want)
					got, want = slices.Clone(wide), slices.Clone(wide)
					own.Dtrmm(blas.Right, ul, blas.Trans, d, m, n, alpha, a, lda, got, lda)
					theirs.Dtrmm(blas.Right, ul, blas.Trans, d, m, n, alpha, a, lda, want, lda)
					same("B Aᵀ", n, got, want)
					own.Dtrsm(blas.Right, ul, blas.Trans, d, m, n, alpha, a, lda, got, lda)
					theirs.Dtrsm(blas.Right, ul, blas.Trans, d, m, n, alpha, a, lda, want, lda)
					same("B A⁻ᵀ", n, got, want)
				}
			}
		}
	}
	// As programs for other processors do; the packages tested here share no process with others.
	lapack := func(b blas.Float64) []float64 {
		blas64.Use(b)
		defer blas64.Use(gonum.Implementation{})
		r = rand.New(rand.NewPCG(5, 6))
		var all []float64
		for _, n := range []int{1, 3, 17, 31, 170} {
			a := mat.NewDense(n, n, vector(n*n))
			var svd mat.SVD
			var eigen mat.EigenSym
			var chol mat.Cholesky
			s, inverse := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
			s.SymOuterK(1, a)
			if !svd.Factorize(a, mat.SVDFull) || !eigen.Factorize(s, true) || !chol.Factorize(s) {
				t.Fatalf("order %d: no factors", n)
			}
			_ = chol.InverseTo(inverse) // it warns of the condition
			var u, v mat.Dense
			svd.UTo(&u)
			eigen.VectorsTo(&v)
			all = slices.Concat(all, svd.Values(nil), eigen.Values(nil), u.RawMatrix().Data, v.RawMatrix().Data,
				inverse.RawSymmetric().Data)
		}
		return all
	}
	same("LAPACK", 170, lapack(own), lapack(theirs))
}
