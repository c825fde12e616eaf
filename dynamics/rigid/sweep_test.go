package rigid_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// A bullet of any shape that would be behind a target of any shape after one
// step hits it: it is found before, and the two go on as one against the other
// does not pass. The time is that of the distance at the start.
func TestNothingTunnels(t *testing.T) {
	targets := map[int][]bodies.Shape{
		2: {bodies.Disc{R: .1}, bodies.Rod{Length: 1, R: .01}, bodies.Rod{Length: 1}, bodies.Ellipse{A: .5, B: .05},
			bodies.Polygon{Vertices: [][2]float64{{-.5, -.1}, {.5, -.1}, {.5, .1}, {-.5, .1}}}},
		3: {bodies.Sphere{R: .1}, bodies.Capsule{Length: 1, R: .01}, bodies.Box{Size: [3]float64{1, .02, 1}},
			bodies.Ellipsoid{Axes: [3]float64{.5, .02, .5}}},
	}
	for dim, list := range targets {
		bullets := append([]bodies.Shape{bodies.Point{}}, list...)
		for _, target := range list {
			for _, bullet := range bullets {
				for _, spin := range []float64{0, 30} {
					if _, ok := bullet.(bodies.Point); ok && spin > 0 {
						continue
					}
					w := world(t, dim, [3]float64{})
					axis := [3]float64{0, 0, spin}
					must[int](t)(w.Add(bodies.Body{Shape: target, Mass: 1}))
					must[int](t)(w.Add(bodies.Body{Shape: bullet, Mass: 1, Position: [3]float64{.03, 1},
						Velocity: [3]float64{0, -500}, Spin: axis}))
					s := start(t, w, multibody.Setup{}, rigid.Options{Alpha: .5})
					run(t, s, 0.01, 1)
					what := fmt.Sprintf("%T at %T, spin %g", bullet, target, spin)
					if n := len(s.Last().Collisions); n == 0 {
						t.Errorf("%s: no collision", what)
						continue
					}
					at := s.Last().Collisions[0].T
					if !(at > 0 && at < 1.0/500) { // 1 m at 500 m/s
						t.Errorf("%s: at %g s", what, at)
					}
					_, q, v, _ := s.State()
					near(t, what+": momentum", v[1]+v[vOf(w, 1)+1], -500, 1e-9)
					if c, r := w.Place(0, q); spin == 0 { // in the frame of the target
						d, _ := w.Place(1, q)
						y := r[1]*(d[0]-c[0]) + r[4]*(d[1]-c[1]) + r[7]*(d[2]-c[2])
						x := r[0]*(d[0]-c[0]) + r[3]*(d[1]-c[1]) + r[6]*(d[2]-c[2])
						if y < 0 && math.Abs(x) < .05 {
							t.Errorf("%s: it passed through, to (%g, %g)", what, x, y)
						}
					}
				}
			}
		}
	}
}

// A rod that turns by more than a right angle within a step strikes the floor
// with its end on the way, at the angle with sin θ = height over half length.
func TestSpinningRodStrikesTheFloor(t *testing.T) {
	w := world(t, 2, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 2}, Mass: 1, Position: [3]float64{0, .5},
		Spin: [3]float64{0, 0, math.Pi / 0.01}}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	s := start(t, w, multibody.Setup{}, rigid.Options{})
	run(t, s, 0.01, 1) // half a turn
	c := s.Last().Collisions
	if len(c) == 0 {
		t.Fatal("no collision")
	}
	near(t, "time", c[0].T, 0.01/6, 1e-9) // 30 of 180 degrees, gap 1e-10
}

// On the gap grid, where nothing is detected, the step is refused; the error
// names the bodies and a step at which they meet.
func TestTunnelError(t *testing.T) {
	build := func() *rigid.Stepper {
		w := world(t, 3, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{1, .1, 1}}, Mass: 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{0, 1}, Velocity: [3]float64{0, -500}}))
		return start(t, w, multibody.Setup{}, rigid.Options{Grid: rigid.GapGrid, Uncut: true})
	}
	err := build().Step(context.Background(), 0.01)
	var e *bodies.TunnelError
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "body 0 and body 1") {
		t.Fatalf("error %v, want a TunnelError that names the bodies", err)
	}
	s := build()
	run(t, s, e.H, int(0.01/e.H))
	if _, q, _, _ := s.State(); q[8] < q[1] {
		t.Errorf("with the step of %g s it passes, too: %v", e.H, q)
	}
}

// Slow bodies are not swept, fast ones that miss are let go: bullets that pass a
// rod at a thousandth of its size.
func TestNearMiss(t *testing.T) {
	w := world(t, 2, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 1, R: .01}, Mass: 1}))
	for k := range 5 {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .01}, Mass: 1, Position: [3]float64{-3 - float64(k), .021},
			Velocity: [3]float64{1000}, Spin: [3]float64{0, 0, 1e4}}))
	}
	s := start(t, w, multibody.Setup{}, rigid.Options{})
	run(t, s, 0.01, 1)
	if n := len(s.Last().Collisions); n > 0 {
		t.Errorf("%d collisions", n)
	}
}

// A thin rod that slides along a floor, a little more above it than counts as
// touching, is no passage: nothing gets behind a half-space.
func TestHoveringRod(t *testing.T) {
	for _, gap := range []float64{1.2e-10, 2e-10, 1e-9, 1e-8} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 2}, Mass: 1, Position: [3]float64{0, gap}, Velocity: [3]float64{3}}))
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{Alpha: .5})
		run(t, s, 0.01, 50)
		_, q, _, _ := s.State()
		near(t, "path", q[0], 1.5, 1e-12)
	}
}

