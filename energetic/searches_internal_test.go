package energetic

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// halved is [reference.Play] with half of its friction.
func halved(t *testing.T) reference.Example {
	t.Helper()
	ex := reference.Play()
	psi := must(dissipation.New(ex.Psi.System, ex.Psi.Matrices))
	if err := psi.SetFactors([]signal.Scalar{signal.Constant(0.5)}); err != nil {
		t.Fatal(err)
	}
	ex.Psi = psi
	return ex
}

// TestSearchOptions: what is not set has its default, what is out of range is named.
func TestSearchOptions(t *testing.T) {
	ex := reference.Play()
	for _, c := range []struct{ o, want SearchOptions }{
		{SearchOptions{}, SearchOptions{Evaluations: 10000, Starts: 100, Tolerance: 1e-10}}, {SearchOptions{Evaluations: 1, Starts: 1, Tolerance: 1e-3, Radius: 2}, SearchOptions{Evaluations: 1, Starts: 1, Tolerance: 1e-3, Radius: 2}},
	} {
		if g := must(NewGlobalSearch(ex.Psi, c.o)); g.opt != c.want {
			t.Errorf("%+v, want %+v", g.opt, c.want)
		}
	}
	for _, c := range []struct {
		o    SearchOptions
		want string
	}{
		{SearchOptions{Evaluations: -1}, "-1 evaluations"}, {SearchOptions{Starts: -1}, "-1 starts"}, {SearchOptions{Radius: -1}, "Radius is -1"}, {SearchOptions{Radius: math.NaN()}, "Radius is NaN"}, {SearchOptions{Radius: math.Inf(1)}, "Radius is +Inf"},
	} {
		if err := c.o.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

// TestWhatIsSearched: energies that are neither quadratic nor known to be convex.
func TestWhatIsSearched(t *testing.T) {
	tether := func(stiffening float64) particles.Energy {
		return must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(1), Stiffening: stiffening}))
	}
	zero := signal.Constant(0)
	saddle := must(particles.NewQuadratic([]int{0}, make([]float64, 3), must(particles.DenseEntries([][]float64{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}})), particles.Path{zero, zero, zero}))
	spring := must(particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 1), Law: particles.Linear{K: 1, Rest: 1}}))
	for name, c := range map[string]struct {
		e    particles.Energy
		want bool
	}{"quadratic": {tether(0), false}, "stiffening": {tether(1), false}, "saddle": {saddle, false}, "spring": {spring, true}} {
		sys := must(particles.NewSystem(particles.Floors(1), c.e))
		if got := StabilityAuto.Searches(sys); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestBeginSearch: a search begins with nothing counted or found, forces above rounding, and friction as it is at the time; a state without an energy
// is not polished.
func TestBeginSearch(t *testing.T) {
	ex := halved(t)
	g := must(NewGlobalSearch(ex.Psi, SearchOptions{}))
	g.evaluated, g.polished, g.best = 7, 8, -1
	g.begin(0, ex.Start)
	if g.evaluated != 0 || g.polished != 0 || !math.IsInf(g.best, 1) || !slices.Equal(g.bestY, ex.Start) {
		t.Errorf("%d evaluated, %d polished, best %g at %v", g.evaluated, g.polished, g.best, g.bestY)
	}
	nearly(t, "friction", g.min.Dissipation([]float64{2, 0, 0}), 2*0.4*1.5/2, 1e-15)
	g.y[0] = math.NaN()
	if err := g.polish(t.Context()); err != nil || g.polished != 0 {
		t.Errorf("polished %d, %v", g.polished, err)
	}
	// A tether that is not stretched at 1 m: forces are rounding.
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(1, 0, 0), Stiffness: particles.Isotropic(3)}))
	sys := must(particles.NewSystem(particles.Floors(1), tether))
	g = must(NewGlobalSearch(must(dissipation.New(sys, []dissipation.Matrix{nil})), SearchOptions{}))
	z := []float64{1, 0, 0}
	g.begin(0, z)
	nearly(t, "floor", g.floor, incremental.RoundingForce(make([]float64, 6), sys, sys.Hessian(0, z), z)/searchTolerance, 0)
	loose := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), must(particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, -3)})))), []dissipation.Matrix{nil}))
	nearly(t, "size without stiffness", must(NewGlobalSearch(loose, SearchOptions{})).size(0, []float64{0, 0, 2}), 6, 1e-15)
}

