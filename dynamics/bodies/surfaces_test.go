package bodies_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// ballOn is the touch of a ball of .1 m at a place with an obstacle.
func ballOn(t *testing.T, s bodies.Surface, at v3) bodies.Touch {
	t.Helper()
	w := worldOf(t, 3, bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: at})
	must(w.AddObstacle(bodies.Obstacle{Surface: s}))
	q, _ := w.Start()
	list := w.NewToucher(nil).Find(nil, 0, q, 100)
	if len(list) != 1 {
		t.Fatalf("%+v at %v: %d touches", s, at, len(list))
	}
	return list[0]
}

// TestSurfacesShift: an obstacle elsewhere, and the body with it, meet as before: gap, normal and
// lever. A surface that takes its centre twice, or not, is off by it.
func TestSurfacesShift(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 9))
	axis := v3{1, 2, -.5}
	for _, inside := range []bool{false, true} {
		for _, at := range []func(c v3) bodies.Surface{
			func(c v3) bodies.Surface { return bodies.Ball{Center: c, R: 1, Inside: inside} },
			func(c v3) bodies.Surface { return bodies.Cylinder{Point: c, Axis: axis, R: 1, Inside: inside} },
			func(c v3) bodies.Surface { return bodies.Oval{Center: c, Axes: v3{1, 1.5, .7}, Inside: inside} },
			func(c v3) bodies.Surface {
				return bodies.Torus{Center: c, Axis: axis, Radius: 1, Tube: .5, Inside: inside}
			},
		} {
			for range 20 {
				x := v3{.5 * rng.NormFloat64(), .5 * rng.NormFloat64(), .5 * rng.NormFloat64()}
				c := v3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
				a, b := ballOn(t, at(v3{}), x), ballOn(t, at(c), vec3.Add(x, 1, c))
				// Rounding of coordinates of 1 m; the foot on an ellipsoid has the root of a small
				// number.
				if d := math.Abs(a.Gap-b.Gap) + vec3.Norm(vec3.Add(a.N, -1, b.N)) +
					vec3.Norm(vec3.Add(vec3.Add(a.At, 1, c), -1, b.At)); !(d < 1e-11) {
					t.Errorf("%T at %v: %+v and %+v differ by %g", at(c), c, a, b, d)
				}
			}
		}
	}
}

// TestCentres: at the centre of a hollow and on its axis every direction is as good: the normal has
// the length 1, is across the axis, and the gap is the radius less the body's. On the axis and on
// the circle of a torus likewise.
func TestCentres(t *testing.T) {
	for _, axis := range []v3{{1}, {0, 1}, {0, 0, 1}, vec3.Scale(v3{1, 1, 1}, 1/math.Sqrt(3))} {
		out := vec3.Cross(axis, v3{.3, -.4, .5})
		out = vec3.Scale(out, 1/vec3.Norm(out))
		for _, c := range []struct {
			s    bodies.Surface
			at   v3
			gap  float64
			flat bool
		}{
			{bodies.Ball{R: 1, Inside: true}, v3{}, .9, false},
			{bodies.Cylinder{Axis: axis, R: 1, Inside: true}, v3{}, .9, true},
			{bodies.Torus{Axis: axis, Radius: 1, Tube: .5}, v3{}, .4, true},
			{bodies.Torus{Axis: axis, Radius: 1, Tube: .5, Inside: true}, out, .4, false},
		} {
			x := ballOn(t, c.s, c.at)
			if math.Abs(vec3.Norm(x.N)-1) > 1e-15 || math.Abs(x.Gap-c.gap) > 1e-15 || c.flat && math.Abs(vec3.Dot(x.N, axis)) > 1e-15 {
				t.Errorf("%T of axis %v: normal %v, gap %g, want %g", c.s, axis, x.N, x.Gap, c.gap)
			}
		}
	}
}

