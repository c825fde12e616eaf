package energetic

import (
	"container/heap"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// begun is a certifier of [reference.Play] at its start: k = (2, 2, 5) N/m, μ = .4, σ = 1.5 N.
func begun(t *testing.T, o Options) *Certifier {
	t.Helper()
	ex := reference.Play()
	k := must(NewCertifier(ex.Psi, o))
	if err := k.Begin(t.Context(), 0, ex.Start); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestTenDigits: a width that is 1e-10 of the larger bound to the bit is exact.
func TestTenDigits(t *testing.T) {
	if v := (Interval{1e10 - 1, 1e10}); !v.Exact() {
		t.Errorf("%v is not exact", v)
	}
}

// TestPaceOfStart: no step was accepted at the start, and without γ steps double.
func TestPaceOfStart(t *testing.T) {
	ex := reference.Play()
	e := must(Start(t.Context(), ex.Psi, ex.Start, Options{}))
	if e.Paced() || e.growth() != 2 {
		t.Errorf("paced %t, growth %g", e.Paced(), e.growth())
	}
}

// TestContinuationSteps: a division into as many steps as are allowed is one, one into more is an error.
func TestContinuationSteps(t *testing.T) {
	for _, c := range []struct {
		parts float64
		ok    bool
	}{{continuationSteps / 2, true}, {continuationSteps/2 + 1, false}} {
		k := &continuation{times: []float64{0, 1, 2}, parts: 1}
		if err := k.divide(c.parts, 2); (err == nil) != c.ok || c.ok && k.parts != int(c.parts) {
			t.Errorf("%g parts of two intervals: %v, %d", c.parts, err, k.parts)
		}
	}
}

// TestMostLevels: as many levels as are allowed are begun.
func TestMostLevels(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	problem := func(int) *dissipation.Coulomb { return reference.Play().Psi }
	_, err := Converge(ctx, problem, make([]float64, 3), Options{}, 0.1, 1, MostLevels, func(int, *Node) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the end of the context", err)
	}
}

// TestEigenvalueOfNothing: the smallest eigenvalue of 0 is 0, with e₁; a matrix of norm 1 is none of that.
func TestEigenvalueOfNothing(t *testing.T) {
	a := &sparse.Sym{N: 3, Ptr: []int{0, 1, 2, 3}, Row: []int{0, 1, 2}, Val: make([]float64, 3)}
	if v, x := smallestSparse(t.Context(), a); v != (Interval{}) || !slices.Equal(x, []float64{1, 0, 0}) {
		t.Errorf("of 0: %v, %v", v, x)
	}
	copy(a.Val, []float64{1, 0.25, 0.5})
	if v, _ := smallestSparse(t.Context(), a); math.Abs(v.Lo-0.25) > 2*eigenTolerance || math.Abs(v.Hi-0.25) > 2*eigenTolerance {
		t.Errorf("of diag(1, .25, .5): %v", v)
	}
}

// steep is the friction s(x) = A + x d, whose derivative is told off by part of its size.
type steep struct {
	a, d [4]float64
	off  float64
}

func (steep) Constant() bool { return false }

func (m steep) At(x, _ float64, d *[2][4]float64) [4]float64 {
	s := m.a
	for i := range s {
		s[i] += x * m.d[i]
	}
	if d != nil {
		*d = [2][4]float64{m.d, {}}
		d[0][0] += m.off
	}
	return s
}

// TestSlopesOfFriction: derivatives are those of differences to a hundredth of the matrix and its slopes; a multiple of the matrix is one row
// whatever its size, another slope of norm b is the two rows (b, 0), (0, b), its off-diagonal included.
func TestSlopesOfFriction(t *testing.T) {
	a := [4]float64{0.3, 0.1, 0.1, 0.7}
	for _, c := range []struct {
		part float64
		ok   bool
	}{{0.9e-2, true}, {1.1e-2, false}, {1.9e-2, false}} {
		m := steep{a: [4]float64{1, 0, 0, 1}, off: c.part} // size 1 + off
		if differentiable(m, 0, 0) != c.ok {
			t.Errorf("a slope off by %g of the size is not told", c.part)
		}
	}
	for _, g := range []float64{1e-6, 0.7, 3e6} {
		m := steep{a: a}
		for i, x := range a {
			m.d[i] = g * x * (1 + 1e-15*float64(i)) // rounding
		}
		if s := slopeAt(m, [2]float64{}); len(s.grad) != 1 || s.bound {
			t.Errorf("%g times the matrix: %+v", g, s)
		}
		m.d[3] *= 1 + 1e-9
		if s := slopeAt(m, [2]float64{}); len(s.grad) != 2 || !s.bound {
			t.Errorf("no multiple of the matrix, of the size %g: %+v", g, s)
		}
	}
	m := steep{a: a, d: [4]float64{3, 0, 0, -4}}
	if s := slopeAt(m, [2]float64{}); len(s.grad) != 2 || s.grad[0] != [2]float64{4, 0} || s.grad[1] != [2]float64{0, 4} {
		t.Errorf("a slope of the norm 4: %+v", s)
	}
}

// TestBoundedNorm: where rows are only bounds, q is bounded as well, however few there are.
func TestBoundedNorm(t *testing.T) {
	h, _ := randomSym(rand.New(rand.NewPCG(11, 1)), 2, 1, 5)
	slopes := []slope{{size: 1, grad: [][2]float64{{2, 0}, {0, 2}}, bound: true}, {size: 0.5}}
	f := newForm(h, []float64{1, 1}, slopes)
	all := []bool{true, true}
	s := f.selection(all, all)
	if q, _ := f.qNorm(all, all); q != (Interval{s.lower(true), s.upper()}) || q.Lo == q.Hi {
		t.Errorf("q = %v, want [%g, %g]", q, s.lower(true), s.upper())
	}
}

// TestSizeOfSearch: ten particles that switch are listed, eleven searched, by nodeLimit branches at most or what a caller says.
func TestSizeOfSearch(t *testing.T) {
	h, _ := randomSym(rand.New(rand.NewPCG(12, 1)), 1, 1, 5)
	f := newForm(h, []float64{1}, []slope{{size: 0.1}})
	for _, c := range []struct {
		switching, limit, want int
		complete               bool
	}{{10, 7, 7, true}, {11, 0, nodeLimit, false}, {11, 7, 7, false}} {
		p := &separationProblem{ctx: t.Context(), forms: []*form{f}, switching: make([]int, c.switching), n: 1, limit: c.limit}
		if s := p.solve(); s.Complete != c.complete || p.limit != c.want {
			t.Errorf("%+v: complete %t, limit %d", c, s.Complete, p.limit)
		}
	}
	r := newSearch(&separationProblem{ctx: t.Context(), forms: []*form{f}, switching: []int{0}, n: 1, limit: 1}, &Separation{})
	if r.run(); r.s.Nodes != 1 {
		t.Errorf("%d nodes of one", r.s.Nodes)
	}
}

// TestHeapOfSpans: the interval of largest excess comes first.
func TestHeapOfSpans(t *testing.T) {
	var h spans
	for _, x := range []float64{2, 7, 1, 5, 3} {
		heap.Push(&h, span{excess: x})
	}
	for _, want := range []float64{7, 5, 3, 2, 1} {
		if got := heap.Pop(&h).(span).excess; got != want {
			t.Errorf("excess %g, want %g", got, want)
		}
	}
}

// TestReachOfLoss: the step to a loss is made once; to where obstacles close a little before it as well, until one is solved.
func TestReachOfLoss(t *testing.T) {
	unsolved := errors.New("unsolved")
	for _, c := range []struct {
		closing []int
		solved  int
		at      []float64
		text    string
	}{
		{nil, 1, []float64{3}, "particle 5 slides away"}, {nil, 0, []float64{3, 3 - 2e-12, 3 - 2e-11, 3 - 2e-10, 3 - 2e-9, 3 - 2e-8, 3 - 2e-7, 3 - 1e-6}, "particle 5 slides away"}, {[]int{7}, 1, []float64{3}, "1 obstacles leave no place"},
		{[]int{7, 8}, 3, []float64{3, 3 - 2e-12, 3 - 2e-11}, "2 obstacles leave no place"},
	} {
		l := &Loss{Time: 3, From: 3, To: 4, Particle: 5, Closing: c.closing}
		if !strings.Contains(l.Error(), c.text) {
			t.Errorf("%q, want %q", l.Error(), c.text)
		}
		var at []float64
		err := l.reach(2, 5, false, func(s float64) error {
			if at = append(at, s); len(at) == c.solved {
				return nil
			}
			return unsolved
		})
		if !slices.Equal(at, c.at) || (err == nil) != (c.solved > 0) || l.From != at[len(at)-1] || c.closing == nil && l.Time != 3 || c.closing != nil && l.Time != l.From {
			t.Errorf("%+v: steps to %v, %v", c, at, err)
		}
	}
}

// TestReachOffBend: off a curved obstacle a node stays parts of the step that was lost before the loss, and the last node the last where the loss
// follows it more closely.
func TestReachOffBend(t *testing.T) {
	unsolved := errors.New("unsolved")
	for _, c := range []struct {
		start float64
		at    []float64
	}{
		{2, []float64{4 - 4e-5, 4 - 4e-4, 4 - 4e-3}},
		{4 - 1e-3, []float64{4 - 2.001e-5, 4 - 2.001e-4}},
		{4 - 1e-5, nil},
	} {
		l := &Loss{Time: 4, From: 4, To: 4}
		var at []float64
		err := l.reach(c.start, 6, true, func(s float64) error {
			at = append(at, s)
			return unsolved
		})
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14 } // rounding of 4
		if !slices.EqualFunc(at, c.at, near) || (err == nil) != (len(c.at) < len(loose)) || err == nil && l.From != c.start {
			t.Errorf("from %.9g: steps to %.9g, %v, %.9g the last", c.start, at, err, l.From)
		}
	}
}

// TestWordsOfMeasures: an overlap without a particle says when, one with a particle where; bodies inside each other come first in what helps; the
// upper estimate that fails is told as what standing still costs less.
func TestWordsOfMeasures(t *testing.T) {
	for particle, want := range map[int]string{-1: ", first at t=2", 0: ", at t=2, particle 0"} {
		m := Measure{Name: "overlap", Particle: particle, Time: 2}
		if got := m.String(); !strings.HasSuffix(got, "allowed 0"+want) {
			t.Errorf("%q, want %q at its end", got, want)
		}
	}
	k := begun(t, Options{})
	if k.sum.Overlap = 0.5; k.remedy(nil) != "keep the bodies apart" {
		t.Errorf("%q", k.remedy(nil))
	}
	s, n := newSummary(1e-10), &Node{K: 1, T: 3}
	n.EnergyScale, n.Upper = 2, -0.25
	if s.judge(n, false); !strings.Contains(s.First, "would have cost 0.25 J less") {
		t.Errorf("%q", s.First)
	}
}

// TestSnap: a height of rounding is taken for none, and told if it is more than that, whatever the sizes; what is no number stays, and spoils
// nothing.
func TestSnap(t *testing.T) {
	for _, size := range []float64{1e-3, 1, 1e3} {
		for _, c := range []struct {
			height  float64
			lowered bool
		}{{2 * ulps, false}, {8 * ulps, true}, {-2 * ulps, false}} {
			k := begun(t, Options{})
			z := []float64{c.height * size / 2, size, c.height * size}
			if err := k.Observe(t.Context(), 1, z); err != nil {
				t.Fatal(err)
			}
			if got := k.node.Z; k.Lowered() != c.lowered || got[2] != 0 || got[0] != z[0] {
				t.Errorf("size %g, height %g: lowered %t, %v", size, c.height*size, k.Lowered(), got)
			}
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		k := begun(t, Options{Foreign: true})
		before := slices.Clone(k.between.reach)
		if k.snapForeign(0, []float64{bad, 0, 1e-20}); !slices.Equal(k.between.reach, before) {
			t.Errorf("%g: reach %v", bad, k.between.reach)
		}
	}
}

// TestPossibleFree: a contact that is exact and closed cannot have been free, whatever its force.
func TestPossibleFree(t *testing.T) {
	k := begun(t, Options{})
	k.node.States[0] = incremental.Stick
	for _, force := range []float64{0, 1} {
		if k.node.Grad[2] = force; k.Possible(0, incremental.Free) {
			t.Errorf("free with %g N", force)
		}
	}
}

// TestUnbalancedSlip: who slips along either axis has the friction μσ against its way, and no force at all is off by it.
func TestUnbalancedSlip(t *testing.T) {
	k := begun(t, Options{})
	k.node.K = 1
	copy(k.node.Grad, []float64{0, 0, 1.5})
	for _, v := range [][]float64{{1e-3, 0, 0}, {0, 1e-3, 0}} {
		copy(k.v, v)
		nearly(t, "force", k.unbalanced(0), 0.4*1.5, 1e-15)
	}
	clear(k.v)
	if got := k.unbalanced(0); got != 0 {
		t.Errorf("at rest: %g N", got)
	}
}

// TestDrift: what the twin gets away by between two nodes is the change of its offset.
func TestDrift(t *testing.T) {
	k := begun(t, Options{})
	copy(k.twin.next, []float64{0.1, 0, 0})
	clear(k.zMid)
	k.twin.before[0] = 0.04 * unseen
	k.between.step[0].Drift = 0
	k.compareTwin(1, 0)
	nearly(t, "drift", k.between.step[0].Drift, 0.06*unseen, 1e-15)
	nearly(t, "offset", k.twin.before[0], 0.1*unseen, 1e-15)
}

// TestKink: of a step in which loads are linear between breaks, forces are known where they break: a particle that stands while μσ = .6 N is
// exceeded by a tooth of 1 N in the middle is off by .4 N there.
func TestKink(t *testing.T) {
	tooth := must(particles.PiecewiseLinear([]float64{0, 0.5, 1}, [][3]float64{{0, 0, -1.5}, {1, 0, -1.5}, {0, 0, -1.5}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: tooth}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether, loads)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
	k := must(NewCertifier(psi, Options{}))
	z := make([]float64, 3)
	if err := k.Begin(t.Context(), 0, z); err != nil {
		t.Fatal(err)
	}
	if err := k.Observe(t.Context(), 1, z); err != nil {
		t.Fatal(err)
	}
	nearly(t, "force", k.between.part[0].Along.Force, 0.4, 1e-14)
}

// TestHeightsOnWays: on a way heights are those of least energy, of springs of any stiffness; at its ends they are what they are there.
func TestHeightsOnWays(t *testing.T) {
	for _, k := range []float64{1e-9, 1, 1e9} {
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0.2), Stiffness: particles.Diagonal(2*k, 2*k, 5*k)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
		w := newWay(psi)
		if _, err := w.dissipation(0, []float64{0, 0, 0}, []float64{1, 0, 0.7}); err != nil {
			t.Fatal(err)
		}
		for s, want := range map[float64]float64{0: 0, 0.5: 0.2, 1: 0.7} {
			if _, err := w.power(s); err != nil || math.Abs(w.w[2]-want) > 1e-13 { // 1e-14 of the forces
				t.Errorf("stiffness %g, at %g: height %g, want %g, %v", k, s, w.w[2], want, err)
			}
		}
	}
}

// TestLimitsOfSearches: names of tests of (S) that are none; tolerances; a state that has no cost costs +∞.
func TestLimitsOfSearches(t *testing.T) {
	for s, want := range map[StabilityTest]string{-1: "StabilityTest(-1)", StabilityGlobal: "global", 3: "StabilityTest(3)"} {
		if s.String() != want {
			t.Errorf("%d: %q", int(s), s)
		}
	}
	for tol, ok := range map[float64]bool{0: true, 1e-2: true, 1.1e-2: false, -1: false} {
		if err := (&SearchOptions{Tolerance: tol}).Validate(); (err == nil) != ok {
			t.Errorf("tolerance %g: %v", tol, err)
		}
	}
	ex := reference.Play()
	g := must(NewGlobalSearch(ex.Psi, SearchOptions{}))
	g.begin(0, ex.Start)
	if got := g.cost([]float64{math.NaN(), 0, 0}); !math.IsInf(got, 1) {
		t.Errorf("a state that is none costs %g", got)
	}
}

// TestNotes: why a node is not proven: a state that costs less than by the margin is named so, one that does with frozen friction alone otherwise.
func TestNotes(t *testing.T) {
	ex := reference.Play()
	const margin, frozen = 0.5, "with friction frozen at the state another one costs less, with friction on the way it does not"
	for _, c := range []struct {
		list  []rival
		proof *Proof
		want  string
	}{
		{nil, &Proof{Reason: "r"}, "r"}, {nil, &Proof{Better: ex.Start}, frozen}, {[]rival{{gain: margin}}, &Proof{Better: ex.Start}, frozen},
		{[]rival{{gain: 0.6}}, &Proof{Better: ex.Start}, "another state costs less"}, {[]rival{{gain: 0.6}}, &Proof{Reason: "r"}, "r"}, {nil, &Proof{Proven: true}, ""},
	} {
		g := must(GlobalFrom(ex.Psi, 0, ex.Start, incremental.Options{}))
		g.convex = false
		if g.note(c.list, c.proof, margin); g.Stats.Reason != c.want {
			t.Errorf("%+v: %q, want %q", c, g.Stats.Reason, c.want)
		}
	}
}

// TestBrokenTogether: bonds are broken each by itself, then the first ones together.
func TestBrokenTogether(t *testing.T) {
	ex := reference.Glued()
	s := must(newRivalSearch(ex.Psi, ex.Start))
	var left []int
	if err := s.debonded(t.Context(), 0, ex.Start, func(y []float64) error {
		left = append(left, len(ex.Psi.System.Whole(0, y)))
		return nil
	}); err != nil || !slices.Equal(left, []int{1, 1, 0}) {
		t.Errorf("bonds left %v, want 1, 1, 0, %v", left, err)
	}
}

// law has a minimum that no program knows of.
type law struct{ particles.Linear }

// TestSeedLimit: of as many moves as there may be each is one, of more every second.
func TestSeedLimit(t *testing.T) {
	for moves, want := range map[int]int{seedLimit: seedLimit, seedLimit + 1: seedLimit/2 + 1} {
		var list []particles.Spring
		for range moves {
			list = append(list, particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 1), Law: law{particles.Linear{K: 1}}})
		}
		sys := must(particles.NewSystem(particles.Floors(1), must(particles.NewSprings(list...))))
		count := 0
		if err := seeds(sys, 0, []float64{1, 0, 0}, func([]float64) error { count++; return nil }); err != nil || count != want {
			t.Errorf("%d moves: %d seeds, want %d, %v", moves, count, want, err)
		}
	}
}

