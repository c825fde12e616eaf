package contact

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestNoStatesWithoutFactors: states whose equations are singular are not those that factors are held of.
func TestNoStatesWithoutFactors(t *testing.T) {
	s := newActiveSet(3, 1, []float64{0, 0, 0, 0, 1, 0, 0, 0, 1})
	s.state[0].closed, s.state[0].slips = true, true // u_N = 0 by a reaction that moves nothing
	if s.columns(); s.factorise() || s.sameStates() {
		t.Error("factors of zero are held")
	}
}

// TestRayOfAnotherW: a ray is judged by the W of the problem, and by H only if W is what was made of it.
func TestRayOfAnotherW(t *testing.T) {
	p := spherePile(cannonballs(2), 0.02, 0.4, nil)
	if p.Graph.M == nil {
		t.Fatal("the graph of the bodies is not known")
	}
	n := len(p.Q)
	d := make([]float64, n)
	d[0] = 1
	p.Q[0] = -1
	if Certifies(p, d) {
		t.Error("a reaction that moves a sphere is called a ray")
	}
	p.W = &Dense{D: 3, N: n, Val: make([]float64, n*n)}
	if !Certifies(p, d) {
		t.Error("where nothing moves a reaction against a motion is no ray")
	}
}

// TestDirectionOfNothing: with nothing on the right side nothing is left of it.
func TestDirectionOfNothing(t *testing.T) {
	s := startRun(interiorProblems()[0], 1e-9)
	s.interiorBegin()
	s.interiorLook()
	lu := s.ws.factors(s.ctx)
	s.interiorMatrix(lu, 1)
	lu.factor(s.ctx, s.c, s.ws.e, s.ws.b)
	clear(s.ws.interior.rhs)
	if left := s.interiorSolve(lu); left != 0 {
		t.Errorf("%g of nothing is left", left)
	}
	for j, x := range s.ws.interior.dx {
		if x != (vec3{}) {
			t.Errorf("contact %d moves by %v", j, x)
		}
	}
}

// TestNothingNewInZero: a column of zeros depends on any others, and on none.
func TestNothingNewInZero(t *testing.T) {
	var n nonnegative
	n.reset(2)
	n.column()
	n.passive = append(n.passive, 0)
	if n.factor() {
		t.Error("a column of zeros is new")
	}
	n.a[0][1] = 1e-300
	if !n.factor() || n.r[0][0] != 1e-300 {
		t.Error("a small column is not")
	}
}

// TestFixedBodyHasABlock: contacts on what joints hold keep a block of zeros on the diagonal, and only there.
func TestFixedBodyHasABlock(t *testing.T) {
	m := sparse.NewBuilder(4).Build()
	for i := range 4 {
		m.Val[m.Index(i, i)] = 1
	}
	p := &Global{M: m, F: make([]float64, 4), W: make([]float64, 4), Laws: []Law{Coulomb{Mu: 0.3}, Coulomb{Mu: 0.3}},
		H: &Jacobian{Dim: 2, Rows: 4, Ptr: []int{0, 2, 4}, Row: []int{0, 1, 2, 3}, Val: []float64{1, 0, 0, 1, 1, 0, 0, 1}},
		G: &Columns{Rows: 4, Ptr: []int{0, 1, 2}, Row: []int{0, 1}, Val: []float64{1, 1}}, B: make([]float64, 2)}
	d, err := NewDelassus(p)
	if err != nil {
		t.Fatal(err)
	}
	w := d.Local.W.(*Blocks)
	if !slices.Equal(w.Ptr, []int{0, 1, 2}) || !slices.Equal(w.Col, []int{0, 1}) || !slices.Equal(w.Val, []float64{0, 0, 0, 0, 1, 0, 0, 1}) {
		t.Errorf("W = %+v", w)
	}
}