// TestSizes: half the width of an ellipsoid is its least semi-axis and the reach its greatest,
// whichever they are.
func TestSizes(t *testing.T) {
	for k := range 3 {
		for length, want := range map[float64][2]float64{1: {2, 2}, 3: {4, 3}} {
			a := v3{2, 2, 2}
			a[k] = length
			w := worldOf(t, 3, bodies.Body{Shape: bodies.Ellipsoid{Axes: a}, Mass: 1})
			if got := [2]float64{w.Width(0), w.Reach(0)}; got != want {
				t.Errorf("axes %v: width and reach %g, want %g", a, got, want)
			}
		}
	}
}

// TestBallArm: a sphere is a ball if its three moments are equal, and the arm of a body the greater
// of its reach and the radius of gyration of its greatest moment.
func TestBallArm(t *testing.T) {
	for k := range 3 {
		i := v3{1, 1, 1}
		i[k] = 100
		w := must(bodies.NewWorld(3, v3{}))
		must(w.Add(bodies.Body{Shape: bodies.Sphere{1}, Mass: 4, Inertia: i}))
		must(w.Add(bodies.Body{Shape: bodies.Sphere{7}, Mass: 4, Inertia: v3{1, 1, 1}}))
		if w.Ball(0) || !w.Directed(0) || !w.Ball(1) || w.Directed(1) {
			t.Errorf("moments %v: ball %v, of equal moments %v", i, w.Ball(0), w.Ball(1))
		}
		if w.Arm(0) != 5 || w.Arm(1) != 7 {
			t.Errorf("moments %v: arms %g and %g, want 5 and 7", i, w.Arm(0), w.Arm(1))
		}
	}
}

// plain is μ = 2 + x + y/3.
type plain struct{}

func (plain) At(x, y float64) (mu, dx, dy float64) { return 2 + x + y/3, 1, 1. / 3 }
func (plain) Mean(from, to [2]float64) float64     { return 2 + (from[0]+to[0])/2 + (from[1]+to[1])/6 }

// TestFrictionPoint: the coefficient a step ahead is the one at the place of the body's lowest
// point had it gone on with its velocity ċ + ω × r, for bodies that turn and one that does not;
// without a map there is none.
func TestFrictionPoint(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		patch := must(dynamics.NewRigid(contact.Coulomb{}, dim))
		up := v3{}
		up[dim-1] = 1
		list := map[int][]bodies.Shape{2: {bodies.Point{}, bodies.Disc{.2},
			bodies.Polygon{[][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}}},
			3: {bodies.Point{}, bodies.Sphere{.2}, bodies.Box{v3{.2, .3, .4}}}}[dim]
		for _, s := range list {
			w := must(bodies.NewWorld(dim, v3{}))
			if _, ok := w.Friction(0, 0, .1, nil, nil); ok {
				t.Error("a world without maps has a coefficient")
			}
			must(w.AddHalfSpace(v3{}, up))
			body := bodies.Body{Shape: s, Mass: 1, Position: v3{.3, .2, .1}, Angle: .7,
				Orientation: [4]float64{.5, .5, -.5, .5}, Velocity: v3{.4, -.6}, Spin: v3{0, 0, 2}}
			other := bodies.Body{Shape: s, Mass: 1, Velocity: v3{9, 9}, Spin: v3{0, 0, 9}, Position: v3{3}}
			if dim == 3 {
				body.Velocity, body.Spin = v3{.4, -.6, .3}, v3{1, 2, 3}
				other.Velocity, other.Spin = v3{9, 9, 9}, v3{9, 9, 9}
			} else {
				body.Position, body.Orientation = v3{.3, .2}, [4]float64{}
			}
			must(w.Add(other))
			i := must(w.Add(body))
			first := must(w.OnObstacle(0, 0, patch))
			key := must(w.OnObstacle(i, 0, patch))
			if err := w.Wear(key, plain{}); err != nil {
				t.Fatal(err)
			}
			q, v := w.Start()
			if _, ok := w.Friction(first, 0, .1, q, v); ok {
				t.Errorf("%s: the contact without a map has a coefficient", fmt.Sprintf("%T", s))
			}
			const ahead = .01
			mu, ok := w.Friction(key, 0, 2*ahead, q, v) // the mean is that of the middle
			_, at, _ := w.Meeting(key, 0, q)
			// ω in space: the spin of Start is in the body's frame in space, about z in the plane.
			centre, turn := w.Place(i, q)
			_, k := w.Coordinates(i)
			omega := v3{}
			if w.Spins(i) && dim == 2 {
				omega = v3{0, 0, v[k+2]}
			} else if w.Spins(i) {
				for d := range 3 {
					omega[d] = turn[3*d]*v[k+3] + turn[3*d+1]*v[k+4] + turn[3*d+2]*v[k+5]
				}
			}
			r := vec3.Add(at, -1, centre)
			switch s.(type) {
			case bodies.Disc, bodies.Sphere: // the contact goes with the centre
				r = v3{}
			}
			x := at[0] + ahead*(v[k]+omega[1]*r[2]-omega[2]*r[1])
			y := at[1] + ahead*(v[k+1]+omega[2]*r[0]-omega[0]*r[2])
			if want := 2 + x + y/3; !ok || math.Abs(mu-want) > 1e-14 {
				t.Errorf("%s in %d dimensions: coefficient %g, want %g", fmt.Sprintf("%T", s), dim, mu, want)
			}
			if got := w.Coefficient(plain{}, 0, 0, at, [2]float64{.25, -.5}); math.Abs(got-(2+at[0]+.25+(at[1]-.5)/3)) > 1e-14 {
				t.Errorf("coefficient %g beside %v", got, at)
			}
		}
	}
}