// TestFirstBox: a spring without a bound from below has no box, nor a level that is no number; one with both has.
func TestFirstBox(t *testing.T) {
	pull := must(particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 1), Law: must(particles.NewPiecewise([]float64{0, 1, 2}, []float64{0, 1, 0.5}))}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
	for _, c := range []struct {
		energies []particles.Energy
		level    float64
		want     string
	}{
		{[]particles.Energy{tether, pull}, 1, "no bound from below"}, {[]particles.Energy{tether}, math.Inf(1), "overflows"}, {[]particles.Energy{tether}, math.NaN(), "overflows"}, {[]particles.Energy{tether}, 1, ""},
	} {
		psi := must(dissipation.New(must(particles.NewSystem([]particles.Frame{particles.NoObstacle()}, c.energies...)), []dissipation.Matrix{nil}))
		p := must(NewProver(psi))
		p.z = make([]float64, 3)
		b, err := p.first(c.level)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("level %g: %v, want %q", c.level, err, c.want)
		}
		if err == nil { // ½ 2 |z|² <= 1, and a thousandth
			nearly(t, "reach", b.hi[1], 1.001, 1e-15)
			nearly(t, "reach", b.lo[1], -1.001, 1e-15)
		}
	}
}

// TestBentHessian: at a particle between two balls of radii R with normals n that press with σ, the second derivative along them is
// D²E − Σ σ(1 − nnᵀ)/R, of E at t = 0; it is open where friction bears a part of the force.
func TestBentHessian(t *testing.T) {
	for _, scale := range []float64{1, 1e-6} {
		for _, c := range []struct {
			aside float64
			floor bool // below the particle, and presses with σ = 2
		}{{0, false}, {1e-4, false}, {0, true}} { // three normals bear any force
			bentHessian(t, scale, c.aside, c.floor)
		}
	}
}

