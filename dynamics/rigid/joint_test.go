package rigid_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// The double pendulum with α = γ = ½ in the scheme of the paper: the joints do no work, gravity's
// is exact, and all that energy changes by is what the projections do. That is O(h²) a step, the
// curvature of the joints: first order, as the package page says.
func TestDoublePendulum(t *testing.T) {
	var change [2]float64
	for k, h := range []float64{0.004, 0.002} {
		s := pendulum(t, false, rigid.Options{Alpha: 0.5, Scheme: rigid.Gavrea})
		for range int(2 / h) {
			run(t, s, h, 1)
			if s.Last().Drift > 1e-10 {
				t.Fatalf("drift %g", s.Last().Drift)
			}
		}
		e := s.Last().Energy
		change[k] = e.Kinetic + e.Potential
		near(t, "change of energy", change[k], -e.Projection, 2e-12) // 1000 roundings of 20 J
		near(t, "work of the joints", e.Joints, 0, 1e-11)            // 1000 steps of impulses of 1 N s, 1e-14 m/s of rounding
		near(t, "scheme", e.Scheme, 0, 2e-12)
		near(t, "residual", e.Residual, 0, 2e-12)
	}
	near(t, "order of the energy", math.Log2(change[0]/change[1]), 1, 0.02) // next term O(h)
}

func TestPendulumFloor(t *testing.T) {
	for _, o := range []rigid.Options{{}, {Alpha: 0.5}, {Grid: rigid.FixedGrid}, {Grid: rigid.GapGrid}, {Friction: rigid.Polyhedron}} {
		s := pendulum(t, true, o)
		hits, drift, pen := 0, 0.0, 0.0
		for range 1500 {
			run(t, s, 0.002, 1)
			hits += len(s.Last().Collisions)
			drift, pen = max(drift, s.Last().Drift), max(pen, s.Last().Penetration)
		}
		if (hits > 0) == (o.Grid == rigid.GapGrid) {
			t.Errorf("%+v: %d collisions", o, hits)
		}
		if e := s.Last().Energy; e.Friction < 0 || e.Impact+e.Normal < 0 ||
			math.Abs(e.Residual) > 3e-11 { // 1500 steps of ten roundings of 20 J
			t.Errorf("%+v: %+v", o, e)
		}
		if drift > 1e-10 || pen > 1e-8 {
			t.Errorf("%+v: drift %g, penetration %g", o, drift, pen)
		}
	}
}

// A mechanism in space held by two planar chains has dependent rows: they are
// named, and the motion goes on.
func TestDependentJoints(t *testing.T) {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{1, .1, .1}}, Mass: 1, Position: [3]float64{}}))
	axis := [3]float64{0, 1, 0}
	s := start(t, w, multibody.Setup{Joints: []multibody.Joint{
		{Name: "left hinge", Kind: multibody.Revolute, A: 0, B: -1, At: [3]float64{-.5, -.05}, Axis: axis},
		{Name: "right hinge", Kind: multibody.Revolute, A: 0, B: -1, At: [3]float64{-.5, .05}, Axis: axis},
	}}, rigid.Options{})
	run(t, s, 0.01, 100)
	if d := s.Last().Dependent; len(d) != 1 || !strings.Contains(d[0], "right hinge") {
		t.Errorf("dependent: %q, want the right hinge", d)
	}
	if d := s.Last().Drift; d > 1e-10 {
		t.Errorf("drift %g", d)
	}
}

// A ball between two walls that rebounds without loss: 500 collisions in a step, of which the limit
// is 100, are those of its eight parts, after which it is where it began; of 5e6 the error names
// the contact.
func TestZeno(t *testing.T) {
	for _, speed := range []float64{1e4, 1e8} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Velocity: [3]float64{speed}}))
		for _, x := range []float64{-1, 1} {
			must[int](t)(w.AddHalfSpace([3]float64{.2 * x}, [3]float64{-x}))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Restitution: 1}}, rigid.Options{})
		err := s.Step(context.Background(), 0.01)
		var z *rigid.ZenoError
		if speed > 1e4 {
			if !errors.As(err, &z) || !strings.Contains(z.Contact, "body 0 and half-space") {
				t.Errorf("error %v, want a ZenoError", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		_, q, v, _ := s.State()
		near(t, "place", q[0], 0, 501e-10) // gaps of 1e-10 m are closed
		near(t, "speed", v[0], speed, 1e-9*speed)
		if n, cuts := len(s.Last().Collisions), len(s.Last().Cuts); n != 500 || cuts != 7 {
			t.Errorf("%d collisions, %d cuts", n, cuts)
		}
	}
}

// A ball dropped with e = ½ rebounds to a quarter of the height.
func TestRestitution(t *testing.T) {
	w := world(t, 3, [3]float64{0, 0, -10})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .5}, Mass: 2, Position: [3]float64{0, 0, 1.75}}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	s := start(t, w, multibody.Setup{Material: multibody.Material{Restitution: 0.5}}, rigid.Options{Alpha: 0.5})
	run(t, s, 0.01, 75) // falls .5 s, rises .25 s
	_, q, v, _ := s.State()
	near(t, "height", q[2], .5+1.25/4, 1e-12)
	near(t, "speed", v[2], 0, 1e-12)
	run(t, s, 0.01, 425) // comes to rest: below RestitutionSpeed it does not rebound
	_, q, _, w1 := s.State()
	near(t, "height at rest", q[2], .5, 1e-9)
	near(t, "speed at rest", w1[2], 0, 1e-9)
}