// TestCanceledBeforeTheFirstPart: a context that is done ends a factorisation of one small part.
func TestCanceledBeforeTheFirstPart(t *testing.T) {
	m := sparse.NewBuilder(1).Build()
	m.Val[0] = 1
	h := &Jacobian{Dim: 2, Rows: 1, Ptr: []int{0}}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := newMassParts(ctx, m, h); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	s := smallLDL{n: 2, l: []float64{4, 0, 2, 3}}
	if column, pivot := s.factor(); column != -1 || pivot != 0 || s.l[0] != 0.25 || s.l[2] != 0.5 || s.l[3] != 0.5 {
		t.Errorf("column %d, pivot %g, factors %v", column, pivot, s.l)
	}
}

// TestWordsOfVerdicts: what an error says of complementarity problems without a solution, and of which contact.
func TestWordsOfVerdicts(t *testing.T) {
	var ws LCPWorkspace
	for _, c := range []struct {
		res  LCPResult
		want string
	}{
		{LCPResult{Status: Infeasible, Farkas: []float64{1}}, "Farkas"},
		{LCPResult{Status: Infeasible, Nodes: 7}, "shown in 7 nodes"},
		{LCPResult{Status: NoProgress, Farkas: []float64{1}, Nodes: 3}, "undecided after 3 nodes"},
		{LCPResult{Status: NoProgress, Ray: []float64{1}}, errRay.Error()},
	} {
		var e *Error
		if err := ws.verdict(t.Context(), &c.res); !errors.As(err, &e) || e.Worst != -1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	var e *Error
	// x = 1 and x = 2.
	err := SolveMLCP(t.Context(), &MLCP{M: []float64{1, 1}, Q: []float64{-1, -2}, Equality: []bool{true}}, nil, nil, new(MLCPResult))
	if !errors.As(err, &e) || e.Worst != -1 || e.Status != Infeasible {
		t.Errorf("%v", err)
	}
	for at, want := range map[int]bool{-1: false, 0: true, 1: true} {
		if got := strings.Contains(form.Criterion{Contact: at}.Describe(), "worst at contact"); got != want {
			t.Errorf("contact %d is named: %t", at, got)
		}
	}
}

// TestMemoryOfResults: memory that a caller has given is used, if any of it is there.
func TestMemoryOfResults(t *testing.T) {
	u := make([]float64, 6)
	res := Result{U: u}
	res.Allocate(6, 2)
	if &res.U[0] != &u[0] || len(res.R) != 6 || len(res.Residuals) != 2 {
		t.Errorf("%d, %d, %d", len(res.R), len(res.U), len(res.Residuals))
	}
	rest := make([]float64, 2)
	if res = (Result{Residuals: rest}); true {
		res.Allocate(6, 2)
	}
	if &res.Residuals[0] != &rest[0] || len(res.R) != 6 || len(res.U) != 6 {
		t.Errorf("%d, %d, %d", len(res.R), len(res.U), len(res.Residuals))
	}
}

// TestBeginningOfSlip: from r_T = −limit·G d with ‖S d‖ = 1 a contact slides along d, d·δr_T + μ δr_N + r_N δμ = 0 and d × δu_T = 0; in the
// plane a motion does not turn its friction, to the last bit.
func TestBeginningOfSlip(t *testing.T) {
	rng := rand.New(rand.NewPCG(174, 3))
	for k := range 40 {
		shape := NewShape([4]float64{1 + rng.Float64(), 0.5 * rng.NormFloat64(), 0.5 * rng.NormFloat64(), 0.3 + rng.Float64()})
		a := 2 * math.Pi * rng.Float64()
		d := [2]float64{math.Cos(a), math.Sin(a)}
		size := shape.Norm(d[0], d[1])
		d[0], d[1] = d[0]/size, d[1]/size
		m := shape.Matrix()
		sx, sy := m[0]*d[0]+m[1]*d[1], m[2]*d[0]+m[3]*d[1]
		law, limit, wantN, wantMu := Law(Coulomb{Mu: 0.3, Shape: shape}), 0.3*7, 0.3, 7.0
		if k%2 == 1 {
			law, limit, wantN, wantMu = Tresca{Threshold: 0.7, Shape: shape}, 0.7, 0, 1
		}
		r := vec3{7, -limit * (m[0]*sx + m[2]*sy), -limit * (m[1]*sx + m[3]*sy)}
		rho := []float64{1.7, 1.7, 1.7}
		s := &Sensitivity{laws: []dryLaw{dryLawOf(law, 3)}, dim: 3, rho: rho, e: make([]float64, 9), b: make([]float64, 9), mu: make([]float64, 3)}
		s.linearise(0, &face{groups: [3]groupFace{{kind: groupBegin}}}, r[:], make([]float64, 3))
		for i, pair := range [][2]float64{{s.b[3], wantN}, {s.b[4], d[0]}, {s.b[5], d[1]}, {s.e[7], -rho[0] * d[1]}, {s.e[8], rho[0] * d[0]}, {s.mu[1], wantMu}} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%T: number %d is %g, want %g", law, i, pair[0], pair[1])
			}
		}
	}
}