// bentHessian is a case of it, of the second of two particles, in forces of a scale.
func bentHessian(t *testing.T, scale, aside float64, floor bool) {
	t.Helper()
	normals, radii, sigma := [][3]float64{{0.6, 0, 0.8}, {0, -0.8, 0.6}}, []float64{2, 0.5}, []float64{3 * scale, 0.25 * scale}
	force := [3]float64{aside * scale, 0, 0}
	frames := []particles.Frame{particles.NoObstacle(), particles.NoObstacle()}
	if floor {
		frames[1] = particles.Floor()
		force[2] -= 2 * scale
	}
	var extras []particles.Extra
	matrices := []dissipation.Matrix{nil, nil}
	for i, n := range normals {
		var center [3]float64
		for d := range center {
			center[d] = -radii[i] * n[d]
			force[d] -= sigma[i] * n[d]
		}
		chart := must(particles.NewChart(must(particles.NewSphere(center, radii[i], false, n)), particles.Motion{}))
		extras, matrices = append(extras, particles.Extra{Particle: 1, Frame: particles.Charted(chart, [3]float64{})}), append(matrices, dissipation.Isotropic{Mu: 0.3})
	}
	// Springs that pull both ways leave no force at t = 0, and turn after it.
	moved := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{1, 0, 0}, {1, 2, 0}}))
	law := particles.Linear{K: 4 * scale, Rest: 0.5}
	both := must(particles.NewSprings(particles.Spring{I: 1, J: -1, Anchor: moved, Law: law}, particles.Spring{I: 1, J: -1, Anchor: particles.At(-1, 0, 0), Law: law}))
	sys := must(particles.NewSystem(frames, both, must(particles.NewLoads(particles.Load{Particle: 1, Force: particles.At(force[0], force[1], force[2])}))))
	sys = must(sys.WithExtras(extras, 1))
	c := &checker{Assumptions: &Assumptions{}, ctx: t.Context(), psi: must(dissipation.New(sys, matrices)), sys: sys, z0: make([]float64, 6), grad: make([]float64, 6), constant: true}
	sys.Gradient(c.grad, nil, 0, c.z0)
	want := mat.NewSymDense(3, nil)
	want.SetSym(0, 0, 8) // 2k along, 2k(1 − l₀/l) across
	want.SetSym(1, 1, 4)
	want.SetSym(2, 2, 4)
	h, open := c.bentHessian()
	if (open != "") != (aside > 0) {
		t.Errorf("scale %g, %g aside, floor %t: %q", scale, aside, floor, open)
	}
	if aside > 0 {
		return
	}
	got := full(h)
	for i := range 3 {
		for k := range i + 1 {
			x := want.At(i, k)
			for b, n := range normals {
				x += sigma[b] / scale / radii[b] * n[i] * n[k]
				if i == k {
					x -= sigma[b] / scale / radii[b]
				}
			}
			nearly(t, "D²E − Σ σ D²h", got.At(3+i, 3+k)/scale, x, 1e-9) // central differences with steps of 1e-5 R: 1e-10
		}
	}
}

