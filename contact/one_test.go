package contact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/num"
)

// TestSolveOneMeetsTheLaw draws positive definite blocks over six decades of
// units; the residual, with ρ in the units of r/u, is roundoff.
func TestSolveOneMeetsTheLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2004))
	for k := range 2000 {
		unit := math.Pow(10, 6*rng.Float64()-3)
		var l, w [9]float64
		for i := range l {
			l[i] = rng.NormFloat64()
		}
		for i := range 3 {
			for j := range 3 {
				for m := range 3 {
					w[3*i+j] += unit * l[3*i+m] * l[3*j+m]
				}
			}
			w[4*i] += 0.3 * unit
		}
		b := [3]float64{rng.NormFloat64() - 0.5, rng.NormFloat64(), rng.NormFloat64()}
		dim, mu := 2+k%2, 0.3*rng.Float64()
		if dim == 2 {
			b[2] = 0
		}
		var r [3]float64
		SolveOne(&r, dim, &w, &b, mu)
		u := b
		for i := range dim {
			for j := range dim {
				u[i] += w[3*i+j] * r[j]
			}
		}
		if e := NaturalResidual(Coulomb{Mu: mu}, &r, &u, 1/unit); e > 1e-11/unit*(1+num.Norm(r[:])*unit) {
			t.Fatalf("%d: residual %g for r = %v, u = %v", k, e, r, u)
		}
	}
}

// TestSolveOneByHand: a unit mass in the plane pushed at (−1, 1): μ = 2 sticks,
// μ = 0.5 slides with r = (1, −0.5); b_N > 0 takes off.
func TestSolveOneByHand(t *testing.T) {
	w := [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	for _, c := range []struct {
		mu   float64
		b, r [3]float64
	}{
		{2, [3]float64{-1, 1, 0}, [3]float64{1, -1, 0}},
		{0.5, [3]float64{-1, 1, 0}, [3]float64{1, -0.5, 0}},
		{0.5, [3]float64{1, 1, 0}, [3]float64{}},
		{0, [3]float64{-1, 1, 0}, [3]float64{1, 0, 0}},
	} {
		for dim := 2; dim <= 3; dim++ {
			var r [3]float64
			SolveOne(&r, dim, &w, &c.b, c.mu)
			for k := range r {
				if math.Abs(r[k]-c.r[k]) > 1e-15 {
					t.Errorf("dim %d, mu %g: r = %v, want %v", dim, c.mu, r, c.r)
				}
			}
		}
	}
}
