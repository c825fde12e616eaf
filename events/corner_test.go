package events_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// obstacle is a plane through a point and its friction.
type obstacle struct {
	point, normal [3]float64
	mu            float64
}

// cornered makes particles at their places, each with a list of obstacles.
func cornered(t testing.TB, at []float64, obstacles [][]obstacle, energies ...particles.Energy) (*dissipation.Coulomb, []float64) {
	t.Helper()
	var frames []particles.Frame
	var extras []particles.Extra
	var list, more []dissipation.Matrix
	for j, os := range obstacles {
		frames, list = append(frames, particles.NoObstacle()), append(list, nil)
		for i, o := range os {
			h, err := particles.NewHalfSpace(o.point, o.normal)
			if err != nil {
				t.Fatal(err)
			}
			f := h.Frame()
			var m dissipation.Matrix
			if o.mu > 0 {
				m = dissipation.Isotropic{Mu: o.mu}
			}
			if i == 0 {
				frames[j], list[j] = f, m
			} else {
				extras, more = append(extras, particles.Extra{Particle: j, Frame: f}), append(more, m)
			}
		}
	}
	sys, err := particles.NewSystem(frames, energies...)
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, append(list, more...))
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, len(at))
	sys.ToLocal(z, at)
	return psi, z
}

// path is the way of an anchor in the plane of x and z through (t, x, z), with y = 0.
func path(t testing.TB, points ...float64) particles.Path {
	var x, z []float64
	for i := 0; i < len(points); i += 3 {
		x, z = append(x, points[i], points[i+1]), append(z, points[i], points[i+2])
	}
	return particles.Path{ramp(t, x...), signal.Constant(0), ramp(t, z...)}
}