// TestUnboundedBox: a box over which the bound overflows is halved along its widest axis all the same.
func TestUnboundedBox(t *testing.T) {
	ex := reference.Buckling()
	p := must(NewProver(ex.Psi))
	p.t, p.z = 0.3, ex.Start
	ex.Psi.System.Gradient(p.grad, nil, p.t, p.z)
	for j := range p.laws {
		p.psi.Law(&p.laws[j], p.t, j, 1, p.z)
	}
	x := box{lo: slices.Clone(p.z), hi: slices.Clone(p.z)}
	for _, i := range []int{2, 5} { // E falls by .9 N and by .2 N
		x.lo[i], x.hi[i] = -math.MaxFloat64, math.MaxFloat64
	}
	if low, axis := p.bound(&x); !math.IsInf(low, -1) || axis != 2 {
		t.Errorf("bound %g, along %d", low, axis)
	}
}

// TestStalled: six rounds of which none is better than the best before end the search for a partition: of a jump, Klarbring's. One that finds a loss ends with it: a weight
// of 1.5 N, μ = .4, slides away at .6 N.
func TestStalled(t *testing.T) {
	ex := reference.Klarbring(2.5)
	o := Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	p, err := ChoosePartition(t.Context(), ex.Psi, ex.Start, o, ex.Until)
	if err != nil || p.Accurate || p.Rounds != 7 || !strings.Contains(p.Reason, "not accurate") {
		t.Errorf("%+v, %v", p, err)
	}
	_, err = ChoosePartition(t.Context(), sledge(), make([]float64, 3), Options{}, 1)
	if lost, ok := errors.AsType[*incremental.LossError](err); !ok || !(lost.Time > 0.6 && lost.Time <= 0.6+1./32) {
		t.Errorf("a loss: %v", err)
	}
}

