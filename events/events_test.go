package events_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/internal/thorough"
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
	e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.Path{x, signal.Constant(0), z},
		Stiffness: particles.Diagonal(2, 2, 5)})
	if err != nil {
		t.Fatal(err)
	}
	return system(t, mu, make([]float64, 3), e)
}

// walk starts a walk.
func walk(t testing.TB, psi *dissipation.Coulomb, z0 []float64, until float64) *events.Integrator[events.Real] {
	plane, err := events.NewPlane(psi, z0, until)
	if err != nil {
		t.Fatal(err)
	}
	form, err := plane.Form()
	if err != nil {
		t.Fatal(err)
	}
	w, err := events.NewIntegrator(form, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// history walks to a time and returns the events.
func history(t testing.TB, w *events.Integrator[events.Real], until float64) []events.Event[events.Real] {
	list := append([]events.Event[events.Real](nil), w.Changes()...)
	err := w.Integrate(context.Background(), events.Real(until), func() error {
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

// TestPulsing: example 1b of the reference sheet, whose digits are met as printed.
func TestPulsing(t *testing.T) {
	w := walk(t, tether(t, 0.4, sine(t, 0, 1, 1), sine(t, -0.3, -0.15, 2)), make([]float64, 3), 2)
	list := history(t, w, 1)
	near(t, "first slip", list[0].Time, .0677237210, 5e-11)
	near(t, "stick", list[1].Time, .2917909227, 5e-11)
	near(t, "second slip", list[2].Time, .4009332467, 5e-11)
	near(t, "D(1)", w.Dissipation(), 1.812653147832, 5e-13)
	history(t, w, 2)
	near(t, "D(2)", w.Dissipation(), 1.812653147832+2.028806471735, 1e-12)
	near(t, "(E)", w.Balance(), 0, 1e-14)
	// The roots to the last digits: 2 sin 2πt = 0.6(1 + 0.5 sin 4πt) at the first.
	s, c := math.Sincos(2 * math.Pi * float64(list[0].Time))
	near(t, "2u − μN", events.Real(2*s-0.6*(1+s*c)), 0, 1e-15)
}

// klarbring is example 3.
func klarbring(t testing.TB, mu float64) *dissipation.Coulomb {
	a, err := particles.DenseEntries([][]float64{{1, 0, -.5}, {0, 1, 0}, {-.5, 0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := particles.NewQuadratic([]int{0}, make([]float64, 3), a,
		particles.Path{ramp(t, 0, 0, 3, 3), signal.Constant(0), signal.Constant(-1)})
	if err != nil {
		t.Fatal(err)
	}
	return system(t, mu, make([]float64, 3), e)
}

// TestKlarbring: example 3, and where (N4) fails an error that says when and why.
func TestKlarbring(t *testing.T) {
	w := walk(t, klarbring(t, 1.5), make([]float64, 3), 3)
	list := history(t, w, 3)
	near(t, "slip", list[0].Time, 1.5, 0)
	near(t, "lift-off", list[1].Time, 2, 0)
	near(t, "x(3)", w.Q()[0], 22./7, 1e-15)
	near(t, "z(3)", w.Q()[1], 2./7, 1e-15)
	near(t, "D", w.Dissipation(), 1.5, 1e-15)
	near(t, "(E)", w.Balance(), 0, 1e-15)
	// μ = 2.5: it sticks until t = μ at least, and no rate holds the bound then: slip makes
	// the force of the obstacle fall faster than that of the spring.
	w = walk(t, klarbring(t, 2.5), make([]float64, 3), 3)
	var jump *events.RateError
	if err := w.Integrate(context.Background(), 3, nil); !errors.As(err, &jump) || !jump.None || jump.Time != 2.5 {
		t.Errorf("μ = 2.5: %v", err)
	}
}

// TestGrazing: example 2; lift-off, landing, and slip in between.
func TestGrazing(t *testing.T) {
	w := walk(t, tether(t, 0.4, ramp(t, 0, 0, 2, 1), sine(t, 0, -0.3, 1)), make([]float64, 3), 2)
	list := history(t, w, 1)
	near(t, "D(1)", w.Dissipation(), .04897853107, 5e-12)
	list = append(list, history(t, w, 2)...)
	for i, want := range []float64{.388060280994, .5, 1, 1.388060280994, 1.5} {
		near(t, "event", list[i].Time, want, 5e-13)
	}
	near(t, "x(2)", w.Q()[0], 1, 1e-15)
	near(t, "D(2)", w.Dissipation(), 2*.04897853107, 1e-11)
	near(t, "(E)", w.Balance(), 0, 1e-14)
}

// TestLoss: a block that only friction holds slides away when the force on it reaches
// μN: no equilibrium beyond.
func TestLoss(t *testing.T) {
	l, err := particles.NewLoads(particles.Load{Particle: 0,
		Force: particles.Path{ramp(t, 0, 0, 10, 10), signal.Constant(0), signal.Constant(-4)}})
	if err != nil {
		t.Fatal(err)
	}
	w := walk(t, system(t, 0.5, make([]float64, 3), l), make([]float64, 3), 10)
	var loss *events.LossError
	if err := w.Integrate(context.Background(), 10, nil); !errors.As(err, &loss) || loss.Time != 2 || loss.Dof != 0 {
		t.Errorf("%v, want the loss of equilibrium at t = 2", err)
	}
}

// ratchet is friction along x only.
type ratchet struct{}

func (ratchet) At(x, y float64, grad *[2][4]float64) [4]float64 { return [4]float64{0.4, 0, 0, 0} }
func (ratchet) Constant() bool                                  { return true }

// TestSpace: what moves in no plane walks in space, and not in ratios of integers; friction along
// one direction only is refused, with the particle.
func TestSpace(t *testing.T) {
	e, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor: particles.Path{ramp(t, 0, 0, 1, 1), ramp(t, 0, 0, .5, 0, 1, 1), signal.Constant(-1)}, Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	var space *events.SpaceError
	psi := system(t, 0.5, make([]float64, 3), e)
	plane, err := events.NewPlane(psi, make([]float64, 3), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plane.Exact(make([]float64, 3)); !errors.As(err, &space) || space.Particle != 0 {
		t.Errorf("in ratios of integers: %v, want a SpaceError", err)
	}
	if psi.Matrices[0], err = dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{1, 0}); err != nil {
		t.Fatal(err)
	}
	if plane, err = events.NewPlane(psi, make([]float64, 3), 1); err != nil || !plane.Oblique(0) {
		t.Errorf("with axes of friction: %v, want a walk in its coordinates", err)
	}
	for across, walks := range map[float64]bool{0.6 / 299: true, 0.6 / 301: false} {
		if psi.Matrices[0], err = dissipation.NewOrthotropic([2]float64{0.6, across}, [2]float64{0.6, 0.8}); err != nil {
			t.Fatal(err)
		}
		if _, err := events.NewPlane(psi, make([]float64, 3), 1); (err == nil) != walks {
			t.Errorf("coefficients of 0.6 and %g: %v, want a walk up to a ratio of 300", across, err)
		}
	}
	psi.Matrices[0] = ratchet{}
	if _, err := events.NewPlane(psi, make([]float64, 3), 1); !errors.As(err, &space) || space.Particle != 0 ||
		!strings.Contains(space.Reason, "one direction only") {
		t.Errorf("with friction along one direction: %v, want a SpaceError", err)
	}
	// Along a straight line of any direction it is a plane.
	e, err = particles.NewTethers(particles.Tether{Particle: 0,
		Anchor: particles.Path{ramp(t, 0, 0, 1, 3), ramp(t, 0, 0, 1, -4), signal.Constant(-1)}, Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	w := walk(t, system(t, 0.5, make([]float64, 3), e), make([]float64, 3), 1)
	history(t, w, 1)
	near(t, "way", w.Q()[0], -4.5, 1e-15) // 5 m less μN/k, the tangent is (−3, 4)/5: towards +y
}

// chain is example 4 with n particles and an end that moves along u.
func chain(t testing.TB, n int, u, press signal.Scalar) *events.Integrator[events.Real] {
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
	a, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor: particles.Path{u, signal.Constant(0), signal.Constant(0)}, Stiffness: particles.Isotropic(2)})
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

// TestChain: example 4; every particle starts at its time, (E) closes.
func TestChain(t *testing.T) {
	w := chain(t, 8, ramp(t, 0, 0, 20, 20), signal.Constant(-2.5))
	list := history(t, w, 20)
	for m, e := range list[:8] {
		near(t, "slip", e.Time, float64((m+1)*(m+2))/4, 1e-14)
	}
	for i, want := range []float64{16, 12.5, 9.5, 7, 5, 3.5, 2.5, 2} {
		near(t, "x", w.Q()[2*i], want, 1e-14)
	}
	near(t, "(E)", w.Balance(), 0, 1e-12)
}

// TestLongWalk: ten thousand events of a chain of 100 leave no drift: the end is periodic,
// and (E) closes to rounding of the sums. (QUASISTATIC_LONG: 10^5.)
func TestLongWalk(t *testing.T) {
	cycles := 25
	if thorough.Asked() {
		cycles = 250
	}
	points := []float64{0, 0}
	for k := 1; k <= 2*cycles+2; k++ {
		points = append(points, float64(k), float64(1-k%2*2)*-2600)
	}
	w := chain(t, 100, ramp(t, points...), signal.Constant(-2.5))
	count := len(history(t, w, 3))
	x := append([]events.Real(nil), w.Q()...)
	count += len(history(t, w, float64(2*cycles+1)))
	if count < 390*cycles {
		t.Fatalf("%d events", count)
	}
	for i, q := range w.Q() {
		near(t, "x", q, float64(x[i]), 1e-11*2600)
	}
	near(t, "(E)", w.Balance()/w.Dissipation(), 0, 1e-11)
	if w.Pieces > 2*count {
		t.Errorf("%d factorisations for %d events", w.Pieces, count)
	}
}

// BenchmarkChain walks 10^5 events of a chain of 100.
func BenchmarkChain(b *testing.B) {
	points := []float64{0, 0}
	for k := 1; k <= 502; k++ {
		points = append(points, float64(k), float64(1-k%2*2)*-2600)
	}
	count := 0
	for b.Loop() {
		count = len(history(b, chain(b, 100, ramp(b, points...), signal.Constant(-2.5)), 501))
	}
	b.ReportMetric(float64(count), "events")
}

// TestBranchings: Klarbring's particle above its critical friction has no rate at the bound
// while the load grows, and two where it turns there: it sticks, or slips with the speed
// ḟ/(1 − μ/2) = 4. Below there is one.
func TestBranchings(t *testing.T) {
	count := func(mu float64, f signal.Scalar) []events.Branching[events.Real] {
		a, err := particles.DenseEntries([][]float64{{1, 0, -.5}, {0, 1, 0}, {-.5, 0, 2}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := particles.NewQuadratic([]int{0}, make([]float64, 3), a, particles.Path{f, signal.Constant(0), signal.Constant(-1)})
		if err != nil {
			t.Fatal(err)
		}
		w := walk(t, system(t, mu, make([]float64, 3), e), make([]float64, 3), 4)
		list, looked, skipped, err := events.Branchings(context.Background(), w, 4)
		if err != nil || looked == 0 || skipped != 0 {
			t.Fatalf("μ = %g: %d looked at, %d skipped, %v", mu, looked, skipped, err)
		}
		return list
	}
	if list := count(1.5, ramp(t, 0, 0, 4, 4)); len(list) != 0 {
		t.Errorf("μ = 1.5: %v", list)
	}
	if list := count(2.5, ramp(t, 0, 0, 4, 4)); len(list) != 1 || list[0].Time != 2.5 || len(list[0].Solutions) != 0 {
		t.Errorf("μ = 2.5, growing: %v", list)
	}
	list := count(2.5, ramp(t, 0, 0, 2.5, 2.5, 4, 1))
	if len(list) != 1 || list[0].Time != 2.5 || len(list[0].Solutions) != 2 {
		t.Fatalf("μ = 2.5, turning: %v", list)
	}
	near(t, "stick", list[0].Solutions[0].Rates[0], 0, 0)
	near(t, "slip", list[0].Solutions[1].Rates[0], 4, 1e-15)
}
