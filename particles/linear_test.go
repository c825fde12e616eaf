package particles_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestLinearEnergies: loads and weights are linear: their gradient is the same everywhere, what the
// energy changes by along a way is the gradient times it, and a system of nothing else has no
// stiffness.
func TestLinearEnergies(t *testing.T) {
	load, err := particles.NewLoads(particles.Load{Particle: 1,
		Force: particles.Path{signal.Constant(1), signal.Constant(-2), signal.Constant(3)}})
	if err != nil {
		t.Fatal(err)
	}
	weight, err := particles.NewGravity([]float64{2, 3}, [3]float64{.5, 0, -10})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(2), load, weight)
	if err != nil {
		t.Fatal(err)
	}
	at, way := []float64{.1, .2, .3, .4, .5, .6}, []float64{1, -1, 2, .5, 3, -.25}
	far := make([]float64, 6)
	for i := range at {
		far[i] = at[i] + way[i]
	}
	here, there := make([]float64, 6), make([]float64, 6)
	a, _ := sys.Value(0, at)
	b, _ := sys.Value(0, far)
	sys.Gradient(here, nil, 0, at)
	sys.Gradient(there, nil, 0, far)
	sum, want := 0.0, []float64{-1, 0, 20, -1 - 1.5, 2, -3 + 30}
	for i, g := range here {
		sum += g * way[i]
		if g != there[i] || !(math.Abs(g-want[i]) <= 1e-14) {
			t.Errorf("gradient %d is %g and %g, want %g", i, g, there[i], want[i])
		}
	}
	if !(math.Abs(b-a-sum) <= 1e-13) {
		t.Errorf("the energy changes by %g, want %g", b-a, sum)
	}
	for _, v := range sys.Hessian(0, at).Val {
		if v != 0 {
			t.Errorf("stiffness %g", v)
		}
	}
}