// Two rods without thickness, 5e-9 m apart, turn as one. The speeds of their ends would close the
// gap in a hundred-thousandth of the step, and no plane at rest keeps them apart: they count as
// met.
func TestThinRodsGlide(t *testing.T) {
	const gap = 5e-9
	w := world(t, 2, [3]float64{})
	for k := range 2 {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 1}, Mass: 1, Position: [3]float64{0, float64(k) * gap},
			Spin: [3]float64{0, 0, 1}}))
	}
	s := start(t, w, multibody.Setup{}, rigid.Options{})
	for range 4 {
		run(t, s, 1e-3, 1)
		uncut(t, s)
	}
	_, q, _, _ := s.State()
	near(t, "angle", q[2], 0.004, 1e-9)
	near(t, "angle of the other", q[5], 0.004, 1e-9)
}

// uncut wants the last step to have been made as a whole.
func uncut(t *testing.T, s *rigid.Stepper) {
	t.Helper()
	if c := s.Last().Cuts; len(c) > 0 {
		t.Fatalf("%d cuts, the first %v", len(c), c[0])
	}
}

// A rod turns about its end, which is 1e-8 m above another rod, and rises from it by the second
// order: the plane of that rod keeps them apart all along.
func TestThinRodsPart(t *testing.T) {
	const half, angle, spin, gap = 0.02, 1.0, 10.0, 1e-8
	w := world(t, 2, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 2 * half}, Mass: 1,
		Position: [3]float64{half * math.Cos(angle), half*math.Sin(angle) + gap}, Angle: angle,
		Velocity: [3]float64{spin * half * math.Sin(angle), -spin * half * math.Cos(angle)}, Spin: [3]float64{0, 0, -spin}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 1}, Mass: 1}))
	s := start(t, w, multibody.Setup{}, rigid.Options{})
	run(t, s, 1e-3, 1)
	uncut(t, s)
	if n := len(s.Last().Collisions); n > 0 {
		t.Errorf("%d collisions, want none", n)
	}
	_, q, _, _ := s.State()
	near(t, "angle", q[2], angle-spin*1e-3, 1e-12)
}

// The end of a falling rod goes along the floor, 2e-10 m above it, and rises as the rod comes down:
// it may not dip by more than a thousandth of the size, whatever the bounds of its speed are.
func TestThinRodSkims(t *testing.T) {
	const half, angle, spin = 0.02, 0.3, 15.0
	w := world(t, 2, [3]float64{0, -0.8})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 2 * half}, Mass: 1,
		Position: [3]float64{0, half*math.Sin(angle) + 2e-10}, Angle: angle,
		Velocity: [3]float64{2, -spin * half * math.Cos(angle)}, Spin: [3]float64{0, 0, -spin}}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	s := start(t, w, multibody.Setup{}, rigid.Options{Alpha: 0.5})
	run(t, s, 8e-3, 1)
	uncut(t, s)
	_, q, _, _ := s.State()
	near(t, "angle", q[2], angle-spin*8e-3, 1e-12)
}

// Two balls that strike each other aslant overlap for 2.3 mm of the way of the first, which goes on
// by 4 to 130 mm a step: the impulse is ½(1 + e)m u, u = v cos φ along the line of their centres,
// whatever the step; those whose ways are 1e-4 of their diameter further apart do not meet. So do
// the corners of two squares that do not turn.
func TestGrazing(t *testing.T) {
	for _, share := range []float64{.05, .95} { // two that come at 25 m/s each, nearest at a share of the step: on one side of it beyond the margin
		const r, v, h, apart = .03, 25., 1e-3, .9995
		w := world(t, 2, [3]float64{})
		for i, sign := range []float64{-1, 1} {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: r}, Mass: 1,
				Position: [3]float64{sign * v * h * share, float64(i) * 2 * r * apart}, Velocity: [3]float64{-sign * v}}))
		}
		s := start(t, w, multibody.Setup{}, rigid.Options{})
		run(t, s, h, 1)
		_, _, after, _ := s.State()
		near(t, fmt.Sprintf("nearest at %g of the step", share), after[vOf(w, 1)+1], v*math.Sqrt(1-apart*apart)*apart, 1e-5)
	}

	const r, v, e = .03, 4.0, .9
	for _, steps := range []int{3, 10, 25, 50, 100} {
		for _, x := range []struct {
			shape bodies.Shape
			apart float64 // of the ways [m]
			want  float64 // velocity of the second along y after [m/s]; NaN: any but zero
		}{
			{bodies.Disc{R: r}, 2 * r * .9998, -.5 * (1 + e) * v * math.Sqrt(1-.9998*.9998) * .9998},
			{bodies.Disc{R: r}, 2 * r * 1.0001, 0},
			{bodies.Polygon{Vertices: [][2]float64{{-r, 0}, {0, -r}, {r, 0}, {0, r}}}, 2 * r * .9998, math.NaN()},
		} {
			w := world(t, 2, [3]float64{})
			must[int](t)(w.Add(bodies.Body{Shape: x.shape, Mass: 1, Position: [3]float64{-.1, x.apart}, Velocity: [3]float64{v, 0}}))
			must[int](t)(w.Add(bodies.Body{Shape: x.shape, Mass: 1}))
			s := start(t, w, multibody.Setup{Material: multibody.Material{Restitution: e}}, rigid.Options{})
			run(t, s, .1/float64(steps), steps)
			_, _, after, _ := s.State()
			got, what := after[vOf(w, 1)+1], fmt.Sprintf("%T, ways %g m apart, %d steps", x.shape, x.apart, steps)
			if math.IsNaN(x.want) {
				if got == 0 {
					t.Errorf("%s: they do not meet", what)
				}
				continue
			}
			near(t, what, got, x.want, 1e-5) // the gap counts as closed from 1e-10 m on, at which cos φ is off by 1e-10/(2r cos φ)
		}
	}
}
