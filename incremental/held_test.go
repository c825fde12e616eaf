package incremental_test

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestHeldByContact: a spring hangs from a load, held along x and y by tethers and along z by the floor alone, on which a
// weight keeps its lower end: D²E is singular, and the state is the only one, z = F/k. No other that is as good is looked
// for: its energy is asked for no more often than that of one whose upper end a tether holds along z too.
func TestHeldByContact(t *testing.T) {
	asked := func(along float64) (n int) {
		pull, err := signal.NewTable([]float64{0, 1}, []float64{1, 2})
		check(t, err)
		up := func(force signal.Scalar) particles.Path {
			return particles.Path{signal.Constant(0), signal.Constant(0), force}
		}
		te, err := particles.NewTethers(
			particles.Tether{Particle: 0, Anchor: up(signal.Constant(0)), Stiffness: particles.Diagonal(3, 3, 0)},
			particles.Tether{Particle: 1, Anchor: up(signal.Constant(0)), Stiffness: particles.Diagonal(3, 3, along)})
		check(t, err)
		loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: up(signal.Constant(-5))},
			particles.Load{Particle: 1, Force: up(pull)})
		check(t, err)
		spring, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 5}})
		check(t, err)
		sys, err := particles.NewSystem(particles.Floors(2), te, counted{loads, &n}, spring)
		check(t, err)
		psi, err := dissipation.New(sys, make([]dissipation.Matrix, 2))
		check(t, err)
		s, err := incremental.New(psi, 0, []float64{0, 0, 0, 0, 0, 1 / (5 + along)}, incremental.Options{})
		check(t, err)
		for k := 1; k <= 4; k++ {
			check(t, s.Step(context.Background(), float64(k)/4))
		}
		near(t, "z", s.State()[5], 2/(5+along), exact)
		return n
	}
	if a, b := asked(0), asked(1e-3); a > b {
		t.Errorf("%d times, %d of one that a tether holds", a, b)
	}
}

// counted counts how often an energy is asked for its gradient.
type counted struct {
	*particles.Loads
	n *int
}

func (c counted) Gradient(grad, rate []float64, t float64, x []float64) {
	*c.n++
	c.Loads.Gradient(grad, rate, t, x)
}
