package rigid_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// struckWall is a wall one brick thick in running bond, with half bricks at the ends of every
// second course, and a ball of 4 kg that flies into it at 4 m/s.
func struckWall(t testing.TB, courses, n int, o rigid.Options) *rigid.Stepper {
	const length, depth, height, joint = .2, .1, .06, .002
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	brick := func(l, x float64, course int) {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{l - joint, depth, height}},
			Mass:     1e3 * (l - joint) * depth * height,
			Position: [3]float64{x, 0, height * (float64(course) + .5)}}))
	}
	for z := range courses {
		if z%2 == 0 {
			for x := range n {
				brick(length, length*float64(x), z)
			}
			continue
		}
		brick(length/2, -length/4, z)
		for x := range n - 1 {
			brick(length, length*(float64(x)+.5), z)
		}
		brick(length/2, length*(float64(n)-.75), z)
	}
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .08}, Mass: 4, Velocity: [3]float64{0, 4, 0},
		Position: [3]float64{length*float64(n-1)/2 + .01, -depth/2 - .08 - .001, .6 * height * float64(courses)}}))
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, o)
}

// checkJammed steps through what jams: no step aborts, nothing overlaps, no step makes energy, what
// was conceded is within the limits, and the verdict says so.
func checkJammed(t *testing.T, s *rigid.Stepper, h float64, steps int) (conceded int) {
	t.Helper()
	energy := func() float64 { e := s.Energy(); return e.Kinetic + e.Potential }
	first := energy()
	last, most := first, 0
	_, share := s.Limits()
	for range steps {
		run(t, s, h, 1)
		x, e := s.Last(), energy()
		if x.Penetration > 1e-10 || x.Inexact.Share > share || x.Residual > 1e-8 || x.Inexact.Given > .05*x.Inexact.Taken {
			t.Errorf("t = %g: penetration %g, residual %g, conceded %+v", x.T, x.Penetration, x.Residual, x.Inexact)
		}
		if made := e - last; made > 1e-4*first { // by projections, of gaps that bend in steps of α = 1
			t.Errorf("t = %g: the step has made %g J of %g", x.T, made, first)
		}
		last, most, conceded = e, max(most, x.Solves), conceded+x.Inexact.Solves
	}
	for _, m := range s.Solved() {
		if !m.Passed() {
			t.Errorf("%+v", m)
		}
	}
	t.Logf("%d conceded, %d problems in a step at most, %.3g of %.3g J left", conceded, most, last, first)
	return conceded
}

// TestStruckWall: a ball breaks a wall on both grids. What no method solves to 1e-8 is conceded;
// without, the step in which it meets eight courses of six bricks was cut to the end, and took more
// than a minute.
func TestStruckWall(t *testing.T) {
	if !thorough.Asked() {
		t.Skip("takes minutes: QUASISTATIC_LONG=1")
	}
	for _, o := range []rigid.Options{{Alpha: .75}, {Grid: rigid.GapGrid}} {
		if checkJammed(t, struckWall(t, 8, 6, o), .002, 8) == 0 {
			t.Errorf("%+v: nothing was conceded", o)
		}
	}
}

// TestShiftedLayersLand: boxes that lie on four others each, moved by a millimetre, land on each
// other and come to rest. No method solved the second impact, nor those of the halves of its step.
func TestShiftedLayersLand(t *testing.T) {
	if !thorough.Asked() {
		t.Skip("takes minutes: QUASISTATIC_LONG=1")
	}
	if checkJammed(t, shiftedLayers(t, .05, 4, 3, .02, rigid.Options{Alpha: .75}), .002, 80) == 0 {
		t.Error("nothing was conceded")
	}
}
