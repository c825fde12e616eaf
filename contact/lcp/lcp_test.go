package lcp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

type lcpCase struct {
	name string
	p    LCP
	z    []float64 // nil: not unique or none
	want form.Status
}

// lcpCases are problems with answers by hand or from the literature.
func lcpCases() []lcpCase {
	return []lcpCase{
		{"empty", LCP{}, nil, form.Converged},
		{"q positive", LCP{M: []float64{-1}, Q: []float64{1}}, []float64{0}, form.Converged},
		{"one", LCP{M: []float64{2}, Q: []float64{-4}}, []float64{2}, form.Converged},
		{"zero matrix", LCP{M: make([]float64, 4), Q: []float64{0, 3}}, []float64{0, 0}, form.Converged},
		{"zero matrix infeasible", LCP{M: make([]float64, 4), Q: []float64{0, -3}}, nil, form.Infeasible},
		{"two of two", LCP{M: []float64{2, 1, 1, 2}, Q: []float64{-5, -6}}, []float64{4. / 3, 7. / 3}, form.Converged},
		// [CPS09, 4.1.14]: the solutions are z_1 + z_2 = 1.
		{"degenerate", LCP{M: []float64{1, 1, 1, 1}, Q: []float64{-1, -1}}, nil, form.Converged},
		// Kostreva's problem, on which least-index pivoting cycles [Kos79]: all
		// rows tie at the first pivot; by symmetry z = (1/3, 1/3, 1/3).
		{"Kostreva", LCP{M: []float64{1, 2, 0, 0, 1, 2, 2, 0, 1}, Q: []float64{-1, -1, -1}},
			[]float64{1. / 3, 1. / 3, 1. / 3}, form.Converged},
		// [CPS09]: the only solution (1, 0, 0) is isolated and degenerate.
		{"isolated", LCP{M: []float64{0, -1, -1, 1, 0, 0, -1, 0, 0}, Q: []float64{0, -1, 1}}, []float64{1, 0, 0}, form.Converged},
		{"negative", LCP{M: []float64{-1}, Q: []float64{-1}}, nil, form.Infeasible},
		// w_1 = −z_1 + z_2 − 1, w_2 = z_2 + 1 > 0, hence z_2 = 0 and w_1 < 0;
		// yet z = (0, 1) satisfies all inequalities: no Farkas vector.
		{"feasible without solution", LCP{M: []float64{-1, 1, 0, 1}, Q: []float64{-1, 1}}, nil, form.Infeasible},
	}
}

func TestSolveLCP(t *testing.T) {
	var ws LCPWorkspace
	for _, c := range lcpCases() {
		t.Run(c.name, func(t *testing.T) {
			var res LCPResult
			err := SolveLCP(context.Background(), &c.p, nil, &ws, &res)
			if res.Status != c.want || (err == nil) != (c.want == form.Converged) {
				t.Fatalf("status %v, error %v; want %v", res.Status, err, c.want)
			}
			for i, z := range c.z {
				if math.Abs(res.Z[i]-z) > 1e-13 {
					t.Fatalf("z = %v, want %v", res.Z, c.z)
				}
			}
			checkFarkas(t, &c.p, &res)
		})
	}
}

// checkFarkas verifies a certificate, or asks for a search in its place.
func checkFarkas(t *testing.T, p *LCP, res *LCPResult) {
	t.Helper()
	if res.Status != form.Infeasible {
		return
	}
	if len(res.Farkas) == 0 {
		if res.Nodes == 0 {
			t.Fatal("infeasible without a Farkas vector and without a search")
		}
		return
	}
	qy := 0.0
	for i, y := range res.Farkas {
		qy += y * p.Q[i]
		col := 0.0
		for k, v := range res.Farkas {
			col += v * p.M[k*p.N()+i]
		}
		if y < 0 || col > 1e-10*num.InfNorm(res.Farkas)*num.InfNorm(p.M) {
			t.Fatalf("Farkas vector %v: entry %d, column %g", res.Farkas, i, col)
		}
	}
	if qy >= 0 {
		t.Fatalf("Farkas vector %v: qᵀy = %g", res.Farkas, qy)
	}
}

