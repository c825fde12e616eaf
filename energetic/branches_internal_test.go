package energetic

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// changing is a user's energy ½ k(t)|z|² of particle 0.
type changing struct{ k func(t float64) float64 }

func (c changing) Pattern(p *particles.Pattern) { p.AddIsotropic(0, 0) }

func (c changing) Value(t float64, z []float64) (e, rate float64) {
	return c.k(t) * (z[0]*z[0] + z[1]*z[1] + z[2]*z[2]) / 2, 0
}

func (c changing) Gradient(grad, _ []float64, t float64, z []float64) {
	for d := range 3 {
		grad[d] += c.k(t) * z[d]
	}
}

func (c changing) Hessian(h *particles.Hessian, t float64, _ []float64) {
	h.AddIsotropic(0, 0, c.k(t))
}

// TestSmoothness: (N1) is asked of the start: D²E that is not finite there fails, one that is not finite later does not; a single kink of the
// loads is told, of what comes before the end.
func TestSmoothness(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for at, want := range map[float64]Verdict{0: Fails, 1: Holds} {
			e := changing{func(s float64) float64 {
				if s == at {
					return bad
				}
				return 1
			}}
			psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), e)), []dissipation.Matrix{nil}))
			c := &checker{Assumptions: &Assumptions{Until: 1}, psi: psi, sys: psi.System, z0: make([]float64, 3), grad: make([]float64, 3)}
			if err := c.smooth(); err != nil || c.N1.Verdict != want {
				t.Errorf("stiffness %g at t = %g: %+v, %v", bad, at, c.N1, err)
			}
		}
	}
	for until, want := range map[float64]string{0.4: "smooth", 1: "(1)"} {
		kinked := must(particles.PiecewiseLinear([]float64{0, 0.5, 2}, [][3]float64{{0, 0, -1}, {0.1, 0, -1}, {0, 0, -1}}))
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: kinked, Stiffness: particles.Isotropic(1)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}}))
		if a := must(Assume(t.Context(), psi, make([]float64, 3), AssumptionOptions{Until: until})); !strings.Contains(a.N1.Detail, want) {
			t.Errorf("until %g: %s", until, a.N1.Detail)
		}
	}
}

// TestAssumptionOptions: what is not finite is named.
func TestAssumptionOptions(t *testing.T) {
	ex := reference.Play()
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		for name, o := range map[string]AssumptionOptions{"Until": {Until: bad}, "Gamma": {Gamma: bad}, "Step": {Step: bad}} {
			if _, err := Assume(t.Context(), ex.Psi, ex.Start, o); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %g: %v", name, bad, err)
			}
		}
	}
}

// sloped is the friction A + x Dx + y Dy, whose first derivative is told off.
type sloped struct {
	dx, dy, off float64
}

func (sloped) Constant() bool { return false }

func (m sloped) At(x, y float64, d *[2][4]float64) [4]float64 {
	s := 1 + x*m.dx + y*m.dy
	if d != nil {
		*d = [2][4]float64{{m.dx + m.off, 0, 0, m.dx}, {m.dy, 0, 0, m.dy}}
	}
	return [4]float64{s, 0, 0, s}
}

// TestSizeOfSlopes: derivatives are compared to a hundredth of the matrix and both of its slopes, with steps that grow with the coordinates.
func TestSizeOfSlopes(t *testing.T) {
	for _, c := range []struct {
		m    sloped
		x    float64
		want bool
	}{{sloped{10, 100, 1}, 0, true}, {sloped{10, 100, 1.5}, 0, false}, {sloped{100, 10, 1}, 0, true}, {sloped{100, 10, 1.5}, 0, false}, {sloped{1e-9, 0, 0}, 1e9, true}} {
		if got := differentiable(c.m, c.x, 0); got != c.want {
			t.Errorf("%+v at %g: %t", c.m, c.x, got)
		}
	}
	for _, at := range [][2]float64{{1e9, -1e9}, {-1e9, 1e9}} { // where it is 1 again
		if !differentiable(sloped{dx: 1, dy: 1}, at[0], at[1]) {
			t.Errorf("at %v", at)
		}
	}
}