// TestRunawaySweeps: sweeps of any kind end where reactions leave the range, and where they are no numbers.
func TestRunawaySweeps(t *testing.T) {
	for what, sweeps := range map[string]localMethod{"accelerated": (*localRun).acceleratedSweeps, "momentum": (*localRun).momentumSweeps} {
		for _, far := range []vec3{{1e31}, {math.NaN()}} {
			s := startRun(unit(Coulomb{Mu: 0.5}, -1, 0, 0), 1e-9)
			s.bestMerit = 1
			s.ws.r[0], s.c.q[0] = far, vec3{-far[0], 0, 0}
			if num.Bad(far[0]) {
				s.c.q[0] = vec3{-1, 0, 0}
			}
			if status := sweeps(s, 5); status != NumericalFailure || s.iterations != 1 {
				t.Errorf("%s from %g: %v after %d", what, far, status, s.iterations)
			}
		}
	}
}

// TestLimitsOfStages: stages that are made of others share the limit among them, whatever was spent before: what each of their parts takes
// at least is all that they may take beyond it; a step in friction has four parts.
func TestLimitsOfStages(t *testing.T) {
	at := heap(24, 3)
	run := func() *localRun {
		s := startRun(spherePile(at, 0.03, 0.5, nil), 0)
		s.evaluate()
		return s
	}
	for what, stage := range map[string]localMethod{"kick": (*localRun).kick, "continuation": (*localRun).continuation, "warm": (*localRun).warm, "turns": (*localRun).turns, "centred": (*localRun).centredSweeps} {
		s := run()
		const spent, limit = 1000, 5
		s.iterations = spent
		stage(s, limit)
		most := limit + 2
		if what == "kick" || what == "continuation" {
			most = 5 * limit
		}
		if n := s.iterations - spent; n < 1 || n > most {
			t.Errorf("%s: %d iterations of %d", what, n, limit)
		}
	}
	once := run()
	once.solveRegions()
	for _, more := range []int{-3, 7} { // sweeps that the limit leaves after the first regions: one at least
		s := run()
		if status, want := s.regions(once.iterations+more), once.iterations+max(more, 1); status != IterationLimit || s.iterations != want {
			t.Errorf("regions: %v after %d iterations, want %d", status, s.iterations, want)
		}
	}
}

// TestNothingToComply: no residual does no work.
func TestNothingToComply(t *testing.T) {
	var ws GlobalWorkspace
	m := sparse.NewBuilder(2).Build()
	if got := ws.compliance(t.Context(), m, make([]float64, 2)); got != 0 {
		t.Errorf("½ 0·M⁻¹0 = %g", got)
	}
}

