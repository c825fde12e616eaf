package sensitivity

import (
	"math"
	"math/rand/v2"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// unit is one contact of mobility 1 in all directions.
func unit(l law.Law, q ...float64) *form.Local {
	n := len(q)
	w := &form.Dense{D: n, N: n, Val: make([]float64, n*n)}
	for i := range n {
		w.Val[i*(n+1)] = 1
	}
	return &form.Local{W: w, Q: q, Laws: []law.Law{l}}
}

// randomProblem returns a problem of nc contacts on a few bodies: W = HᵀH, of
// full rank if rank is at least dim·nc.
func randomProblem(rng *rand.Rand, dim, nc, rank int, draw func() law.Law) *form.Local {
	n := dim * nc
	h := make([]float64, rank*n)
	for k := range h {
		h[k] = rng.NormFloat64() / math.Sqrt(float64(rank))
	}
	w := &form.Dense{D: dim, N: n, Val: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			for k := range rank {
				w.Val[i*n+j] += h[k*n+i] * h[k*n+j]
			}
		}
	}
	p := &form.Local{W: w, Q: make([]float64, n)}
	for j := range nc {
		for k := range dim {
			p.Q[dim*j+k] = rng.NormFloat64()
		}
		p.Q[dim*j] -= 1
		p.Laws = append(p.Laws, draw())
	}
	return p
}
