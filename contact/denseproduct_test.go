package contact

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// The product is that of the definition, to the same bits by any number of
// goroutines.
func TestDenseProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, nc := range []int{1, 50, 200} { // on both sides of sharedProduct
		n := 3 * nc
		s := make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				s[i*n+j] = rng.NormFloat64()
				s[j*n+i] = s[i*n+j]
			}
		}
		p := newPrimalSet(3, nc, s)
		x, start := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], start[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		var first []float64
		for _, procs := range []int{1, 2, 4} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			got := slices.Clone(start)
			p.addProduct(got, x)
			if first == nil {
				first = got
			}
			if !slices.Equal(got, first) {
				t.Errorf("%d contacts, %d goroutines: other bits", nc, procs)
			}
		}
		for i := range n {
			want := start[i]
			for j := range n {
				want += s[i*n+j] * x[j]
			}
			if d := math.Abs(first[i] - want); d > 1e-12 { // n products of size 1
				t.Fatalf("%d contacts: row %d is off by %g", nc, i, d)
			}
		}
	}
}
