package proof_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/proof"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// pulled are n particles on a floor, each pressed by 2 N, held by .5 N of friction and pulled by an
// anchor that goes 1 m in 1 s, with 2 N/m: each sticks until t = ¼, and follows ¼ m behind.
func pulled(t *testing.T, n int) *dissipation.Coulomb {
	t.Helper()
	anchor, err := signal.NewVectorTable([]float64{0, 1}, [][]float64{{0, 0, -1}, {1, 0, -1}})
	if err != nil {
		t.Fatal(err)
	}
	var list []particles.Tether
	var friction []dissipation.Matrix
	for j := range n {
		list = append(list, particles.Tether{Particle: j, Anchor: anchor, Stiffness: particles.Isotropic(2)})
		friction = append(friction, dissipation.Isotropic{Mu: 0.25})
	}
	tethers, err := particles.NewTethers(list...)
	if err != nil {
		t.Fatal(err)
	}
	system, err := particles.NewSystem(particles.Floors(n), tethers)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(system, friction)
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

func exact(t float64) float64 { return max(0, t-0.25) }

// TestTube: the tube of the exact solution is of rounding, whether the event is a node or not, and
// that of any other polygon contains the exact solution: none is proven to be nearer than it is.
func TestTube(t *testing.T) {
	for name, c := range map[string]struct {
		times []float64
		z     func(t float64) float64
		most  float64 // of the bound [m]; the bound of what is wrong may be any
	}{
		"event at a node":     {[]float64{0, 0.25, 0.5, 1}, exact, 1e-12},
		"event within":        {[]float64{0, 0.1, 0.7, 1}, exact, 1e-9},
		"late by a hundredth": {[]float64{0, 0.26, 0.5, 1}, func(t float64) float64 { return max(0, t-0.26) }, 0.1},
		"it stays":            {[]float64{0, 0.5, 1}, func(float64) float64 { return 0 }, math.Inf(1)},
		"without friction":    {[]float64{0, 0.5, 1}, func(t float64) float64 { return t }, math.Inf(1)},
		"it comes back": {[]float64{0, 0.5, 0.75, 1},
			func(t float64) float64 { return 0.75 * exact(t) * math.Abs(1.75-2*t) }, math.Inf(1)},
		"it leaves": {[]float64{0, 0.5, 1}, exact, math.Inf(1)},
	} {
		u, off := proof.NewTube(pulled(t, 1)), 0.0
		for _, s := range c.times {
			z := []float64{c.z(s), 0, 0}
			if name == "it leaves" {
				z[2] = 0.1 * s
			}
			u.Observe(s, z)
			off = max(off, math.Hypot(z[0]-exact(s), z[2]))
		}
		if bound := u.Of(0); u.Why() != "" || !(bound >= off && bound <= c.most) {
			t.Errorf("%s: %s within %g m, is off by %g, want at most %g", name, u.Why(), bound, off, c.most)
		}
	}
}

// TestUnfit: what the bound does not cover has none, with a reason.
func TestUnfit(t *testing.T) {
	psi := pulled(t, 1)
	across, err := dissipation.NewOrthotropic([2]float64{0.25, 0.5}, [2]float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	psi.Matrices[0] = across
	if u := proof.NewTube(psi); u.Why() == "" {
		t.Error("friction that is not isotropic has a tube")
	}
	if u := proof.NewTube(pulled(t, 201)); u.Why() == "" {
		t.Error("201 particles have a tube")
	}
}

// TestResumed: a tube that goes on from a checkpoint says what it would have said, and one of
// another system is refused.
func TestResumed(t *testing.T) {
	at := func(s float64) []float64 { return []float64{1.01 * exact(s), 0, 0} }
	whole, first, second := proof.NewTube(pulled(t, 1)), proof.NewTube(pulled(t, 1)), proof.NewTube(pulled(t, 1))
	for _, s := range []float64{0, 0.25, 0.5} {
		whole.Observe(s, at(s))
		first.Observe(s, at(s))
	}
	if err := second.Load(first.Save()); err != nil {
		t.Fatal(err)
	}
	whole.Observe(1, at(1))
	second.Observe(1, at(1))
	if whole.Of(0) != second.Of(0) || whole.Norm() != second.Norm() || whole.Way() != second.Way() {
		t.Errorf("%g, without a stop %g", second.Of(0), whole.Of(0))
	}
	if err := proof.NewTube(pulled(t, 2)).Load(first.Save()); err == nil {
		t.Error("a checkpoint of one particle is taken for two")
	}
}