// sledge is a weight of 1.5 N on a floor, μ = .4, that a force t pulls.
func sledge() *dissipation.Coulomb {
	ramp := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -1.5}, {1, 0, -1.5}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: ramp}))
	return must(dissipation.New(must(particles.NewSystem(particles.Floors(1), loads)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
}

// TestChooseUntilLoss: equal steps that are accurate up to a loss, or meet none, are the partition; of a weight that drags another one by a spring, aside of the pull, into line with
// it, they are not: then nodes come nearer to the loss, at the time at which the pull is what friction holds, than a millionth of it, and that are accurate. A start that is lost has none.
func TestChooseUntilLoss(t *testing.T) {
	o := Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	for _, until := range []float64{0.5, 1} {
		p, err := ChooseUntilLoss(t.Context(), sledge(), make([]float64, 3), o, until, 8)
		if err != nil || !p.Accurate || len(p.Times) != 9 || p.Times[8] != until || p.Times[3] != until*3/8 {
			t.Errorf("a sledge until %g: %+v, %v", until, p, err)
		}
	}
	const load, weight, lighter = 21., 16., 10. // μ = .5 and .6
	pull := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -lighter}, {-0.6 * load, 0.8 * load, -lighter}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: pull}, particles.Load{Particle: 1, Force: particles.At(0, 0, -weight)}))
	springs := must(particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 6.6, Rest: 1}}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(2), loads, springs)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.5}, dissipation.Isotropic{Mu: 0.6}}))
	z := []float64{0, 0.25, 0, 1, 0.25, 0}
	o.Accuracy = 0.2
	const steps = 16
	p, err := ChooseUntilLoss(t.Context(), psi, z, o, 1, steps)
	lost := (0.5*lighter + 0.6*weight) / load
	if n := len(p.Times); err != nil || !p.Accurate || n == steps+1 || p.Times[n-1] != 1 || !(p.Times[n-2] < lost && p.Times[n-2] > lost*(1-1e-6)) || !(p.Times[n-2]-p.Times[n-3] < 1e-6*lost) {
		t.Errorf("a pair: %d, %v, %v, want to %g", n, p.Times[max(n-4, 0):], err, lost)
	}
	if !slices.IsSorted(p.Times) || p.Times[0] != 0 {
		t.Errorf("%v", p.Times)
	}
}

