package contact

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/pinned"
)

// Remake is set by -remake: the table of pinned numbers is written anew.
var Remake = flag.Bool("remake", false, "write testdata/pinned anew: with the reason in the commit")

// Pinned is the table of a test: iterates of the methods and the work they take on small named problems.
// Whoever changes a method on purpose remakes it.
func Pinned(t testing.TB) *pinned.Table {
	return pinned.Open(t, filepath.Join("testdata", "pinned", t.Name()), *Remake)
}

// path collects what the methods of a solve report, as long as residuals are more than rounding.
func path(o Options) (*Options, *[]float64) {
	list := &[]float64{}
	o.OnIteration = func(i Iteration) {
		*list = append(*list, float64(len(i.Solver)), float64(i.Iteration))
		if i.Residual > 1e-5 && !math.IsInf(i.Residual, 1) {
			*list = append(*list, math.Log(i.Residual), i.Step)
		}
	}
	return &o, list
}

// outcome is what can be compared of a result: the iterate, the work and the verdict.
func outcome(res *Result) []any {
	var stages []int
	for _, s := range res.Stages {
		stages = append(stages, int(s.Status), s.Iterations, len(s.Solver))
	}
	merit, worst := res.Merit, res.Worst
	if merit < 1e-5 || math.IsInf(merit, 1) {
		merit, worst = 0, 0
	}
	return []any{int(res.Status), res.Iterations, res.Factors, len(res.Solver), res.R, res.U, res.V, res.Lambda, merit, worst, stages, res.Ray}
}

// pinnedLocals are small problems of all laws, regular and not.
func pinnedLocals() map[string]*Local {
	all := map[string]*Local{}
	add := func(name string, seed uint64, dim, nc, rank int, law func(rng *rand.Rand) Law) {
		rng := rand.New(rand.NewPCG(seed, 40))
		all[name] = randomProblem(rng, dim, nc, rank, func() Law { return law(rng) })
	}
	skew := NewShape([4]float64{1, 0.3, -0.2, 0.4})
	coulomb := func(rng *rand.Rand) Law { return Coulomb{Mu: 0.2 + 0.4*rng.Float64()} }
	add("coulomb2", 1, 2, 5, 12, coulomb)
	add("coulomb3", 2, 3, 6, 20, coulomb)
	add("deficient", 3, 3, 8, 14, coulomb)
	add("large", 4, 3, 26, 90, coulomb)
	add("shaped", 5, 3, 5, 18, func(rng *rand.Rand) Law { return Coulomb{Mu: 0.3 + rng.Float64()/2, Shape: skew} })
	add("mixed2", 6, 2, 8, 18, mixedLaw)
	add("mixed3", 7, 3, 9, 30, mixedLaw)
	add("facets", 8, 3, 4, 14, func(*rand.Rand) Law { return Pyramid{Mu: 0.3, Facets: 6} })
	add("box", 9, 3, 5, 16, func(*rand.Rand) Law { return Pyramid{Mu: 0.4, Shape: skew} })
	add("associated", 10, 3, 5, 16, func(*rand.Rand) Law { return Associated{Mu: 0.4} })
	add("tresca", 11, 3, 5, 16, func(rng *rand.Rand) Law { return Tresca{Threshold: 0.5 * rng.Float64()} })
	add("steep", 12, 3, 4, 14, func(*rand.Rand) Law { return Coulomb{Mu: 3} })
	add("others", 13, 3, 6, 20, func(rng *rand.Rand) Law {
		return []Law{Cohesive{Mu: 0.3, Cohesion: 0.1, Tension: 0.05}, Compliant{Law: Coulomb{Mu: 0.3}, Compliance: 0.1}, Frictionless{}}[rng.IntN(3)]
	})
	rng := rand.New(rand.NewPCG(41, 42))
	all["pairs"] = randomProblem(rng, 3, 5, 15, func() Law { return Coulomb{Mu: 0.5} })
	w := all["pairs"].W.(*Dense)
	for k := range 15 {
		for c := range 3 {
			w.Val[(3+c)*15+k] = w.Val[c*15+k] // two contacts at one place
		}
	}
	for k := range 15 {
		for c := range 3 {
			w.Val[k*15+3+c] = w.Val[k*15+c]
		}
	}
	all["grid"] = grid(3)
	all["balls"] = spherePile(cannonballs(3), 0.05, 0.4, nil)
	return all
}

