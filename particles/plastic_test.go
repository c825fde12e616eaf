package particles_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/energytest"
)

// TestPlasticSprings: derivatives against differences, between particles and at an anchor
// that moves, along an oblique axis.
func TestPlasticSprings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 12)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	sine, err := particles.Sine(0.1, 2, 0.3, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	path := particles.Path{sine, particles.At(1, 0, 0)[0], sine}
	e, err := particles.NewPlasticSprings(x,
		particles.PlasticSpring{I: 0, J: 1, Variable: 2, Axis: [3]float64{1, -2, 3}, Stiffness: 2, Hardening: 0.5},
		particles.PlasticSpring{I: 1, Anchor: path, Variable: 3, Axis: [3]float64{0, 1, 1}, Stiffness: 3})
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, 12)
	for i := range z {
		z[i] = x[i] + r.NormFloat64()
	}
	if err := energytest.Check(e, 0.7, z); err != nil {
		t.Error(err)
	}
	// At the start nothing is stretched.
	if v, _ := e.Value(0, x); v != 0 {
		t.Errorf("E(0) = %g", v)
	}
	for _, bad := range []particles.PlasticSpring{
		{I: 0, J: 1, Variable: 1, Axis: [3]float64{1, 0, 0}, Stiffness: 1},
		{I: 0, J: 1, Variable: 2, Stiffness: 1},
		{I: 0, J: 1, Variable: 2, Axis: [3]float64{1, 0, 0}},
		{I: 0, J: 1, Variable: 9, Axis: [3]float64{1, 0, 0}, Stiffness: 1},
		{I: 0, J: 0, Variable: 2, Axis: [3]float64{1, 0, 0}, Stiffness: 1},
		{I: 0, J: 1, Variable: 2, Axis: [3]float64{1, 0, 0}, Stiffness: 1, Hardening: math.NaN()},
	} {
		if _, err := particles.NewPlasticSprings(x, bad); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
