package sparse

import (
	"math/rand/v2"
	"testing"
)

func TestSolveResidual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a := randomSPD(rng, 1+rng.IntN(40), 1+rng.IntN(3), rng.Float64())
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{Method: Simplicial}, {Method: Supernodal}, {Method: Supernodal, Ordering: Natural}} {
			f := Analyse(a, o)
			if err := f.Refactor(a); err != nil {
				t.Fatal(err)
			}
			b := make([]float64, a.N)
			for i := range b {
				b[i] = rng.NormFloat64()
			}
			x := make([]float64, a.N)
			f.Solve(x, b)
			if r := residual(a, x, b); !(r < 1e-12) {
				t.Errorf("n=%d: residual %g", a.N, r)
			}
		}
	}
}