// TestRound: about which of its axes a body may turn and look the same, with a spin that stays: of
// a ball about any if its moments are equal, and of nothing else about two.
func TestRound(t *testing.T) {
	even, uneven := [3]float64{.1, .1, .1}, [3]float64{.1, .1, .12}
	for _, c := range []struct {
		dim     int
		shape   bodies.Shape
		inertia [3]float64
		want    [3]bool
	}{
		{2, bodies.Disc{R: .1}, [3]float64{}, [3]bool{false, false, true}},
		{2, bodies.Ellipse{A: .2, B: .1}, [3]float64{}, [3]bool{}},
		{2, bodies.Rod{Length: .2, R: .1}, [3]float64{}, [3]bool{}},
		{2, bodies.Point{}, [3]float64{}, [3]bool{}},
		{3, bodies.Point{}, [3]float64{}, [3]bool{}},
		{3, bodies.Sphere{R: .1}, even, [3]bool{true, true, true}},
		{3, bodies.Sphere{R: .1}, uneven, [3]bool{}},
		{3, bodies.Capsule{Length: .2, R: .1}, [3]float64{}, [3]bool{true, false, false}},
		{3, bodies.Box{Size: [3]float64{.1, .1, .1}}, [3]float64{}, [3]bool{}},
		{3, bodies.Ellipsoid{Axes: [3]float64{.1, .2, .3}}, [3]float64{}, [3]bool{}},
		{3, bodies.Ellipsoid{Axes: [3]float64{.3, .2, .2}}, [3]float64{}, [3]bool{true, false, false}},
		{3, bodies.Ellipsoid{Axes: [3]float64{.2, .3, .2}}, [3]float64{}, [3]bool{false, true, false}},
		{3, bodies.Ellipsoid{Axes: [3]float64{.2, .2, .3}}, uneven, [3]bool{false, false, true}},
		{3, bodies.Ellipsoid{Axes: [3]float64{.2, .2, .2}}, even, [3]bool{true, true, true}},
		{3, bodies.Ellipsoid{Axes: [3]float64{.2, .2, .2}}, uneven, [3]bool{}},
	} {
		w, err := bodies.NewWorld(c.dim, [3]float64{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Add(bodies.Body{Shape: c.shape, Mass: 1, Inertia: c.inertia}); err != nil {
			t.Fatal(err)
		}
		if got := w.Round(0); got != c.want {
			t.Errorf("%T %+v of moments %g: %v", c.shape, c.shape, c.inertia, got)
		}
	}
}