// TestBarelyPressed: a contact that bears less than rounding may switch; rounding is that of the start.
func TestBarelyPressed(t *testing.T) {
	for _, c := range []struct {
		force, stiff, later float64
		want                particles.IndexSet
	}{{1e-30, 1, 1, particles.Switching}, {1, 1e20, 1, particles.Switching}, {1, 1, 1, particles.Contact}, {1, 1, 1e20, particles.Contact}} {
		e := changing{func(s float64) float64 {
			if s == 0 {
				return c.stiff
			}
			return c.later
		}}
		loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, -c.force)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), e, loads)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}}))
		k := &checker{Assumptions: &Assumptions{}, psi: psi, sys: psi.System, z0: []float64{1, 0, 0}, grad: make([]float64, 3)}
		psi.System.Gradient(k.grad, nil, 0, k.z0)
		k.indexSets()
		if k.Sets[0] != c.want {
			t.Errorf("%+v: %v", c, k.Sets[0])
		}
	}
}

// TestAdvanceAgain: a second call begins its steps and its counts anew, one that resumes behind an accepted step goes on with both, and one
// that resumes elsewhere begins.
func TestAdvanceAgain(t *testing.T) {
	ex := reference.Play()
	a := Adaptive{MaxStep: 0.1, MinStep: 0.01}
	visit := func(*Node) error { return nil }
	e := must(Start(t.Context(), ex.Psi, ex.Start, Options{}))
	first := must(e.Advance(t.Context(), 0.5, a, visit))
	var behind Checkpoint
	e.Save(&behind)
	again := must(e.Advance(t.Context(), 0.8, a, visit))
	if first.Accepted != 5 || again.Accepted != 3 {
		t.Errorf("%d and %d steps", first.Accepted, again.Accepted)
	}
	e = must(Resume(ex.Psi, Options{}, &behind))
	if on := must(e.Advance(t.Context(), 0.8, a, visit)); on.Accepted != 8 {
		t.Errorf("resumed: %d steps", on.Accepted)
	}
	e = must(Start(t.Context(), ex.Psi, ex.Start, Options{}))
	if err := e.Step(t.Context(), 0.3); err != nil {
		t.Fatal(err)
	}
	e.Save(&behind)
	e = must(Resume(ex.Psi, Options{}, &behind))
	if on := must(e.Advance(t.Context(), 0.6, a, visit)); on.Accepted != 3 {
		t.Errorf("resumed behind a step by hand: %d steps", on.Accepted)
	}
}

// TestGrowth: the next step changes forces by .8 γ/2 at most, if they go on as they do, and is at most twice as long; only lagged thresholds ask for it.
func TestGrowth(t *testing.T) {
	ex := reference.Play()
	for _, c := range []struct {
		gamma, change, want float64
		implicit            bool
	}{{0, 1, 2, false}, {0.5, 0, 2, false}, {0.5, 0.1, 2, false}, {0.5, 0.25, 0.8, false}, {0.5, 0.25, 2, true}, {0, 1, 2, true}, {0.5, 0, 2, true}} {
		o := regularisedBy(c.gamma)
		if c.implicit {
			o.Step.Threshold = incremental.Implicit
		}
		e := must(Start(t.Context(), ex.Psi, ex.Start, o))
		e.Node().ForceChange = c.change
		nearly(t, "growth", e.growth(), c.want, 1e-15)
	}
}

