package energetic

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/sparse"
)

// tridiagonal is the matrix of order n with d on the diagonal and e beside it: its smallest eigenvalue is d − 2|e|cos(π/(n + 1)).
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

// TestSmallestEigen: bounds hold the eigenvalue that is known, 1e-10 of the norm and rounding apart, of definite, singular and indefinite
// matrices of any size; up to denseOrder both are one. How they come about is pinned.
func TestSmallestEigen(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		n    int
		d, e float64
	}{{1, 3, 0}, {12, 2, -1}, {12, 0.5, -1}, {12, -3, 1}, {30, 2, -1}, {5, 2e6, -1e6}, {5, 2e-6, -1e-6}, {7, 5, 1e-4}, {7, -5, 1e-4}, {40, 1, 1e-3}, {denseOrder, 2, -1}, {denseOrder + 1, 2, -1}} {
		a := tridiagonal(c.n, c.d, c.e)
		want := c.d - 2*math.Abs(c.e)*math.Cos(math.Pi/float64(c.n+1))
		norm := math.Abs(c.d) + 2*math.Abs(c.e)
		v, x := smallestSparse(t.Context(), a)
		slack := 2 * float64(c.n) * roundoff * norm
		if !(v.Lo <= want && want <= v.Hi+slack) || v.Hi-v.Lo > eigenTolerance*norm+slack {
			t.Errorf("n = %d, %g beside %g: [%.17g, %.17g], want %.17g", c.n, c.d, c.e, v.Lo, v.Hi, want)
		}
		if math.Abs(norm2(x)-1) > 1e-15*float64(c.n) {
			t.Errorf("n = %d, %g beside %g: a vector of length %g", c.n, c.d, c.e, norm2(x))
		}
		fmt.Fprintf(&b, "%d %g %g: %v %v %s\n", c.n, c.d, c.e, v.Lo, v.Hi, pinned.Bits(x))
		both, _ := smallestEigen(t.Context(), a)
		if dense := c.n <= denseOrder; dense != (both.Lo == both.Hi) || dense && math.Abs(both.Lo-want) > slack || !dense && both != v {
			t.Errorf("n = %d, %g beside %g: [%.17g, %.17g], want %.17g", c.n, c.d, c.e, both.Lo, both.Hi, want)
		}
	}
	if v, _ := smallestEigen(t.Context(), &sparse.Sym{Ptr: []int{0}}); !math.IsInf(v.Lo, 1) || !math.IsInf(v.Hi, 1) {
		t.Errorf("of no order: %v", v)
	}
	if v, x := smallestEigen(t.Context(), tridiagonal(4, math.NaN(), 1)); !math.IsInf(v.Lo, -1) || !math.IsInf(v.Hi, 1) || len(x) != 4 {
		t.Errorf("of what is no number: %v, %v", v, x)
	}
	pinned.Lines(t, "testdata/eigen.txt", flag.Lookup("remake").Value.String() == "true", b.String())
}