// TestColumnOfBlock: a column of E, over the root of its pivot, takes its dyad away and leaves zeros in its row and column.
func TestColumnOfBlock(t *testing.T) {
	f := &denseUpdate{owner: []int{0, 3, 3}}
	var e [largestBlock][largestBlock]float64
	e[0] = [largestBlock]float64{4, 2, 0}
	e[1] = [largestBlock]float64{2, 3, 1}
	e[2] = [largestBlock]float64{0, 1, 5}
	col := f.column(&updateBlock{dofs: []int{0, 1, 2}}, &e, 0, 3)
	if !slices.Equal(col.dofs, []int{0, 1}) || !slices.Equal(col.val, []float64{2, 1}) || col.mask != 1|1<<3 {
		t.Errorf("%+v", col)
	}
	if e[0] != ([largestBlock]float64{}) || e[1] != ([largestBlock]float64{0, 2, 1}) || e[2] != ([largestBlock]float64{0, 1, 5}) {
		t.Errorf("what is left: %v", e)
	}
}

// TestDilationOfWhatPresses: what carries less than a part of the largest reaction does not count.
func TestDilationOfWhatPresses(t *testing.T) {
	p := &Local{W: diagonal(3, 1, 1, 1, 1, 1, 1), Q: make([]float64, 6), Laws: []Law{Associated{Mu: 1}, Associated{Mu: 1}}}
	for light, want := range map[float64]float64{0.011: 7, 0.009: 2} {
		if got := p.Dilation([]float64{2, 0, 0, 7, 0, 0}, []float64{100, 0, 0, light, 0, 0}, 1e-4); got != want {
			t.Errorf("a reaction of %g beside 100: %g, want %g", light, got, want)
		}
	}
}

// TestSameGraphs: factors serve where both M and H have the same pattern.
func TestSameGraphs(t *testing.T) {
	of := func(m int, row ...int) form.Graph {
		b := sparse.NewBuilder(3)
		b.Add(m, 0)
		return form.Graph{M: b.Build(), H: &Jacobian{Dim: 3, Rows: 3, Ptr: []int{0, row[0], len(row) - 1}, Row: row[1:]}}
	}
	g := of(1, 1, 0, 1)
	for what, c := range map[string]struct {
		other form.Graph
		same  bool
	}{"the same": {of(1, 1, 0, 1), true}, "another M": {of(2, 1, 0, 1), false}, "rows of another contact": {of(1, 2, 0, 1), false}, "other rows": {of(1, 1, 0, 2), false}, "none": {form.Graph{}, false}} {
		if g.SamePattern(c.other) != c.same || c.other.SamePattern(g) != c.same {
			t.Errorf("%s: the same pattern: %t", what, !c.same)
		}
	}
	if !(form.Graph{}).SamePattern(form.Graph{}) {
		t.Error("none is another than none")
	}
}

// TestJointsAreAppendedOnce: H with G is made anew for another H or another G, and only then.
func TestJointsAreAppendedOnce(t *testing.T) {
	p := *pinnedGlobals()["joints"]
	var ws GlobalWorkspace
	first := ws.withJoints(&p).H
	if ws.withJoints(&p).H != first {
		t.Error("made again of the same")
	}
	e := ws.withJoints(&p)
	for k, b := range p.B { // b along the column, nothing across
		if at := len(p.W) + 3*k; !slices.Equal(e.W[at:at+3], []float64{b, 0, 0}) || len(e.W) != len(p.W)+3*len(p.B) {
			t.Errorf("joint %d: %v of %d", k, e.W[at:at+3], len(e.W))
		}
	}
	h, g := *p.H, *p.G
	p.G = &g
	second := ws.withJoints(&p).H
	p.H = &h
	if third := ws.withJoints(&p).H; second == first || third == second {
		t.Error("another H or G is not noticed")
	}
}

// TestDiagonalsAreAdded: a row of W without a block of its own gets one of zeros.
func TestDiagonalsAreAdded(t *testing.T) {
	w := &Blocks{D: 2, Ptr: []int{0, 1, 2, 3}, Col: []int{1, 0, 2}, Val: []float64{1, 2, 3, 4, 1, 3, 2, 4, 5, 0, 0, 5}}
	var c reduced
	c.dim = 2
	c.collect(w, 3)
	for i, zero := range []bool{true, true, false} {
		at := c.diag[i]
		if at < c.ptr[i] || at >= c.ptr[i+1] || c.col[at] != int32(i) || (c.blk[at] == mat3{}) != zero {
			t.Errorf("row %d: diagonal at %d of %v, %v", i, at, c.ptr, c.col)
		}
	}
}

