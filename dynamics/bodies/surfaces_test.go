package bodies

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestSurfacesShift: an obstacle elsewhere, and the body with it, meet as before: gap, normal and
// lever. A surface that takes its centre twice, or not, is off by it.
func TestSurfacesShift(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 9))
	axis := direction(vec{1, 2, -.5})
	f := ball(.1)
	for name, at := range map[string]func(c vec) Surface{
		"ball":            func(c vec) Surface { return Ball{Center: c, R: 1} },
		"ball inside":     func(c vec) Surface { return Ball{Center: c, R: 1, Inside: true} },
		"cylinder":        func(c vec) Surface { return Cylinder{Point: c, Axis: axis, R: 1} },
		"cylinder inside": func(c vec) Surface { return Cylinder{Point: c, Axis: axis, R: 1, Inside: true} },
		"oval":            func(c vec) Surface { return Oval{Center: c, Axes: vec{1, 1.5, .7}} },
		"oval inside":     func(c vec) Surface { return Oval{Center: c, Axes: vec{1, 1.5, .7}, Inside: true} },
		"torus":           func(c vec) Surface { return Torus{Center: c, Axis: axis, Radius: 1, Tube: .5} },
		"torus inside":    func(c vec) Surface { return Torus{Center: c, Axis: axis, Radius: 1, Tube: .5, Inside: true} },
	} {
		for range 20 {
			x := vec{.5 * rng.NormFloat64(), .5 * rng.NormFloat64(), .5 * rng.NormFloat64()}
			c := vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			a := at(vec{}).meeting(&f, &pose{c: x, r: identity}, 0)
			b := at(c).meeting(&f, &pose{c: vec3.Add(x, 1, c), r: identity}, 0)
			// Rounding of coordinates of 1 m; the foot on an ellipsoid has the root of a small
			// number.
			if d := math.Abs(a.gap-b.gap) + vec3.Norm(vec3.Add(a.n, -1, b.n)) + vec3.Norm(vec3.Add(a.r, -1, b.r)); !(d < 1e-11) {
				t.Errorf("%s at %v: %v and %v differ by %g", name, c, a, b, d)
			}
		}
	}
}

// TestFar: what a surface says a body is away at least: never more than its gap, and of a body
// straight off the longest axis not less.
func TestFar(t *testing.T) {
	f := ball(.1)
	for k := range 3 {
		axes := vec{.5, .6, .7}
		axes[k] = 2
		s := Oval{Axes: axes}
		x := vec{}
		x[k] = 5
		p := pose{c: x, r: identity}
		if far, gap := s.far(&f, &p), s.meeting(&f, &p, 0).gap; math.Abs(far-2.9) > 1e-15 || math.Abs(gap-2.9) > 1e-12 {
			t.Errorf("axis %d: far %g, gap %g, want 2.9", k, far, gap)
		}
	}
	tor := Torus{Axis: vec{0, 0, 1}, Radius: 1, Tube: .5}
	if far := tor.far(&f, &pose{c: vec{3, 0, 0}, r: identity}); math.Abs(far-1.4) > 1e-15 {
		t.Errorf("torus: far %g, want 1.4", far)
	}
}

// TestCentres: at the centre of a hollow and on its axis every direction is as good: the normal has
// the length 1, is across the axis, and the gap is the radius less the body's. On the axis and on
// the circle of a torus likewise.
func TestCentres(t *testing.T) {
	f := ball(.1)
	at := pose{r: identity}
	for _, axis := range []vec{{1}, {0, 1}, {0, 0, 1}, direction(vec{1, 1, 1})} {
		for name, c := range map[string]struct {
			s    Surface
			gap  float64
			flat bool
		}{
			"ball":     {Ball{R: 1, Inside: true}, .9, false},
			"cylinder": {Cylinder{Axis: axis, R: 1, Inside: true}, .9, true},
			"torus":    {Torus{Axis: axis, Radius: 1, Tube: .5}, .4, true},
		} {
			m := c.s.meeting(&f, &at, 0)
			if math.Abs(vec3.Norm(m.n)-1) > 1e-15 || math.Abs(m.gap-c.gap) > 1e-15 || c.flat && math.Abs(vec3.Dot(m.n, axis)) > 1e-15 {
				t.Errorf("%s of axis %v: normal %v, gap %g, want %g", name, axis, m.n, m.gap, c.gap)
			}
		}
		out, _ := tangents(axis, 3)
		m := Torus{Axis: axis, Radius: 1, Tube: .5, Inside: true}.meeting(&f, &pose{c: out, r: identity}, 0)
		if math.Abs(vec3.Norm(m.n)-1) > 1e-15 || math.Abs(m.gap-.4) > 1e-15 {
			t.Errorf("on the circle of a torus of axis %v: normal %v, gap %g", axis, m.n, m.gap)
		}
		_, b := Cylinder{Axis: axis, R: 1}.beside(&f, &at)
		for i := range 3 {
			for j := range 3 {
				if d := vec3.Dot(column(&b, i), column(&b, j)); math.Abs(d-map[bool]float64{true: 1}[i == j]) > 1e-15 {
					t.Errorf("axis %v: columns %d, %d of the capsule's frame have the product %g", axis, i, j, d)
				}
			}
		}
		if d := vec3.Norm(vec3.Add(column(&b, 0), -1, axis)); d > 1e-15 {
			t.Errorf("the capsule is off the axis %v by %g", axis, d)
		}
	}
}

