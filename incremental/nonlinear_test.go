package incremental_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"github.com/quasistatic/quasistatic/particles"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestNonlinearSteps: the optimality conditions of (IP) hold after every step of
// random nonlinear frames: friction inside its ellipse, on its boundary and
// against the motion where a particle slid, no force on free particles.
func TestNonlinearSteps(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		ex := reference.Braced(rng, 1+rng.IntN(5))
		s, err := incremental.New(ex.Psi, 0, ex.Start, incremental.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := s.Equilibrate(context.Background()); err != nil {
			rt.Fatal(err)
		}
		for k := 1; k <= 20; k++ {
			before := append([]float64(nil), s.State()...)
			if err := s.Step(context.Background(), 0.1*float64(k)); err != nil {
				rt.Fatal(err)
			}
			if r := s.Stats().Residual; r > 1e-10 {
				rt.Fatalf("residual %g", r)
			}
			checkForces(rt, ex.Psi, s, before)
		}
	})
}

func checkForces(rt *rapid.T, psi *dissipation.Coulomb, s *incremental.Stepper, before []float64) {
	z, g, frozen := s.State(), s.Gradient(), s.Frozen(nil)
	tol := 1e-9 * s.Scale() // the step's 1e-10, and a sum of a few
	for j := range s.States() {
		if z[3*j+2] > 0 {
			if f := math.Hypot(math.Hypot(g[3*j], g[3*j+1]), g[3*j+2]); f > tol && frozen[j] == 0 {
				rt.Fatalf("particle %d is free and pushed by %g N", j, f)
			}
			continue
		}
		if g[3*j+2] < -tol {
			rt.Fatalf("particle %d is pulled onto the floor by %g N", j, -g[3*j+2])
		}
		v := make([]float64, len(z))
		for i := range v {
			v[i] = z[i] - before[i]
		}
		f := [2]float64{g[3*j], g[3*j+1]}
		if a, b := psi.Excess(0, j, frozen[j], before, f); math.Hypot(a, b) > tol {
			rt.Fatalf("particle %d: friction beyond its threshold by %g N", j, math.Hypot(a, b))
		}
		// −f·v = Ψ^(j)(v): maximal dissipation.
		power := -(f[0]*v[3*j] + f[1]*v[3*j+1])
		if want := frozen[j] * psi.Norm(0, j, before, v); math.Abs(power-want) > tol*math.Hypot(v[3*j], v[3*j+1]) {
			rt.Fatalf("particle %d dissipates %g J, want %g", j, power, want)
		}
	}
}

func TestCompressedSpringBuckles(t *testing.T) {
	// A spring of rest length 1 between a fixed anchor and a particle right above
	// it, pressed down by more than it can bear upright while tethered weakly
	// sideways: D²E is indefinite on the way, and descent still finds a minimiser.
	sp, err := particles.NewSprings(particles.Spring{I: 0, J: -1, Anchor: particles.At(0, 0, 0), Law: particles.Linear{K: 5, Rest: 1}})
	check(t, err)
	te, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(1e-3, 0, 1),
		Stiffness: particles.Diagonal(0.1, 0.1, 0)})
	check(t, err)
	force, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{}, {0, 0, -3}})
	check(t, err)
	lo, err := particles.NewLoads(particles.Load{Particle: 0, Force: force})
	check(t, err)
	sys, err := particles.NewSystem(particles.Floors(1), sp, te, lo)
	check(t, err)
	psi, err := dissipation.New(sys, nil)
	check(t, err)
	s, err := incremental.New(psi, 0, []float64{0, 0, 1}, incremental.Options{})
	check(t, err)
	_, err = s.Equilibrate(context.Background())
	check(t, err)
	for k := 1; k <= 100; k++ {
		e0, _ := sys.Value(0.01*float64(k), s.State())
		check(t, s.Step(context.Background(), 0.01*float64(k)))
		if e1, _ := sys.Value(s.Time(), s.State()); e1 > e0 {
			t.Fatalf("t = %g: went uphill from %g to %g", s.Time(), e0, e1)
		}
	}
	if z := s.State(); z[2] > 0.5 || math.Hypot(z[0], z[1]) < 0.5 {
		t.Errorf("did not fall over: %v", z)
	}
}

func TestWarmStepAllocatesNothing(t *testing.T) {
	ex := reference.Chain(8, 1e6)
	for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
		s, err := incremental.New(ex.Psi, 0, ex.Start, incremental.Options{Threshold: mode})
		check(t, err)
		k := 0
		step := func() {
			k++
			check(t, s.Step(context.Background(), 0.1*float64(k)))
		}
		for range 100 {
			step()
		}
		if n := testing.AllocsPerRun(100, step); n != 0 {
			t.Errorf("mode %d: %g allocations a step", mode, n)
		}
	}
}

func TestCanceledStepChangesNothing(t *testing.T) {
	ex := reference.Grazing()
	s, err := incremental.New(ex.Psi, 0, ex.Start, incremental.Options{})
	check(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = s.Step(ctx, 0.3)
	var failed *contact.Error
	if !errors.As(err, &failed) || failed.Status != contact.Canceled || !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if s.Time() != 0 || s.State()[0] != 0 {
		t.Error("the stepper moved")
	}
	check(t, s.Step(context.Background(), 0.3))
}

func TestBadInput(t *testing.T) {
	psi := reference.Play().Psi
	for name, c := range map[string]struct {
		z []float64
		o incremental.Options
	}{
		"inside":            {[]float64{0, 0, -1e-3}, incremental.Options{}},
		"not a number":      {[]float64{math.NaN(), 0, 0}, incremental.Options{}},
		"short":             {[]float64{0, 0}, incremental.Options{}},
		"negative gamma":    {make([]float64, 3), incremental.Options{Rule: dissipation.Rule{Gamma: -1}}},
		"gamma not finite":  {make([]float64, 3), incremental.Options{Rule: dissipation.Rule{Gamma: math.Inf(1)}}},
		"loose tolerance":   {make([]float64, 3), incremental.Options{Tolerance: 0.5}},
		"no mode":           {make([]float64, 3), incremental.Options{Threshold: 7}},
		"negative maximum":  {make([]float64, 3), incremental.Options{MaxFixedPoint: -1}},
		"overflowing force": {[]float64{1e308, 0, 0}, incremental.Options{}},
	} {
		if _, err := incremental.New(psi, 0, c.z, c.o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s, err := incremental.New(psi, 1, make([]float64, 3), incremental.Options{})
	check(t, err)
	for _, to := range []float64{0.5, math.NaN(), math.Inf(1)} {
		if err := s.Step(context.Background(), to); err == nil {
			t.Errorf("stepped to %g", to)
		}
	}
}
