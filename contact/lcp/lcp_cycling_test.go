package lcp

import (
	"context"
	"math"
	"testing"
)

// TestLemkeOnCycling: linear programs min c·x, A x ≤ b, x ≥ 0 in which the simplex method cycles, as
// LCPs: Beale's [Bea55], with the optimum at (1/25, 0, 1, 0), and Kuhn's, at (2, 0, 2, 0).
func TestLemkeOnCycling(t *testing.T) {
	for _, c := range []struct {
		name      string
		cost      []float64
		a         [][]float64
		b         []float64
		want, tol float64 // of the optimum; tol: some roundings of the numbers of the program
	}{
		{"Beale", []float64{-0.75, 150, -0.02, 6},
			[][]float64{{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}}, []float64{0, 0, 1}, -0.05, 1e-14},
		{"Kuhn", []float64{-2, -3, 1, 12}, [][]float64{{-2, -9, 1, 9}, {1. / 3, 1, -1. / 3, -2}, {2, 3, -1, -12}},
			[]float64{0, 0, 2}, -2, 1e-13},
	} {
		var res LCPResult
		if err := Lemke(context.Background(), linearProgramLCP(c.cost, c.a, c.b), nil, nil, &res); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		value := 0.0
		for i, x := range c.cost {
			value += x * res.Z[i]
		}
		if math.Abs(value-c.want) > c.tol {
			t.Errorf("%s: optimum %g, want %g", c.name, value, c.want)
		}
	}
}

// linearProgramLCP is the optimality system of min c·x, A x ≤ b, x ≥ 0.
func linearProgramLCP(c []float64, a [][]float64, b []float64) *LCP {
	nx, ny := len(c), len(b)
	n := nx + ny
	p := &LCP{M: make([]float64, n*n), Q: append(append([]float64(nil), c...), b...)}
	for i, row := range a {
		for j, v := range row {
			p.M[j*n+nx+i], p.M[(nx+i)*n+j] = v, -v
		}
	}
	return p
}

// Murty's problems [Mur88, chapter 6] make the pivoting methods take a number
// of steps that is exponential in n; the solution is the last unit vector.
func TestLemkeOnMurty(t *testing.T) {
	for _, n := range []int{1, 2, 6, 10} {
		p := LCP{M: make([]float64, n*n), Q: make([]float64, n)}
		for i := range n {
			p.M[i*n+i], p.Q[i] = 1, -1
			for j := i + 1; j < n; j++ {
				p.M[i*n+j] = 2
			}
		}
		var res LCPResult
		if err := Lemke(context.Background(), &p, nil, nil, &res); err != nil {
			t.Fatal(err)
		}
		want := make([]float64, n)
		want[n-1] = 1
		for i, z := range res.Z {
			if math.Abs(z-want[i]) > 1e-12 {
				t.Errorf("n = %d: z = %v", n, res.Z)
			}
		}
	}
}
