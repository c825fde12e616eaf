package particles_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/energytest"
)

// TestAdhesiveBonds: derivatives against differences, between particles and at an anchor that
// moves, with stiffnesses of each shape, whole, in part and beyond broken.
func TestAdhesiveBonds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := make([]float64, 15)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	sine, err := particles.Sine(0.1, 2, 0.3, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	path := particles.Path{sine, particles.At(1, 0, 0)[0], sine}
	e, err := particles.NewAdhesiveBonds(x,
		particles.AdhesiveBond{I: 0, J: 1, Variable: 2, Stiffness: particles.Isotropic(2), Length: 0.7},
		particles.AdhesiveBond{I: 1, Anchor: path, Variable: 3, Stiffness: particles.Stiffness{2, 1, 0, 1, 3, 0.5, 0, 0.5, 1}, Length: 2},
		particles.AdhesiveBond{I: 1, J: 0, Variable: 4, Stiffness: particles.Diagonal(1, 0, 2), Length: 1})
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, len(x))
	for range 5 {
		for i := range z {
			z[i] = x[i] + r.NormFloat64()
		}
		if err := energytest.Check(e, 0.7, z); err != nil {
			t.Error(err)
		}
	}
	if v, _ := e.Value(0, x); v != 0 {
		t.Errorf("E(0) = %g", v)
	}
	for _, bad := range []particles.AdhesiveBond{
		{I: 0, J: 1, Variable: 1, Stiffness: particles.Isotropic(1), Length: 1},
		{I: 0, J: 0, Variable: 2, Stiffness: particles.Isotropic(1), Length: 1},
		{I: 0, J: 1, Variable: 9, Stiffness: particles.Isotropic(1), Length: 1},
		{I: 0, J: 1, Variable: 2, Length: 1},
		{I: 0, J: 1, Variable: 2, Stiffness: particles.Isotropic(1)},
		{I: 0, J: 1, Variable: 2, Stiffness: particles.Isotropic(1), Length: math.Inf(1)},
		{I: 0, J: 1, Variable: 2, Stiffness: particles.Isotropic(-1), Length: 1},
	} {
		if _, err := particles.NewAdhesiveBonds(x, bad); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