// TestWhatIsSearched: few contacts of polyhedral laws in the plane.
func TestWhatIsSearched(t *testing.T) {
	of := func(dim, nc int, l Law) bool {
		w := make([]float64, dim*nc)
		for i := range w {
			w[i] = 1
		}
		return startRun(&Local{W: diagonal(dim, w...), Q: make([]float64, dim*nc), Laws: slices.Repeat([]Law{l}, nc)}, 1e-9).searchable()
	}
	for _, c := range []struct {
		dim, nc int
		law     Law
		want    bool
	}{{2, 5, Coulomb{Mu: 0.3}, true}, {2, 6, Coulomb{Mu: 0.3}, false}, {3, 2, Pyramid{Mu: 0.3, Facets: 4}, false}, {2, 2, Cohesive{Mu: 0.3, Cohesion: 0.2, Tension: 0.1}, false}, {2, 1, Tresca{Threshold: 1}, true}} {
		if of(c.dim, c.nc, c.law) != c.want {
			t.Errorf("%d contacts of %T in %d: searched: %t", c.nc, c.law, c.dim, !c.want)
		}
	}
}

// TestWhatIsConvex: all but friction, of whatever coefficient.
func TestWhatIsConvex(t *testing.T) {
	for mu, want := range map[float64]bool{0: true, 1e-9: false, 0.5: false, 2: false} {
		c := &reduced{kind: []form.LawKind{form.KindAssociated, form.KindCoulomb, form.KindBilateral}, mu: []float64{0.5, mu, 0}}
		if c.convex() != want {
			t.Errorf("with μ = %g: convex: %t", mu, !want)
		}
	}
}

// TestInverseNearTheRange: determinants beyond the range, of either sign, with entries whose cubes are not.
func TestInverseNearTheRange(t *testing.T) {
	const f = 4.6e102
	for _, m := range []mat3{{f, f, f, f, -f, f, f, f, -f}, {f, -f, f, f, f, f, f, f, -f}} {
		var inv, one mat3
		if !num.Invert3(&inv, &m) {
			t.Fatalf("%v is singular", m)
		}
		num.Mul3(&one, &inv, &m)
		for k, x := range one {
			if !(math.Abs(x-num.Identity3[k]) <= 1e-14) {
				t.Errorf("inverse times matrix: %v", one)
			}
		}
	}
}

// TestNamesOfMethods: each has its own, and what is none has one too.
func TestNamesOfMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range append(form.Methods(), Method(-1), Method(len(form.MethodNames))) {
		if name := m.String(); name == "" || seen[name] {
			t.Errorf("%d is called %q", int(m), name)
		} else {
			seen[name] = true
		}
	}
}