// TestCloseHeights: with Close a height of four roundings of the largest coordinate is none; without it one of 1e-12 of that, which is told
// from five roundings on.
func TestCloseHeights(t *testing.T) {
	const size = 0.25 // a power of two: its multiples of roundings are numbers
	for _, c := range []struct {
		height        float64 // in roundings
		close         bool
		kept, lowered bool
	}{{4, true, false, false}, {4.5, true, true, false}, {4.5, false, false, true}, {4, false, false, false}, {6000, false, true, false}} {
		k := begun(t, Options{Close: c.close})
		if err := k.Observe(t.Context(), 1, []float64{0, size, c.height * ulps * size}); err != nil {
			t.Fatal(err)
		}
		if got := k.node.Z[2]; (got > 0) != c.kept || k.Lowered() != c.lowered {
			t.Errorf("%+v: height %g, lowered %t", c, got, k.Lowered())
		}
	}
}

// TestReachOfIslands: the force that heights from elsewhere are compared with is the largest of each island so far.
func TestReachOfIslands(t *testing.T) {
	const n = 5
	var tethers []particles.Tether
	for j := range n {
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: particles.At(float64(j+1), 0, -1), Stiffness: particles.Isotropic(1)})
	}
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(n), must(particles.NewTethers(tethers...)))), make([]dissipation.Matrix, n)))
	k := must(NewCertifier(psi, Options{Foreign: true}))
	z := make([]float64, 3*n)
	if err := k.Begin(t.Context(), 0, z); err != nil {
		t.Fatal(err)
	}
	clear(k.between.reach)
	k.between.reach[k.scales.Island[0]] = 7
	k.snapForeign(0, z)
	for j := range n {
		want := float64(j + 1)
		if j == 0 {
			want = 7
		}
		if got := k.between.reach[k.scales.Island[j]]; got != want {
			t.Errorf("particle %d: %g N, want %g", j, got, want)
		}
	}
	before := slices.Clone(k.between.reach)
	z[0], z[2] = math.Inf(-1), 1e-20
	if k.snapForeign(0, z); z[2] == 0 || !slices.Equal(k.between.reach, before) {
		t.Errorf("of what is no number: %v", k.between.reach)
	}
}

// TestEnergyScale: energies are compared with ½F²/k of the stiffest direction, and with a hundredth of F l where nothing has stiffness or a gap
// goes on for ever.
func TestEnergyScale(t *testing.T) {
	k := begun(t, Options{})
	n := &k.node
	f := n.forces(k.opt.Tolerance)
	for _, c := range []struct{ stiffest, gap, step, want float64 }{
		{0.5, 0, 0, f * f}, {1, 0, 0, f * f / 2}, {1e6, 0, 0, f * f / 2e6}, {0, 0, 0, 0.01 * f * 3}, {1e6, 0.5, 0, 0.01 * f * 3}, {1e6, 0, 0.5, 0.01 * f * 3},
	} {
		k.stiffest, n.Gap.Radius, n.StepGap.Radius, n.EnergyScale, k.size = c.stiffest, c.gap, c.step, 0, 3
		k.scaleEnergy()
		nearly(t, "scale", n.EnergyScale, c.want, 1e-15*c.want)
	}
}

// TestBesideOneBody: beside one body too, which lies elsewhere at another place, what came two nodes before is kept apart, and the estimates are
// those of bent obstacles.
func TestBesideOneBody(t *testing.T) {
	ex := reference.BallAndWall(false)
	e := must(Start(t.Context(), ex.Psi, ex.Start, Options{Step: incremental.Options{Threshold: incremental.Implicit}, Equilibrate: true}))
	k, nodes := e.cert, [][]float64{slices.Clone(e.Node().Z)}
	if len(k.sys.Bent()) != 1 {
		t.Fatalf("%d bodies", len(k.sys.Bent()))
	}
	for i := range 3 {
		if err := e.Step(t.Context(), 0.2*float64(i+1)); err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, slices.Clone(e.Node().Z))
		if i == 0 && k.older.Z != nil {
			t.Errorf("before the start: %v", k.older.Z)
		}
		if i > 0 && !slices.Equal(k.older.Z, nodes[i-1]) {
			t.Errorf("node %d: two before it is %v, want %v", i+1, k.older.Z, nodes[i-1])
		}
		upper, lower := k.node.Upper, k.node.Lower
		still, _ := k.sys.Value(k.node.T, k.zPrev)
		k.freezeStep(k.implicit())
		if k.bentEstimates(still); k.node.Upper != upper || k.node.Lower != lower {
			t.Errorf("node %d: estimates [%g, %g], want [%g, %g]", i+1, lower, upper, k.node.Lower, k.node.Upper)
		}
	}
}

