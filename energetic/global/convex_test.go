package global_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// near compares to a part of the size of what is wanted, at least 1.
func nearly(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %.16g, want %.16g", what, got, want)
	}
}

// TestConvexTerms: what proves convexity, and what does not.
func TestConvexTerms(t *testing.T) {
	must := func(e particles.Energy, err error) particles.Energy {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	tether := func(k, stiffening float64) particles.Energy {
		e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0),
			Stiffness: particles.Isotropic(k), Stiffening: stiffening})
		return must(e, err)
	}
	quadratic := func(kx float64) particles.Energy {
		entries, err := particles.DenseEntries([][]float64{{kx, 0, 0}, {0, 1, 0}, {0, 0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		zero := signal.Constant(0)
		e, err := particles.NewQuadratic([]int{0}, make([]float64, 3), entries, particles.Path{zero, zero, zero})
		return must(e, err)
	}
	spring := func(law particles.Law) particles.Energy {
		e, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: law})
		return must(e, err)
	}
	for name, c := range map[string]struct {
		terms []particles.Energy
		want  bool
	}{
		"nothing":                      {nil, true},
		"stiffening":                   {[]particles.Energy{tether(1, 1)}, true},
		"cubic from rest length 0":     {[]particles.Energy{spring(particles.Cubic{K: 1, K3: 1})}, true},
		"rest length":                  {[]particles.Energy{spring(particles.Linear{K: 1, Rest: 1})}, false},
		"pair":                         {[]particles.Energy{spring(particles.Morse{Depth: 1, Distance: 1, Decay: 1})}, false},
		"saddle":                       {[]particles.Energy{tether(0, 1), quadratic(-1)}, false},
		"saddle held by a linear term": {[]particles.Energy{tether(1, 0), tether(0, 1), quadratic(-1)}, true},
		"not known":                    {[]particles.Energy{unknown{}}, false},
	} {
		sys, err := particles.NewSystem(particles.Floors(2), c.terms...)
		if err != nil {
			t.Fatal(err)
		}
		if got := global.Convex(t.Context(), sys); got != c.want {
			t.Errorf("%s: convex %v", name, got)
		}
	}
}

// TestConvexToRounding: a negative eigenvalue is rounding below 1e-12 of the norm, whatever the
// norm; what may be entered beside one body is not convex.
func TestConvexToRounding(t *testing.T) {
	for _, norm := range []float64{1e-4, 1, 1e4} {
		for part, want := range map[float64]bool{1e-10: false, 1e-14: true} {
			tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0),
				Stiffness: particles.Diagonal(norm, norm/2, 0)}))
			entries := must(particles.DenseEntries([][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, -part * norm}}))
			zero := signal.Constant(0)
			e := must(particles.NewQuadratic([]int{0}, make([]float64, 3), entries, particles.Path{zero, zero, zero}))
			if got := global.Convex(t.Context(), must(particles.NewSystem(particles.Floors(1), tether, e))); got != want {
				t.Errorf("norm %g, eigenvalue %g of it: convex %t", norm, -part, got)
			}
		}
	}
	if sys := reference.BallAndWall(false).Psi.System; len(sys.Bent()) != 1 || global.Convex(t.Context(), sys) {
		t.Errorf("beside %d bodies: convex", len(sys.Bent()))
	}
}

// unknown is a user's term that says nothing about itself.
type unknown struct{}

func (unknown) Pattern(*particles.Pattern) {}

func (unknown) Value(float64, []float64) (e, rate float64) { return 0, 0 }

func (unknown) Gradient(_, _ []float64, _ float64, _ []float64) {}

func (unknown) Hessian(_ *particles.Hessian, _ float64, _ []float64) {}

// TestConvexInCharts: E of a spring is convex in the coordinates of a plane, not in those of a
// ball.
func TestConvexInCharts(t *testing.T) {
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	for _, c := range []struct {
		face   particles.Face
		convex bool
	}{{must(particles.NewPlane(side.Frame())), true},
		{must(particles.NewSphere([3]float64{0, 0, -1}, 1, false, [3]float64{0, 0, 1})), false}} {
		frame := particles.Charted(must(particles.NewChart(c.face, particles.Motion{})), [3]float64{})
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0),
			Stiffness: particles.Isotropic(2)}))
		if got := global.Convex(t.Context(), must(particles.NewSystem([]particles.Frame{frame}, tether))); got != c.convex {
			t.Errorf("%T: convex %t", c.face, got)
		}
	}
}

