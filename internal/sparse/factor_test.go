package sparse

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomSPD returns a diagonally dominant matrix of the given density and
// block size.
func randomSPD(rng *rand.Rand, nodes, block int, density float64) *Sym {
	b := NewBuilder(nodes * block)
	for i := range nodes {
		for j := range i + 1 {
			if i == j || rng.Float64() < density {
				for r := range block {
					for c := range block {
						b.Add(i*block+r, j*block+c)
					}
				}
			}
		}
	}
	a := b.Build()
	makeSPD(rng, a)
	return a
}

// makeSPD fills the values of a such that the diagonal dominates.
func makeSPD(rng *rand.Rand, a *Sym) {
	a.Zero()
	for j := range a.N {
		for p := a.Ptr[j] + 1; p < a.Ptr[j+1]; p++ {
			v := 2*rng.Float64() - 1
			a.Val[p] = v
			a.Val[a.Ptr[j]] += math.Abs(v)
			a.Val[a.Ptr[a.Row[p]]] += math.Abs(v)
		}
		a.Val[a.Ptr[j]] += 0.1 + rng.Float64()
	}
}

// residual returns max|A x - b| / max|b|.
func residual(a *Sym, x, b []float64) float64 {
	ax := make([]float64, a.N)
	a.MulVec(ax, x)
	num, den := 0.0, 0.0
	for i := range ax {
		num = max(num, math.Abs(ax[i]-b[i]))
		den = max(den, math.Abs(b[i]))
	}
	return num / den
}

func TestSolveResidual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a := randomSPD(rng, 1+rng.IntN(40), 1+rng.IntN(3), rng.Float64())
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		f := Analyse(a, Options{})
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