// TestUnstable: of starts alone, and of this program's, one is unstable whose gap and whose force both exceed their tolerances.
func TestUnstable(t *testing.T) {
	for _, c := range []struct {
		foreign    bool
		k          int
		gap, force float64
		unstable   bool
	}{{false, 0, 1.01e-6, 1.01e-2, true}, {true, 0, 1.01e-6, 1.01e-2, false}, {false, 1, 1.01e-6, 1.01e-2, false}, {false, 0, 0.99e-6, 1.01e-2, false}, {false, 0, 1.01e-6, 0.99e-2, false}, {false, 0, 0, 0, false}} {
		k := begun(t, Options{Tolerance: 1e-4, Foreign: c.foreign})
		n := &k.node
		n.K, n.EnergyScale, n.ForceScale, n.Rounding = c.k, 1e-2, 100, 0
		n.Gap.Upper, n.Gap.Lower, n.Force = c.gap, c.gap, c.force
		if err := k.Unstable(); (err != nil) != c.unstable {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestThresholdsOfSteps: whose thresholds a step had is what it says, if it was solved once or more, and else what was asked for.
func TestThresholdsOfSteps(t *testing.T) {
	for _, asked := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
		k := begun(t, Options{Step: incremental.Options{Threshold: asked}})
		for _, s := range []incremental.Stats{{}, {Lagged: true}, {Solves: 1}, {Solves: 1, Lagged: true}, {Solves: 2, Lagged: true}} {
			want := asked == incremental.Implicit
			if s.Solves > 0 {
				want = !s.Lagged
			}
			if k.node.Stats = s; k.implicit() != want {
				t.Errorf("asked %v, %+v: implicit %t", asked, s, !want)
			}
		}
	}
}

// TestSmoothForces: forces of contacts without friction change no threshold.
func TestSmoothForces(t *testing.T) {
	for mu, want := range map[float64]float64{0: 0, 0.3: 0.5} {
		matrices := []dissipation.Matrix{nil}
		if mu > 0 {
			matrices[0] = dissipation.Isotropic{Mu: mu}
		}
		load := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -1}, {0, 0, -0.5}}))
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether, must(particles.NewLoads(particles.Load{Particle: 0, Force: load})))), matrices))
		k := must(NewCertifier(psi, Options{}))
		if err := k.Begin(t.Context(), 0, make([]float64, 3)); err != nil {
			t.Fatal(err)
		}
		if err := k.Observe(t.Context(), 1, make([]float64, 3)); err != nil {
			t.Fatal(err)
		}
		nearly(t, "change of the force", k.node.ForceChange, want, 1e-15)
		nearly(t, "change of the threshold", k.node.ThresholdChange, want, 1e-15)
	}
}

// TestCompliancesFollow: where D²E varies the blocks that are inverted are those of the present node.
func TestCompliancesFollow(t *testing.T) {
	ex := reference.Buckling()
	e := must(Start(t.Context(), ex.Psi, ex.Start, Options{Equilibrate: true}))
	for i := range 2 {
		if err := e.Step(t.Context(), 0.2*float64(i+1)); err != nil {
			t.Fatal(err)
		}
		k := e.cert
		h := k.sys.Hessian(k.node.T, k.node.Z)
		for at, j := range k.blocks.list {
			if got := inverseBlock(h, j); got != k.blocks.inverse[at] {
				t.Errorf("node %d, particle %d: %v, want %v", i+1, j, k.blocks.inverse[at], got)
			}
		}
	}
}

