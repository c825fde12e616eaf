package energetic_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestSoftBonded: a particle on a soft tether, bonded to one whose tether is up to 1e6 times as
// stiff, is judged by its own forces, way and dissipation. The stiff one goes its way in a line, to
// which any number of steps is right; the soft one goes there and back by a sine, and is as
// wrong in 16 steps as it is alone: both are refused. In 800 they are certified.
func TestSoftBonded(t *testing.T) {
	const mu, depth, k, kn, bond = .4, .3, 2., 5., .02
	sine, err := signal.NewSine(0, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	line, err := signal.NewTable([]float64{0, 2}, []float64{5, 6})
	if err != nil {
		t.Fatal(err)
	}
	run := func(stiff float64, steps int) (energetic.Summary, []energetic.Residuals) {
		tethers, err := particles.NewTethers(
			particles.Tether{Particle: 0, Anchor: particles.Path{sine, signal.Constant(0), signal.Constant(-depth)},
				Stiffness: particles.Diagonal(k, k, kn)},
			particles.Tether{Particle: 1, Anchor: particles.Path{line, signal.Constant(0), signal.Constant(-depth)},
				Stiffness: particles.Diagonal(k*stiff, k*stiff, kn*stiff)})
		if err != nil {
			t.Fatal(err)
		}
		start := []float64{0, 0, 0, 5, 0, 0}
		bonds, err := particles.NewBonds(start, particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(bond)})
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem(particles.Floors(2), tethers, bonds)
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: mu}, dissipation.Isotropic{Mu: mu}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := energetic.Start(t.Context(), psi, start, implicit)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= steps; i++ {
			if err := e.Step(t.Context(), 2*float64(i)/float64(steps)); err != nil {
				t.Fatal(err)
			}
		}
		return e.Summary(), e.Residuals()
	}
	for _, stiff := range []float64{1, 1e3, 1e6} {
		coarse, parts := run(stiff, 16)
		if coarse.Certified || len(parts) != 2 {
			t.Errorf("%g times as stiff, 16 steps: certified %t, %d parts", stiff, coarse.Certified, len(parts))
		}
		fine, parts := run(stiff, 800)
		if !fine.Certified {
			t.Errorf("%g times as stiff, 800 steps: %s", stiff, fine.First)
		}
		// Alone it would go 1 − r up, thrice 2(1 − r) down or up, and 1 − 2r or nothing back to 0,
		// each at kr. The bond is a hundredth of its stiffness, and pulls by up to .02 N beside
		// friction of .6 N.
		r := mu * kn * depth / k
		want := k * r * ((1 - r) + 3*2*(1-r) + max(0, 1-2*r))
		if off := math.Abs(parts[0].Dissipated - want); off > .05*want {
			t.Errorf("%g times as stiff: the soft one dissipates %g, want about %g", stiff, parts[0].Dissipated, want)
		}
	}
}
