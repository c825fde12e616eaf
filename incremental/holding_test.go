package incremental_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestRail: friction along x only. A tether of stiffness 2 pulls with 0.2t along x,
// less than the 0.8 N that friction holds, and along y, where nothing holds: the
// particle stays in x and follows the anchor in y.
func TestRail(t *testing.T) {
	line := func(rate float64) signal.Scalar {
		s, err := signal.NewTable([]float64{0, 1}, []float64{0, rate})
		check(t, err)
		return s
	}
	te, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor: particles.Path{line(0.1), line(1), signal.Constant(-1)}, Stiffness: particles.Isotropic(2)})
	check(t, err)
	sys, err := particles.NewSystem(particles.Floors(1), te)
	check(t, err)
	rail, err := dissipation.NewOrthotropic([2]float64{0.4, 0}, [2]float64{1, 0})
	check(t, err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{rail})
	check(t, err)
	ex := reference.Example{Psi: psi, Start: []float64{0, 0, 0}, Until: 1}
	march(t, ex, 10, incremental.Options{}, func(k int, s *incremental.Stepper) {
		near(t, "x", s.State()[0], 0, exact)
		near(t, "y", s.State()[1], 0.1*float64(k), exact)
	})
}
