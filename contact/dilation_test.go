package contact

import (
	"context"
	"math"
	"testing"
)

// TestDilation: the opening that the associated law causes at slip, by hand:
// W = I, so r = P_K(−q) and u = r + q (the cases of TestLocalByHand).
func TestDilation(t *testing.T) {
	wide := NewShape([4]float64{2, 0, 0, 1})
	for name, c := range map[string]struct {
		laws []Law
		q    []float64
		want float64
	}{
		"slip":       {[]Law{Associated{Mu: 0.5}}, []float64{-2, 3, 0}, 0.8},
		"stick":      {[]Law{Associated{Mu: 0.5}}, []float64{-2, 0.5, 0}, 0},
		"take-off":   {[]Law{Associated{Mu: 0.5}}, []float64{2, 3, 0}, 0},
		"exact cone": {[]Law{Coulomb{Mu: 0.5}}, []float64{-2, 3, 0}, 0},
		// Slope μS = 1: r_N = (2 + 3)/2, u_N = 2.5 − 2 = μ‖S u_T‖ = 3 − 2.5.
		"shape": {[]Law{Associated{Mu: 0.5, Shape: wide}}, []float64{-2, 3, 0}, 0.5},
		"mixed, the larger of two": {
			[]Law{Coulomb{Mu: 0.5}, Associated{Mu: 0.5}, Associated{Mu: 0.5, Shape: wide}, Frictionless{}},
			[]float64{-2, 3, 0, -2, 3, 0, -2, 3, 0, 7, 0, 0}, 0.8},
	} {
		one := make([]float64, len(c.q))
		for i := range one {
			one[i] = 1
		}
		p := &Local{W: diagonal(3, one...), Q: c.q, Laws: c.laws}
		for _, s := range localSolvers {
			var res Result
			res.Dilation = 9 // of an earlier solve
			ws := new(LocalWorkspace)
			if err := s.solve(context.Background(), p, &Options{Tolerance: 1e-11}, ws, &res); err != nil {
				t.Errorf("%s, %s: %v", name, s.name, err)
			}
			if math.Abs(res.Dilation-c.want) > 1e-9 { // 1e-11 of the merit, times the size of the problem
				t.Errorf("%s, %s: dilation %g, want %g", name, s.name, res.Dilation, c.want)
			}
			if err := s.solve(context.Background(), p, &Options{Tolerance: 1e-11}, ws, &res); err != nil ||
				math.Abs(res.Dilation-c.want) > 1e-9 {
				t.Errorf("%s, %s, solved again: dilation %g, want %g, %v", name, s.name, res.Dilation, c.want, err)
			}
		}
	}
}