// TestGainsOfSearch: a gain counts beyond the tolerance of the larger energy and of ½F²/k, whatever k.
func TestGainsOfSearch(t *testing.T) {
	for _, c := range []struct {
		k, start, best float64
		better         bool
	}{{0, 100, 99, false}, {0, 100, 98.9, true}, {0, -99, -100, false}, {0, -99, -100.1, true}, {0.5, 0.5, 0, false}, {0.5, 1.1, 0, true}, {2, 0.5, 0, true}, {2, 0.2, 0, false}, {0, 1, math.Inf(1), false}} {
		var list []particles.Energy
		if c.k > 0 {
			list = append(list, must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(c.k)})))
		}
		g := must(NewGlobalSearch(must(dissipation.New(must(particles.NewSystem(particles.Floors(1), list...)), []dissipation.Matrix{nil})), SearchOptions{Tolerance: 1e-2}))
		g.begin(0, make([]float64, 3))
		g.floor, g.best = 10, c.best
		if r := g.result(c.start); r.Better != c.better {
			t.Errorf("%+v: better %t", c, r.Better)
		}
	}
}

// TestLargestEvolution: CMA-ES is used up to 90 coordinates, while evaluations are left.
func TestLargestEvolution(t *testing.T) {
	for _, c := range []struct {
		n, evaluations int
		used           bool
	}{{30, 5, true}, {31, 5, false}, {1, 1, false}, {1, 5, true}} {
		sys := must(particles.NewSystem(particles.Floors(c.n), must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(1)}))))
		g := must(NewGlobalSearch(must(dissipation.New(sys, make([]dissipation.Matrix, c.n))), SearchOptions{Evaluations: c.evaluations}))
		g.begin(0, make([]float64, 3*c.n))
		g.evaluated = 1
		if err := g.evolve(t.Context(), rand.New(rand.NewPCG(1, 1)), 1); err != nil || (g.evaluated > 1) != c.used {
			t.Errorf("%+v: %d evaluated, %v", c, g.evaluated, err)
		}
	}
}

// TestStill: what moves by less than 1e-10 of force per stiffness stands still.
func TestStill(t *testing.T) {
	ex := reference.Play()
	e := must(Start(t.Context(), ex.Psi, ex.Start, Options{}))
	nearly(t, "still", e.still(), 1e-10*e.stepper.Scale()/5, 1e-25)
}

