package events_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// sine is offset + amplitude·sin(2π·frequency·t).
func sine(t testing.TB, offset, amplitude, frequency float64) signal.Scalar {
	s, err := signal.NewSine(offset, amplitude, frequency, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ramp is the table through points (t, v).
func ramp(t testing.TB, points ...float64) signal.Scalar {
	var times, values []float64
	for i := 0; i < len(points); i += 2 {
		times, values = append(times, points[i]), append(values, points[i+1])
	}
	s, err := signal.NewTable(times, values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// system makes n particles on the floor with one friction.
func system(t testing.TB, mu float64, z0 []float64, energies ...particles.Energy) *dissipation.Coulomb {
	sys, err := particles.NewSystem(particles.Floors(len(z0)/3), energies...)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]dissipation.Matrix, sys.N())
	for j := range list {
		list[j] = dissipation.Isotropic{Mu: mu}
	}
	psi, err := dissipation.New(sys, list)
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

// tether is one particle on a spring diag(2, 2, 5), as in the examples of the reference.
func tether(t testing.TB, mu float64, x, z signal.Scalar) *dissipation.Coulomb {
	e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.Path{x, signal.Constant(0), z}, Stiffness: particles.Diagonal(2, 2, 5)})
	if err != nil {
		t.Fatal(err)
	}
	return system(t, mu, make([]float64, 3), e)
}

// walk starts a walk.
func walk(t testing.TB, psi *dissipation.Coulomb, z0 []float64, until float64) *events.Walker[events.Real] {
	plane, err := events.NewPlane(psi, z0, until)
	if err != nil {
		t.Fatal(err)
	}
	form, err := plane.Form()
	if err != nil {
		t.Fatal(err)
	}
	w, err := events.NewWalker(form, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// history walks to a time and returns the events.
func history(t testing.TB, w *events.Walker[events.Real], until float64) []events.Event[events.Real] {
	list := append([]events.Event[events.Real](nil), w.Changes()...)
	err := w.Walk(context.Background(), events.Real(until), func() error {
		list = append(list, w.Changes()...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// near fails where a number is off by more than a tolerance.
func near(t testing.TB, name string, got events.Real, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance) {
		t.Errorf("%s = %.16g, want %.16g: off by %.2g", name, got, want, float64(got)-want)
	}
}

// TestPulsing: example 1b of the reference sheet.
func TestPulsing(t *testing.T) {
	w := walk(t, tether(t, 0.4, sine(t, 0, 1, 1), sine(t, -0.3, -0.15, 2)), make([]float64, 3), 2)
	list := history(t, w, 1)
	for _, e := range list {
		t.Logf("%.15g %v %v", e.Time, e.From, e.To)
	}
	near(t, "first slip", list[0].Time, .0677237210, 5e-11)  // as printed
	near(t, "stick", list[1].Time, .2917909227, 5e-11)       // as printed
	near(t, "second slip", list[2].Time, .4009332467, 5e-11) // as printed
	near(t, "D(1)", w.Dissipation(), 1.812653147832, 5e-13)  // as printed
	history(t, w, 2)
	near(t, "D(2)", w.Dissipation(), 1.812653147832+2.028806471735, 1e-12)
	near(t, "(E)", w.Balance(), 0, 1e-14)
}

func TestKlarbring(t *testing.T) {
	run := func(mu float64) *events.Walker[events.Real] {
		a, err := particles.DenseEntries([][]float64{{1, 0, -.5}, {0, 1, 0}, {-.5, 0, 2}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := particles.NewQuadratic([]int{0}, make([]float64, 3), a, particles.Path{ramp(t, 0, 0, 3, 3), signal.Constant(0), signal.Constant(-1)})
		if err != nil {
			t.Fatal(err)
		}
		return walk(t, system(t, mu, make([]float64, 3), e), make([]float64, 3), 3)
	}
	w := run(1.5)
	list := history(t, w, 3)
	for _, e := range list {
		t.Logf("%.15g %v %v", e.Time, e.From, e.To)
	}
	near(t, "x(3)", w.Q()[0], 22./7, 1e-15)
	near(t, "z(3)", w.Q()[1], 2./7, 1e-15)
	near(t, "D", w.Dissipation(), 1.5, 1e-15)
	near(t, "(E)", w.Balance(), 0, 1e-15)
	w = run(2.5)
	t.Log(w.Walk(context.Background(), 3, nil))
}

func TestGrazing(t *testing.T) {
	w := walk(t, tether(t, 0.4, ramp(t, 0, 0, 2, 1), sine(t, 0, -0.3, 1)), make([]float64, 3), 2)
	list := history(t, w, 1)
	near(t, "D(1)", w.Dissipation(), .04897853107, 5e-12)
	list = append(list, history(t, w, 2)...)
	for _, e := range list {
		t.Logf("%.15g %v %v", e.Time, e.From, e.To)
	}
	near(t, "x(2)", w.Q()[0], 1, 1e-15)
	near(t, "D(2)", w.Dissipation(), 2*.04897853107, 1e-11)
	near(t, "(E)", w.Balance(), 0, 1e-14)
}

// chain is example 4 with n particles and an end that moves along u.
func chain(t testing.TB, n int, u, press signal.Scalar) *events.Walker[events.Real] {
	z0 := make([]float64, 3*n)
	var bonds []particles.Bond
	var loads []particles.Load
	for j := range n {
		z0[3*j] = -float64(j)
		if j > 0 {
			bonds = append(bonds, particles.Bond{I: j - 1, J: j, Stiffness: particles.Isotropic(2)})
		}
		loads = append(loads, particles.Load{Particle: j, Force: particles.Path{signal.Constant(0), signal.Constant(0), press}})
	}
	a, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.Path{u, signal.Constant(0), signal.Constant(0)}, Stiffness: particles.Isotropic(2)})
	if err != nil {
		t.Fatal(err)
	}
	b, err := particles.NewBonds(z0, bonds...)
	if err != nil {
		t.Fatal(err)
	}
	l, err := particles.NewLoads(loads...)
	if err != nil {
		t.Fatal(err)
	}
	return walk(t, system(t, 0.4, z0, a, b, l), z0, 1e9)
}

func TestChain(t *testing.T) {
	w := chain(t, 8, ramp(t, 0, 0, 20, 20), signal.Constant(-2.5))
	list := history(t, w, 20)
	for m, e := range list {
		near(t, "slip", e.Time, float64((m+1)*(m+2))/4, 1e-14)
	}
	for i, want := range []float64{16, 12.5, 9.5, 7, 5, 3.5, 2.5, 2} {
		near(t, "x", w.Q()[2*i], want, 1e-14)
	}
	near(t, "(E)", w.Balance(), 0, 1e-12)
}

func BenchmarkChain(b *testing.B) {
	var points []float64
	for k := range 2000 {
		points = append(points, float64(k), float64(k%2)*3000)
	}
	for b.Loop() {
		w := chain(b, 100, ramp(b, points...), signal.Constant(-2.5))
		list := history(b, w, 1000)
		b.ReportMetric(float64(len(list)), "events")
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(list)), "µs/event")
	}
}