// TestBases: names of what measures rest on, and numbers that are none; bodies in each other are a measure of their own.
func TestBases(t *testing.T) {
	for b, want := range map[Basis]string{-1: "Basis(-1)", Proven: "proven", Sampled: "sampled", 4: "Basis(4)"} {
		if got := b.String(); got != want {
			t.Errorf("%d: %q", int(b), got)
		}
	}
	k := begun(t, Options{})
	overlaps := func() int {
		return slices.IndexFunc(k.measures(nil), func(m Measure) bool { return m.Name == "overlap" })
	}
	if overlaps() >= 0 {
		t.Error("an overlap without one")
	}
	k.sum.Overlap, k.sum.OverlapTime = 0.5, 2
	if at := overlaps(); at < 0 {
		t.Error("no overlap")
	} else if m := k.measures(nil)[at]; m.Value != 0.5 || m.Limit != 0 || m.Particle != -1 || m.Time != 2 || m.Passed() || !m.Judged {
		t.Errorf("%+v", m)
	}
}

// besideWall is a particle that holds nothing, and one in the groove of a floor and a wall that moves along by .2 m up to t = ½ and .3 m up to 1,
// pressed by 1 N and .3 N, μ = .4.
func besideWall(factor float64) *dissipation.Coulomb {
	path := must(particles.PiecewiseLinear([]float64{0, 0.5, 1}, [][3]float64{{0, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0}}))
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	wall := must(particles.NewChart(must(particles.NewPlane(side.Frame())), particles.Motion{Shift: path}))
	tether := func(j int) particles.Tether {
		return particles.Tether{Particle: j, Anchor: particles.At(0, -0.1, -0.2), Stiffness: particles.Diagonal(2, 3, 5)}
	}
	sys := must(must(particles.NewSystem(particles.Floors(2), must(particles.NewTethers(tether(0), tether(1))))).WithExtras([]particles.Extra{{Particle: 1, Frame: particles.Charted(wall, [3]float64{})}}, 1))
	psi := must(dissipation.New(sys, []dissipation.Matrix{nil, dissipation.Isotropic{Mu: 0.4}, dissipation.Isotropic{Mu: 0.4}}))
	if factor != 1 {
		constant := signal.Constant(factor)
		if err := psi.SetFactors([]signal.Scalar{nil, constant, constant}); err != nil {
			panic(err)
		}
	}
	return psi
}

// TestSearchFromNode: a wall that slides down by .2 m beside a particle that goes 1 m along it drags that onto the floor: with a pull of 1 N onto each and
// μ = ½ these bear 1 N and 1 + μ .2/r, r² = 1 + .2², and hold μ/r and μ(1 + μ .2/r) along the edge. In that state no other one costs less; counted from
// nowhere the floor bears 1 N, and both hold 2 μ = 1 N.
func TestSearchFromNode(t *testing.T) {
	const mu, down = 0.5, 0.2
	r := math.Hypot(1, down)
	pull := mu/r + mu*(1+mu*down/r)
	path := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{}, {0, 0, -down}}))
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	wall := must(particles.NewChart(must(particles.NewPlane(side.Frame())), particles.Motion{Shift: path}))
	tether := must(particles.NewTethers(particles.Tether{Anchor: particles.At(pull, -1, -1), Stiffness: particles.Isotropic(1)}))
	sys := must(must(particles.NewSystem(particles.Floors(1), tether)).WithExtras([]particles.Extra{{Frame: particles.Charted(wall, [3]float64{})}}, 1))
	psi := must(dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: mu}, dissipation.Isotropic{Mu: mu}}))
	g, z := must(NewGlobalSearch(psi, SearchOptions{Evaluations: 300, Starts: 8})), make([]float64, 3)
	for range 2 {
		if f := must(g.RunFrom(t.Context(), dissipation.Origin{Z: []float64{-1, 0, 0}}, 1, z)); f.Better {
			t.Errorf("from the node before: %v", f)
		}
		f := must(g.Run(t.Context(), 1, z))
		if !f.Better {
			t.Fatalf("from nowhere: %v", f)
		}
		nearly(t, "gain from nowhere", f.Gain, (pull-1)*(pull-1)/2, 1e-12)
	}
}