// TestCentreOfUnknownCones: no sweeps are spent where there is no centre.
func TestCentreOfUnknownCones(t *testing.T) {
	s := startRun(unit(Tresca{Threshold: 1}, -1, 2, 0), 1e-9)
	s.evaluate()
	if status := s.centredSweeps(9); status != Unsolved || s.iterations != 0 {
		t.Errorf("thresholds: %v after %d", status, s.iterations)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s = startRun(spherePile(heap(24, 3), 0.03, 0.5, nil), 1e-12)
	s.evaluate()
	s.ctx = ctx
	if status := s.centredSweeps(9); status != Canceled || s.iterations > 1 {
		t.Errorf("a context that is done: %v after %d", status, s.iterations)
	}
}

// TestPyramidWithoutFriction: its complementarity form pushes along the normal alone, however W couples it to the tangents.
func TestPyramidWithoutFriction(t *testing.T) {
	w := &Dense{D: 3, N: 3, Val: []float64{2, 1, 0, 1, 2, 0, 0, 0, 1}}
	form, err := ToMLCP((&Local{W: w, Q: []float64{-2, 0, 0}, Laws: []Law{Pyramid{Facets: 4}}}))
	if err != nil {
		t.Fatal(err)
	}
	var res MLCPResult
	if err := SolveMLCP(t.Context(), &form.MLCP, nil, nil, &res); err != nil {
		t.Fatal(err)
	}
	if r := form.Reactions(nil, res.X); !(math.Abs(r[0]-1) <= 1e-14 && r[1] == 0 && r[2] == 0) {
		t.Errorf("r = %v, want (1, 0, 0)", r)
	}
}

// TestForcedByMasses: ten times the number of contacts, over the least coupling √(ρ_iρ_j)|W_ij| of two contacts where that is below one.
func TestForcedByMasses(t *testing.T) {
	for w, want := range map[float64]float64{0.05: 20 / 0.3, -0.05: 20 / 0.3, 0.5: 20, 0: 20} {
		d := diagonal(2, 0.25, 0.25, 1./9, 1./9)
		d.Val[2], d.Val[8] = w, w
		for _, op := range []Operator{d, hidden{d}} {
			if got := (&Local{W: op}).ForcedByMasses([]float64{4, 9}); !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("a coupling of %g: %g, want %g", w, got, want)
			}
		}
	}
}

// TestSingularMassesOfAMethod: a method that asks for reactions alone ends with the reason why there is no W; the default goes on in
// all velocities.
func TestSingularMassesOfAMethod(t *testing.T) {
	m := sparse.NewBuilder(2).Build()
	m.Val[m.Index(0, 0)] = 1
	p := &Global{M: m, F: []float64{-1, 0}, W: make([]float64, 2), Laws: []Law{Coulomb{Mu: 0.5}},
		H: &Jacobian{Dim: 2, Rows: 2, Ptr: []int{0, 2}, Row: []int{0, 1}, Val: []float64{1, 0, 0, 1}}}
	var indefinite *IndefiniteError
	err := SolveGlobal(t.Context(), p, &Options{Method: MethodNewton}, nil, new(Result))
	if !errors.As(err, &indefinite) || strings.Contains(err.Error(), "as well") {
		t.Errorf("%v", err)
	}
	if err := SolveGlobal(t.Context(), p, nil, nil, new(Result)); err != nil && !strings.Contains(err.Error(), "as well") {
		t.Errorf("by default: %v", err)
	}
}

// TestPenaltiesOfContacts: ρ is of the largest Σx²M_ii/(Σx²)² of a contact's directions; what has less than 1e-8 of the largest of all, or
// nothing, borrows that, and where nothing is stiff it is that of one.
func TestPenaltiesOfContacts(t *testing.T) {
	m := sparse.NewBuilder(5).Build()
	for i, v := range []float64{2, 32, 8 * 0.9e-8, 8 * 1.1e-8, 0} {
		m.Val[m.Index(i, i)] = v
	}
	h := &Jacobian{Dim: 2, Rows: 5, Ptr: []int{0, 2, 3, 4, 5, 5}, Row: []int{0, 1, 2, 3, 4}, Val: []float64{1, 0, 0, 2, 1, 0, 1, 0, 0, 1}}
	ws := GlobalWorkspace{rho: make([]float64, 5)}
	ws.penalties(&Global{M: m, H: h})
	for j, want := range []float64{8, 8, 8 * 1.1e-8, 8, 8} {
		if !(math.Abs(ws.rho[j]-penaltyFactor*want) <= 1e-14*penaltyFactor*want) {
			t.Errorf("contact %d: ρ = %g, want %g", j, ws.rho[j], penaltyFactor*want)
		}
	}
	clear(m.Val)
	ws.penalties(&Global{M: m, H: h})
	for j, rho := range ws.rho {
		if rho != penaltyFactor {
			t.Errorf("contact %d without stiffness: ρ = %g", j, rho)
		}
	}
}