// isotropic is a spring to an anchor.
func isotropic(t testing.TB, j int, k float64, p particles.Path) particles.Energy {
	e, err := particles.NewTethers(particles.Tether{Particle: j, Anchor: p, Stiffness: particles.Diagonal(k, k, k)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// bond is a spring between two particles, without force at the places at.
func bond(t testing.TB, at []float64, i, j int, k float64) particles.Energy {
	e, err := particles.NewBonds(at, particles.Bond{I: i, J: j, Stiffness: particles.Diagonal(k, k, k)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var (
	flat   = obstacle{normal: [3]float64{0, 0, 1}, mu: 0.25}
	wall   = obstacle{normal: [3]float64{1, 0, 0}, mu: 0.5}
	smooth = obstacle{normal: [3]float64{1, 0, 0}}
	left   = obstacle{normal: [3]float64{0.6, 0, 0.8}, mu: 0.2}
	right  = obstacle{normal: [3]float64{-0.8, 0, 0.6}, mu: 0.3}
	far    = obstacle{point: [3]float64{0.5, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: 0.4}
)

// TestCornerProof: of random particles in corners, grooves and between walls, with bonds, beside
// particles with one obstacle and none, the walk in ratios of integers is proven, piece by piece,
// by the definitions of (S), (DI) and (E); and that in float64 ends where it does. The first seeds
// take all branches; more are behind QUASISTATIC_LONG.
func TestCornerProof(t *testing.T) {
	rooms := [][]obstacle{{flat, wall}, {flat}, {left, right}, {flat, wall, far}, {wall, flat}, {flat, smooth}, {}, {left, right, flat}}
	seeds, walked, changes := uint64(40), 0, 0
	if thorough.Asked() {
		seeds = 2000
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 7))
		n := 1 + rng.IntN(3)
		var at []float64
		var obstacles [][]obstacle
		var energies []particles.Energy
		var bonds []float64
		corner := false
		for j := range n {
			at = append(at, 0, 0, 0)
			room := rooms[rng.IntN(len(rooms))]
			obstacles, corner = append(obstacles, room), corner || len(room) > 1
			points := []float64{0, 0, 0}
			for k := range 6 {
				points = append(points, float64(k+1), float64(rng.IntN(17)-8)/8, float64(rng.IntN(17)-10)/8)
			}
			energies = append(energies, isotropic(t, j, float64(1+rng.IntN(3)), path(t, points...)))
			if j > 0 {
				bonds = append(bonds, float64(1+rng.IntN(2)))
			}
		}
		for j, k := range bonds {
			energies = append(energies, bond(t, at, j, j+1, k))
		}
		psi, z := cornered(t, at, obstacles, energies...)
		plane, err := events.NewPlane(psi, z, 6)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		form, err := plane.Exact(at)
		if _, across := errors.AsType[*events.SpaceError](err); across && !corner {
			continue // no corner
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		w, err := events.NewIntegrator(form, 0)
		if err == nil {
			err = events.Prove(context.Background(), w, events.Rational{}.Of(6), func() error { changes += len(w.Changes()); return nil })
		}
		if _, jumps := errors.AsType[*events.RateError](err); jumps {
			continue
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		walked++
		real := walk(t, psi, z, 6)
		if err := real.Integrate(context.Background(), 6, nil); err != nil {
			t.Errorf("seed %d: in float64: %v", seed, err)
			continue
		}
		for i, q := range real.Q() {
			// Sums of some hundred numbers of size 1.
			if d := float64(q) - w.Q()[i].Float(); !(math.Abs(d) < 1e-12) {
				t.Errorf("seed %d: dof %d ends %g m from the exact place", seed, i, d)
			}
		}
	}
	t.Logf("%d of %d walked, %d changes", walked, seeds, changes)
	if walked < int(seeds)*9/10 {
		t.Errorf("%d of %d problems walked", walked, seeds)
	}
}

// long reports whether the long form of a test is asked for.
// along is the way of an anchor through (t, x, y, z).
func along(t testing.TB, points ...float64) particles.Path {
	var p [3][]float64
	for i := 0; i < len(points); i += 4 {
		for c := range p {
			p[c] = append(p[c], points[i], points[i+1+c])
		}
	}
	return particles.Path{ramp(t, p[0]...), ramp(t, p[1]...), ramp(t, p[2]...)}
}

// TestCornerByHand: the table of the case corner, in float64 to the bit, and proven in ratios of
// integers.
func TestCornerByHand(t *testing.T) {
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: 0.25}
	side := obstacle{normal: [3]float64{1, 0, 0}, mu: 0.25}
	way := along(t, 0, -1, 0, -1, 1, -1, 1, -1, 2, -1, .5, -1, 3, 1, .5, -1, 4, 1, .5, 1, 5, -1, .5, 1, 6, -1, .5, -1)
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, side}}, isotropic(t, 0, 1, way))
	plane, err := events.NewPlane(psi, z, 6)
	if err != nil {
		t.Fatal(err)
	}
	form, err := plane.Exact(make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	exact, err := events.NewIntegrator(form, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := events.Prove(t.Context(), exact, events.Rational{}.Of(6), func() error {
		for _, e := range exact.Changes() {
			got = append(got, fmt.Sprintf("%s %d %s %s", e.Time, e.Contact, e.From, e.To))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{"1/2 0 stick slip+", "1/2 1 stick slip+", "1 0 slip+ stick", "1 1 slip+ stick",
		"21/8 0 stick slip+", "21/8 1 stick open",
		"7/2 0 slip+ open", "9/2 1 open stick", "41/8 1 stick slip-", "45/8 0 open stick", "45/8 1 slip- stick"}
	if !slices.Equal(got, want) {
		t.Errorf("events %q, want %q", got, want)
	}
	if d := exact.Dissipation().String(); d != "23/32" {
		t.Errorf("D = %s, want 23/32", d)
	}
	w := walk(t, psi, z, 6)
	for _, x := range []struct {
		t, x, y, z, d float64
		pressed       [2]bool
	}{
		{1, 0, .5, 0, .25, [2]bool{true, true}},
		{2.5625, 0, .5, 0, .25, [2]bool{true, false}},
		{3, .75, .5, 0, .4375, [2]bool{true, false}},
		{4, 1, .5, 1, .46875, [2]bool{false, false}},
		{5.5, 0, .5, .25, .65625, [2]bool{false, true}}, // ¼·¾ since 5.125
		{6, 0, .5, 0, .71875, [2]bool{true, true}},
	} {
		if err := w.Integrate(t.Context(), events.Real(x.t), nil); err != nil {
			t.Fatal(err)
		}
		q := w.Q()
		if q[0] != events.Real(x.x) || q[1] != events.Real(x.y) || q[2] != events.Real(x.z) || w.Balance() != 0 {
			t.Errorf("t=%g: q = %v, (E) %g", x.t, q, w.Balance())
		}
		if w.Dissipation() != events.Real(x.d) {
			t.Errorf("t=%g: D = %g, want %g", x.t, w.Dissipation(), x.d)
		}
		if p := [2]bool{w.Pressed(0), w.Pressed(1)}; p != x.pressed {
			t.Errorf("t=%g: pressed %v, want %v", x.t, p, x.pressed)
		}
	}
}

// TestTractrix: a particle that leaves the wall with a force along the edge is dragged over the
// floor along a tractrix: the pull has the length ρ = μ and the angle φ to the way of the anchor,
// φ' = −sin φ/ρ, tan ½φ = tan ½φ_0 e^{−s/ρ}, and the particle goes ρ ln(sin φ_0/sin φ). In ratios
// of integers the walk ends where the force begins to turn, also one that friction still holds.
func TestTractrix(t *testing.T) {
	const rho, side0 = .25, .125
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: 0.25}
	side := obstacle{normal: [3]float64{1, 0, 0}, mu: 0.25}
	way := along(t, 0, -1, side0, -1, 2, 1, side0, -1)
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, side}}, isotropic(t, 0, 1, way))
	w := walk(t, psi, z, 2)
	slips := 1 + math.Sqrt(rho*rho-side0*side0)
	var at []float64
	if err := w.Integrate(t.Context(), 2, func() error {
		for _, e := range w.Changes() {
			at = append(at, float64(e.Time))
		}
		s := float64(w.Time()) - slips
		if s < 0 {
			return nil
		}
		first := math.Asin(side0 / rho)
		angle := 2 * math.Atan(math.Tan(first/2)*math.Exp(-s/rho))
		x, y := s+rho*math.Cos(first)-rho*math.Cos(angle), side0-rho*math.Sin(angle)
		lost := rho * rho * math.Log(math.Sin(first)/math.Sin(angle))
		// Steps are accurate to 1e-12 of the loads; there are some ten.
		if q := w.Q(); math.Abs(float64(q[0])-x) > 1e-12 || math.Abs(float64(q[1])-y) > 1e-12 || q[2] != 0 ||
			math.Abs(float64(w.Dissipation())-lost) > 1e-12 {
			t.Errorf("t=%g: (%.15g, %.15g, %g), D = %.15g, want (%.15g, %.15g, 0), %.15g", float64(w.Time()), q[0],
				q[1], q[2], w.Dissipation(), x, y, lost)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(at) != 2 || math.Abs(at[0]-slips) > 1e-14 || at[1] != at[0] || !w.Curved || math.Abs(float64(w.Balance())) > 1e-13 {
		t.Errorf("events at %v, want two at %.15g; (E) lacks %g J", at, slips, w.Balance())
	}
	plane, err := events.NewPlane(psi, z, 2)
	if err != nil {
		t.Fatal(err)
	}
	form, err := plane.Exact(make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	exact, err := events.NewIntegrator(form, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = events.Prove(t.Context(), exact, events.Rational{}.Of(2), nil)
	if turn, ok := errors.AsType[*events.TurnError](err); !ok || turn.Time != 1 || turn.Contact != 0 {
		t.Errorf("%v, want a force along the floor that turns from t=1 on", err)
	}
}

// TestThreeFaces: at rest in the corner of three faces a particle bears a force from anywhere
// between them.
func TestThreeFaces(t *testing.T) {
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: 0.25}
	side := obstacle{normal: [3]float64{1, 0, 0}, mu: 0.25}
	end := obstacle{normal: [3]float64{0, 1, 0}, mu: 0.25}
	way := along(t, 0, -1, -1, -1, 2, -1, -2, -1)
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, side, end}}, isotropic(t, 0, 1, way))
	w := walk(t, psi, z, 2)
	if err := w.Integrate(t.Context(), 2, nil); err != nil || w.Q()[0] != 0 || w.Q()[1] != 0 || !w.Pressed(2) {
		t.Errorf("%v at %v, want rest", err, w.Q())
	}
}

// TestCornerStart: a start that the faces do not bear is refused, and a load that nothing holds
// ends the walk with its motion.
func TestCornerStart(t *testing.T) {
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: 0.25}
	side := obstacle{normal: [3]float64{1, 0, 0}, mu: 0.25}
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, side}}, isotropic(t, 0, 1, along(t, 0, -1, .75, -1, 1, -1, 1, -1)))
	plane, err := events.NewPlane(psi, z, 1)
	if err != nil {
		t.Fatal(err)
	}
	form, err := plane.Form()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := events.NewIntegrator(form, 0); err == nil {
		t.Error("friction of 1/2 holds a force of 3/4")
	}
	load, err := particles.NewLoads(particles.Load{Particle: 0, Force: along(t, 0, -1, 0, -1, 1, -1, 1, -1)})
	if err != nil {
		t.Fatal(err)
	}
	psi, z = cornered(t, make([]float64, 3), [][]obstacle{{own, side}}, load)
	lost, ok := errors.AsType[*events.LossError](walk(t, psi, z, 1).Integrate(t.Context(), 1, nil))
	if !ok || lost.Time != .5 || lost.Dof != 0 || lost.Motion != [3]float64{0, 1, 0} {
		t.Errorf("%+v, want the loss along the edge at t=1/2", lost)
	}
}

// inCorner walks a particle at the origin with obstacles, on a spring of 1 N/m to an anchor, to the
// end of the anchor's way; in ratios of integers too, where that is asked for.
func inCorner(t *testing.T, exact bool, until float64, way particles.Path, obstacles ...obstacle) (*events.Integrator[events.Real], error) {
	t.Helper()
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{obstacles}, isotropic(t, 0, 1, way))
	if exact {
		plane, err := events.NewPlane(psi, z, until)
		if err != nil {
			t.Fatal(err)
		}
		form, err := plane.Exact(make([]float64, 3))
		if err != nil {
			t.Fatal(err)
		}
		w, err := events.NewIntegrator(form, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := events.Prove(t.Context(), w, events.Rational{}.Of(until), nil); err != nil {
			t.Errorf("in ratios of integers: %v", err)
		}
	}
	w := walk(t, psi, z, until)
	return w, w.Integrate(t.Context(), events.Real(until), nil)
}

// ends fails where a walk is not within rounding of a place.
func ends(t *testing.T, w *events.Integrator[events.Real], want ...float64) {
	t.Helper()
	for i, q := range w.Q() {
		if !(math.Abs(float64(q)-want[i]) < 1e-14) {
			t.Errorf("at %v, want %v", w.Q(), want)
		}
	}
}

// TestSmoothGroove: without friction a particle follows its anchor along the groove, and along one
// side that is left alone.
func TestSmoothGroove(t *testing.T) {
	a, b := obstacle{normal: [3]float64{0, .6, .8}}, obstacle{normal: [3]float64{0, -.6, .8}}
	w, err := inCorner(t, true, 2, along(t, 0, 0, 0, -1, 1, 2, 0, -1, 2, 3, 2, -1), a, b)
	if err != nil {
		t.Fatal(err)
	}
	// From (2, −1) in the plane across, onto the side along (.8, .6): .8·2 − .6 = 1 of it.
	ends(t, w, 3, .28, .96) // along the axes of the first side, of which (.6, .8) is the normal
}

// TestDirections: with the wall far away the direction of slip is that of the force: (3, 4)/5 is
// rational, (1, 2)/√5 is not, so that no walk in ratios of integers takes it.
func TestDirections(t *testing.T) {
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: 0.25}
	away := obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: 0.25}
	w, err := inCorner(t, true, 1, along(t, 0, 0, 0, -1, 1, 3, 4, -1), own, away)
	if err != nil {
		t.Fatal(err)
	}
	ends(t, w, .6*4.75, .8*4.75, 0)
	way := along(t, 0, 0, 0, -1, 1, 1, 2, -1)
	if w, err = inCorner(t, false, 1, way, own, away); err != nil {
		t.Fatal(err)
	}
	ends(t, w, 1-.25/math.Sqrt(5), 2-.5/math.Sqrt(5), 0)
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, away}}, isotropic(t, 0, 1, way))
	plane, err := events.NewPlane(psi, z, 1)
	if err != nil {
		t.Fatal(err)
	}
	form, err := plane.Exact(make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = events.NewIntegrator(form, 0); err == nil || !strings.Contains(err.Error(), "there is no one direction of slip") {
		t.Errorf("%v, want that there is no rational direction", err)
	}
}

