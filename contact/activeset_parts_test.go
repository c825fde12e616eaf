package contact

import (
	"context"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// spdMatrix is a positive definite matrix, row by row.
func spdMatrix(rng *rand.Rand, n int) []float64 {
	a := make([]float64, n*n)
	for range n + 3 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		for i := range a {
			a[i] += x[i/n] * x[i%n] / float64(n)
		}
	}
	for i := range n {
		a[i*(n+1)] += 0.3
	}
	return a
}

// drawStates gives contacts laws and states of all kinds.
func drawStates(rng *rand.Rand, s *dryContacts) {
	for k := range s.law {
		s.law[k] = []frictionLaw{{mu: 0.3}, {threshold: 0.4}, {}, {mu: 0.7}}[rng.IntN(4)]
		st := slipState{closed: rng.IntN(4) > 0, slips: rng.IntN(2) == 0}
		if s.law[k].threshold == 0 && !st.closed {
			st.slips = rng.IntN(2) == 0 // of a limit of zero
		}
		if st.slips {
			a := 2 * math.Pi * rng.Float64()
			st.t, st.mu = [2]float64{math.Cos(a), math.Sin(a)}, s.law[k].mu
			if s.dim == 2 {
				st.t = [2]float64{math.Copysign(1, st.t[0]), 0}
			} else if st.closed && s.law[k].mu > 0 || s.law[k].threshold > 0 {
				st.kappa = 0.1 + 0.8*rng.Float64()
			}
		}
		s.state[k] = st
	}
}

// checkStates checks the linear equations of the states at (r, u): open r_N = 0, closed u_N = 0, stick u_T = 0, and of slip
// r_T = (μ r_N + s) t̂ along t̂ with (1 − κ) r_⊥ + κρ u_⊥ = 0 across.
func checkStates(t *testing.T, what string, s *dryContacts, r, u []float64) {
	t.Helper()
	size := 1 + num.InfNorm(r) + num.InfNorm(u)
	for k, st := range s.state {
		i := s.dim * k
		x, y := [2]float64{}, [2]float64{}
		copy(x[:], r[i+1:i+s.dim])
		copy(y[:], u[i+1:i+s.dim])
		lacks := map[string]float64{"normal": r[i]}
		if st.closed {
			lacks["normal"] = u[i]
		}
		law := s.law[k]
		switch {
		case !st.slips && (st.closed || law.threshold > 0):
			lacks["stick"] = math.Hypot(y[0], y[1])
		case !st.slips || !st.closed && law.threshold == 0:
			lacks["free"] = math.Hypot(x[0], x[1])
		default:
			limit := law.threshold
			if st.closed {
				limit += law.mu * r[i]
			}
			lacks["along"] = st.t[0]*x[0] + st.t[1]*x[1] - limit
			if s.dim == 3 {
				lacks["across"] = (1-st.kappa)*(-st.t[1]*x[0]+st.t[0]*x[1]) + st.kappa*s.rho[k]*(-st.t[1]*y[0]+st.t[0]*y[1])
			}
		}
		for which, e := range lacks {
			if !(math.Abs(e) < 1e-8*size) {
				t.Errorf("%s: contact %d, %+v of %+v: %s is off by %g of %g", what, k, st, law, which, e, size)
			}
		}
	}
}

