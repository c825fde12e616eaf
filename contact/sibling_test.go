package contact

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSibling: a sibling gives the bits of a solver of its own, of few contacts and of many, and
// what one of the two solves in between does not change the other.
func TestSibling(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 9))
	for _, nodes := range []int{30, 420} {
		p := chainProblem(nodes, 3, func(int) Law { return Coulomb{Mu: 0.2} })
		first, err := NewCondensed(t.Context(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		own, err := NewCondensed(t.Context(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		twin := first.Sibling(p.H)
		for range 3 {
			for i := range p.F {
				p.F[i] = 4 * (r.Float64() - 0.7)
			}
			var a, b, between Result
			if err := own.Solve(t.Context(), p, 0, nil, &a); err != nil {
				t.Fatal(err)
			}
			if err := twin.Solve(t.Context(), p, 0, nil, &b); err != nil {
				t.Fatal(err)
			}
			q := *p
			q.F = make([]float64, len(p.F))
			for i := range q.F {
				q.F[i] = 0.5 * p.F[i]
			}
			if err := first.Solve(t.Context(), &q, 0, nil, &between); err != nil {
				t.Fatal(err)
			}
			for i := range a.V {
				if math.Float64bits(a.V[i]) != math.Float64bits(b.V[i]) {
					t.Fatalf("%d nodes: v[%d] = %g, of a solver of its own %g", nodes, i, b.V[i], a.V[i])
				}
			}
		}
	}
}