// TestCarriedInSteps: between nodes a particle goes with the obstacle that it sticks to, whatever slides beside it, and straight on where it
// sticks to none.
func TestCarriedInSteps(t *testing.T) {
	for x, want := range map[float64]float64{0.3: 0.2, 0.1: 0.05} {
		k := must(NewCertifier(besideWall(1), Options{}))
		if err := k.Begin(t.Context(), 0, make([]float64, 6)); err != nil {
			t.Fatal(err)
		}
		if err := k.Observe(t.Context(), 1, []float64{0, 0, 0, x, 0, 0}); err != nil {
			t.Fatal(err)
		}
		k.interpolate(0.5, 0.5)
		for i, v := range []float64{0, 0, 0, want, 0, 0} {
			nearly(t, "place", k.zMid[i], v, 1e-15)
		}
	}
}

// TestCornerOfGamma: with next to no γ the residuals of Ψ_γ in a corner whose wall moves are those of Ψ, and half of the friction takes half.
func TestCornerOfGamma(t *testing.T) {
	residuals := func(factor, gamma float64) (Residuals, float64) {
		k := must(NewCertifier(besideWall(factor), regularisedBy(gamma)))
		if err := k.Begin(t.Context(), 0, make([]float64, 6)); err != nil {
			t.Fatal(err)
		}
		if err := k.Observe(t.Context(), 1, []float64{0, 0, 0, 0.1, 0, 0}); err != nil {
			t.Fatal(err)
		}
		return k.between.step[k.between.island[1]], k.node.Dissipation
	}
	p, whole := residuals(1, 1e-13)
	if p.Slip == 0 || p.Balance == 0 || p.Along.Force == 0 {
		t.Fatalf("nothing to compare: %+v", p)
	}
	nearly(t, "slip of Ψ_γ", p.SlipGamma, p.Slip, 1e-11)
	nearly(t, "balance of Ψ_γ", p.BalanceGamma, p.Balance, 1e-11)
	nearly(t, "force of Ψ_γ", p.AlongGamma.Force, p.Along.Force, 1e-11)
	_, half := residuals(0.5, 0)
	nearly(t, "half of the friction", half, whole/2, 1e-12)
}

// TestFrictionOfStart: forms at the start have friction as it is then, and as the load presses.
func TestFrictionOfStart(t *testing.T) {
	ex := reference.Play()
	psi := must(dissipation.New(ex.Psi.System, []dissipation.Matrix{sloped{dx: 0.25}}))
	if err := psi.SetFactors([]signal.Scalar{must(signal.NewTable([]float64{0, 1}, []float64{0.5, 1}))}); err != nil {
		t.Fatal(err)
	}
	c := &checker{Assumptions: &Assumptions{}, psi: psi, sys: psi.System, z0: make([]float64, 3)}
	for sigma, want := range map[float64]float64{0.5: 0.5 * 0.5 * 0.25, -1: 0} {
		f := c.formAt(psi.System.Hessian(0, c.z0), []float64{sigma}, nil)
		got := 0.0
		for _, b := range f.rows[0].b {
			got += b.val[0]
		}
		nearly(t, "slope of friction", got, want, 1e-16)
	}
}