// TestActiveSetSteps: a step of either active-set method solves the linear equations of the states at hand, with r and u bound by W, or
// by S = W⁻¹.
func TestActiveSetSteps(t *testing.T) {
	for seed := range 60 {
		rng := rand.New(rand.NewPCG(uint64(seed), 151))
		dim, nc := 2+seed%2, 1+seed%6
		n := dim * nc
		w := spdMatrix(rng, n)
		s := newActiveSet(dim, nc, w)
		for k := range nc {
			trace := 0.0
			for c := range dim {
				trace += w[(dim*k+c)*(n+1)]
			}
			if math.Abs(s.rho[k]*trace-float64(dim)) > 1e-12 {
				t.Errorf("ρ_%d = %g, trace %g", k, s.rho[k], trace)
			}
		}
		for i := range n {
			s.q[i], s.r[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		drawStates(rng, &s.dryContacts)
		s.columns()
		if !s.factorise() {
			continue // the states contradict each other
		}
		if !s.sameStates() {
			t.Error("other states are held")
		}
		s.newReactions()
		u := make([]float64, n)
		for i := range n {
			u[i] = s.q[i]
			for j := range n {
				u[i] += w[i*n+j] * s.r[j]
			}
		}
		s.velocities()
		for i := range u {
			if math.Abs(u[i]-s.u[i]) > 1e-12*(1+num.InfNorm(s.r)*10) {
				t.Errorf("u_%d = %g, want %g", i, s.u[i], u[i])
			}
		}
		if num.InfNorm(s.r) < 1e4 { // what is nearly singular says nothing
			checkStates(t, "active set", &s.dryContacts, s.r, u)
		}
		s.state[0].mu += 1
		if s.sameStates() {
			t.Error("the factors of other states are taken")
		}

		// By S: y and r with r = S y − g, u = y + w.
		p := newPrimalSet(dim, nc, w)
		sum := 0.0
		for k := range nc {
			for j := range nc {
				sum += w[(dim*k+1)*n+dim*j+1]
			}
		}
		if math.Abs(p.rho[0]-usualPenalty*sum/float64(nc)) > 1e-12*math.Abs(p.rho[0]) {
			t.Errorf("ρ = %g, want %g", p.rho[0], usualPenalty*sum/float64(nc))
		}
		for k := range p.rho { // any one will do
			p.rho[k] = 0.5 + rng.Float64()
		}
		y0, r0, off := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			y0[i], r0[i], off[i] = rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		}
		p.start(y0, r0, off)
		g := slices.Clone(p.g)
		for i := range n {
			want := -r0[i]
			for j := range n {
				want += w[i*n+j] * y0[j]
			}
			if math.Abs(g[i]-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("g_%d = %g, want %g", i, g[i], want)
			}
		}
		drawStates(rng, &p.dryContacts)
		for range 2 { // once more from there: the same
			if !p.newton(context.Background(), 1e-14) {
				t.Fatalf("seed %d: no step", seed)
			}
			if num.InfNorm(p.y) > 1e4 {
				break
			}
			for i := range n {
				want := -g[i]
				for j := range n {
					want += w[i*n+j] * p.y[j]
				}
				st := p.state[i/dim]
				if free := !st.closed && p.law[i/dim].threshold == 0; math.Abs(want-p.r[i]) > 1e-8*(1+num.InfNorm(p.r)) && !free {
					t.Errorf("seed %d: r_%d = %g, S y − g = %g", seed, i, p.r[i], want)
				}
				u[i] = p.y[i] + off[i]
			}
			checkStates(t, "in displacements", &p.dryContacts, p.r, u)
		}
		// The linear system as it is solved, and its preconditioner: exact but for the friction of normal forces.
		m := len(p.free)
		x, image, back := make([]float64, m), make([]float64, m), make([]float64, m)
		for a := range x {
			x[a] = rng.NormFloat64()
		}
		for k := range p.law {
			if p.law[k].mu > 0 {
				p.law[k].mu = 0
			}
		}
		p.mul(image, x)
		p.divide(back, image)
		for a := range x {
			if math.Abs(back[a]-x[a]) > 1e-9*(1+num.InfNorm(x)) {
				t.Errorf("seed %d: x_%d = %g, P⁻¹ of its image %g", seed, a, x[a], back[a])
			}
		}
		if p.changed() != 0 {
			t.Errorf("%d columns have changed", p.changed())
		}
		if m > 1 {
			p.free = p.free[1:]
			if p.changed() != 1 {
				t.Errorf("%d columns have changed, want 1", p.changed())
			}
		}
		if got, want := p.slowGMRES(600), fewGMRES+600*600/(6*slow*(n+600)); got != want {
			t.Errorf("%d steps, want %d", got, want)
		}
	}
}

// TestClassify: states, and the natural map over the forces, of one contact by hand.
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		what     string
		law      frictionLaw
		r, u     []float64
		rho      float64
		scale    float64
		want     slipState
		residual float64
	}{
		{"open", frictionLaw{mu: 1}, []float64{0, 0, 0}, []float64{1, 2, 3}, 2, 5, slipState{}, 0},
		{"leaves", frictionLaw{mu: 1}, []float64{1, 0, 0}, []float64{1, 0, 0}, 2, 4, slipState{}, .25},
		{"grazes", frictionLaw{mu: 1}, []float64{2, 0, 0}, []float64{1, 0, 0}, 2, 4, slipState{}, .5},
		{"sticks", frictionLaw{mu: 1}, []float64{2, 1, 0}, []float64{0, 0, 0}, 2, 1, slipState{closed: true}, 0},
		{"at the limit", frictionLaw{mu: .5}, []float64{2, 1, 0}, []float64{0, 0, 0}, 2, 1, slipState{closed: true}, 0},
		{"closes", frictionLaw{mu: 1}, []float64{0, 0, 0}, []float64{-1, 0, 0}, 2, 8, slipState{closed: true}, .25},
		{"comes to rest", frictionLaw{mu: 1}, []float64{2, 0, 0}, []float64{0, .5, 0}, 2, 4, slipState{closed: true}, .25},
		{"slips", frictionLaw{mu: .5}, []float64{2, -.6, -.8}, []float64{0, 1.2, 1.6}, 2, 1, slipState{closed: true, slips: true, t: [2]float64{-.6, -.8}, mu: .5, kappa: .2}, 0},
		{"by its threshold", frictionLaw{threshold: 1}, []float64{0, 0, -1}, []float64{1, 0, 1.5}, 2, 1, slipState{slips: true, t: [2]float64{0, -1}, kappa: .25}, 0},
		{"slips on", frictionLaw{mu: .5}, []float64{2, 0, -.5}, []float64{0, 0, 1.75}, 2, 1, slipState{closed: true, slips: true, t: [2]float64{0, -1}, mu: .5, kappa: .25}, .25},
		{"in the plane", frictionLaw{mu: .5}, []float64{2, -1}, []float64{0, 1}, 2, 1, slipState{closed: true, slips: true, t: [2]float64{-1, 0}, mu: .5}, 0},
		{"nothing", frictionLaw{}, []float64{0, 0}, []float64{1, 1}, 2, 0, slipState{}, 0},
		{"the first force of all", frictionLaw{}, []float64{0, 0}, []float64{-1, 0}, 2, 0, slipState{closed: true}, 1},
	} {
		s := newDryContacts(len(c.r), 1)
		copy(s.r, c.r)
		copy(s.u, c.u)
		s.law[0], s.rho[0] = c.law, c.rho
		s.state[0] = slipState{closed: true, slips: true, kappa: 9}
		residual := s.classify(c.scale)
		got := s.state[0]
		if math.Abs(got.t[0]-c.want.t[0])+math.Abs(got.t[1]-c.want.t[1])+math.Abs(got.kappa-c.want.kappa) < 1e-14 {
			got.t, got.kappa = c.want.t, c.want.kappa
		}
		if len(c.r) == 2 && got.slips && got.kappa != 0 {
			t.Errorf("%s: κ = %g in the plane", c.what, got.kappa)
		}
		// A limit of zero slips with nothing.
		if c.law == (frictionLaw{}) || !c.want.closed && c.law.threshold == 0 {
			got.slips, got.t, got.mu, got.kappa = c.want.slips, c.want.t, c.want.mu, c.want.kappa
		}
		if got != c.want || math.Abs(residual-c.residual) > 1e-15 {
			t.Errorf("%s: %+v, residual %g, want %+v, %g", c.what, got, residual, c.want, c.residual)
		}
	}
	s := newDryContacts(2, 2)
	s.rho[0], s.rho[1] = 1, 1
	s.r[0] = math.NaN()
	if got := s.classify(1); got == got {
		t.Errorf("of NaN %g", got)
	}
	for _, c := range []struct {
		law  Law
		want frictionLaw
		ok   bool
	}{{Frictionless{}, frictionLaw{}, true}, {Coulomb{Mu: .3}, frictionLaw{mu: .3}, true}, {Tresca{Threshold: 2}, frictionLaw{threshold: 2}, true}, {Bilateral{}, frictionLaw{}, false}, {Coulomb{Mu: .3, Shape: NewShape([4]float64{1, 0, 0, .5})}, frictionLaw{}, false}} {
		if ok := s.setLaws([]Law{Frictionless{}, c.law}); ok != c.ok || ok && s.law[1] != c.want {
			t.Errorf("%T: %t, %+v", c.law, ok, s.law[1])
		}
	}
	s.restart([]float64{1, 2, 3})
	if !slices.Equal(s.r, []float64{1, 2, 3, 0}) {
		t.Errorf("restarted at %v", s.r)
	}
}

