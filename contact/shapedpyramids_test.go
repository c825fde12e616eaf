package contact

import (
	"context"
	"math"
	"math/rand/v2"
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
			p := &Local{W: &Dense{D: 3, N: 3, Val: a[:]}, Q: b[:],
				Laws: []Law{Pyramid{Mu: 0.1, Facets: facets, Shape: NewShape([4]float64{1.1, 0.3, -0.2, 0.4})}}}
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