// groove is a particle pressed onto a floor by 1 N and against a wall by .3 N, μ = .4, and drawn along both.
func groove() *dissipation.Coulomb {
	path := must(particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{0, -0.1, -0.2}, {10, -0.1, -0.2}}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: path, Stiffness: particles.Diagonal(2, 3, 5)}))
	wall := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	sys := must(must(particles.NewSystem(particles.Floors(1), tether)).WithExtras([]particles.Extra{{Particle: 0, Frame: wall.Frame()}}, 1))
	return must(dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}, dissipation.Isotropic{Mu: 0.4}}))
}

// TestGroove: one obstacle beside another is examined as a corner: D²E along both is 2 N/m, and σ do not change, q = 0. Sliding on, the pull is
// what friction of Ψ_γ takes, μ Σ (σ − γ) of the way, and less than Ψ by what γ takes off.
func TestGroove(t *testing.T) {
	psi := groove()
	a := must(Assume(t.Context(), psi, make([]float64, 3), AssumptionOptions{}))
	if a.N4.Verdict != Holds || !strings.Contains(a.N4.Detail, "α = 2 over the motions that keep the pressed contacts closed, q <= 0") {
		t.Errorf("(N4) %v: %s", a.N4.Verdict, a.N4.Detail)
	}
	e := must(Start(t.Context(), psi, make([]float64, 3), regularisedBy(0.05)))
	for k := range 4 {
		if err := e.Step(t.Context(), float64(k+1)/2); err != nil {
			t.Fatal(err)
		}
	}
	p := &e.cert.between.step[0] // .5 m with 1.3 N on both
	nearly(t, "dissipated", p.Dissipated, 0.4*1.3*0.5, 1e-12)
	nearly(t, "balance of Ψ_γ", p.BalanceGamma, 0, 1e-12)
	nearly(t, "balance of Ψ", p.Balance, 0.4*2*0.05*0.5, 1e-12)
}