// TestCondensedFallbacks: what the active sets do not solve the globalised methods do, and after them the local ones, to the same
// motion.
func TestCondensedFallbacks(t *testing.T) {
	for name, law := range map[string]func(k int) Law{
		"coulomb": func(k int) Law { return Coulomb{Mu: 0.1 + 0.05*float64(k%3)} },
		"tresca":  func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%5)} },
	} {
		for dim := 2; dim <= 3; dim++ {
			p := chainProblem(18, dim, law)
			reference, err := NewCondensed(context.Background(), p.M, p.H)
			if err != nil {
				t.Fatal(err)
			}
			var want Result
			if err := reference.Solve(context.Background(), p, 0, nil, &want); err != nil || want.Solver != activeSetName {
				t.Fatalf("%s: %v by %s", name, err, want.Solver)
			}
			compare := func(what string, res *Result, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("%s, dim %d, %s: %v", name, dim, what, err)
				}
				for i := range want.V {
					if math.Abs(res.V[i]-want.V[i]) > 1e-7*num.InfNorm(want.V) { // the tolerance of the local methods over the softness of a chain
						t.Errorf("%s, dim %d, %s: v_%d = %g, want %g", name, dim, what, i, res.V[i], want.V[i])
						return
					}
				}
			}
			c, err := NewCondensed(context.Background(), p.M, p.H)
			if err != nil {
				t.Fatal(err)
			}
			c.newton = nil
			var res Result
			compare("globalised", &res, c.Solve(context.Background(), p, 0, nil, &res))
			if res.Solver == activeSetName || res.Factors == 0 {
				t.Errorf("%s: by %s", name, res.Solver)
			}
			// By the local methods, from zero and from the solution, with what was factorised before.
			for round := range 2 {
				if round == 0 {
					c.last = c.last[:0]
				}
				c.delta.Factors = 1000
				if err := c.solveLocal(context.Background(), new(Options)); err != nil {
					t.Errorf("%s, dim %d: %v", name, dim, err)
				}
				if c.delta.Factors < 1000 || round == 1 && c.delta.Iterations > 0 {
					t.Errorf("%s: %d factorisations, %d iterations in round %d", name, c.delta.Factors, c.delta.Iterations, round)
				}
				compare("local", &res, c.finish(p, 0, new(Options), &res, nil))
			}
			// The matrix of the globalised methods where only S is at hand.
			n := len(c.column)
			primal := newPrimalSet(dim, n/dim, spdMatrix(rand.New(rand.NewPCG(1, 152)), n))
			c.primal, c.small.M = primal, nil
			c.matrix()
			for i := range n {
				for j := range i + 1 {
					if got := c.small.M.Val[c.small.M.Index(i, j)]; got != primal.s.Data[i*n+j] {
						t.Fatalf("S_%d,%d = %g, want %g", i, j, got, primal.s.Data[i*n+j])
					}
				}
			}
		}
	}
}