// TestWhatIsSearched: energies that are neither quadratic nor known to be convex.
func TestWhatIsSearched(t *testing.T) {
	tether := func(stiffening float64) particles.Energy {
		return must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0),
			Stiffness: particles.Isotropic(1), Stiffening: stiffening}))
	}
	zero := signal.Constant(0)
	saddle := must(particles.NewQuadratic([]int{0}, make([]float64, 3),
		must(particles.DenseEntries([][]float64{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}})), particles.Path{zero, zero, zero}))
	spring := must(particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 1), Law: particles.Linear{K: 1, Rest: 1}}))
	for name, c := range map[string]struct {
		e    particles.Energy
		want bool
	}{"quadratic": {tether(0), false}, "stiffening": {tether(1), false}, "saddle": {saddle, false}, "spring": {spring, true}} {
		sys := must(particles.NewSystem(particles.Floors(1), c.e))
		if got := global.StabilityAuto.Searches(sys); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestSearchOptions: what is out of range is named.
func TestSearchOptions(t *testing.T) {
	for _, c := range []struct {
		o    global.SearchOptions
		want string
	}{
		{global.SearchOptions{Evaluations: -1}, "-1 evaluations"}, {global.SearchOptions{Starts: -1}, "-1 starts"},
		{global.SearchOptions{Radius: -1}, "Radius is -1"}, {global.SearchOptions{Radius: math.NaN()}, "Radius is NaN"},
		{global.SearchOptions{Radius: math.Inf(1)}, "Radius is +Inf"},
	} {
		if err := c.o.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

// TestLimitsOfSearches: names of tests of (S) that are none; tolerances.
func TestLimitsOfSearches(t *testing.T) {
	for s, want := range map[global.StabilityTest]string{-1: "StabilityTest(-1)", global.StabilityGlobal: "global", 3: "StabilityTest(3)"} {
		if s.String() != want {
			t.Errorf("%d: %q", int(s), s)
		}
	}
	for tol, ok := range map[float64]bool{0: true, 1e-2: true, 1.1e-2: false, -1: false} {
		if err := (&global.SearchOptions{Tolerance: tol}).Validate(); (err == nil) != ok {
			t.Errorf("tolerance %g: %v", tol, err)
		}
	}
}

// TestSearchFromNode: a wall that slides down by .2 m beside a particle that goes 1 m along it
// drags that onto the floor: with a pull of 1 N onto each and μ = ½ these bear 1 N and 1 + μ .2/r,
// r² = 1 + .2², and hold μ/r and μ(1 + μ .2/r) along the edge. In that state no other one costs
// less; counted from nowhere the floor bears 1 N, and both hold 2 μ = 1 N.
func TestSearchFromNode(t *testing.T) {
	const mu, down = 0.5, 0.2
	r := math.Hypot(1, down)
	pull := mu/r + mu*(1+mu*down/r)
	path := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{}, {0, 0, -down}}))
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	wall := must(particles.NewChart(must(particles.NewPlane(side.Frame())), particles.Motion{Shift: path}))
	tether := must(particles.NewTethers(particles.Tether{Anchor: particles.At(pull, -1, -1), Stiffness: particles.Isotropic(1)}))
	sys := must(must(particles.NewSystem(particles.Floors(1),
		tether)).WithExtras([]particles.Extra{{Frame: particles.Charted(wall, [3]float64{})}}, 1))
	psi := must(dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: mu}, dissipation.Isotropic{Mu: mu}}))
	g, z := must(global.NewSearch(psi, global.SearchOptions{Evaluations: 300, Starts: 8})), make([]float64, 3)
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

// TestEndsOfPaths: what is released and nobody took is the residual; where nothing pulls there is
// no path; at rest it has the end alone.
func TestEndsOfPaths(t *testing.T) {
	nearly(t, "residual", (&global.JumpPath{Released: 7, Friction: 2, Viscous: 4}).Residual(), 1, 0)
	nothing := must(dissipation.New(must(particles.NewSystem(particles.Floors(1))), []dissipation.Matrix{nil}))
	if _, err := global.ResolveJump(t.Context(), nothing, 0, make([]float64, 3), 1, 0); err == nil ||
		!strings.Contains(err.Error(), "nothing pulls") {
		t.Errorf("nothing: %v", err)
	}
	for _, length := range []float64{0, -1, math.NaN()} {
		if _, err := global.ResolveJump(t.Context(), nothing, 0, make([]float64, 3), length, 0); err == nil ||
			!strings.Contains(err.Error(), "a jump of") {
			t.Errorf("length %g: %v", length, err)
		}
	}
	ex := reference.Play()
	p := must(global.ResolveJump(t.Context(), ex.Psi, 0, ex.Start, 1, 0))
	nearly(t, "the way of a state at rest", p.Arc[len(p.Arc)-1], 0, 1e-12)
	// Pulled by 2 N with 2 N/m: 1 m, less μσ/k = .3 m of friction.
	z := []float64{-1, 0, 0}
	p = must(global.ResolveJump(t.Context(), ex.Psi, 0, z, 0.7, 0))
	nearly(t, "way", p.Arc[len(p.Arc)-1], 0.7, 1e-9)
	nearly(t, "released", p.Released, 1-0.3*0.3, 1e-9)
	nearly(t, "friction", p.Friction, 0.6*0.7, 1e-9)
	nearly(t, "viscous", p.Viscous, 1-0.09-0.42, 1e-5) // of second order in 400 steps
	nearly(t, "unbalanced at the start", p.Force[0], 2-0.6, 1e-2)
}

// TestEndOfFriction: where what drives is 1e-13 of the forces, which no step resolves, far states
// cost less by that along the way, and are not better; where it is a thousandth they are, by some
// joules. Two particles that a spring holds to each other, along x.
func TestEndOfFriction(t *testing.T) {
	for _, c := range []struct {
		more   float64
		better bool
	}{{1e-13, false}, {-1e-3, false}, {1e-3, true}} {
		spring := must(particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 5, Rest: 1}}))
		pull := 12 * (1 + c.more) // twice 6 N of friction, of which one is held by the spring
		loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, -20)},
			particles.Load{Particle: 1, Force: particles.At(pull, 0, -20)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(2), spring, loads)),
			[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}, dissipation.Isotropic{Mu: 0.3}}))
		z := []float64{0, 0, 0, 1 + 6/5., 0, 0}
		r := must(must(global.NewSearch(psi, global.SearchOptions{Evaluations: 1000})).Run(t.Context(), 0, z))
		if r.Better != c.better {
			t.Errorf("%g more: %+v", c.more, r)
		}
	}
}

// TestProverSize: eight particles are bounded, nine are not.
func TestProverSize(t *testing.T) {
	for n, ok := range map[int]bool{8: true, 9: false} {
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(n))), make([]dissipation.Matrix, n)))
		if _, err := global.NewProver(psi); (err == nil) != ok {
			t.Errorf("%d particles: %v", n, err)
		}
	}
}
