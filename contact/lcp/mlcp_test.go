package lcp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

func TestSolveMLCP(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *MLCP
		x    []float64 // nil: not unique or none
		want form.Status
	}{
		{"empty", &MLCP{}, nil, form.Converged},
		{"equations only", &MLCP{M: []float64{2, 1, 0, 4}, Q: []float64{-4, -8}, Equality: []bool{true, true}},
			[]float64{1, 2}, form.Converged},
		{"inequalities only", &MLCP{M: []float64{2}, Q: []float64{-4}, Equality: []bool{false}}, []float64{2}, form.Converged},
		// u − v + 1 = 0 and w = v − 1: v = 1, u = 0.
		{"one of each", BlockMLCP(1, []float64{1}, []float64{-1}, []float64{0}, []float64{1}, []float64{1},
			[]float64{-1}), []float64{0, 1}, form.Converged},
		// The same with the complementary row first.
		{"index form", &MLCP{M: []float64{1, 0, -1, 1}, Q: []float64{-1, 1}, Equality: []bool{false, true}},
			[]float64{1, 0}, form.Converged},
		// A = 0: a quadratic program min ½|v|² − v_1, v_1 + v_2 = 2 with its multiplier u.
		{"singular free block", BlockMLCP(1, []float64{0}, []float64{1, 1}, []float64{-1, -1}, []float64{1, 0, 0, 1},
			[]float64{-2}, []float64{-1, 0}), []float64{0.5, 1.5, 0.5}, form.Converged},
		// The same constraint twice: the multipliers are not unique, v is.
		{"redundant equations", BlockMLCP(2, make([]float64, 4), []float64{1, 1, 1, 1}, []float64{-1, -1, -1, -1},
			[]float64{1, 0, 0, 1}, []float64{-2, -2}, []float64{-1, 0}), nil, form.Converged},
		{"contradictory equations", BlockMLCP(2, make([]float64, 4), []float64{1, 1, 1, 1}, []float64{-1, -1, -1, -1},
			[]float64{1, 0, 0, 1}, []float64{-2, -3}, []float64{-1, 0}), nil, form.Infeasible},
		// v ≥ 0 and v = −1.
		{"infeasible", BlockMLCP(1, []float64{0}, []float64{1}, []float64{1}, []float64{1}, []float64{1}, []float64{0}),
			nil, form.Infeasible},
		// The equations u − v = 0 and −u + v = 0, and u + v − 2 ≥ 0 ⊥ v.
		{"more rows than columns", &MLCP{M: []float64{1, -1, 1, 1, -1, 1}, Q: []float64{0, -2, 0},
			Equality: []bool{true, false}}, []float64{1, 1}, form.Converged},
	} {
		t.Run(c.name, func(t *testing.T) {
			var res MLCPResult
			err := SolveMLCP(context.Background(), c.p, nil, nil, &res)
			if res.Status != c.want || (err == nil) != (c.want == form.Converged) {
				t.Fatalf("status %v, error %v, x = %v; want %v", res.Status, err, res.X, c.want)
			}
			for i, x := range c.x {
				if math.Abs(res.X[i]-x) > 1e-13 {
					t.Fatalf("x = %v, want %v", res.X, c.x)
				}
			}
			if c.want == form.Infeasible {
				checkMixedFarkas(t, c.p, &res)
			}
		})
	}
}

// checkMixedFarkas verifies the certificate: no x with x_i ≥ 0 on the
// complementary indices has w_i ≥ 0 there and w = 0 elsewhere.
func checkMixedFarkas(t *testing.T, p *MLCP, res *MLCPResult) {
	t.Helper()
	if len(res.Farkas) == 0 {
		if res.Nodes == 0 {
			t.Fatal("infeasible without a Farkas vector and without a search")
		}
		return
	}
	size, qy, n := num.InfNorm(res.Farkas), 0.0, len(p.Equality)
	for i, y := range res.Farkas {
		qy += p.Q[i] * y
		if !p.equation(i) && y < 0 {
			t.Fatalf("Farkas vector %v has a negative entry", res.Farkas)
		}
	}
	for j, free := range p.Equality {
		s := 0.0
		for i, y := range res.Farkas {
			s += p.M[i*n+j] * y
		}
		if s > 1e-10*size*num.InfNorm(p.M) || free && s < -1e-10*size*num.InfNorm(p.M) {
			t.Fatalf("Farkas vector %v: column %d gives %g", res.Farkas, j, s)
		}
	}
	if qy >= 0 {
		t.Fatalf("Farkas vector %v: qᵀy = %g", res.Farkas, qy)
	}
}

// Small integers make singular blocks, redundant and contradictory equations;
// every verdict is checked.
func TestSolveMLCPRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	counts := map[form.Status]int{}
	for range 800 {
		n := 1 + rng.IntN(6)
		p := &MLCP{M: make([]float64, n*n), Q: make([]float64, n), Equality: make([]bool, n)}
		for i := range p.M {
			p.M[i] = float64(rng.IntN(5)-2) * float64(rng.IntN(2))
		}
		for i := range n {
			p.Q[i], p.Equality[i] = float64(rng.IntN(5)-2), rng.IntN(2) == 0
		}
		var res MLCPResult
		err := SolveMLCP(context.Background(), p, nil, nil, &res)
		counts[res.Status]++
		switch res.Status {
		case form.Converged:
			if r, _ := p.Residual(res.X); r > 1e-10 || err != nil {
				t.Fatalf("%+v: residual %g, error %v", p, r, err)
			}
		case form.Infeasible:
			checkMixedFarkas(t, p, &res)
			if x := enumerateMLCP(p); x != nil {
				t.Fatalf("%+v: called infeasible, but %v solves it", p, x)
			}
		default:
			t.Fatalf("%+v: %v", p, err)
		}
	}
	t.Log(counts)
}

func TestSolveMLCPWarmAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	lcp := strictLCP(rng, 20)
	p := &MLCP{M: lcp.M, Q: lcp.Q, Equality: make([]bool, 20)}
	for i := range 8 {
		p.Equality[2*i] = true
	}
	var ws MLCPWorkspace
	var res MLCPResult
	solve := func() {
		if err := SolveMLCP(context.Background(), p, nil, &ws, &res); err != nil {
			t.Fatal(err)
		}
	}
	solve()
	if a := testing.AllocsPerRun(20, solve); a != 0 {
		t.Errorf("%g allocations", a)
	}
}

// enumerateMLCP tries the regular complementary bases.
func enumerateMLCP(p *MLCP) []float64 {
	n := len(p.Equality)
	lcp := &LCP{M: p.M, Q: p.Q}
	for set := range 1 << n {
		ok := true
		for i, free := range p.Equality {
			ok = ok && (!free || set>>i&1 == 1)
		}
		if !ok {
			continue
		}
		if x, regular := basisSolution(lcp, set); regular {
			if r, _ := p.Residual(x); r < 1e-9 {
				return x
			}
		}
	}
	return nil
}

func TestBlockMLCPPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("blocks of wrong size were taken")
		}
	}()
	BlockMLCP(1, []float64{1, 2}, nil, nil, nil, []float64{1}, nil)
}