// TestSolvedGaps: a step is solved if its gap is below the tolerance of the energies and the force that is left below ten tolerances.
func TestSolvedGaps(t *testing.T) {
	k := begun(t, Options{Tolerance: 1e-4})
	k.node.EnergyScale = 1e-2
	for _, c := range []struct {
		upper, share float64
		want         bool
	}{{0.99e-6, 0, true}, {1.01e-6, 0, false}, {0, 0.99e-3, true}, {0, 1.01e-3, false}} {
		if got := k.solved(incremental.Gap{Upper: c.upper, Share: c.share}); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	nearly(t, "forces", (&Certificate{ForceScale: 1, Rounding: 1}).forces(0.1), 10, 1e-15)
	nearly(t, "forces", (&Certificate{ForceScale: 1, Rounding: 0.01}).forces(0.1), 1, 1e-15)
}

// TestPartitionUntil: partitions end at a positive time.
func TestPartitionUntil(t *testing.T) {
	ex := reference.Play()
	for _, until := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := ChoosePartition(t.Context(), ex.Psi, ex.Start, Options{}, until); err == nil || !strings.Contains(err.Error(), "positive time") {
			t.Errorf("until %g: %v", until, err)
		}
	}
}

// TestMarkedShares: of steps those that add most beyond the part that is kept are marked, of equal ones the later.
func TestMarkedShares(t *testing.T) {
	r := &round{mark: make([]bool, 4)}
	r.markShares([]share{{step: 3, energy: 0.6 * shareKept}, {step: 0, energy: 0.6 * shareKept}, {step: 2, energy: 0.1 * shareKept}, {step: 1, energy: 0.2 * shareKept}})
	if !slices.Equal(r.mark, []bool{false, false, false, true}) {
		t.Errorf("%v", r.mark)
	}
}

// TestManySubsets: of more subsets than are shown the number of the others is told.
func TestManySubsets(t *testing.T) {
	a := &Assumptions{Names: []string{"a"}}
	s := &Separation{Complete: true, Worst: Subset{Verdict: Holds}, Factor: exactly(math.Inf(1))}
	for range shownSubsets + 5 {
		s.Subsets = append(s.Subsets, Subset{K: []int{0}})
	}
	r := &textReport{a: a}
	if r.table(s); !strings.Contains(r.b.String(), "and 5 more") {
		t.Error(r.b.String())
	}
}

// TestSampledForces: the force that neither obstacle nor friction holds, with what it may change by: of who is pressed without friction that along
// the obstacle, with friction what is beyond that of the place, in the air all of it.
func TestSampledForces(t *testing.T) {
	ex := reference.Play()
	smooth := must(dissipation.New(ex.Psi.System, []dissipation.Matrix{nil}))
	rough := must(dissipation.New(ex.Psi.System, []dissipation.Matrix{sloped{dx: 0.5, dy: 0.25}}))
	for _, c := range []struct {
		psi         *dissipation.Coulomb
		z           []float64
		free, along float64
	}{{smooth, []float64{2, 4, 0}, 5.5, 0}, {rough, []float64{2, 4, 0}, 0, 5 + 0.5 - (1+1+1)*(1-0.25)}, {rough, []float64{2, 4, 1}, math.Sqrt(9+16+1) + 0.75, 0}} {
		k := must(NewCertifier(c.psi, Options{}))
		if err := k.Begin(t.Context(), 0, ex.Start); err != nil {
			t.Fatal(err)
		}
		p := &k.between.step[0]
		*p = Residuals{}
		k.sample(0, 0, c.z, []float64{3, 4, 1}, c.z[2] > 0, [2]float64{0.5, 0.25})
		nearly(t, "free", p.Free.Force, c.free, 1e-15)
		nearly(t, "along", p.Along.Force, c.along, 1e-15)
	}
	k := begun(t, Options{})
	for i := range 3 {
		clear(k.v)
		if k.moves() {
			t.Error("moves at rest")
		}
		if k.v[i] = 1; !k.moves() {
			t.Errorf("by 1 m along %d: at rest", i)
		}
	}
	copy(k.twin.nextGrad, []float64{2, 3, 6})
	k.twin.next[2] = 1
	nearly(t, "force in the air", k.unbalancedPart(0, 0), 7, 1e-15)
}
