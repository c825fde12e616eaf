package events_test

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// onSpring is one particle on the floor with the friction m, on a spring (2, 2, 5) N/m whose end is
// at u.
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

// TestConeReference: anisotropic friction, pulled askew, so that the direction of slip turns. The
// numbers are those of the reference sheet (example 5a), integrated to twelve digits by another
// program.
func TestConeReference(t *testing.T) {
	m, err := dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	psi := onSpring(t, m, particles.Path{ramp(t, 0, 0, 3, 2.598076211353316), ramp(t, 0, 0, 3, 1.5), signal.Constant(-0.3)})
	plane, err := events.NewPlane(psi, make([]float64, 3), 3)
	if err != nil {
		t.Fatal(err)
	}
	w, z := walk(t, psi, make([]float64, 3), 3), make([]float64, 3)
	var onset events.Real
	for _, x := range []struct{ until, x, y float64 }{{1, 0.7660794422, 0.1644448735}, {3, 2.5230561710, 1.1103232854}} {
		err := w.Integrate(t.Context(), events.Real(x.until), func() error {
			for _, e := range w.Changes() {
				onset = e.Time
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		plane.State(z, func(i int) float64 { return float64(w.Q()[i]) })
		if math.Abs(z[0]-x.x) > 1e-10 || math.Abs(z[1]-x.y) > 1e-10 { // ten digits are printed
			t.Errorf("t=%g: (%.12g, %.12g), want (%g, %g)", x.until, z[0], z[1], x.x, x.y)
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
		w := walk(t, onSpring(t, dissipation.Isotropic{Mu: mu},
			particles.Path{cosine, sine(t, 0, R, 1/(2*math.Pi)), signal.Constant(-N / 5)}), start, 20)
		if err := w.Integrate(t.Context(), 20, nil); err != nil {
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

// TestAskewLate: without any force for 1e5 s on a tilted obstacle, then pulled anywhere: times are
// rounded by 1.5e-11 s, and the way is that of a walk without the rest.
func TestAskewLate(t *testing.T) {
	rested(t, particles.Diagonal(0.7, 1.2, 0.9), obstacle{normal: [3]float64{0.1 / math.Sqrt(1.05),
		-0.2 / math.Sqrt(1.05), 1 / math.Sqrt(1.05)}, mu: 0.3},
		[3]float64{0.3, -0.2, -0.6}, [3]float64{-0.5, 0.4, -1.1}, [3]float64{0.2, 0.6, -0.4},
		[3]float64{0.1, -0.3, 0.5}, [3]float64{-0.4, 0.2, -0.7})
}

// rested pulls a particle of one obstacle from place to place, one a second, at once and after a
// rest of 1e5 s, and wants it to end in one place.
func rested(t *testing.T, stiffness particles.Stiffness, on obstacle, places ...[3]float64) {
	t.Helper()
	var q [2][]events.Real
	for i, timeSize := range []float64{0, 1e5} {
		points := []float64{0, 0, 0, 0}
		if timeSize > 0 {
			points = append(points, timeSize, 0, 0, 0)
		}
		for k, p := range places {
			points = append(points, timeSize+float64(k+1), p[0], p[1], p[2])
		}
		e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: along(t, points...), Stiffness: stiffness})
		if err != nil {
			t.Fatal(err)
		}
		psi, z := cornered(t, make([]float64, 3), [][]obstacle{{on}}, e)
		end := timeSize + float64(len(places))
		w := walk(t, psi, z, end)
		if err := w.Integrate(t.Context(), events.Real(end), nil); err != nil {
			t.Fatal(err)
		}
		q[i] = slices.Clone(w.Q())
	}
	for i := range q[0] {
		// some rounding of times, at rates of 1 m/s
		if off := math.Abs(float64(q[0][i] - q[1][i])); off > 1e-9 {
			t.Errorf("coordinate %d is off by %g m", i, off)
		}
	}
}

// TestLateLanding: after a rest of 1e5 s a particle leaves a tilted obstacle and lands on it 1.4 s
// later, without force but for what the rounding of that time leaves of it, and slips at once: it
// begins where its force has a direction again.
func TestLateLanding(t *testing.T) {
	l := math.Sqrt(1 + .207*.207 + .26*.26)
	rested(t, particles.Diagonal(.872, 1.345, .837), obstacle{normal: [3]float64{-.207 / l, -.26 / l, 1 / l}, mu: 0.4394},
		[3]float64{.0988, -.4212, .38}, [3]float64{-.8823, .0407, -.8795}, [3]float64{.5595, .6537, -1.0766},
		[3]float64{.8859, -.9487, -.3186}, [3]float64{-.4795, -.4565, -1.2704})
}

// TestAskewChain: a bond that is oblique pulls across what it is pulled along: all of a chain walk
// as corners as soon as one does, also one whose friction has axes. With axes that are equal but
// for 1e-9, coordinates are those of the friction, and places are the same but for that.
func TestAskewChain(t *testing.T) {
	z0 := []float64{0, 0, 0, 1, 0.3, 0, 2, 0, 0}
	e, err := particles.NewTethers(
		particles.Tether{Particle: 0, Stiffness: particles.Diagonal(1, 1.4, 2),
			Anchor: particles.Path{ramp(t, 0, 0, 1, 0.9, 2, 0.2), ramp(t, 0, 0, 1, 0.2, 2, 1.1), signal.Constant(-0.2)}},
		particles.Tether{Particle: 1, Stiffness: particles.Diagonal(0.1, 0.1, 1),
			Anchor: particles.Path{signal.Constant(1), signal.Constant(0.3), signal.Constant(-0.2)}},
		particles.Tether{Particle: 2, Stiffness: particles.Diagonal(0.1, 0.1, 1),
			Anchor: particles.Path{signal.Constant(2), signal.Constant(0), signal.Constant(-0.3)}})
	if err != nil {
		t.Fatal(err)
	}
	bonds, err := particles.NewBonds(z0, particles.Bond{I: 0, J: 1, Stiffness: particles.Diagonal(1, 0.6, 0.2)},
		particles.Bond{I: 1, J: 2, Stiffness: particles.Diagonal(0.5, 0.9, 0.2)})
	if err != nil {
		t.Fatal(err)
	}
	psi := system(t, 0.4, z0, e, bonds)
	var ends [2][]float64
	var lost [2]float64
	for k, axes := range [2][2]float64{{0.4, 0.4}, {0.4, 0.4 + 4e-10}} {
		for j := range psi.Matrices {
			if psi.Matrices[j], err = dissipation.NewOrthotropic(axes, [2]float64{0.6, 0.8}); err != nil {
				t.Fatal(err)
			}
		}
		plane, err := events.NewPlane(psi, z0, 2)
		if err != nil {
			t.Fatal(err)
		}
		if plane.Oblique(1) != (k == 1) {
			t.Errorf("axes %v: oblique %v", axes, plane.Oblique(1))
		}
		w := walk(t, psi, z0, 2)
		if err := w.Integrate(t.Context(), 2, nil); err != nil {
			t.Fatal(err)
		}
		ends[k] = make([]float64, len(z0))
		plane.State(ends[k], func(i int) float64 { return float64(w.Q()[i]) })
		lost[k] = float64(w.Dissipation())
	}
	for i := range z0 {
		if math.Abs(ends[0][i]-ends[1][i]) > 4e-9 {
			t.Errorf("coordinate %d: %.15g, %.15g in coordinates of the friction", i, ends[0][i], ends[1][i])
		}
	}
	if math.Abs(lost[0]-lost[1]) > 1e-9 || lost[0] < 0.01 {
		t.Errorf("dissipated %.15g J, %.15g in coordinates of the friction", lost[0], lost[1])
	}
}

// TestEllipse: with friction S = diag(a, b) and a spring K = κ diag(a², b²) all is round in the
// coordinates u = S z: an end of the spring on the ellipse of S⁻¹ of a circle leads the particle
// round on another one, as TestAskew has it with μ = 1 and κ; the axes of both are turned by an
// angle on the floor, and it loses N ωρ.
func TestEllipse(t *testing.T) {
	const R, N, kappa, a, b, turn = 1.0, 1.5, 5.0, 0.3, 0.5, 0.7
	r := N / kappa
	rho := math.Sqrt(R*R - r*r)
	cos, sin := math.Cos(turn), math.Sin(turn)
	// of S⁻¹u
	global := func(u, v float64) (x, y float64) { return cos*u/a - sin*v/b, sin*u/a + cos*v/b }
	// u cos t + v sin t
	wave := func(u, v float64) signal.Scalar {
		s, err := signal.NewSine(0, math.Hypot(u, v), 1/(2*math.Pi), math.Atan2(u, v))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ux, uy := global(R, 0)
	vx, vy := global(0, R)
	m, err := dissipation.NewOrthotropic([2]float64{a, b}, [2]float64{cos, sin})
	if err != nil {
		t.Fatal(err)
	}
	kx, ky, kxy := kappa*(a*a*cos*cos+b*b*sin*sin), kappa*(a*a*sin*sin+b*b*cos*cos), kappa*(a*a-b*b)*cos*sin
	e, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor:    particles.Path{wave(ux, vx), wave(uy, vy), signal.Constant(-N / 5)},
		Stiffness: particles.Stiffness{kx, kxy, 0, kxy, ky, 0, 0, 0, 5}})
	if err != nil {
		t.Fatal(err)
	}
	start := make([]float64, 3)
	start[0], start[1] = global(rho*rho/R, -rho*r/R)
	psi := system(t, 0, start, e)
	psi.Matrices[0] = m
	plane, err := events.NewPlane(psi, start, 20)
	if err != nil {
		t.Fatal(err)
	}
	w, z := walk(t, psi, start, 20), make([]float64, 3)
	if err := w.Integrate(t.Context(), 20, func() error {
		plane.State(z, func(i int) float64 { return float64(w.Q()[i]) })
		angle := float64(w.Time()) - math.Asin(r/R)
		if x, y := global(rho*math.Cos(angle), rho*math.Sin(angle)); math.Hypot(z[0]-x, z[1]-y) > 1e-11/a {
			t.Errorf("t=%g: %g m beside the ellipse", w.Time(), math.Hypot(z[0]-x, z[1]-y))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if d, want := float64(w.Dissipation()), N*rho*20; math.Abs(d-want) > 1e-11*want {
		t.Errorf("dissipated %.14g J, want %.14g", d, want)
	}
	// The fastest place of the ellipse is at the end of its shorter axis in z, met by nodes that
	// turn by .05 rad.
	if fastest := rho / a; !(math.Abs(w.Fastest()-fastest) < 1e-2*fastest) {
		t.Errorf("‖ż‖ <= %g m/s, want %g", w.Fastest(), fastest)
	}
	if up := plane.Across(2); up != [3]float64{0, 0, 1} {
		t.Errorf("across the tangents: %v", up)
	}
	for i := range 2 { // forces along dofs are across the other ones
		for k := range 2 {
			d, f := plane.Dofs[k].Direction, plane.Across(i)
			want := 0.0
			if i == k {
				want = 1
			}
			if got := d[0]*f[0] + d[1]*f[1]; math.Abs(got-want) > 1e-14 {
				t.Errorf("dof %d and force %d: %g", k, i, got)
			}
		}
	}
}

// TestConeLanding: two particles coupled by a bond, one of which lands and begins to slip at the
// tip of its cone while the other slides. The times are those of steps of 1e-4 s to that step; of
// them to 1e-12 the walk itself says that ten times finer steps change nothing, and (E) that
// nothing was missed.
func TestConeLanding(t *testing.T) {
	landing(t, 0, 1e-12)
}

// TestConeFar: the same 1,000 km away, where forces are rounded by 5e-9 N, and zero is what is
// below ten times that. Times move by what that is beside the rates, .1 to 1 N/s; nothing else
// happens.
func TestConeFar(t *testing.T) {
	landing(t, 1e6, 1e-7)
}

// landing checks the events of TestConeLanding, all of it moved along x.
func landing(t *testing.T, off, tolerance float64) {
	t.Helper()
	tethers, err := particles.NewTethers(
		particles.Tether{Particle: 0, Stiffness: particles.Diagonal(2, 3, 5), Anchor: particles.Path{
			ramp(t, 0, off, 1, off+0.3, 2, off+0.6, 3, off+0.2, 4, off), ramp(t, 0, 0, 1, 0.1, 2, 0.8, 3, 1.5, 4, 0),
			ramp(t, 0, 0.1, 1, -0.3, 2, -0.3, 3, 0.2, 4, -0.4)}},
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
	landings(t, walk(t, psi, z0, 4), want, tolerance)
}

// landings checks the times of the events of a walk. The steps say .1697, .3, .5497, 1.0612,
// 1.0613, 2.2230, 2.56, 2.9674, 3.1598, 3.3667, 3.5520, 3.7739.
func landings(t *testing.T, w *events.Integrator[events.Real], want []float64, tolerance float64) {
	t.Helper()
	var at []float64
	if err := w.Integrate(t.Context(), 4, func() error {
		for _, e := range w.Changes() {
			// of corners the sign is one of their axis
			if hasFriction := func(r events.Regime) bool {
				return r != events.Open &&
					r != events.Stick
			}; !hasFriction(e.From) || !hasFriction(e.To) {
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