// TestMovingWall: a wall that moves on by .3 m past a particle that stands, pressed against it by .3 N with μ = .4, works .036 J.
func TestMovingWall(t *testing.T) {
	path := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, 0}, {0.3, 0, 0}}))
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	wall := must(particles.NewChart(must(particles.NewPlane(side.Frame())), particles.Motion{Shift: path}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, -0.1, -0.2), Stiffness: particles.Diagonal(2, 3, 5)}))
	sys := must(must(particles.NewSystem(particles.Floors(1), tether)).WithExtras([]particles.Extra{{Particle: 0, Frame: particles.Charted(wall, [3]float64{})}}, 1))
	psi := must(dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}, dissipation.Isotropic{Mu: 0.4}}))
	k := must(NewCertifier(psi, Options{}))
	z := make([]float64, 3)
	if err := k.Begin(t.Context(), 0, z); err != nil {
		t.Fatal(err)
	}
	if err := k.Observe(t.Context(), 1, z); err != nil {
		t.Fatal(err)
	}
	nearly(t, "work", k.node.Work, 0.4*0.3*0.3, 1e-12)
}

// TestRejectedEvents: a step over an event is made again while it is longer than the tolerance of events and may be shorter; without one never.
func TestRejectedEvents(t *testing.T) {
	ex := reference.Play()
	e := must(Start(t.Context(), ex.Psi, ex.Start, Options{}))
	n := e.Node()
	n.Before[0], n.States[0] = incremental.Free, incremental.Grazing // it closed
	for _, c := range []struct {
		tolerance, h float64
		again        bool
	}{{0, 1, false}, {0.5, 1, true}, {0.5, 0.5, false}, {0.1, 0.25, false}, {0.1, 0.5, true}} {
		if again, err := e.reject(nil, Adaptive{MaxStep: 1, MinStep: 0.25, EventTolerance: c.tolerance}, c.h, &AdaptiveStats{}); err != nil || again != c.again {
			t.Errorf("%+v: again %t, %v", c, again, err)
		}
	}
}

// TestConvexInCharts: E of a spring is convex in the coordinates of a plane, not in those of a ball.
func TestConvexInCharts(t *testing.T) {
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	for _, c := range []struct {
		face   particles.Face
		convex bool
	}{{must(particles.NewPlane(side.Frame())), true}, {must(particles.NewSphere([3]float64{0, 0, -1}, 1, false, [3]float64{0, 0, 1})), false}} {
		frame := particles.Charted(must(particles.NewChart(c.face, particles.Motion{})), [3]float64{})
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
		if got := convexTerms(t.Context(), must(particles.NewSystem([]particles.Frame{frame}, tether))); got != c.convex {
			t.Errorf("%T: convex %t", c.face, got)
		}
	}
}

// TestSampledCorner: what friction leaves of a force, and what forces may do nearby, add up: of who has friction to that along, of others to that of the free.
func TestSampledCorner(t *testing.T) {
	psi := groove()
	smooth := must(dissipation.New(psi.System, []dissipation.Matrix{nil, nil}))
	z := make([]float64, 3)
	for _, c := range []struct {
		psi         *dissipation.Coulomb
		along, free float64
	}{{psi, 1 - 0.4*1.3 + 3, 0}, {smooth, 0, 1 + 3}} {
		k := must(NewCertifier(c.psi, Options{}))
		if err := k.Begin(t.Context(), 0, z); err != nil {
			t.Fatal(err)
		}
		p := &k.between.step[0]
		*p = Residuals{}
		k.sampleCorner(0, 0, z, []float64{1, 0.3, 1}, [2]float64{1, 2})
		nearly(t, "along", p.Along.Force, c.along, 1e-12)
		nearly(t, "free", p.Free.Force, c.free, 1e-12)
	}
}

// TestBetterState: a state is better by more than the tolerance of the energies, ½F²/k at least: of 8 N and 5 N/m that is 6.4 J.
func TestBetterState(t *testing.T) {
	ex := reference.Play()
	g := must(NewGlobalSearch(ex.Psi, SearchOptions{Tolerance: 1e-2}))
	g.begin(0, ex.Start)
	g.floor = 8
	for best, better := range map[float64]bool{-0.063: false, -0.065: true, math.Inf(1): false} {
		if g.best = best; g.result(0).Better != better {
			t.Errorf("%g J: better %t", best, !better)
		}
	}
}

