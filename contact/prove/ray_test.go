package prove

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// TestRayOrSolution: random problems of each law that have a solution are never proved to have none;
// those with a d that moves nothing, W d = 0, in the dual of the motions u that a law allows (normal
// with Coulomb's law, which allows all u_N ≥ 0), against which q goes, q·d < 0, are, by a ray that
// Certifies, whatever the number of contacts and the rank of W.
func TestRayOrSolution(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 5))
	laws := []law.Law{law.Coulomb{Mu: 0.4}, law.Frictionless{}, law.Bilateral{}, law.Coulomb{}, law.Associated{Mu: 0.7}}
	for k := range 120 {
		dim, nc := 2+k%2, 1+k/2%5
		n := dim * nc
		p := &form.Local{Q: make([]float64, n)}
		d, r, against := make([]float64, n), make([]float64, n), 0.0
		for j := range nc {
			l := laws[rng.IntN(len(laws))]
			p.Laws = append(p.Laws, l)
			x := [3]float64{rng.NormFloat64() + 1, rng.NormFloat64()}
			if dim == 3 {
				x[2] = rng.NormFloat64()
			}
			y := [3]float64{1 + rng.Float64(), 0.1 * rng.NormFloat64()}
			l.Project(&y, nil, &y)
			copy(r[dim*j:dim*j+dim], y[:dim])
			if _, friction := l.(law.Coulomb); friction {
				l = law.Frictionless{}
			}
			l.Project(&x, nil, &x)
			copy(d[dim*j:dim*j+dim], x[:dim])
		}
		size := 0.0
		for _, v := range d {
			size += v * v
		}
		if size < 0.1 {
			continue
		}
		rank := 1 + rng.IntN(n)
		w := &form.Dense{D: dim, N: n, Val: make([]float64, n*n)}
		for range rank { // Σ g gᵀ over g normal to d
			g, along := make([]float64, n), 0.0
			for i := range g {
				g[i] = rng.NormFloat64()
				along += g[i] * d[i] / size
			}
			for i := range g {
				g[i] -= along * d[i]
			}
			for i := range n {
				for j := range n {
					w.Val[i*n+j] += g[i] * g[j]
				}
			}
		}
		p.W = w
		for i := range n {
			p.Q[i] = rng.NormFloat64()
			against += p.Q[i] * d[i]
		}
		name := fmt.Sprintf("problem %d: %d contacts in %d dimensions, rank %d", k, nc, dim, rank)
		for i := range n { // now q·d = −‖d‖
			p.Q[i] -= (against + math.Sqrt(size)) * d[i] / size
		}
		var c block.Scaled
		c.Scale(p)
		ray, proved := Ray(nil, &c, p)
		if !proved || !Certifies(p, ray) {
			t.Errorf("%s: ray %v, %t where %v is one", name, ray, proved, d)
		}
		w.MulVec(p.Q, r)
		for i := range n { // r solves it, and no contact moves
			p.Q[i] = -p.Q[i]
		}
		c.Scale(p)
		if ray, proved = Ray(nil, &c, p); proved {
			t.Errorf("%s: ray %v where %v solves", name, ray, r)
		}
	}
}
