package incremental

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// onTwo is a particle on a floor whose friction has axes of its own, with a wall beside it, and a
// second on a ball of the radius 1 around (2, 1, −1).
func onTwo(t *testing.T) (*dissipation.Coulomb, []float64) {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(1)},
		particles.Tether{Particle: 1, Anchor: particles.At(2, 1, -1), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	return onTwoWith(t, tether)
}

// onTwoWith is that with other energies.
func onTwoWith(t *testing.T, terms ...particles.Energy) (*dissipation.Coulomb, []float64) {
	t.Helper()
	face, err := particles.NewSphere([3]float64{2, 1, -1}, 1, false, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(face, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.Floors(1)[0], particles.Charted(chart, [3]float64{2, 1, 0})}, terms...)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := particles.NewHalfSpace([3]float64{}, [3]float64{.6, .8, 0})
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = sys.WithExtras([]particles.Extra{{Particle: 0, Frame: wall.Frame()}}, 1); err != nil {
		t.Fatal(err)
	}
	law, err := dissipation.NewStretched(.3, face)
	if err != nil {
		t.Fatal(err)
	}
	oblique, err := dissipation.NewOrthotropic([2]float64{.5, .8}, [2]float64{.6, .8})
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{oblique, law, dissipation.Isotropic{Mu: .2}})
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, 6)
	sys.ToLocal(z, []float64{0, 0, 0, 2, 1, 0})
	z[5] = 0
	return psi, z
}

// TestRubs: rubs is the derivative of the dissipation, where it has one, to the 1e-9 of central
// differences; and at rest, where it has one to each side, the dissipation itself.
func TestRubs(t *testing.T) {
	psi, z := onTwo(t)
	m := NewMinimiser(psi, 1e-10)
	m.begin(0, z)
	at := append(z[:0:0], z...)
	at[3], at[4] = at[3]+.7, at[4]-.4 // where coordinates are stretched
	for c := range m.slot {
		m.SetThreshold(c, 1+float64(c), 0, at)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	v, d, more, less := make([]float64, 6), make([]float64, 6), make([]float64, 6), make([]float64, 6)
	for range 10 {
		const h = 1e-5
		for i := range v {
			v[i], d[i] = 2*rng.Float64()-1, 2*rng.Float64()-1
			more[i], less[i] = v[i]+h*d[i], v[i]-h*d[i]
		}
		if got, want := m.frictionSlope(v, d), (m.Dissipation(more)-m.Dissipation(less))/(2*h); !(math.Abs(got-want) < 1e-7) {
			t.Errorf("v %v, d %v: %.12g, by difference %.12g", v, d, got, want)
		}
		if got, want := m.frictionSlope(make([]float64, 6), d), m.Dissipation(d); !(math.Abs(got-want) < 1e-14) || !(want > 0) {
			t.Errorf("from rest along %v: %.15g, want %.15g", d, got, want)
		}
	}
}

// TestClear: straight ways of a particle that has left a ball: by it, away from it, up to it and no
// further; and into and through it. Those of others do not count.
func TestClear(t *testing.T) {
	psi, z := onTwo(t)
	s, err := New(psi, 0, z, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		from, by [3]float64
		long     float64
		want     bool
	}{
		{[3]float64{2, 1, .5}, [3]float64{0, 0, 1}, 100, true},
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, .4, true},
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, .51, false}, // its end
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, 4, false},   // its middle
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, 40, false},  // some places of 64
		{[3]float64{0, 1, -1}, [3]float64{1, 0, 0}, .9, true},
		{[3]float64{0, 1, -1}, [3]float64{1, 0, 0}, 4, false},
		{[3]float64{0, 2.5, -1}, [3]float64{1, 0, 0}, 4, true}, // beside it
		{[3]float64{2, -1, -1}, [3]float64{0, 1, 0}, 4, false},
		{[3]float64{2, -1, .2}, [3]float64{0, 1, 0}, 4, true}, // over it
		{[3]float64{1, 0, .4}, [3]float64{1, 1, -.2}, 2, true},
		{[3]float64{1, 0, .4}, [3]float64{1, 1, -.8}, 2, false},
	} {
		from, by := []float64{2, 1, -1, x.from[0], x.from[1], x.from[2]}, []float64{0, 0, 0, x.by[0], x.by[1], x.by[2]}
		if got := s.clearWay(0, []bool{false, true}, from, by, x.long); got != x.want {
			t.Errorf("from %v by %g·%v: %v, want %v", x.from, x.long, x.by, got, x.want)
		}
		if !s.clearWay(0, []bool{false, false}, from, by, x.long) {
			t.Error("one that is on its obstacle does not fly")
		}
	}
}