// Degenerate problems on which Lemke's method cycles if ties go to the first
// row (the first four), or if they do so at the first pivot alone (the others).
func TestLemkeDoesNotCycle(t *testing.T) {
	for k, p := range []LCP{
		{M: []float64{-3, 2, -2, 2, -2, 3, 1, -1, 1, 0, 2, -2, 2, 3, 2, 1}, Q: []float64{-1, -1, 1, -1}},
		{M: []float64{-3, 1, -2, 3, -2, -3, 2, -3, -1, -1, -3, 0, 2, -2, 0, -2}, Q: []float64{-1, -1, -1, -1}},
		{M: []float64{0, -3, -2, 2, 1, 3, 2, 0, -3, -2, -2, 0, 3, 3, 3, 1}, Q: []float64{-1, -1, -1, -1}},
		{M: []float64{3, -2, 3, 2, 2, -2, -3, 1, 3, 2, 2, 1, -3, 0, 1, 0, -1, 2, 1, -3, 3, 2, 0, 1, 0}, Q: []float64{0, 0, -1, -1, -1}},
		{M: []float64{0, 1, 1, -3, 3, -3, 3, -2, 0}, Q: []float64{-1, -1, -1}},
		{M: []float64{1, 1, 1, 0, -3, 2, 3, -3, 3, -2, -1, -1, 3, 1, 3, 2}, Q: []float64{-1, -1, -1, 0}},
	} {
		var res LCPResult
		err := Lemke(context.Background(), &p, nil, nil, &res)
		if res.Status == form.IterationLimit || res.Iterations > 20 {
			t.Errorf("problem %d: %v", k, err)
		}
	}
}

// M = [4 0; 0 2], q = (−8, 2): s_w = 8, s_z = 2.
func TestLCPResidual(t *testing.T) {
	p := LCP{M: []float64{4, 0, 0, 2}, Q: []float64{-8, 2}}
	for _, c := range []struct {
		z        []float64
		residual float64
		worst    int
	}{
		{[]float64{2, 0}, 0, -1},
		{[]float64{0, 0}, 1, 0},         // w_1 = −8
		{[]float64{3, 0}, 0.5, 0},       // w_1 = 4, z_1 = 3: min(1.5, 0.5)
		{[]float64{2, 0.5}, 0.25, 1},    // w_2 = 3, z_2 = 0.5: min(0.25, 0.375)
		{[]float64{2, -1}, 0.5, 1},      // z_2 = −1
		{[]float64{2, 1e9}, 2.5e8, 1},   // w_2 = 2e9 + 2: the scales do not grow with it
		{[]float64{2.5, 0.25}, 0.25, 0}, // w = (2, 2.5): (0.25, 0.125)
		{[]float64{math.NaN(), 0}, math.Inf(1), 0},
	} {
		if r, worst := p.Residual(c.z); math.Abs(r-c.residual) > 1e-6*c.residual || r != r || worst != c.worst {
			t.Errorf("z = %v: residual %g at %d, want %g at %d", c.z, r, worst, c.residual, c.worst)
		}
	}
}

func TestLemkeReportsTheRay(t *testing.T) {
	p := LCP{M: []float64{-1, 1, 0, 1}, Q: []float64{-1, 1}} // feasible without solution
	var res LCPResult
	err := Lemke(context.Background(), &p, nil, nil, &res)
	var e *form.Error
	if !errors.As(err, &e) || e.Status != form.NoProgress || !errors.Is(err, ErrRay) || len(res.Ray) != 2 || len(res.Farkas) != 0 {
		t.Fatalf("error %v, ray %v, Farkas %v", err, res.Ray, res.Farkas)
	}
}