// TestSuspect: what makes a step suspect of a jump: that implicit thresholds had no solution, a speed, an energy that nobody took; not if it stands still, nor if
// E is strictly convex and friction lost nothing.
func TestSuspect(t *testing.T) {
	ex := reference.Play()
	for name, c := range map[string]struct {
		set     func(e *Evolution, b *Certificate)
		suspect bool
	}{
		"still":         {func(e *Evolution, b *Certificate) { clear(e.cert.v); e.Node().Stats.FellBack = true }, false},
		"fell back":     {func(e *Evolution, b *Certificate) { e.Node().Stats.FellBack = true }, true},
		"convex":        {func(e *Evolution, b *Certificate) { e.Node().Gap.Exact, e.Node().Lipschitz = true, 1e3 }, false},
		"fast":          {func(e *Evolution, b *Certificate) { e.smooth, e.Node().Lipschitz = 1, 1.01*surge }, true},
		"not so fast":   {func(e *Evolution, b *Certificate) { e.smooth, e.Node().Lipschitz = 1, 0.99*surge }, false},
		"exchanged":     {func(e *Evolution, b *Certificate) { e.Node().Upper = 0.99 * suspicious * 7 }, false},
		"not exchanged": {func(e *Evolution, b *Certificate) { e.Node().Upper = 1.01 * suspicious * 7 }, true},
		"rounding": {func(e *Evolution, b *Certificate) {
			e.Node().Upper, e.Node().EnergyScale = 1.01*suspicious*7, 1.02*suspicious*7*1e2
		}, false},
		"no rounding": {func(e *Evolution, b *Certificate) {
			e.Node().Upper, e.Node().EnergyScale = 1.01*suspicious*7, 0.98*suspicious*7*1e2
		}, true},
	} {
		e := must(Start(t.Context(), ex.Psi, ex.Start, Options{Tolerance: 1e-2}))
		n, before := e.Node(), &Checkpoint{}
		copy(e.cert.v, []float64{1, 0, 0})
		e.smooth, n.Lipschitz = 1, 0.5
		n.Gap.Exact, n.Gap.Radius, n.EnergyScale = false, 0, 0
		n.Energy, before.Certificate.Energy = 5, 6           // 1 J
		n.Dissipation, before.Certificate.Dissipation = 4, 2 // 2 J
		n.Work, before.Certificate.Work = 4, 8               // 4 J
		c.set(e, &before.Certificate)
		if got := e.suspect(before); got != c.suspect {
			t.Errorf("%s: %t", name, got)
		}
		if name == "convex" && e.smooth != 1e3 {
			t.Errorf("the fastest smooth motion is %g", e.smooth)
		}
	}
}

// TestFedBy: friction that is lost in a step feeds a jump if it is more than what the elastic forces take up, (DE(z⁺) − DE(z))·(z⁺ − z); half of the
// friction feeds half as much, and what has lost none feeds none, be E convex or not.
func TestFedBy(t *testing.T) {
	for factor, ex := range map[float64]reference.Example{1: reference.Play(), 0.5: halved(t)} {
		for _, more := range []bool{false, true} {
			e := must(Start(t.Context(), ex.Psi, ex.Start, Options{}))
			c := e.cert
			copy(c.zPrev, c.node.Z)
			copy(c.gradPrev, []float64{0, 0, 1.5})
			const x = 0.01
			copy(c.v, []float64{x, 0, 0})
			c.node.Z[0] += x
			c.node.K = 1
			stored := 2 * x * x // 2 N/m
			lost := feeding * stored * 0.999
			if more {
				lost = feeding * stored * 1.001
			}
			c.sys.Gradient(c.node.Grad, nil, 0, c.node.Z)
			c.node.Grad[2] = 1.5 - lost/(0.4*factor*x) // .4·factor·(1.5 − σ)·x is lost
			if got := e.fed(); got != more {
				t.Errorf("factor %g, %g J of %g J: %t", factor, lost, stored, got)
			}
		}
	}
	zero := signal.Constant(0)
	saddle := must(particles.NewQuadratic([]int{0}, make([]float64, 3), must(particles.DenseEntries([][]float64{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}})), particles.Path{zero, zero, zero}))
	e := must(Start(t.Context(), must(dissipation.New(must(particles.NewSystem(particles.Floors(1), saddle)), []dissipation.Matrix{nil})), make([]float64, 3), Options{Step: incremental.Options{Threshold: incremental.Implicit}}))
	copy(e.cert.v, []float64{1, 0, 0})
	e.cert.node.Z[0], e.cert.node.Grad[0] = 1, -1
	if e.fed() {
		t.Error("fed without friction")
	}
}

// TestSamePlaces: two equilibria are one within 1e-6 of the size of the system; friction that is half holds half.
func TestSamePlaces(t *testing.T) {
	sys := must(particles.NewSystem(particles.Floors(2)))
	s := must(newRivalSearch(must(dissipation.New(sys, make([]dissipation.Matrix, 2))), []float64{0, 0, 0, 3, 4, 0}))
	nearly(t, "same place", s.samePos, 5e-6, 1e-20)
	ex := halved(t)
	s = must(newRivalSearch(ex.Psi, ex.Start))
	dst := make([]float64, 1)
	s.strengths(dst, 0, ex.Start)
	nearly(t, "strength", dst[0], 0.4*1.5/2, 1e-15)
}