// TestDirection: a direction of any length, the squares of which leave the range of numbers too.
func TestDirection(t *testing.T) {
	want := direction(vec{1, -2, .5})
	for _, size := range []float64{1e-300, 1e-160, 1e-149, 1, 1e150, 1e200, 1e307} {
		for _, turn := range []int{0, 1, 2} {
			x, w := vec{}, vec{}
			for k, y := range (vec{1, -2, .5}) {
				x[(k+turn)%3], w[(k+turn)%3] = size*y, want[k]
			}
			if d := vec3.Norm(vec3.Add(direction(x), -1, w)); !(d < 1e-15) {
				t.Errorf("the direction of %v is off by %g", x, d)
			}
		}
	}
}

// TestEllipsoidForm: half the width is the least semi-axis and the reach the greatest, whichever
// they are.
func TestEllipsoidForm(t *testing.T) {
	for k := range 3 {
		a := vec{2, 2, 2}
		a[k] = 1
		if f := (Ellipsoid{a}).form(); f.width != 2 || f.reach != 2 {
			t.Errorf("axes %v: width %g, reach %g", a, f.width, f.reach)
		}
		a[k] = 3
		if f := (Ellipsoid{a}).form(); f.width != 4 || f.reach != 3 {
			t.Errorf("axes %v: width %g, reach %g", a, f.width, f.reach)
		}
	}
}

// TestMoments: those of a triangle and a square away from the origin, by hand: area, centre, and
// the polar moment about the origin by Steiner's theorem.
func TestMoments(t *testing.T) {
	area, x, y, polar := Polygon{[][2]float64{{1, 2}, {4, 2}, {1, 8}}}.moments()
	// Legs 3 and 6: ∫(ξ² + η²) about the right angle is 3³·6/12 + 3·6³/12 = 67.5, about the centre
	// less A(1² + 2²).
	if want := 67.5 - 9*5 + 9*(4+16.); area != 9 || math.Abs(x-2)+math.Abs(y-4) > 1e-14 || math.Abs(polar-want) > 1e-12 {
		t.Errorf("triangle: area %g, centre (%g, %g), polar moment %g, want 9, (2, 4), %g", area, x, y, polar, want)
	}
	for _, c := range [][2]float64{{.1, 0}, {0, .1}, {-.1, 0}, {0, -.1}} {
		square := Polygon{[][2]float64{{c[0] - 1, c[1] - 1}, {c[0] + 1, c[1] - 1}, {c[0] + 1, c[1] + 1}, {c[0] - 1, c[1] + 1}}}
		if square.validate() == nil {
			t.Errorf("a square with its centre at %v: no error", c)
		}
	}
}

// TestRodRadius: from zero up.
func TestRodRadius(t *testing.T) {
	for r, fine := range map[float64]bool{0: true, .1: true, 1e9: true, -1e-9: false, math.Inf(1): false, math.Inf(-1): false, math.NaN(): false} {
		if err := (Rod{1, r}).validate(); (err == nil) != fine {
			t.Errorf("radius %g: %v", r, err)
		}
	}
}

