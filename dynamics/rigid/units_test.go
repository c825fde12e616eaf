package rigid_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// What counts as slip, and as an approach, is measured by the size of the bodies a second: of
// bodies of a micrometre 5e-10 m/s is a speed.
func TestSpeedsByTheUnit(t *testing.T) {
	for _, l := range []float64{1, 1e-6} {
		build := func(height, g, vx, vy float64) *rigid.Stepper {
			w := world(t, 2, [3]float64{0, -g * l})
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .5 * l}, Mass: 1, Position: [3]float64{0, height * l},
				Velocity: [3]float64{vx * l, vy * l}}))
			return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 1e-6}}, rigid.Options{})
		}
		s := build(.5, 10, 5e-4, 0)
		run(t, s, .01, 1)
		if x := s.Last(); x.Slip != 1 || x.Stick != 0 {
			t.Errorf("unit %g: %d contacts slip and %d stick, one slips", l, x.Slip, x.Stick)
		}
		s = build(.5+2.5e-7, 0, 0, -5e-5)
		run(t, s, .01, 1)
		x := s.Last()
		if len(x.Collisions) != 1 {
			t.Fatalf("unit %g: %d collisions", l, len(x.Collisions))
		}
		near(t, "speed of the collision", x.Collisions[0].Speed, 5e-5*l, 1e-12*l)
		near(t, "velocity after it", x.V[1], 0, 1e-12*l)
	}
}

// Points have no size: where they are says nothing of their speeds.
func TestPointsFarAway(t *testing.T) {
	w := world(t, 2, [3]float64{0, -10})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{1e4}, Velocity: [3]float64{5e-4}}))
	s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: 1e-6}}, rigid.Options{})
	run(t, s, .01, 1)
	if x := s.Last(); x.Slip != 1 || x.Stick != 0 {
		t.Errorf("%d contacts slip and %d stick, one slips", x.Slip, x.Stick)
	}
}