// TestOneBond: a single whole bond is broken too.
func TestOneBond(t *testing.T) {
	ex := reference.Glued()
	z := slices.Clone(ex.Start)
	whole := ex.Psi.System.Whole(0, z)
	whole[0].Break(z)
	s := must(newRivalSearch(ex.Psi, z))
	count := 0
	if err := s.debonded(t.Context(), 0, z, func([]float64) error { count++; return nil }); err != nil || len(whole) != 2 || count != 1 {
		t.Errorf("of %d bonds one is broken: %d states, %v", len(whole), count, err)
	}
}

// TestWorstRival: of what is found, one rival or more, the first is the worst.
func TestWorstRival(t *testing.T) {
	ex := reference.Play()
	for _, list := range [][]rival{{{gain: 0.25}}, {{gain: 0.25}, {gain: 0.1}}} {
		g := must(GlobalFrom(ex.Psi, 0, ex.Start, incremental.Options{}))
		if g.note(list, nil, 0.5); g.Stats.Worst != 0.25 {
			t.Errorf("%d rivals: worst %g", len(list), g.Stats.Worst)
		}
	}
	for _, c := range []struct {
		a    trial
		past bool
	}{{trial{}, false}, {trial{jumped: true}, true}, {trial{rival: rival{gain: 1e-300}}, true}, {trial{rival: rival{gain: -1}}, false}} {
		if c.a.past() != c.past {
			t.Errorf("%+v: past %t", c.a, !c.past)
		}
	}
}

// TestStartsOfSearch: starts go through the distances 2³, 2², … of the radius, each twice, of all particles and of one; after eight pairs they begin at the best state.
func TestStartsOfSearch(t *testing.T) {
	const n, radius = 3, 0.5
	var seen [][]float64
	sys := must(particles.NewSystem([]particles.Frame{particles.NoObstacle(), particles.NoObstacle(), particles.NoObstacle()}, noting{seen: &seen}))
	g := must(NewGlobalSearch(must(dissipation.New(sys, make([]dissipation.Matrix, n))), SearchOptions{Starts: 36}))
	g.begin(0, make([]float64, 3*n))
	best := []float64{1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6}
	copy(g.bestY, best)
	g.best = -1
	if err := g.multistart(t.Context(), rand.New(rand.NewPCG(5, 5)), radius); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 36 {
		t.Fatalf("%d states", len(seen))
	}
	for k, y := range seen {
		origin := make([]float64, 3*n)
		if k/2/8%2 == 1 {
			origin = best
		}
		reach, moved := radius*math.Pow(2, float64(3-k/2%8)), 0
		off := make([]float64, 3*n)
		for i := range y {
			if off[i] = (y[i] - origin[i]) / reach; off[i] != 0 {
				moved++
			}
		}
		want := 3
		if k%2 == 0 {
			want = 3 * n
		}
		// Sums of three to nine squares of normal numbers: within .05 and 5 of their root, for this seed.
		if size := floats.Norm(off, 2) / math.Sqrt(float64(want)); moved != want || size < 0.2 || size > 2.5 {
			t.Errorf("start %d: %d coordinates by %g", k, moved, size)
		}
	}
}

// noting is an energy that is no number anywhere, and notes where it is asked for.
type noting struct {
	unknown
	seen *[][]float64
}

func (e noting) Value(_ float64, z []float64) (float64, float64) {
	*e.seen = append(*e.seen, slices.Clone(z))
	return math.NaN(), 0
}

// TestLipschitzSystems: D²E and friction that are constant with α > q leave no jump; where friction varies nothing is said; it is looked at once.
func TestLipschitzSystems(t *testing.T) {
	for name, c := range map[string]struct {
		ex   reference.Example
		want bool
	}{"play": {reference.Play(), true}, "klarbring": {reference.Klarbring(2.4), false}, "ripple": {reference.Ripple(1.5), false}} {
		e := must(Start(t.Context(), c.ex.Psi, c.ex.Start, Options{Equilibrate: true}))
		if got := e.lipschitz(t.Context()); got != c.want || !e.examined {
			t.Errorf("%s: %t", name, got)
		}
		if e.continuous = !c.want; e.lipschitz(t.Context()) == c.want {
			t.Errorf("%s: looked at again", name)
		}
	}
}

