package contact

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// TestFixedPointWedge is a particle on the floor, stiffness K = [[1, −c], [−c, 2]]
// in (x, height), pushed by (f, −1): Klarbring's plane, by hand. Slipping to the
// right, u_N = 0: x − f + μ r_N = 0 and r_N = 1 − cx, so x = (f − μ)/(1 − μc).
func TestFixedPointWedge(t *testing.T) {
	const mu, c, f = 1.5, 0.5, 1.75
	b := sparse.NewBuilder(3)
	b.Add(2, 0)
	m := b.Build()
	m.Val[m.Index(0, 0)], m.Val[m.Index(1, 1)], m.Val[m.Index(2, 2)], m.Val[m.Index(2, 0)] = 1, 1, 2, -c
	for _, law := range []Law{Coulomb{Mu: mu}, Coulomb{Mu: 1, Shape: NewShape([4]float64{mu, 0, 0, mu})}} {
		p := &Global{M: m, F: []float64{f, 0, -1}, H: nodal(1), W: make([]float64, 3), Laws: []Law{law}}
		var ws GlobalWorkspace
		var res Result
		if err := SolveFixedPoint(context.Background(), p, 0, &Options{}, &ws, &res); err != nil {
			t.Fatal(err)
		}
		if x, want := res.V[0], (f-mu)/(1-mu*c); math.Abs(x-want) > 1e-12 { // the solver's tolerance
			t.Errorf("x = %.15g, want %.15g", x, want)
		}
	}
}

// TestFixedPointNet: the law of Coulomb holds at every contact of a net.
func TestFixedPointNet(t *testing.T) {
	for _, fx := range []float64{0.1, 0.4, 2} {
		p := net(8, 8, 0, fx)
		for j := range p.Laws {
			p.Laws[j] = Coulomb{Mu: 0.4}
		}
		var ws GlobalWorkspace
		var res Result
		if err := SolveFixedPoint(context.Background(), p, 0, &Options{}, &ws, &res); err != nil {
			t.Fatal(err)
		}
		for j := range p.Laws {
			rn, rt := res.R[3*j], math.Hypot(res.R[3*j+1], res.R[3*j+2])
			ut := math.Hypot(res.U[3*j+1], res.U[3*j+2])
			if rt > 0.4*rn*(1+1e-11) || ut > 1e-12 && rt < 0.4*rn*(1-1e-9) {
				t.Fatalf("fx = %g, contact %d: r_N = %g, |r_T| = %g, |u_T| = %g", fx, j, rn, rt, ut)
			}
		}
	}
}
