package incremental

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// TestBoundSingular: a particle that a tether presses with 1.5 N and holds in one
// tangential direction only, K = diag(0, 2, 5), under a force (f, g, 0) and friction
// up to 0.6 N. Along the free direction the bound is the force that is left times the
// length; along the other one it counts with the same length, for D²E is singular as
// a whole; forces that friction holds count nothing.
func TestBoundSingular(t *testing.T) {
	for _, c := range []struct{ f, g, left float64 }{
		{0.5, 0, 0}, {0.7, 0, 0.1}, {-0.8, 0, 0.2}, {0, 0.9, 0.3}, {0.6, 0.8, 0.4},
	} {
		tethers, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, -0.3), Stiffness: particles.Diagonal(0, 2, 5)})
		if err != nil {
			t.Fatal(err)
		}
		loads, err := particles.NewLoads(particles.Load{Force: particles.At(c.f, c.g, 0)})
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem(particles.Floors(1), tethers, loads)
		if err != nil {
			t.Fatal(err)
		}
		mu, err := dissipation.NewIsotropic(0.4)
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{mu})
		if err != nil {
			t.Fatal(err)
		}
		m := NewMinimiser(psi, 1e-10)
		z, grad := make([]float64, 3), make([]float64, 3)
		sys.Gradient(grad, nil, 0, z)
		m.SetThreshold(0, 1.5, 0, z)
		v := m.gapVector(3)
		m.model(0, z, z, v, grad)
		m.balance(0, 0, z, grad)
		gap, radius := m.bound(v, 2)
		wantRadius := 0.0
		if c.left > 0 {
			wantRadius = 2
		}
		if math.Abs(gap-2*c.left) > 1e-14 || radius != wantRadius {
			t.Errorf("force (%g, %g): gap %g over %g, want %g over %g", c.f, c.g, gap, radius, 2*c.left, wantRadius)
		}
		force, share := m.naturalMap(0, z, v, grad, []float64{4})
		// ρ = 5 and v = 0: what the projection of DE leaves, by its largest component.
		size := math.Hypot(c.f, c.g)
		largest := c.left * max(math.Abs(c.f), math.Abs(c.g)) / size
		if math.Abs(force-largest) > 1e-14 || math.Abs(share-largest/4) > 1e-15 {
			t.Errorf("force (%g, %g): natural map %g, %g, want %g, a quarter of it", c.f, c.g, force, share, largest)
		}
	}
}

// TestPlanLimit: under a limit that neither way meets, the plan is that of the
// smaller one; under one that both meet, that of the cheaper.
func TestPlanLimit(t *testing.T) {
	const n = 1200 // particles in a grid of bonds: 3600 rows of D²E, 40 with an obstacle
	ref := make([]float64, 3*n)
	var bonds []particles.Bond
	var tethers []particles.Tether
	frames := make([]particles.Frame, n)
	for j := range n {
		x, y := j%40, j/40
		ref[3*j], ref[3*j+2] = float64(x), float64(y)
		frames[j] = particles.NoObstacle()
		if y == 0 {
			frames[j] = particles.Floor()
		}
		if x > 0 {
			bonds = append(bonds, particles.Bond{I: j, J: j - 1, Stiffness: particles.Isotropic(1)})
		}
		if y > 0 {
			bonds = append(bonds, particles.Bond{I: j, J: j - 40, Stiffness: particles.Isotropic(1)})
		}
		if y == 29 {
			tethers = append(tethers, particles.Tether{Particle: j, Anchor: particles.At(float64(x), 0, 29), Stiffness: particles.Isotropic(1)})
		}
	}
	b, err := particles.NewBonds(ref, bonds...)
	if err != nil {
		t.Fatal(err)
	}
	a, err := particles.NewTethers(tethers...)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(frames, b, a)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []ThresholdMode{Lagged, Implicit} {
		free, none, much := NewPlan(psi, mode, 0), NewPlan(psi, mode, 1), NewPlan(psi, mode, 1<<50)
		whole := free.predict(nil, mode == Lagged)
		c := free.candidate(sys.Pattern(), jacobian(sys))
		if c == nil {
			t.Fatal("no condensation to choose")
		}
		small := free.predict(c, mode == Lagged)
		if want := small.Total() < whole.Total(); none.Condenses() != want {
			t.Errorf("threshold %d: condenses %t under a limit, needs %d whole and %d condensed", mode, none.Condenses(), whole.Total(), small.Total())
		}
		if need := none.Need(); need.Total() != min(whole.Total(), small.Total()) {
			t.Errorf("threshold %d: needs %d, want the smaller of %d and %d", mode, need.Total(), whole.Total(), small.Total())
		}
		once, step := c.Cost()
		factors := float64(implicitFactors)
		if mode == Lagged {
			factors = laggedFactors
		}
		cheaper := once/condensedSteps+step <= free.mass.Cost(factors)
		if free.Condenses() != cheaper || much.Condenses() != cheaper {
			t.Errorf("threshold %d: condenses %t, %t, costs %g and %g a step, %g whole", mode, free.Condenses(), much.Condenses(), once, step, free.mass.Cost(factors))
		}
	}
}
