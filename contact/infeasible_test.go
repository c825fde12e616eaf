package contact

import (
	"math"
	"testing"
)

// TestRayBesideLightBodies: a reaction on a heavy body solves what a ray that only looks at the
// largest entry of W would prove unsolvable. W = diag(1e8, 1e-2), q = (0, −1), μ = 0: r = (0, 100).
func TestRayBesideLightBodies(t *testing.T) {
	for _, ratio := range []float64{1, 1e5, 1e10, 1e14} {
		w := &Dense{D: 2, N: 4, Val: make([]float64, 16)}
		for k, v := range []float64{ratio, ratio, 1, 1} {
			w.Val[5*k] = v
		}
		p := &Local{W: w, Q: []float64{0, 0, -1, 0}, Laws: []Law{Frictionless{}, Frictionless{}}}
		if Certifies(p, []float64{0, 0, 1, 0}) {
			t.Errorf("ratio %g: a problem with the solution r_N = 1 is called unsolvable", ratio)
		}
		if err := SolveLocal(t.Context(), p, nil, nil, nil); err != nil {
			t.Errorf("ratio %g: %v", ratio, err)
		}
		// With no mobility at all against the second contact there is no solution, in any units.
		for _, unit := range []float64{1e-12, 1, 1e12} {
			none := &Local{W: &Dense{D: 2, N: 4, Val: make([]float64, 16)}, Q: []float64{0, 0, -1, 0}, Laws: p.Laws}
			none.W.(*Dense).Val[0], none.W.(*Dense).Val[5] = unit, unit
			if !Certifies(none, []float64{0, 0, 1, 0}) {
				t.Errorf("unit %g: the ray is refused", unit)
			}
		}
	}
}

// TestCertifies: what shows that there is no solution: d in the dual of the admissible velocities,
// with Wᵀd = 0 and q·d < 0.
func TestCertifies(t *testing.T) {
	for _, c := range []struct {
		law    Law
		w      float64
		q, d   []float64
		proves bool
	}{
		{Coulomb{Mu: 0.5}, 0, []float64{-1, 0}, []float64{1, 0}, true},
		{Coulomb{Mu: 0.5}, 0, []float64{1, 0}, []float64{1, 0}, false},
		{Coulomb{Mu: 0.5}, 0, []float64{0, 1}, []float64{1, 0}, false},
		{Coulomb{Mu: 0.5}, 0, []float64{1, 0}, []float64{-1, 0}, false},
		{Coulomb{Mu: 0.5}, 0, []float64{-1, 0}, []float64{1, 1e-3}, false},
		{Coulomb{Mu: 0.5}, 0, []float64{-1, 0}, []float64{math.NaN(), 0}, false},
		{Coulomb{Mu: 0.5}, 1e-3, []float64{-1, 0}, []float64{1, 0}, false},
		{Bilateral{}, 0, []float64{0, -1}, []float64{0, 1}, true},
		{Bilateral{}, 0, []float64{1, 0}, []float64{-1, 0}, true},
		{Frictionless{}, 0, []float64{0, -1}, []float64{0, 1}, false},
		{Associated{Mu: 0.5}, 0, []float64{-1, 0}, []float64{1, 0.4}, true},
		{Associated{Mu: 0.5}, 0, []float64{-1, 0}, []float64{1, 0.6}, false},
		{Compliant{Law: Coulomb{Mu: 0.5}, Compliance: 1}, 0, []float64{-1, 0}, []float64{1, 0}, false},
	} {
		p := &Local{W: diagonal(2, c.w, c.w), Q: c.q, Laws: []Law{c.law}}
		if got := Certifies(p, c.d); got != c.proves {
			t.Errorf("%T, W = %g, q = %v: %v proves: %t, want %t", c.law, c.w, c.q, c.d, got, c.proves)
		}
	}
}