// TestSideLeft: a particle that slips along a groove, leaves one side and goes on over the other,
// along which the pull turns: in the coordinates (x, u) of that side, u = .8y − .6z up the other
// one, the anchor goes along (8, 1.2)/|·| and presses with σ = .8 + .9t; with σ constant it were a
// tractrix. The end is that of 4th order steps, by halves, of the differential equation q' = λe of
// the side alone, begun at t = 1/2.
func TestSideLeft(t *testing.T) {
	a, b := obstacle{normal: [3]float64{0, .6, .8}, mu: .25}, obstacle{normal: [3]float64{0, -.6, .8}, mu: .25}
	// The pull across is (y, −1): it is along the normal of b, and a bears nothing, at y = .75.
	w, err := inCorner(t, false, 1, along(t, 0, 0, 0, -1, 1, 8, 1.5, -1), a, b)
	if err != nil {
		t.Fatal(err)
	}
	anchor := func(t float64) (x, u, sigma float64) { return 8 * t, .8*1.5*t - .6, .6*1.5*t + .8 }
	flow := func(t, x, u float64) (dx, du float64) {
		ax, au, _ := anchor(t)
		l := math.Hypot(ax-x, au-u)
		ex, eu := (ax-x)/l, (au-u)/l
		speed := 8*ex + 1.2*eu - .25*.9 // d/dt |a − q| = μσ'
		return speed * ex, speed * eu
	}
	_, _, half := anchor(.5)
	x, u, n := 4-.25*half, 0., 4000
	h := .5 / float64(n)
	for i := range n {
		t := .5 + h*float64(i)
		a1, b1 := flow(t, x, u)
		a2, b2 := flow(t+h/2, x+h/2*a1, u+h/2*b1)
		a3, b3 := flow(t+h/2, x+h/2*a2, u+h/2*b2)
		a4, b4 := flow(t+h, x+h*a3, u+h*b3)
		x, u = x+h/6*(a1+2*a2+2*a3+a4), u+h/6*(b1+2*b2+2*b3+b4)
	}
	var up, along float64
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{a, b}})
	at := make([]float64, 3)
	for i, q := range w.Q() {
		z[i] += float64(q)
	}
	psi.System.ToGlobal(at, z)
	along, up = at[0], .8*at[1]+.6*at[2]
	if math.Abs(along-x) > 1e-11 || math.Abs(up-u) > 1e-11 || math.Abs(-.6*at[1]+.8*at[2]) > 1e-14 {
		t.Errorf("ends at %v: (%.12g, %.12g) on the side, want (%.12g, %.12g)", at, along, up, x, u)
	}
}

