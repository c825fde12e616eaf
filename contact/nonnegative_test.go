package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/num"
)

// TestShapedPyramids: polygons of any facets and shape, by Lemke's method and by that of a single
// contact.
func TestShapedPyramids(t *testing.T) {
	rng := rand.New(rand.NewPCG(211, 1))
	for _, facets := range []int{4, 6, 8, 10} {
		for range 10 {
			a := randomBlock(rng, 0)
			b := randomVec(rng)
			b[0] = -math.Abs(b[0]) - 0.5
			p := &Local{W: &Dense{D: 3, N: 3, Val: a[:]}, Q: b[:], Laws: []Law{Pyramid{Mu: 0.1, Facets: facets, Shape: NewShape([4]float64{1.1, 0.3, -0.2, 0.4})}}}
			var lemke, sweep Result
			if err := SolveLocal(context.Background(), p, &Options{Method: MethodLemke, Tolerance: 1e-10}, nil, &lemke); err != nil {
				t.Errorf("%d facets: %v", facets, err)
				continue
			}
			if err := SolveLocal(context.Background(), p, &Options{Method: MethodGaussSeidel, Tolerance: 1e-10}, nil, &sweep); err != nil {
				t.Errorf("%d facets: %v", facets, err)
				continue
			}
			for i := range 3 {
				if math.Abs(lemke.R[i]-sweep.R[i]) > 1e-7*(1+num.Norm(sweep.R)) { // unique at little friction
					t.Errorf("%d facets: %v and %v", facets, lemke.R, sweep.R)
					break
				}
			}
		}
	}
}

// TestNonnegativeByHand: the step back to the bound drops the columns that reach it, and goes the
// part of the way to the first.
func TestNonnegativeByHand(t *testing.T) {
	for _, c := range []struct {
		x, z, want []float64
		kept       []int
	}{
		{[]float64{1, 1}, []float64{2, -1}, []float64{1.5, 0}, []int{0}},
		{[]float64{1, 3}, []float64{-1, -1}, []float64{0, 1}, []int{1}},
		{[]float64{2, 2}, []float64{-2, -2}, []float64{0, 0}, nil},
		{[]float64{1, 0}, []float64{2, -1}, []float64{1, 0}, []int{0}},
		{[]float64{0, 1}, []float64{-3, 2}, []float64{0, 1}, []int{1}},
		{[]float64{1, 1}, []float64{4, 0}, []float64{4, 0}, []int{0}},
	} {
		n := nonnegative{x: slices.Clone(c.x), z: c.z, passive: []int{0, 1}}
		inside := c.z[0] > 0 && c.z[1] > 0
		if n.inside() != inside {
			t.Errorf("z = %v: inside: %t", c.z, n.inside())
		}
		if n.retreat(); !slices.Equal(n.x, c.want) || !slices.Equal(n.passive, c.kept) && len(c.kept)+len(n.passive) > 0 {
			t.Errorf("from %v to %v: %v with %v, want %v with %v", c.x, c.z, n.x, n.passive, c.want, c.kept)
		}
	}
}