// TestSharpened: the time of a jump between two times is bisected to 2^−sharpLevels of what is between them.
func TestSharpened(t *testing.T) {
	ex := reference.Ripple(0.5)
	o := Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	e := must(Start(t.Context(), ex.Psi, ex.Start, o))
	const from, to = 0.125, 0.5
	if err := e.Step(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	var before Checkpoint
	e.Save(&before)
	if err := e.Step(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	landing := slices.Clone(e.Node().Z)
	j, err := e.sharpen(t.Context(), before, to, landing)
	if err != nil {
		t.Fatal(err)
	}
	width := (to - from) / math.Pow(2, sharpLevels)
	if j.To-j.From < 0.99*width || j.To-j.From > 1.01*width || j.From < from || j.To > to {
		t.Errorf("%+v, want a width of %g", j, width)
	}
}

// TestSeedsAreFinite: where the rest of a spring is beyond all numbers no search begins.
func TestSeedsAreFinite(t *testing.T) {
	for _, at := range []float64{1.7e308, -1.7e308} {
		spring := must(particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(at, 0, 0), Law: particles.Linear{K: 1, Rest: 1e308}}))
		sys := must(particles.NewSystem([]particles.Frame{particles.NoObstacle()}, spring))
		count := 0
		if err := seeds(sys, 0, make([]float64, 3), func(y []float64) error {
			count++
			for _, v := range y {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("begun at %v", y)
				}
			}
			return nil
		}); err != nil || count == 0 {
			t.Errorf("%d states, %v", count, err)
		}
	}
}

// TestRivalWithoutFriction: a contact of which the friction is zero holds nothing.
func TestRivalWithoutFriction(t *testing.T) {
	ex := reference.Play()
	psi := must(dissipation.New(ex.Psi.System, []dissipation.Matrix{dissipation.Isotropic{Mu: 0}}))
	s := must(newRivalSearch(psi, ex.Start))
	y := []float64{0.5, 0, 0}
	if !s.settle(t.Context(), 0, ex.Start, y) || math.Abs(y[0]-ex.Start[0]) > 1e-10 {
		t.Errorf("settled at %v", y)
	}
}

// TestEndOfFriction: where what drives is 1e-13 of the forces, which no step resolves, far states cost less by that along the way, and are not better; where it is a
// thousandth they are, by some joules. Two particles that a spring holds to each other, along x.
func TestEndOfFriction(t *testing.T) {
	for _, c := range []struct {
		more   float64
		better bool
	}{{1e-13, false}, {-1e-3, false}, {1e-3, true}} {
		spring := must(particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 5, Rest: 1}}))
		pull := 12 * (1 + c.more) // twice 6 N of friction, of which one is held by the spring
		loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, -20)}, particles.Load{Particle: 1, Force: particles.At(pull, 0, -20)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(2), spring, loads)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}, dissipation.Isotropic{Mu: 0.3}}))
		z := []float64{0, 0, 0, 1 + 6/5., 0, 0}
		r := must(must(NewGlobalSearch(psi, SearchOptions{Evaluations: 1000})).Run(t.Context(), 0, z))
		if r.Better != c.better {
			t.Errorf("%g more: %+v", c.more, r)
		}
		// Rivals have the friction of the way, and thresholds of their own.
		s := must(newRivalSearch(psi, z))
		far := []float64{1e6, 0, 0, 1e6 + z[3], 0, 0}
		list := must(s.find(t.Context(), 0, z, [][]float64{far}))
		if len(list) > 0 && list[0].gain > 0 != c.better {
			t.Errorf("%g more: a rival gains %g", c.more, list[0].gain)
		}
	}
}
