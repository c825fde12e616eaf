package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// Bodies that meet with an edge, a rim or a curved side, head on through both
// centres: they meet when the gap in closed form is gone, the normal along the
// motion, and stop together, m₁m₂/(m₁+m₂) Δv being the impulse.
func TestMeetings(t *testing.T) {
	const side, r = 0.2, 0.05
	half := side * math.Sqrt2 / 2
	cube := bodies.Box{Size: [3]float64{side, side, side}}
	for name, c := range map[string]struct {
		dim      int
		up, down bodies.Shape
		turn     [2][4]float64
		angle    [2]float64
		reach    float64 // sum of the extents along the motion
		along    int     // axis of the motion
		x        float64 // of the upper body, off the centre of the lower
	}{
		"crossed edges of cubes": {dim: 3, up: cube, down: cube,
			turn: [2][4]float64{about(0, math.Pi/4), about(1, math.Pi/4)}, reach: 2 * half, along: 2},
		"capsule across an edge": {dim: 3, up: bodies.Capsule{Length: 1, R: r}, down: cube,
			turn: [2][4]float64{{1}, about(1, math.Pi/4)}, reach: half + r, along: 2},
		"capsules crosswise": {dim: 3, up: bodies.Capsule{Length: 1, R: r},
			down: bodies.Capsule{Length: 1, R: 2 * r}, turn: [2][4]float64{{1}, about(2, math.Pi/2)}, reach: 3 * r, along: 2},
		"edge on a face": {dim: 3, up: cube, down: cube, turn: [2][4]float64{about(0, math.Pi/4), {1}},
			reach: half + side/2, along: 2},
		"corner on a face": {dim: 3, up: cube, down: cube, turn: [2][4]float64{corner(), {1}},
			reach: side * (math.Sqrt(3) + 1) / 2, along: 2},
		"ellipses end on side": {dim: 2, up: bodies.Ellipse{A: .3, B: .1}, down: bodies.Ellipse{A: .4, B: .2},
			angle: [2]float64{math.Pi / 2, 0}, reach: .5, along: 1},
		"ellipse on a corner": {dim: 2, up: bodies.Ellipse{A: .3, B: .1},
			down:  bodies.Polygon{Vertices: [][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}},
			angle: [2]float64{0, math.Pi / 4}, reach: .1 + half, along: 1},
		"rod across a corner": {dim: 2, up: bodies.Rod{Length: 1},
			down:  bodies.Polygon{Vertices: [][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}},
			angle: [2]float64{0, math.Pi / 4}, reach: half, along: 1},
		"ellipsoid on a cube's edge": {dim: 3, up: bodies.Ellipsoid{Axes: [3]float64{.3, .2, .1}}, down: cube,
			turn: [2][4]float64{{1}, about(0, math.Pi/4)}, reach: .1 + half, along: 2},
		"ellipsoids, shortest on side": {dim: 3, up: bodies.Ellipsoid{Axes: [3]float64{.3, .2, .1}},
			down: bodies.Ellipsoid{Axes: [3]float64{.4, .3, .2}}, turn: [2][4]float64{about(0, math.Pi/2), {1}}, reach: .4, along: 2},
	} {
		const m1, m2, v, gap = 2.0, 3.0, 4.0, 0.1
		w := world(t, c.dim, [3]float64{})
		upper := bodies.Body{Shape: c.up, Mass: m1, Orientation: c.turn[0], Angle: c.angle[0]}
		lower := bodies.Body{Shape: c.down, Mass: m2, Orientation: c.turn[1], Angle: c.angle[1]}
		upper.Position[c.along], upper.Velocity[c.along] = c.reach+gap, -v
		must[int](t)(w.Add(upper))
		must[int](t)(w.Add(lower))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{Alpha: .5})
		run(t, s, 0.04, 1)
		if n := len(s.Last().Collisions); n != 1 {
			t.Errorf("%s: %d collisions", name, n)
			continue
		}
		x := s.Last().Collisions[0]
		near(t, name+": time", x.T, gap/v, 1e-9) // gap 1e-10, the search of a normal of quadrics 1e-9
		near(t, name+": speed", x.Speed, v, 1e-9)
		near(t, name+": loss", x.Loss, 0.5*m1*m2/(m1+m2)*v*v, 1e-8)
		_, _, u, _ := s.State()
		for i := range u {
			want := 0.0
			if i == c.along || i == vOf(w, 1)+c.along {
				want = -v * m1 / (m1 + m2)
			}
			near(t, name+": velocity", u[i], want, 1e-6) // normals of quadrics to 1e-7
		}
	}
}

// A ball that is led around another one, over all directions of the normal: the
// frame of their contact turns with the normal and no faster, also where the
// standard tangents of a surface change.
func TestFramesAreContinuous(t *testing.T) {
	w := world(t, 3, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .5}, Mass: 1e9}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .49}, Mass: 1, Position: [3]float64{1},
		Velocity: [3]float64{0, 2, 3}, Spin: [3]float64{0, -3, 2}}))
	s := start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Spherical, A: 1, B: -1}}}, rigid.Options{})
	var last [3][3]float64
	seen := [3][2]bool{}
	for k := range 2000 {
		run(t, s, 0.001, 1)
		count := 0
		s.Contacts(func(p *rigid.Present) {
			count++
			if k > 0 {
				turned, moved := 0.0, 0.0
				for i := range 3 {
					moved += (p.N[i] - last[0][i]) * (p.N[i] - last[0][i])
					turned += (p.Frame[1][i] - last[1][i]) * (p.Frame[1][i] - last[1][i])
				}
				if turned > moved*(1+1e-6) { // parallel transport: t turns no more than n
					t.Fatalf("step %d: the normal moves by %g, the tangent by %g", k, math.Sqrt(moved), math.Sqrt(turned))
				}
			}
			last = p.Frame
			for i, x := range p.N {
				if math.Abs(x) > .7 {
					seen[i][0] = true
				}
			}
		})
		if count != 1 {
			t.Fatalf("step %d: %d contacts", k, count)
		}
	}
	if !seen[0][0] || !seen[1][0] && !seen[2][0] {
		t.Error("the ball does not go round")
	}
}
