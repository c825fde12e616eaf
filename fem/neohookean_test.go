package fem_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestNeoHookeanDerivatives compares with central differences; with the step
// 1e-5 and moduli of 1e3 their error is about 1e-6 of the entries.
func TestNeoHookeanDerivatives(t *testing.T) {
	for _, m := range []*fem.Mesh{box(t, []float64{1, 1}, 2, 2), box(t, []float64{1, 1, 1}, 1, 2, 1)} {
		h, err := fem.NewNeoHookean(m, steel)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		u := make([]float64, len(m.X))
		for i := range u {
			u[i] = 0.1 * rng.Float64()
		}
		const step = 1e-5
		grad, plus, minus := make([]float64, len(u)), make([]float64, len(u)), make([]float64, len(u))
		h.Gradient(grad, u)
		hess := m.Pattern()
		h.Hessian(hess, u)
		for i := range u {
			x := u[i]
			u[i] = x + step
			up := h.Energy(u)
			clear(plus)
			h.Gradient(plus, u)
			u[i] = x - step
			down := h.Energy(u)
			clear(minus)
			h.Gradient(minus, u)
			u[i] = x
			if d := (up - down) / (2 * step); !(math.Abs(d-grad[i]) <= 1e-5*steel.Young) {
				t.Errorf("gradient %d: %g, difference %g", i, grad[i], d)
			}
			for j := range u {
				v := 0.0
				if k := hess.Index(i, j); k >= 0 {
					v = hess.Val[k]
				}
				if d := (plus[j] - minus[j]) / (2 * step); !(math.Abs(d-v) <= 1e-5*steel.Young) {
					t.Errorf("Hessian (%d, %d): %g, difference %g", i, j, v, d)
				}
			}
		}
	}
}

// TestNeoHookeanSmall: for small strains it is linear elasticity.
func TestNeoHookeanSmall(t *testing.T) {
	m := box(t, []float64{1, 0.25}, 4, 2)
	h, err := fem.NewNeoHookean(m, steel)
	if err != nil {
		t.Fatal(err)
	}
	want, err := fem.Stiffness(m, steel)
	if err != nil {
		t.Fatal(err)
	}
	got := m.Pattern()
	h.Hessian(got, make([]float64, got.N))
	for k, v := range want.Val {
		if math.Abs(got.Val[k]-v) > 1e-12*steel.Young {
			t.Errorf("entry %d: %g, want %g", k, got.Val[k], v)
		}
	}
	u := make([]float64, len(m.X))
	u[2*m.NumNodes()-1] = -1 // through the block
	if e := h.Energy(u); !math.IsInf(e, 1) {
		t.Errorf("energy of an inverted element: %g", e)
	}
}
