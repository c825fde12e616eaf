package events_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// coneWalk starts a walk in space.
func coneWalk(t testing.TB, psi *dissipation.Coulomb, z0 []float64, until float64) *events.ConeWalker {
	t.Helper()
	p, err := events.NewSpace(psi, z0, until)
	if err != nil {
		t.Fatal(err)
	}
	w, err := p.NewConeWalker(0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// onSpring is one particle on the floor with the friction m, on a spring (2, 2, 5) N/m whose end is at u.
func onSpring(t testing.TB, m dissipation.Matrix, u particles.Path) *dissipation.Coulomb {
	t.Helper()
	e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: u, Stiffness: particles.Diagonal(2, 2, 5)})
	if err != nil {
		t.Fatal(err)
	}
	psi := system(t, 0, make([]float64, 3), e)
	psi.Matrices[0] = m
	return psi
}

// TestConeReference: anisotropic friction, pulled askew, so that the direction of slip turns. The numbers are those
// of the reference sheet (example 5a), integrated to twelve digits by another program.
func TestConeReference(t *testing.T) {
	m, err := dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	w := coneWalk(t, onSpring(t, m, particles.Path{ramp(t, 0, 0, 3, 2.598076211353316), ramp(t, 0, 0, 3, 1.5), signal.Constant(-0.3)}), make([]float64, 3), 3)
	var onset events.Real
	for _, x := range []struct{ until, x, y float64 }{{1, 0.7660794422, 0.1644448735}, {3, 2.5230561710, 1.1103232854}} {
		err := w.Walk(t.Context(), events.Real(x.until), func() error {
			for _, e := range w.Changes() {
				onset = e.Time
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		// u = S z, S = diag(.2, .6); ten digits are printed.
		if q := w.Q(); math.Abs(float64(q[0]/0.2)-x.x) > 1e-10 || math.Abs(float64(q[1]/0.6)-x.y) > 1e-10 {
			t.Errorf("t=%g: (%.12g, %.12g), want (%g, %g)", x.until, q[0]/0.2, q[1]/0.6, x.x, x.y)
		}
	}
	if math.Abs(float64(onset)-0.170084012854) > 1e-12 {
		t.Errorf("slip begins at %.15g, want .170084012854", onset)
	}
	if d := float64(w.Dissipation()); math.Abs(d-1.2806681808) > 1e-10 {
		t.Errorf("dissipated %.12g J, want 1.2806681808", d)
	}
	if b := float64(w.Balance()); math.Abs(b) > 1e-12 { // of 1.4 J
		t.Errorf("(E) lacks %g J", b)
	}
}

// TestAskew: the same circle by a walk of corners of one face, at the origin and 1,000 m away.
func TestAskew(t *testing.T) {
	const R, mu, N, k = 1.0, 0.4, 1.5, 2.0
	r := mu * N / k
	rho := math.Sqrt(R*R - r*r)
	for _, far := range []float64{0, 1000} {
		cosine, err := signal.NewSine(far, R, 1/(2*math.Pi), math.Pi/2)
		if err != nil {
			t.Fatal(err)
		}
		start := []float64{far + rho*rho/R, -rho * r / R, 0}
		w := walk(t, onSpring(t, dissipation.Isotropic{Mu: mu}, particles.Path{cosine, sine(t, 0, R, 1/(2*math.Pi)), signal.Constant(-N / 5)}), start, 20)
		if err := w.Walk(t.Context(), 20, nil); err != nil {
			t.Fatal(err)
		}
		angle, allowed := 20-math.Asin(r/R), 1e-11+1e-14*far // twenty roundings of the place
		x, y := start[0]-far+float64(w.Q()[0]), start[1]+float64(w.Q()[1])
		if off := math.Hypot(x-rho*math.Cos(angle), y-rho*math.Sin(angle)); off > allowed {
			t.Errorf("%g m beside the circle %g m away", off, far)
		}
		if d, want := float64(w.Dissipation()), mu*N*rho*20; math.Abs(d-want) > (1e-11+1e-14*far)*want {
			t.Errorf("dissipated %.14g J, want %.14g", d, want)
		}
	}
}

// TestAskewLate: without any force for 1e5 s on a tilted obstacle, then pulled anywhere: times are rounded by 1.5e-11 s, and the way is that of a walk without the rest.
func TestAskewLate(t *testing.T) {
	var q [2][]events.Real
	for i, late := range []float64{0, 1e5} {
		points := []float64{0, 0, 0, 0}
		if late > 0 {
			points = append(points, late, 0, 0, 0)
		}
		for k, p := range [][3]float64{{0.3, -0.2, -0.6}, {-0.5, 0.4, -1.1}, {0.2, 0.6, -0.4}, {0.1, -0.3, 0.5}, {-0.4, 0.2, -0.7}} {
			points = append(points, late+float64(k+1), p[0], p[1], p[2])
		}
		e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: along(t, points...), Stiffness: particles.Diagonal(0.7, 1.2, 0.9)})
		if err != nil {
			t.Fatal(err)
		}
		psi, z := cornered(t, make([]float64, 3), [][]obstacle{{{normal: [3]float64{0.1 / math.Sqrt(1.05), -0.2 / math.Sqrt(1.05), 1 / math.Sqrt(1.05)}, mu: 0.3}}}, e)
		w := walk(t, psi, z, late+5)
		if err := w.Walk(t.Context(), events.Real(late+5), nil); err != nil {
			t.Fatal(err)
		}
		q[i] = slices.Clone(w.Q())
	}
	for i := range q[0] {
		if off := math.Abs(float64(q[0][i] - q[1][i])); off > 1e-9 { // some rounding of times, at rates of 1 m/s
			t.Errorf("coordinate %d is off by %g m", i, off)
		}
	}
}

// TestAskewChain: a bond that is oblique pulls across what it is pulled along: all of a chain walk as corners as soon as one does, and D is that in coordinates of the
// friction. A neighbour whose friction has axes is refused.
func TestAskewChain(t *testing.T) {
	z0 := []float64{0, 0, 0, 1, 0.3, 0, 2, 0, 0}
	e, err := particles.NewTethers(
		particles.Tether{Particle: 0, Stiffness: particles.Diagonal(1, 1.4, 2), Anchor: particles.Path{ramp(t, 0, 0, 1, 0.9, 2, 0.2), ramp(t, 0, 0, 1, 0.2, 2, 1.1), signal.Constant(-0.2)}},
		particles.Tether{Particle: 1, Stiffness: particles.Diagonal(0.1, 0.1, 1), Anchor: particles.Path{signal.Constant(1), signal.Constant(0.3), signal.Constant(-0.2)}},
		particles.Tether{Particle: 2, Stiffness: particles.Diagonal(0.1, 0.1, 1), Anchor: particles.Path{signal.Constant(2), signal.Constant(0), signal.Constant(-0.3)}})
	if err != nil {
		t.Fatal(err)
	}
	bonds, err := particles.NewBonds(z0, particles.Bond{I: 0, J: 1, Stiffness: particles.Diagonal(1, 0.6, 0.2)}, particles.Bond{I: 1, J: 2, Stiffness: particles.Diagonal(0.5, 0.9, 0.2)})
	if err != nil {
		t.Fatal(err)
	}
	psi := system(t, 0.4, z0, e, bonds)
	a, b := walk(t, psi, z0, 2), coneWalk(t, psi, z0, 2)
	if err := a.Walk(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Walk(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	if d, want := float64(a.Dissipation()), float64(b.Dissipation()); math.Abs(d-want) > 1e-11 || want < 0.01 {
		t.Errorf("dissipated %.15g J, %.15g in coordinates of the friction", d, want)
	}
	for i := range a.Q() {
		q := float64(b.Q()[i])
		if i%3 < 2 {
			q /= 0.4
		}
		if math.Abs(float64(a.Q()[i])-q) > 1e-11 {
			t.Errorf("coordinate %d: %.15g, want %.15g", i, float64(a.Q()[i]), q)
		}
	}
	var space *events.SpaceError
	if psi.Matrices[2], err = dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{1, 0}); err != nil {
		t.Fatal(err)
	}
	if _, err := events.NewPlane(psi, z0, 2); !errors.As(err, &space) || space.Particle != 2 {
		t.Errorf("beside friction with axes: %v, want a SpaceError of particle 2", err)
	}
}

// TestConeCircle: the end of the spring runs round a circle of radius R with ω = 1; friction lags by μN/k = r behind
// it, across the radius of the particle, so that this runs round one of radius ρ, ρ² = R² − r², from the
// start on, and loses μN ωρ. A step turns by no more than Turn, and errors by 1e-12 of the loads.
func TestConeCircle(t *testing.T) {
	const R, mu, N, k = 1.0, 0.4, 1.5, 2.0
	r := mu * N / k
	rho := math.Sqrt(R*R - r*r)
	cosine, err := signal.NewSine(0, R, 1/(2*math.Pi), math.Pi/2)
	if err != nil {
		t.Fatal(err)
	}
	start := []float64{rho * rho / R, -rho * r / R, 0} // ρ at the angle −asin(r/R)
	w := coneWalk(t, onSpring(t, dissipation.Isotropic{Mu: mu}, particles.Path{cosine, sine(t, 0, R, 1/(2*math.Pi)), signal.Constant(-N / 5)}), start, 20)
	if err := w.Walk(t.Context(), 20, func() error {
		tm := float64(w.Time())
		angle := tm - math.Asin(r/R)
		x, y := start[0]+float64(w.Q()[0])/mu, start[1]+float64(w.Q()[1])/mu
		if off := math.Hypot(x-rho*math.Cos(angle), y-rho*math.Sin(angle)); off > 1e-11 {
			t.Errorf("t=%g: %g m beside the circle", tm, off)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if d, want := float64(w.Dissipation()), mu*N*rho*20; math.Abs(d-want) > 1e-11*want {
		t.Errorf("dissipated %.14g J, want %.14g", d, want)
	}
}

// TestConeInPlane: what moves in a plane does so in space: slip, stick, lift-off and landing of a
// spring whose end moves in the vertical plane through the direction (.6, .8), beside the walk along
// that direction, which is exact.
func TestConeInPlane(t *testing.T) {
	along, up := []float64{0, 0, 1, 1, 2, -0.4, 3, 0.2, 5, 3}, ramp(t, 0, -0.3, 1.5, -0.1, 2, 0.1, 2.5, -0.2, 4, -0.5)
	of := func(c float64) signal.Scalar {
		var p []float64
		for i := 0; i < len(along); i += 2 {
			p = append(p, along[i], c*along[i+1])
		}
		return ramp(t, p...)
	}
	psi := onSpring(t, dissipation.Isotropic{Mu: 0.4}, particles.Path{of(0.6), of(0.8), up})
	plane, space := walk(t, psi, make([]float64, 3), 5), coneWalk(t, psi, make([]float64, 3), 5)
	var times [2][]string
	var at [2][]float64
	note := func(i int, list []events.Event[events.Real]) {
		for _, e := range list {
			from, to := e.From != events.Open && e.From != events.Stick, e.To != events.Open && e.To != events.Stick
			if from != to || e.From == events.Open || e.To == events.Open {
				times[i], at[i] = append(times[i], fmt.Sprint(from, e.From == events.Open, to, e.To == events.Open)), append(at[i], float64(e.Time))
			}
		}
	}
	if err := plane.Walk(t.Context(), 5, func() error { note(0, plane.Changes()); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := space.Walk(t.Context(), 5, func() error { note(1, space.Changes()); return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(times[0], times[1]) || len(times[0]) < 6 {
		t.Fatalf("events %v in the plane, %v in space", times[0], times[1])
	}
	for i := range at[0] {
		if math.Abs(at[0][i]-at[1][i]) > 1e-12 {
			t.Errorf("event %d at %.15g in the plane, %.15g in space", i, at[0][i], at[1][i])
		}
	}
	if a, b := float64(plane.Dissipation()), float64(space.Dissipation()); math.Abs(a-b) > 1e-12 {
		t.Errorf("dissipated %.15g in the plane, %.15g in space", a, b)
	}
}

// TestConeLanding: two particles coupled by a bond, one of which lands and begins to slip at the tip of its cone
// while the other slides. The times are those of steps of 1e-4 s to that step; of them to 1e-12 the walk
// itself says that ten times finer steps change nothing, and (E) that nothing was missed.
func TestConeLanding(t *testing.T) {
	landing(t, 0, 1e-12)
}

// TestConeFar: the same 1,000 km away, where forces are rounded by 5e-9 N, and zero is what is below ten times that. Times move by what that is beside the
// rates, .1 to 1 N/s; nothing else happens.
func TestConeFar(t *testing.T) {
	landing(t, 1e6, 1e-7)
}

// landing checks the events of TestConeLanding, all of it moved along x.
func landing(t *testing.T, off, tolerance float64) {
	t.Helper()
	tethers, err := particles.NewTethers(
		particles.Tether{Particle: 0, Stiffness: particles.Diagonal(2, 3, 5), Anchor: particles.Path{
			ramp(t, 0, off, 1, off+0.3, 2, off+0.6, 3, off+0.2, 4, off), ramp(t, 0, 0, 1, 0.1, 2, 0.8, 3, 1.5, 4, 0), ramp(t, 0, 0.1, 1, -0.3, 2, -0.3, 3, 0.2, 4, -0.4)}},
		particles.Tether{Particle: 1, Stiffness: particles.Diagonal(0.5, 0.5, 3), Anchor: particles.Path{
			sine(t, off+1, 0.7, 0.5), sine(t, 0, 0.5, 0.3), sine(t, -0.3, 0.3, 0.4)}})
	if err != nil {
		t.Fatal(err)
	}
	z0 := []float64{off, 0, 0.1, off + 1, 0, 0}
	bonds, err := particles.NewBonds(z0, particles.Bond{I: 0, J: 1, Stiffness: particles.Diagonal(1, 2, 1)})
	if err != nil {
		t.Fatal(err)
	}
	psi := system(t, 0.4, z0, tethers, bonds)
	want := []float64{0.169646517816056, 0.3, 0.549642353521506, 1.061174123076606, 1.061174123076606, 2.222996019905687,
		2.56, 2.967347093761310, 3.159790267782475, 3.366666666666667, 3.551913384140845, 3.773865015397782}
	landings(t, coneWalk(t, psi, z0, 4), want, tolerance)
	landings(t, walk(t, psi, z0, 4), want, tolerance)
}

// spaceWalk is a walk of either kind.
type spaceWalk interface {
	Walk(ctx context.Context, limit events.Real, visit func() error) error
	Changes() []events.Event[events.Real]
	Balance() events.Real
}

// landings checks the times of the events of a walk. The steps say .1697, .3, .5497, 1.0612, 1.0613, 2.2230, 2.56, 2.9674, 3.1598, 3.3667, 3.5520, 3.7739.
func landings(t *testing.T, w spaceWalk, want []float64, tolerance float64) {
	t.Helper()
	var at []float64
	if err := w.Walk(t.Context(), 4, func() error {
		for _, e := range w.Changes() {
			if rubs := func(r events.Regime) bool { return r != events.Open && r != events.Stick }; !rubs(e.From) || !rubs(e.To) { // of corners the sign is one of their axis
				at = append(at, float64(e.Time))
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(at) != len(want) {
		t.Fatalf("events at %v", at)
	}
	for i := range want {
		if math.Abs(at[i]-want[i]) > tolerance {
			t.Errorf("event %d at %.15f, want %.15f", i, at[i], want[i])
		}
	}
	if b := float64(w.Balance()); math.Abs(b) > tolerance { // of 1.9 J
		t.Errorf("(E) lacks %g J", b)
	}
}
