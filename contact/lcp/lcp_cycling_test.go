package lcp

import (
	"context"
	"math"
	"testing"
)

// Beale's cycling linear program [Bea55] as an LCP: min c·x, A x ≤ b, x ≥ 0.
// The optimum is −1/20 at x = (1/25, 0, 1, 0).
func TestLemkeOnBeale(t *testing.T) {
	cost := []float64{-0.75, 150, -0.02, 6}
	a := [][]float64{{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}}
	p := linearProgramLCP(cost, a, []float64{0, 0, 1})
	var res LCPResult
	if err := Lemke(context.Background(), p, nil, nil, &res); err != nil {
		t.Fatal(err)
	}
	value := 0.0
	for i, c := range cost {
		value += c * res.Z[i]
	}
	if math.Abs(value+0.05) > 1e-14 {
		t.Errorf("optimum %g, want -0.05", value)
	}
}

// Kuhn's cycling linear program: optimum −2 at (2, 0, 2, 0).
func TestLemkeOnKuhn(t *testing.T) {
	cost := []float64{-2, -3, 1, 12}
	a := [][]float64{{-2, -9, 1, 9}, {1. / 3, 1, -1. / 3, -2}, {2, 3, -1, -12}}
	p := linearProgramLCP(cost, a, []float64{0, 0, 2})
	var res LCPResult
	if err := Lemke(context.Background(), p, nil, nil, &res); err != nil {
		t.Fatal(err)
	}
	value := 0.0
	for i, c := range cost {
		value += c * res.Z[i]
	}
	if math.Abs(value+2) > 1e-13 {
		t.Errorf("optimum %g, want -2", value)
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