// TestPinnedMethods: each method on each problem it takes: the first iterates, and the work to the end.
func TestPinnedMethods(t *testing.T) {
	table := Pinned(t)
	for name, p := range pinnedLocals() {
		for _, m := range form.Methods() {
			for _, limit := range []int{2, 7, 60} {
				if name == "grid" && limit == 60 || name == "balls" && limit == 2 {
					continue
				}
				o, list := path(Options{Method: m, MaxIterations: limit, NoCertificate: true})
				var res Result
				err := SolveLocal(context.Background(), p, o, nil, &res)
				if err == nil && res.Status != Converged {
					t.Errorf("%s, %v: no error of %v", name, m, res.Status)
				}
				table.Check(fmt.Sprintf("%s-%v-%d", name, m, limit), append(outcome(&res), *list)...)
			}
		}
	}
}

// TestPinnedVerdicts: solves to the end, with proofs where there is no solution, cold and warm from the solution of a
// neighbour.
func TestPinnedVerdicts(t *testing.T) {
	table := Pinned(t)
	for name, p := range pinnedLocals() {
		var ws LocalWorkspace
		for k := range 3 {
			q := *p
			q.Q = slices.Clone(p.Q)
			for i := range q.Q {
				q.Q[i] += 0.02 * float64(k) * math.Sin(float64(i))
			}
			var res Result
			_ = SolveLocal(context.Background(), &q, nil, &ws, &res)
			table.Check(fmt.Sprintf("verdict-%s-%d", name, k), outcome(&res)...)
		}
	}
	rng := rand.New(rand.NewPCG(43, 44))
	for k := range 60 {
		var p *Local
		switch k % 3 {
		case 0:
			p, _, _, _ = degenerate(rng)
		case 1:
			p = degenerateSpace(rng)
		default:
			p = fuzzProblem(rng, 1+rng.IntN(4), rng.IntN(8), uint8(rng.IntN(16)))
		}
		var res Result
		_ = SolveLocal(context.Background(), p, nil, nil, &res)
		table.Check(fmt.Sprint("odd-", k), int(res.Status), res.Iterations, res.Factors, len(res.Stages), len(res.Ray))
	}
	for dim := 4; dim <= 6; dim++ {
		rng := rand.New(rand.NewPCG(45, uint64(dim)))
		p := randomProblem(rng, dim, 4, 6*dim, func() Law {
			l := Rolling{Mu: 0.3, Resistance: 0.2, Spin: 0.1}
			if dim == 4 {
				l.Resistance = 0
			} else if dim == 5 {
				l.Spin = 0
			}
			return []Law{l, Coulomb{Mu: 0.3}, l, Tresca{Threshold: 0.2}, Frictionless{}}[rng.IntN(5)]
		})
		for _, m := range []Method{MethodAuto, MethodGaussSeidel, MethodNewton} {
			for _, limit := range []int{1, 4, 0} {
				o, list := path(Options{Method: m, MaxIterations: limit})
				var res Result
				_ = SolveLocal(context.Background(), p, o, nil, &res)
				table.Check(fmt.Sprintf("rolling-%d-%v-%d", dim, m, limit), append(outcome(&res), *list)...)
			}
		}
	}
}

