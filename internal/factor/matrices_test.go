package factor

import (
	"math"
	"math/rand/v2"

	"github.com/quasistatic/quasistatic/sparse"
)

// gridMatrix is the matrix of an x×y×z grid with a dense block at each pair of
// neighbouring nodes: 26 neighbours if full, else 6.
func gridMatrix(x, y, z, block int, full bool) *sparse.Sym {
	b := sparse.NewBuilder(x * y * z * block)
	node := func(i, j, k int) int { return (k*y+j)*x + i }
	for k := range z {
		for j := range y {
			for i := range x {
				for d := range 27 {
					di, dj, dk := d%3-1, d/3%3-1, d/9-1
					if !full && di*di+dj*dj+dk*dk > 1 {
						continue
					}
					if i+di < 0 || i+di >= x || j+dj < 0 || j+dj >= y || k+dk < 0 || k+dk >= z {
						continue
					}
					addBlock(b, node(i, j, k), node(i+di, j+dj, k+dk), block)
				}
			}
		}
	}
	a := b.Build()
	makeSPD(rand.New(rand.NewPCG(3, 4)), a)
	return a
}

// addBlock couples all columns of the nodes i and j.
func addBlock(b *sparse.Builder, i, j, block int) {
	if i < j {
		return
	}
	for r := range block {
		for c := range block {
			b.Add(i*block+r, j*block+c)
		}
	}
}

// randomSPD returns a diagonally dominant matrix of the given density and
// block size.
func randomSPD(rng *rand.Rand, nodes, block int, density float64) *sparse.Sym {
	b := sparse.NewBuilder(nodes * block)
	for i := range nodes {
		for j := range i + 1 {
			if i == j || rng.Float64() < density {
				addBlock(b, i, j, block)
			}
		}
	}
	a := b.Build()
	makeSPD(rng, a)
	return a
}

// makeSPD fills the values of a such that the diagonal dominates.
func makeSPD(rng *rand.Rand, a *sparse.Sym) {
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
func residual(a *sparse.Sym, x, b []float64) float64 {
	ax := make([]float64, a.N)
	a.MulVec(ax, x)
	num, den := 0.0, 0.0
	for i := range ax {
		num = max(num, math.Abs(ax[i]-b[i]))
		den = max(den, math.Abs(b[i]))
	}
	return num / den
}
