package eigen_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/eigen"
	"github.com/quasistatic/quasistatic/sparse"
)

// tridiagonal is the matrix of order n with d on the diagonal and e beside it: its smallest
// eigenvalue is d − 2|e|cos(π/(n + 1)).
func tridiagonal(n int, d, e float64) *sparse.Sym {
	b := sparse.NewBuilder(n)
	for i := 1; i < n; i++ {
		b.Add(i, i-1)
	}
	a := b.Build()
	for c := range n {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			if a.Val[k] = e; a.Row[k] == c {
				a.Val[k] = d
			}
		}
	}
	return a
}

// TestClosedForms: bounds hold the eigenvalue that is known, 1e-10 of the norm and rounding apart,
// of definite, singular and indefinite matrices; up to the order Dense both are one.
func TestClosedForms(t *testing.T) {
	for _, c := range []struct {
		n    int
		d, e float64
	}{{1, 3, 0}, {12, 2, -1}, {12, 0.5, -1}, {5, 2e6, -1e6}, {5, 2e-6, -1e-6}, {eigen.DenseOrder, 2, -1},
		{eigen.DenseOrder + 1, 2, -1}, {300, 0.5, -1}, {300, -3, 1}, {300, 5e6, 1e2}, {300, -5e-6, 1e-10}, {300, 0, 0}} {
		want := c.d - 2*math.Abs(c.e)*math.Cos(math.Pi/float64(c.n+1))
		norm := math.Abs(c.d) + 2*math.Abs(c.e)
		lo, hi, x := eigen.Smallest(t.Context(), tridiagonal(c.n, c.d, c.e))
		slack := 2 * float64(c.n) * 0x1p-50 * norm
		if !(lo <= want+slack && want <= hi+slack) || hi-lo > 1e-10*norm+slack {
			t.Errorf("n = %d, %g beside %g: [%.17g, %.17g], want %.17g", c.n, c.d, c.e, lo, hi, want)
		}
		if math.Abs(floats.Norm(x, 2)-1) > 1e-15*float64(c.n) {
			t.Errorf("n = %d, %g beside %g: a vector of length %g", c.n, c.d, c.e, floats.Norm(x, 2))
		}
		if c.n <= eigen.DenseOrder && lo != hi {
			t.Errorf("n = %d: [%.17g, %.17g], want one number", c.n, lo, hi)
		}
	}
}

// TestAgainstDense: the bounds of random matrices, with a full block and a sparse rest, contain the
// eigenvalue of dense algebra, and the vector has it as its Rayleigh quotient.
func TestAgainstDense(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n, block = eigen.DenseOrder + 10, 12
	for range 4 {
		b := sparse.NewBuilder(n)
		for i := range n {
			for j := range min(i, block) {
				if i < block || i%block == j {
					b.Add(i, j)
				}
			}
		}
		a := b.Build()
		dense := mat.NewSymDense(n, nil)
		for c := range n {
			for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
				a.Val[k] = r.NormFloat64()
				dense.SetSym(a.Row[k], c, a.Val[k])
			}
		}
		var eig mat.EigenSym
		if !eig.Factorize(dense, false) {
			t.Fatal("no eigenvalues")
		}
		want, norm := eig.Values(nil)[0], eigen.RowSum(a)
		lo, hi, x := eigen.Smallest(t.Context(), a)
		if lo > want+1e-12*norm || hi < want-1e-12*norm || hi-lo > 1e-9*norm {
			t.Errorf("[%g, %g], want %g", lo, hi, want)
		}
		y := make([]float64, n)
		if a.MulVec(y, x); math.Abs(floats.Dot(x, y)-want) > 1e-6*norm {
			t.Errorf("Rayleigh quotient %g, want %g", floats.Dot(x, y), want)
		}
	}
}

// TestNoMatrix: entries that are no numbers leave the eigenvalue unknown; a matrix of no order has
// none.
func TestNoMatrix(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, n := range []int{3, 300} {
			a := tridiagonal(n, 2, -1)
			a.Val[2] = bad
			if lo, hi, x := eigen.Smallest(t.Context(), a); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) || len(x) != n {
				t.Errorf("%g in order %d: [%g, %g], %d", bad, n, lo, hi, len(x))
			}
		}
	}
	if lo, hi, _ := eigen.Smallest(t.Context(), &sparse.Sym{Ptr: []int{0}}); !math.IsInf(lo, 1) || !math.IsInf(hi, 1) {
		t.Errorf("of no order: [%g, %g]", lo, hi)
	}
}