// pinnedGlobals are small problems in all velocities.
func pinnedGlobals() map[string]*Global {
	rng := func(k uint64) *rand.Rand { return rand.New(rand.NewPCG(k, 50)) }
	coulomb := func(k int) Law { return Coulomb{Mu: 0.1 + 0.05*float64(k%3)} }
	tresca := func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%11)} }
	all := map[string]*Global{
		"net": net(6, 5, 1, 0.3), "random": randomConvex(rng(1), 4, 6), "energy": randomEnergy(rng(2), 4, 1e3, false, true), "stiff": randomEnergy(rng(3), 5, 1e6, true, false), "bonded": bonded(rng(4)),
		"chain2": chainProblem(30, 2, coulomb), "chain3": chainProblem(30, 3, coulomb), "tresca3": chainProblem(24, 3, tresca), "free": chainProblem(24, 2, func(int) Law { return Frictionless{} }),
		"plate": densePlate(6, true), "hanging": hangingPair(), "gradient": gradientProblem(rng(5), false), "gradientJoint": gradientProblem(rng(6), true),
	}
	joints := chainProblem(18, 3, coulomb)
	randomJoints(rng(7), joints, 3)
	all["joints"] = joints
	return all
}

// TestPinnedGlobals: each door and method on each global problem it takes.
func TestPinnedGlobals(t *testing.T) {
	table := Pinned(t)
	type door func(p *Global, o *Options, ws *GlobalWorkspace, res *Result) error
	doors := map[string]door{
		"convex": func(p *Global, o *Options, ws *GlobalWorkspace, res *Result) error {
			return SolveConvex(context.Background(), p, 0, o, ws, res)
		},
		"fixed": func(p *Global, o *Options, ws *GlobalWorkspace, res *Result) error {
			return SolveFixedPoint(context.Background(), p, 0, o, ws, res)
		},
		"global": func(p *Global, o *Options, ws *GlobalWorkspace, res *Result) error {
			return SolveGlobal(context.Background(), p, o, ws, res)
		},
	}
	for name, p := range pinnedGlobals() {
		for which, solve := range doors {
			for _, limit := range []int{1, 3, 6, 0} {
				var ws GlobalWorkspace
				var res Result
				o, list := path(Options{MaxIterations: limit})
				if solve(p, o, &ws, &res) != nil && res.Status == Unsolved {
					continue // a law that the door does not take
				}
				table.Check(fmt.Sprintf("global-%s-%s-%d", name, which, limit), append(outcome(&res), *list)...)
				if limit > 0 || res.Status != Converged {
					continue
				}
				again := *p // warm, of a neighbour
				again.F = slices.Clone(p.F)
				for i := range again.F {
					again.F[i] += 0.01 * math.Cos(float64(i))
				}
				_ = solve(&again, o, &ws, &res)
				table.Check(fmt.Sprintf("global-%s-%s-warm", name, which), outcome(&res)...)
				if p.Joints() > 0 {
					continue
				}
				g := DualityGap(context.Background(), p, res.V, res.R, &ws)
				merit, worst := Residual(p, 0, res.V, res.R)
				table.Check(fmt.Sprintf("global-%s-%s-gap", name, which), g.Total(), merit, worst)
			}
		}
		d, err := NewDelassus(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		n := len(d.Local.Q)
		r := make([]float64, n)
		for i := range r {
			r[i] = math.Sin(float64(i + 1))
		}
		u := make([]float64, n)
		d.Local.W.MulVec(u, r)
		df, dw := make([]float64, len(p.F)), make([]float64, n)
		for i := range df {
			df[i] = math.Cos(float64(i))
		}
		for i := range dw {
			dw[i] = math.Sin(float64(3 * i))
		}
		table.Check("delassus-"+name, d.Local.Q, u, d.Velocity(nil, r), d.Lambda(nil, r), d.Change(dw, df).Q, d.ForceGradient(Gradient{Q: r}))
	}
}

// TestPinnedCondensed: condensed problems, their states, what they cost and need.
func TestPinnedCondensed(t *testing.T) {
	table := Pinned(t)
	for name, p := range map[string]*Global{"chain2": pinnedGlobals()["chain2"], "chain3": pinnedGlobals()["chain3"], "tresca3": pinnedGlobals()["tresca3"], "free": pinnedGlobals()["free"]} {
		plan, err := PlanCondensed(context.Background(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		e, work := plan.Memory()
		once, step := plan.Cost()
		table.Check("plan-"+name, e.Total(), work, once, step, plan.Beside(), plan.Dense())
		mass, err := PlanMass(context.Background(), p.M)
		if err != nil {
			t.Fatal(err)
		}
		a, more := mass.GapMemory(true)
		b, less := mass.GapMemory(false)
		table.Check("mass-"+name, a.Total(), more, b.Total(), less, mass.WholeMemory().Total(), mass.Cost(3))
		c, err := plan.Condense(context.Background(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		w, columns := c.Delassus()
		table.Check("condensed-"+name, w, columns)
		for _, limit := range []int{1, 3, 0} {
			var res Result
			_ = c.Solve(context.Background(), p, 0, &Options{MaxIterations: limit}, &res)
			table.Check(fmt.Sprintf("condensed-%s-%d", name, limit), outcome(&res)...)
		}
		var state CondensedState
		c.Save(&state)
		d, err := NewCondensed(context.Background(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Load(context.Background(), &state); err != nil {
			t.Fatal(err)
		}
		again := *p
		again.F = slices.Clone(p.F)
		for i := range again.F {
			again.F[i] += 0.02 * math.Cos(float64(i))
		}
		var x, y Result
		if err := c.Solve(context.Background(), &again, 0, nil, &x); err != nil {
			t.Fatal(err)
		}
		if err := d.Solve(context.Background(), &again, 0, nil, &y); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x.V, y.V) || !slices.Equal(x.R, y.R) || x.Iterations != y.Iterations {
			t.Errorf("%s: from a state that was saved, other bits, or other work: %d and %d", name, x.Iterations, y.Iterations)
		}
		table.Check("condensed-warm-"+name, outcome(&x)...)
	}
}

// TestPinnedComplementarity: pivots and answers of complementarity problems, of forms that contacts become.
func TestPinnedComplementarity(t *testing.T) {
	table := Pinned(t)
	rng := rand.New(rand.NewPCG(61, 1))
	for k := range 45 {
		p := randomLCP(rng, 2+k%9, k%3)
		if k%5 == 4 { // in numbers of all sizes
			for i := range p.Q {
				f := math.Pow(10, 6*rng.Float64()-3)
				p.Q[i] *= f
				for j := range p.Q {
					p.M[i*len(p.Q)+j] *= f
				}
			}
		}
		for _, limit := range []int{2, 0} {
			for which, solve := range map[string]func(context.Context, *LCP, *Options, *LCPWorkspace, *LCPResult) error{"any": SolveLCP, "lemke": Lemke} {
				var ws LCPWorkspace
				var res LCPResult
				_ = solve(context.Background(), p, &Options{MaxIterations: limit}, &ws, &res)
				residual := res.Residual
				if residual < 1e-6 {
					residual = 0
				}
				table.Check(fmt.Sprintf("lcp-%d-%s-%d", k, which, limit), int(res.Status), res.Iterations, res.Z, residual, res.Ray)
			}
		}
		n := len(p.Q)
		m := MLCP{M: p.M, Q: p.Q, Equality: make([]bool, n)}
		for i := range n {
			m.Equality[i] = (i+k)%3 == 0
		}
		var res MLCPResult
		_ = SolveMLCP(context.Background(), &m, nil, nil, &res)
		table.Check(fmt.Sprint("mlcp-", k), int(res.Status), res.Iterations, res.X)
	}
	for name, p := range pinnedLocals() {
		m, err := ToMLCP(p)
		if err != nil {
			continue
		}
		var res MLCPResult
		_ = SolveMLCP(context.Background(), &m.MLCP, nil, nil, &res)
		r := make([]float64, len(p.Q))
		if res.Status == Converged {
			r = m.Reactions(r, res.X)
		}
		table.Check("polyhedral-"+name, m.MLCP.M, m.MLCP.Q, int(res.Status), res.Iterations, r)
		if l, _, err := ToLCP(p); err == nil {
			table.Check("lcp-of-"+name, l.M, l.Q)
		}
	}
}

// TestPinnedSensitivity: states, edges and derivatives forward, backward and to one side.
func TestPinnedSensitivity(t *testing.T) {
	table := Pinned(t)
	for name, p := range pinnedLocals() {
		var res Result
		if SolveLocal(context.Background(), p, &Options{Tolerance: 1e-12}, nil, &res) != nil && res.Merit > 1e-11 {
			continue
		}
		s, err := Linearise(p, res.R)
		if err != nil {
			continue
		}
		n, dim := len(p.Q), p.W.Dim()
		c := Change{Q: make([]float64, n), Bound: make([]float64, len(p.Laws))}
		bar := make([]float64, n)
		for i := range n {
			c.Q[i], bar[i] = math.Sin(float64(i+1)), math.Cos(float64(2*i))
		}
		for j, l := range p.Laws {
			if form.FormOf(l).Bound > 0 {
				c.Bound[j] = 0.1 * float64(j%3)
			}
		}
		if name != "grid" && name != "balls" {
			c.W = &Dense{D: dim, N: n, Val: make([]float64, n*n)}
			for i := range n {
				for j := range n {
					c.W.Val[i*n+j] = 0.01 * math.Sin(float64(i*j))
				}
			}
		}
		dr, du := make([]float64, n), make([]float64, n)
		_ = s.Forward(dr, du, c)
		reach, at := s.Reach(dr, du, c)
		if s.Redundant {
			clear(dr)
		}
		g := s.Backward(nil, bar)
		table.Check("sensitivity-"+name, len(s.State), s.State, len(s.Edges), s.Redundant, du, dr, math.Log10(reach+1e-9), at, g.Q, g.Bound)
		if s.Directional(context.Background(), dr, du, c) == nil && !s.Redundant {
			table.Check("directional-"+name, dr, du)
		}
	}
}

// TestGlobalWithAnyJoints: problems with any number of joints, also those that no contact of full dimension can
// stand for, are solved by the default and by each method that gets there, to the residual of the whole.
func TestGlobalWithAnyJoints(t *testing.T) {
	for nb := 1; nb <= 3; nb++ {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 9))
			p := gradientProblem(rng, false)
			p.Laws = []Law{Coulomb{Mu: 0.1}, Coulomb{Mu: 0.2}}
			p.G, p.B = &Columns{Rows: 6, Ptr: []int{0}}, nil
			for k := range nb {
				p.G.Row, p.G.Val = append(p.G.Row, k, 5), append(p.G.Val, 1, 0.3*rng.NormFloat64())
				p.G.Ptr, p.B = append(p.G.Ptr, len(p.G.Row)), append(p.B, 0.1*rng.NormFloat64())
			}
			for _, m := range []Method{MethodAuto, MethodNewton, MethodGaussSeidel, MethodInterior} {
				var res Result
				err := SolveGlobal(context.Background(), p, &Options{Method: m}, nil, &res)
				if len(res.Lambda) != nb || len(res.R) != 6 {
					t.Fatalf("%d joints, %v: %d reactions and %d of joints", nb, m, len(res.R), len(res.Lambda))
				}
				merit, _ := Residual(p, 0, res.V, slices.Concat(res.R, res.Lambda))
				if m == MethodAuto && err != nil || err == nil && !(merit <= globalTolerance) {
					t.Errorf("%d joints, seed %d, %v: %v, residual %g", nb, seed, m, err, merit)
				}
			}
		}
	}
}