// TestOnPolygon: the twin goes with a polygon that is in equilibrium to followed parts of the forces, or to four roundings.
func TestOnPolygon(t *testing.T) {
	k := begun(t, Options{})
	for _, c := range []struct {
		force, rounding, off float64
		on                   bool
	}{{1e3, 0, 0.9e3 * followed, true}, {1e3, 0, 1.1e3 * followed, false}, {0, 1e-3, 3.9e-3, true}, {0, 1e-3, 4.1e-3, false}} {
		k.scales.Force[0], k.scales.Rounding[0] = c.force, c.rounding
		clear(k.v)
		copy(k.zMid, []float64{-(0.4*1.5 + c.off) / 2, 0, 0}) // 2 N/m beyond what friction bears
		if got := k.onPolygon(1, 0); got != c.on {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestConvexNodes: the gaps of a run are exact if those of all nodes and steps are.
func TestConvexNodes(t *testing.T) {
	for _, c := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		s, n := newSummary(1e-10), &Node{}
		n.Gap.Exact, n.StepGap.Exact = c[0], c[1]
		if s.add(n, false); s.Convex != (c[0] && c[1]) {
			t.Errorf("%v: %t", c, s.Convex)
		}
	}
}

// TestTwinThatFailed: a twin that was not solved is a measure of 1 where 0 is allowed.
func TestTwinThatFailed(t *testing.T) {
	k := begun(t, Options{})
	k.twin.failed = "why"
	list := k.measures(nil)
	at := slices.IndexFunc(list, func(m Measure) bool { return m.Name == "parts" })
	if at < 0 {
		t.Fatal("no measure")
	}
	if m := list[at]; m.Particle != -1 || m.Value != 1 || m.Limit != 0 || m.Passed() || !strings.HasSuffix(m.What, ": why") {
		t.Errorf("%+v", m)
	}
}

// TestLargestForces: a normal force grows by the lengths of its row of D²E times what each coordinate may change by, whichever particle it is of.
func TestLargestForces(t *testing.T) {
	const n, length = 5, 0.3
	sys := reference.Chain(n, 1).Psi.System
	c := &checker{Assumptions: &Assumptions{}, sys: sys, z0: make([]float64, 3*n)}
	c.Sets = make([]particles.IndexSet, n)
	dense, start := full(sys.Hessian(0, c.z0)), make([]float64, n)
	for j := range start {
		start[j] = float64(j)
	}
	got := c.largestForces(start, length)
	for j := range n {
		want := start[j]
		for d := range 3 * n {
			want += c.gain(d, dense.At(3*j+2, d), length)
		}
		nearly(t, "force", got[j], want, 1e-14)
	}
}

// TestSoft: what is softer than 1 N/m has the same sizes, ½F²/k, and what has no stiffness none of that.
func TestSoft(t *testing.T) {
	weight := must(particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, -3)}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(0.5)}))
	friction := []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}
	z := make([]float64, 3)
	soft := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether, weight)), friction))
	nearly(t, "size", must(NewGlobalSearch(soft, SearchOptions{})).size(0, z), 9/(2*0.5), 1e-15)
	loose := must(NewGlobalSearch(must(dissipation.New(must(particles.NewSystem(particles.Floors(1), weight)), friction)), SearchOptions{}))
	loose.begin(0, z)
	if loose.best = -1; !loose.result(0).Better {
		t.Error("1 J less is not better")
	}
	still := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether)), friction))
	if _, err := newPathWalker(still, 0, z, 1, DefaultJump); err != nil {
		t.Error(err)
	}
}

// TestRejectedForces: a step in which a force changes by γ/2 is made again.
func TestRejectedForces(t *testing.T) {
	ex := reference.Play()
	e := must(Start(t.Context(), ex.Psi, ex.Start, regularisedBy(0.5)))
	for change, want := range map[float64]bool{0.2499: false, 0.25: true, 0.2501: true} {
		e.Node().ForceChange = change
		if again, err := e.reject(nil, Adaptive{MaxStep: 1, MinStep: 0.25}, 1, &AdaptiveStats{}); err != nil || again != want {
			t.Errorf("by %g N of γ = .5 N: again %t, %v", change, again, err)
		}
	}
}

// TestCondensedLimit: as many coordinates are condensed as are allowed, not one particle more.
func TestCondensedLimit(t *testing.T) {
	for _, more := range []int{0, 1} {
		n := condensedLimit/3 + 1 + more
		b := sparse.NewBuilder(3 * n)
		for d := range 3 * n {
			b.Add(d, d)
		}
		h := b.Build()
		for d := range 3 * n {
			h.Val[h.Index(d, d)] = 2
		}
		drop := make([]bool, n)
		drop[0] = true
		if _, err := condense(t.Context(), h, drop); (err == nil) != (more == 0) {
			t.Errorf("%d particles of which one is condensed out: %v", n, err)
		}
	}
}
