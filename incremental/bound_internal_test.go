package incremental

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
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
		gap, radius := m.bound(t.Context(), v, 2)
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
	psi, _ := grid(t)
	sys := psi.System
	for _, mode := range []ThresholdMode{Lagged, Implicit} {
		plan := func(limit int64) *Plan {
			p, err := NewPlan(t.Context(), psi, mode, limit)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		free, none, much := plan(0), plan(1), plan(1<<50)
		whole := free.predict(nil, mode == Lagged)
		c := free.candidate(t.Context(), sys.Pattern(), jacobian(sys))
		if c == nil {
			t.Fatal("no condensation to choose")
		}
		small := free.predict(c, mode == Lagged)
		// Between the two it is the smaller one that is taken, whatever it costs.
		between := plan((small.Total() + whole.Total()) / 2)
		if want := small.Total() < whole.Total(); between.Condenses() != want {
			t.Errorf("threshold %d: condenses %t under a limit between both", mode, between.Condenses())
		}
		if most := plan(max(small.Total(), whole.Total())); most.Condenses() != free.Condenses() {
			t.Errorf("threshold %d: condenses %t under a limit that both meet", mode, most.Condenses())
		}
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

// grid is 1,200 particles in a wall of bonds, 3600 rows of D²E, that stands with 40 on a floor and is
// pushed along it, and up and down, by springs at its top; with a start.
func grid(t *testing.T) (*dissipation.Coulomb, []float64) {
	t.Helper()
	const n = 1200
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
			along, err := signal.NewSine(float64(x), 2, 0.25, 0)
			if err != nil {
				t.Fatal(err)
			}
			push := signal.Vector{along, signal.Constant(0), signal.Constant(28)}
			tethers = append(tethers, particles.Tether{Particle: j, Anchor: push, Stiffness: particles.Isotropic(1)})
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
	matrices := make([]dissipation.Matrix, n)
	for j := range 40 {
		matrices[j] = dissipation.Isotropic{Mu: 0.3}
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return psi, ref
}

// TestWays: the contacts alone, the whole problem and what a stepper chooses by itself have the same
// steps, with thresholds of both kinds; a run on the contacts alone that is resumed has the
// same bits.
func TestWays(t *testing.T) {
	psi, start := grid(t)
	for _, mode := range []ThresholdMode{Lagged, Implicit} {
		var want [][]float64
		for _, way := range []string{"whole", "contacts", "by itself"} {
			var plan *Plan
			if way != "by itself" {
				var err error
				if plan, err = NewPlan(t.Context(), psi, mode, 0); err != nil {
					t.Fatal(err)
				}
				plan.condense = way == "contacts"
			}
			s, err := New(psi, 0, start, Options{Threshold: mode, Plan: plan})
			if err != nil {
				t.Fatal(err)
			}
			slips := 0
			for k := 1; k <= 3; k++ {
				var c Checkpoint
				s.Save(&c)
				if err := s.Step(t.Context(), 0.4*float64(k)); err != nil {
					t.Fatalf("%s, step %d: %v", way, k, err)
				}
				if st := s.Stats(); st.FellBack || st.Inner < 0 || st.Factors < 0 || way == "whole" && st.Inner == 0 {
					t.Errorf("%s, step %d: %+v", way, k, st)
				}
				if mode == Implicit && way == "contacts" && s.Stats().Solves != 1 {
					t.Errorf("step %d: %d solves, want the one on the contacts", k, s.Stats().Solves)
				}
				if condensed := s.min.condensed != nil; condensed != (way == "contacts" || way == "by itself" && s.min.plan.condense) {
					t.Errorf("%s: condensed is %t", way, condensed)
				}
				slips += Count(s.States())[Slip]
				if way == "whole" {
					want = append(want, append([]float64(nil), s.State()...))
					continue
				}
				for i, z := range s.State() {
					// Both balance the forces, of some newtons, to 1e-12; the softest mode of the wall
					// has some 1e-3 N/m.
					if !(math.Abs(z-want[k-1][i]) <= 1e-8) {
						t.Fatalf("threshold %d, %s, step %d: coordinate %d is %.15g, want %.15g", mode, way, k, i, z, want[k-1][i])
					}
				}
				if k == 3 {
					again, err := New(psi, 0, start, Options{Threshold: mode, Plan: plan})
					if err != nil {
						t.Fatal(err)
					}
					if err := again.Load(&c); err != nil {
						t.Fatal(err)
					}
					if err := again.Step(t.Context(), 0.4*float64(k)); err != nil || !slices.Equal(again.State(), s.State()) {
						t.Errorf("threshold %d, %s: other bits after a checkpoint, %v", mode, way, err)
					}
				}
			}
			if slips == 0 {
				t.Errorf("%s: nothing slips", way)
			}
		}
	}
	// A checkpoint of a condensed problem is none of one that is not.
	small := apart(t, [][3]float64{{2, 2, 2}}, [][3]float64{{}, {}})
	if err := small.LoadCondensed(t.Context(), 0, make([]float64, 6), &contact.CondensedState{R: make([]float64, 6)}); err == nil {
		t.Error("a problem that is not condensed took the checkpoint of one that is")
	}
}