// TestBallArm: a sphere is a ball if its three moments are equal, and the arm of a body the greater
// of its reach and the radius of gyration of its greatest moment.
func TestBallArm(t *testing.T) {
	for k := range 3 {
		i := vec{1, 1, 1}
		i[k] = 100
		w := must(NewWorld(3, vec{}))
		must(w.Add(Body{Shape: Sphere{1}, Mass: 4, Inertia: i}))
		must(w.Add(Body{Shape: Sphere{7}, Mass: 4, Inertia: vec{1, 1, 1}}))
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

// TestFrictionPoint: the coefficient a step ahead is the one at the place of the body's lowest
// point had it gone on with its velocity ċ + ω × r, for bodies that turn and one that does not;
// without a map there is none.
func TestFrictionPoint(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		patch := must(dynamics.NewRigid(contact.Coulomb{}, dim))
		up := vec{}
		up[dim-1] = 1
		list := map[int][]Shape{2: {Point{}, Disc{.2}, Polygon{[][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}}}, 3: {Point{}, Sphere{.2}, Box{vec{.2, .3, .4}}}}[dim]
		for _, s := range list {
			w := must(NewWorld(dim, vec{}))
			w.pairs = nil
			if _, ok := w.Friction(0, 0, .1, nil, nil); ok {
				t.Error("a world without maps has a coefficient")
			}
			must(w.AddHalfSpace(vec{}, up))
			body := Body{Shape: s, Mass: 1, Position: vec{.3, .2, .1}, Angle: .7, Orientation: [4]float64{.5, .5, -.5, .5}, Velocity: vec{.4, -.6}, Spin: vec{0, 0, 2}}
			other := Body{Shape: s, Mass: 1, Velocity: vec{9, 9}, Spin: vec{0, 0, 9}, Position: vec{3}}
			if dim == 3 {
				body.Velocity, body.Spin = vec{.4, -.6, .3}, vec{1, 2, 3}
				other.Velocity, other.Spin = vec{9, 9, 9}, vec{9, 9, 9}
			} else {
				body.Position, body.Orientation = vec{.3, .2}, [4]float64{}
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
				t.Errorf("%s: the contact without a map has a coefficient", name(s))
			}
			const ahead = .01
			mu, ok := w.Friction(key, 0, ahead, q, v)
			_, at, _ := w.Meeting(key, 0, q)
			// ω in space: the spin of Start is in the body's frame in space, about z in the plane.
			p := w.pose(i, q)
			b := &w.bodies[i]
			omega := vec{}
			if b.form.spins && dim == 2 {
				omega = vec{0, 0, v[b.v+2]}
			} else if b.form.spins {
				omega = p.turn(vec(v[b.v+3 : b.v+6]))
			}
			r := vec3.Add(at, -1, p.c)
			x := at[0] + ahead*(v[b.v]+omega[1]*r[2]-omega[2]*r[1])
			y := at[1] + ahead*(v[b.v+1]+omega[2]*r[0]-omega[0]*r[2])
			if want := 2 + x + y/3; !ok || math.Abs(mu-want) > 1e-14 {
				t.Errorf("%s in %d dimensions: coefficient %g, want %g", name(s), dim, mu, want)
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
		shape   Shape
		inertia [3]float64
		want    [3]bool
	}{
		{2, Disc{R: .1}, [3]float64{}, [3]bool{false, false, true}},
		{2, Ellipse{A: .2, B: .1}, [3]float64{}, [3]bool{}},
		{2, Rod{Length: .2, R: .1}, [3]float64{}, [3]bool{}},
		{2, Point{}, [3]float64{}, [3]bool{}},
		{3, Point{}, [3]float64{}, [3]bool{}},
		{3, Sphere{R: .1}, even, [3]bool{true, true, true}},
		{3, Sphere{R: .1}, uneven, [3]bool{}},
		{3, Capsule{Length: .2, R: .1}, [3]float64{}, [3]bool{true, false, false}},
		{3, Box{Size: [3]float64{.1, .1, .1}}, [3]float64{}, [3]bool{}},
		{3, Ellipsoid{Axes: [3]float64{.1, .2, .3}}, [3]float64{}, [3]bool{}},
		{3, Ellipsoid{Axes: [3]float64{.3, .2, .2}}, [3]float64{}, [3]bool{true, false, false}},
		{3, Ellipsoid{Axes: [3]float64{.2, .3, .2}}, [3]float64{}, [3]bool{false, true, false}},
		{3, Ellipsoid{Axes: [3]float64{.2, .2, .3}}, uneven, [3]bool{false, false, true}},
		{3, Ellipsoid{Axes: [3]float64{.2, .2, .2}}, even, [3]bool{true, true, true}},
		{3, Ellipsoid{Axes: [3]float64{.2, .2, .2}}, uneven, [3]bool{}},
	} {
		w, err := NewWorld(c.dim, [3]float64{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Add(Body{Shape: c.shape, Mass: 1, Inertia: c.inertia}); err != nil {
			t.Fatal(err)
		}
		if got := w.Round(0); got != c.want {
			t.Errorf("%T %+v of moments %g: %v", c.shape, c.shape, c.inertia, got)
		}
	}
}