// TestSlope: a particle is dragged over a rough floor, μ = 1, onto a slope of friction 1/2 at x =
// 1/2. Where it meets it the slope takes the whole force, for n_0 would have to pull: r = (−1, 1)σ
// is (7/5)n_1 + d, |d| = σ/5, and it goes up. A slope without friction does not hold d: the
// particle jumps.
func TestSlope(t *testing.T) {
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: 1}
	slope := obstacle{point: [3]float64{.5, 0, 0}, normal: [3]float64{-.6, 0, .8}, mu: .5}
	way := along(t, 0, 0, 0, -1, 4, 8, 0, -1)
	w, err := inCorner(t, true, 4, way, own, slope)
	if err != nil {
		t.Fatal(err)
	}
	// Along (.8, .6) it is pulled by .8·7.5 − .6 = 5.4, and by .6·7.5 + .8 = 5.3 onto the slope,
	// which holds half of that.
	ends(t, w, .5+.8*2.75, 0, .6*2.75)
	slope.mu = 0
	_, err = inCorner(t, false, 4, way, own, slope)
	rate, ok := errors.AsType[*events.RateError](err)
	if !ok || !rate.None || math.Abs(rate.Time-.75) > 1e-15 {
		t.Errorf("%v, want no solution at t=3/4, where it meets the slope", err)
	}
}

// TestCornerSolutions: where (N4) holds the rate problem of corners has one solution at each event,
// found by trying all supports.
func TestCornerSolutions(t *testing.T) {
	own := obstacle{normal: [3]float64{0, 0, 1}, mu: 0.25}
	side := obstacle{normal: [3]float64{1, 0, 0}, mu: 0.25}
	way := along(t, 0, -1, 0, -1, 1, -1, 1, -1, 2, -1, .5, -1, 3, 1, .5, -1, 4, 1, .5, 1, 5, -1, .5, 1, 6, -1, .5, -1)
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, side}}, isotropic(t, 0, 1, way))
	list, looked, skipped, err := events.Branchings(t.Context(), walk(t, psi, z, 6), 6)
	if err != nil || len(list) != 0 || skipped != 0 || looked != 13 {
		t.Errorf("%v, %d looked at, %d skipped, %v; want one solution at 13 times", list, looked, skipped, err)
	}
}
