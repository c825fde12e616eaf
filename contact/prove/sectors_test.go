package prove

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// TestSectors: of one contact and of two, problems made of a solution that is open, sticks or slips
// are not called infeasible where nobody finds it, what is tried is near, and one that is pulled down
// with nothing to give way is.
func TestSectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for k := range 40 {
		nc := 1 + k%2
		n := 3 * nc
		g := make([]float64, n*n)
		for i := range g {
			g[i] = rng.NormFloat64()
		}
		w := &form.Dense{D: 3, N: n, Val: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				for l := range n {
					w.Val[i*n+j] += g[l*n+i] * g[l*n+j]
				}
			}
		}
		const mu = 0.6
		p := &form.Local{W: w, Q: make([]float64, n)}
		r := make([]float64, n)
		for j := range nc {
			p.Laws = append(p.Laws, law.Coulomb{Mu: mu})
			angle := 2 * math.Pi * rng.Float64()
			sin, cos := math.Sincos(angle)
			switch (k/2 + j) % 3 {
			case 0: // slips at some angle
				r[3*j], r[3*j+1], r[3*j+2] = 1, -mu*cos, -mu*sin
				p.Q[3*j+1], p.Q[3*j+2] = cos, sin
			case 1: // sticks, nearly at the edge of its cone
				r[3*j], r[3*j+1], r[3*j+2] = 1, 0.99*mu*cos, 0.99*mu*sin
			default: // open
				p.Q[3*j], p.Q[3*j+1] = 1, rng.NormFloat64()
			}
		}
		u := make([]float64, n)
		w.MulVec(u, r)
		for i := range u {
			p.Q[i] -= u[i]
		}
		var c block.Scaled
		c.Scale(p)
		near, found := math.Inf(1), make([]float64, n)
		status := Sectors(t.Context(), &c, func(x []vec3) bool {
			c.Expand(found, x)
			far := 0.0
			for i, v := range found {
				far = max(far, math.Abs(v-r[i]))
			}
			near = min(near, far)
			return false
		})
		if status == form.Infeasible || nc == 1 && near > 0.1 { // sectors are as narrow as they get
			t.Errorf("problem %d: %v, what is tried is %g away", k, status, near)
		}
		if status := Sectors(t.Context(), &c, func([]vec3) bool { return true }); status != form.Converged {
			t.Errorf("problem %d: %v where the first try is right", k, status)
		}
	}
	none := &form.Local{W: &form.Dense{D: 3, N: 3, Val: []float64{0, 0, 0, 0, 1, 0, 0, 0, 1}}, Q: []float64{-1, 0, 0},
		Laws: []law.Law{law.Coulomb{Mu: 0.5}}}
	var c block.Scaled
	c.Scale(none)
	if status := Sectors(t.Context(), &c, func([]vec3) bool { return false }); status != form.Infeasible {
		t.Errorf("%v of a contact that nothing opens", status)
	}
	if ray, found := Ray(nil, &c, none); !found || !(ray[0] > 0) {
		t.Errorf("ray %v, %t", ray, found)
	}
}