func TestSolveLCPRejects(t *testing.T) {
	for _, p := range []LCP{
		{M: []float64{1, 2}, Q: []float64{1}},
		{M: []float64{math.NaN()}, Q: []float64{1}},
		{M: []float64{1}, Q: []float64{math.Inf(-1)}},
	} {
		var res LCPResult
		if err := SolveLCP(context.Background(), &p, nil, nil, &res); err == nil || res.Status != form.Unsolved {
			t.Errorf("%v: error %v, status %v", p, err, res.Status)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var res LCPResult
	p := LCP{M: []float64{-1, 1, 0, 1}, Q: []float64{-1, 1}}
	if err := SolveLCP(ctx, &p, nil, nil, &res); !errors.Is(err, context.Canceled) || res.Status != form.Canceled {
		t.Errorf("error %v, status %v", err, res.Status)
	}
}

// randomLCP draws matrices of every kind: small integers make degenerate and
// singular problems, often without solution.
func randomLCP(rng *rand.Rand, n int, kind int) *LCP {
	p := &LCP{M: make([]float64, n*n), Q: make([]float64, n)}
	for i := range p.M {
		p.M[i] = float64(rng.IntN(5) - 2)
	}
	for i := range p.Q {
		p.Q[i] = float64(rng.IntN(5) - 2)
	}
	if kind == 0 {
		return p
	}
	b := p.M // positive semidefinite of rank about n/2, plus a skew part
	p.M = make([]float64, n*n)
	for i := range n {
		for j := range n {
			for k := range (n + 1) / 2 {
				p.M[i*n+j] += b[k*n+i] * b[k*n+j]
			}
			if kind == 2 {
				p.M[i*n+j] += b[i*n+j] - b[j*n+i]
			}
		}
	}
	return p
}

// Every verdict on random problems is checked against an enumeration of all
// complementary bases that shares no code with the solver.
func TestSolveLCPAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var ws LCPWorkspace
	counts, solvers := map[form.Status]int{}, map[string]int{}
	for range 1500 {
		n, kind := 1+rng.IntN(5), rng.IntN(3)
		p := randomLCP(rng, n, kind)
		var res LCPResult
		err := SolveLCP(context.Background(), p, nil, &ws, &res)
		counts[res.Status]++
		solvers[res.Solver]++
		checkFarkas(t, p, &res)
		switch res.Status {
		case form.Converged:
			if r, _ := p.Residual(res.Z); err != nil || r > 1e-12 {
				t.Fatalf("%+v: residual %g, error %v", p, r, err)
			}
		case form.Infeasible:
			if z := enumerateLCP(p); z != nil {
				t.Fatalf("%+v: called infeasible, but %v solves it", p, z)
			}
			if kind > 0 && len(res.Farkas) == 0 {
				t.Fatalf("%+v: positive semidefinite and infeasible without a Farkas vector", p)
			}
		default:
			t.Fatalf("%+v: %v", p, err)
		}
	}
	t.Log(counts, solvers)
}

// enumerateLCP tries all 2^n regular complementary bases by Cramer-like
// elimination; it finds a solution if one exists at a regular basis.
func enumerateLCP(p *LCP) []float64 {
	n := p.N()
	for set := range 1 << n {
		z, ok := basisSolution(p, set)
		if !ok {
			continue
		}
		if r, _ := p.Residual(z); r < 1e-9 {
			return z
		}
	}
	return nil
}

func basisSolution(p *LCP, set int) ([]float64, bool) {
	n := p.N()
	a := make([][]float64, n)
	for i := range n {
		a[i] = make([]float64, n+1)
		a[i][n] = p.Q[i]
		for j := range n {
			switch {
			case set>>j&1 == 1:
				a[i][j] = -p.M[i*n+j]
			case i == j:
				a[i][j] = 1
			}
		}
	}
	for k := range n {
		piv := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[piv][k]) {
				piv = i
			}
		}
		a[k], a[piv] = a[piv], a[k]
		if math.Abs(a[k][k]) < 1e-9 {
			return nil, false
		}
		for i := range n {
			for f, j := a[i][k]/a[k][k], k; i != k && j <= n; j++ {
				a[i][j] -= f * a[k][j]
			}
		}
	}
	z := make([]float64, n)
	for j := range n {
		if set>>j&1 == 1 {
			z[j] = a[j][n] / a[j][j]
		}
	}
	return z, true
}

// The answer does not change with the units of z and w.
func TestSolveLCPUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		n := 2 + rng.IntN(8)
		p := strictLCP(rng, n)
		var ref, res LCPResult
		if err := SolveLCP(context.Background(), p, nil, nil, &ref); err != nil {
			t.Fatal(err)
		}
		for _, f := range []float64{1e-6, 1e6} {
			s := &LCP{M: append([]float64(nil), p.M...), Q: append([]float64(nil), p.Q...)}
			for i := range s.M {
				s.M[i] *= f
			}
			if err := SolveLCP(context.Background(), s, nil, nil, &res); err != nil {
				t.Fatal(err)
			}
			for i := range ref.Z {
				if math.Abs(res.Z[i]*f-ref.Z[i]) > 1e-12*num.InfNorm(ref.Z) {
					t.Fatalf("factor %g: %v, want %v", f, res.Z, ref.Z)
				}
			}
		}
	}
}

// strictLCP has a strictly diagonally dominant matrix: one solution.
func strictLCP(rng *rand.Rand, n int) *LCP {
	p := &LCP{M: make([]float64, n*n), Q: make([]float64, n)}
	for i := range n {
		p.Q[i] = rng.NormFloat64()
		for j := range n {
			p.M[i*n+j] = rng.Float64() - 0.5
		}
		p.M[i*n+i] += float64(n)
	}
	return p
}

func TestSolveLCPWarmAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{3, 12, 60} {
		p := strictLCP(rng, n)
		var ws LCPWorkspace
		var res LCPResult
		ctx := context.Background()
		solve := func() {
			if err := SolveLCP(ctx, p, nil, &ws, &res); err != nil {
				t.Fatal(err)
			}
		}
		solve()
		if a := testing.AllocsPerRun(20, solve); a != 0 {
			t.Errorf("n = %d: %g allocations", n, a)
		}
		ws.Reuse = true
		if a := testing.AllocsPerRun(20, solve); a != 0 || res.Iterations != 0 {
			t.Errorf("n = %d, reuse: %g allocations, %d pivots", n, a, res.Iterations)
		}
	}
}

func BenchmarkLemke(b *testing.B) {
	for _, n := range []int{3, 6, 12, 50, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := strictLCP(rand.New(rand.NewPCG(11, 12)), n)
			var ws LCPWorkspace
			var res LCPResult
			b.ReportAllocs()
			for b.Loop() {
				if err := SolveLCP(context.Background(), p, nil, &ws, &res); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(res.Iterations), "pivots")
		})
	}
}
