package dynamics

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// TestLCPAgreesWithMLCP solves random steps as the LCP (18) and as the MLCP
// (17), which is assembled here row by row as the paper has it and solved by
// another routine. μ is below the bound of Lemma 4 where that is above 0.02,
// so that the forces are unique; 1e-7 is the condition of A times rounding.
func TestLCPAgreesWithMLCP(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 17))
	var l lemke
	for k := range 200 {
		dim, ne := 2+k%2, 1+rng.IntN(4)
		law := contact.Pyramid{Facets: 4 + 2*rng.IntN(4)}
		n := dim * ne
		a, b := definite(rng, n), make([]float64, n)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		law.Mu = min(.9*monotonicity(a, n), .3)
		if law.Mu < .02 {
			continue
		}
		g, _ := newPolygon(law, dim)
		sections := make([]*polygon, ne)
		for i := range sections {
			sections[i] = &g
		}
		lambda := make([]float64, n)
		if err := l.solve(context.Background(), lambda, a, b, dim, sections); err != nil {
			t.Fatalf("%d: LCP: %v", k, err)
		}
		want := mixed(t, a, b, dim, sections)
		for i := range lambda {
			if math.Abs(lambda[i]-want[i]) > 1e-7*(1+math.Abs(want[i])) {
				t.Fatalf("%d, dim %d, %d facets: λ = %v, by the MLCP %v", k, dim, len(g.d), lambda, want)
			}
		}
	}
}

func definite(rng *rand.Rand, n int) []float64 {
	l, a := make([]float64, n*n), make([]float64, n*n)
	for i := range l {
		l[i] = .3 * rng.NormFloat64()
	}
	for i := range n {
		for j := range n {
			for k := range n {
				a[i*n+j] += l[i*n+k] * l[j*n+k]
			}
		}
		a[i*n+i]++
	}
	return a
}

// mixed solves (17) in the unknowns (λ, w): s_n ⊥ λ_n; s_T + D w = 0 with λ_T
// free; μ λ_n − d_k·λ_T ⊥ w_k.
func mixed(t *testing.T, a, b []float64, dim int, sections []*polygon) []float64 {
	t.Helper()
	n, nw := len(b), 0
	for _, s := range sections {
		nw += len(s.d)
	}
	m := n + nw
	p := &lcp.MLCP{M: make([]float64, m*m), Q: make([]float64, m), Equality: make([]bool, m)}
	for i := range n {
		copy(p.M[i*m:], a[i*n:i*n+n])
		p.Q[i], p.Equality[i] = b[i], i%dim != 0
	}
	at := n
	for e, s := range sections {
		for _, d := range s.d {
			p.M[at*m+dim*e] = s.mu
			for c := range dim - 1 {
				row := dim*e + 1 + c
				p.M[row*m+at], p.M[at*m+row] = d[c], -d[c]
			}
			at++
		}
	}
	var res lcp.MLCPResult
	if err := lcp.SolveMLCP(context.Background(), p, nil, nil, &res); err != nil {
		t.Fatalf("MLCP: %v", err)
	}
	return res.X[:n]
}
