package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/sparse"
)

// chainProblem is a chain of nodes with dim dofs each, every third in contact.
func chainProblem(n, dim int, law func(k int) Law) *Global {
	b := sparse.NewBuilder(dim * n)
	for i := 1; i < n; i++ {
		for c := range dim * dim {
			b.Add(dim*i+c/dim, dim*(i-1)+c%dim)
		}
	}
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	m := b.Build()
	for c := range m.N {
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			m.Val[k] = 2 * (rng.Float64() - 0.5)
			if m.Row[k] == c {
				m.Val[k] = 8
			}
		}
	}
	p := &Global{M: m, F: make([]float64, m.N), H: &Jacobian{Dim: dim, Rows: m.N, Ptr: []int{0}}}
	for i := range p.F {
		p.F[i] = 4 * (rng.Float64() - 0.7)
	}
	for i := 0; i < n; i += 3 {
		for c := range dim {
			unit := make([]float64, dim)
			unit[c] = 1
			p.H.Row, p.H.Val = append(p.H.Row, dim*i+c), append(p.H.Val, unit...)
			p.W = append(p.W, 0.02*float64(i%2))
		}
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
		p.Laws = append(p.Laws, law(len(p.Laws)))
	}
	return p
}

// TestCondensedOfLightForces: what forces of 1e-6 N press on a belt that runs 1e-7 m in a step slides on it, at a
// stiffness of 1e11 N/m, by which rounding that way is a force of 1e-12 N; r_N = 1e-6 N, r_T = μ r_N.
func TestCondensedOfLightForces(t *testing.T) {
	p := chainProblem(2, 2, func(int) Law { return Coulomb{Mu: 0.3} })
	for c := range p.M.N {
		for k := p.M.Ptr[c]; k < p.M.Ptr[c+1]; k++ {
			p.M.Val[k] = 0
			if p.M.Row[k] == c {
				p.M.Val[k] = 1e11
			}
		}
	}
	clear(p.F)
	for _, slip := range []float64{1e-7, 1.7e-7, -3.1e-7, 1.3e-6} {
		p.F[0], p.W[0], p.W[1] = -1e-6, 0, slip
		c, err := NewCondensed(context.Background(), p.M, p.H)
		var res Result
		if err == nil {
			err = c.Solve(context.Background(), p, 0, &Options{Tolerance: 1e-13}, &res)
		}
		if want := -math.Copysign(0.3e-6, slip); err != nil || math.Abs(res.R[0]-1e-6) > 1e-12 || math.Abs(res.R[1]-want) > 1e-12 {
			t.Errorf("%g m: %v, %v", slip, res.R, err)
		}
	}
}

// TestCondensed: the same solution as on the whole problem, to the tolerances, and the same gap of a v that is
// off, by the factors of M that the condensation has.
func TestCondensed(t *testing.T) {
	for name, given := range map[string]func(k int) Law{
		"frictionless": func(int) Law { return Frictionless{} },
		"tresca":       func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%11)} },
		"coulomb":      func(k int) Law { return Coulomb{Mu: 0.1 + 0.05*float64(k%3)} },
	} {
		for _, size := range [][2]int{{30, 2}, {30, 3}, {700, 2}, {420, 3}} { // few and many contacts
			n, dim := size[0], size[1]
			p := chainProblem(n, dim, given)
			var want, got Result
			var ws GlobalWorkspace
			ctx := context.Background()
			solve := SolveFixedPoint
			if law.Convex(p.Laws) {
				solve = SolveConvex
			}
			if err := solve(ctx, p, 0, &Options{}, &ws, &want); err != nil {
				t.Fatal(err)
			}
			c, err := NewCondensed(t.Context(), p.M, p.H)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // cold and warm
				if err := c.Solve(ctx, p, 0, &Options{}, &got); err != nil {
					t.Fatal(err)
				}
				t.Logf("%s %dD, %d nodes: %s, %d iterations, %d factors", name, dim, n, got.Solver, got.Iterations, got.Factors)
				for i := range want.V {
					if math.Abs(got.V[i]-want.V[i]) > 1e-11 {
						t.Errorf("%s %dD: v[%d] = %g, want %g", name, dim, i, got.V[i], want.V[i])
					}
				}
				for i := range want.R {
					if math.Abs(got.R[i]-want.R[i]) > 1e-10 {
						t.Errorf("%s %dD: r[%d] = %g, want %g", name, dim, i, got.R[i], want.R[i])
					}
				}
			}
			for i := range got.V {
				got.V[i] += 1e-3 * math.Sin(float64(i))
			}
			var shared GlobalWorkspace
			shared.UseCondensed(func(context.Context) *Condensed { return c })
			a, b := DualityGap(ctx, p, got.V, got.R, new(GlobalWorkspace)), DualityGap(ctx, p, got.V, got.R, &shared)
			if math.Abs(a.Force-b.Force) > 1e-11*a.Force || b.Force == 0 {
				t.Errorf("%s %dD: forces left over are worth %g J by the condensation, %g J by factors of their own", name, dim, b.Force, a.Force)
			}
		}
	}
}

// TestCondensedDependent: two contacts on one node.
func TestCondensedDependent(t *testing.T) {
	p := chainProblem(4, 2, func(int) Law { return Frictionless{} })
	p.H.Row[2], p.H.Row[3] = 0, 1
	if _, err := NewCondensed(t.Context(), p.M, p.H); err == nil {
		t.Error("dependent contacts were accepted")
	}
}
