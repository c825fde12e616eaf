package bodies_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

func touches(t *testing.T, dim int, a, b bodies.Body) []bodies.Touch {
	t.Helper()
	w, err := bodies.NewWorld(dim, [3]float64{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []bodies.Body{a, b} {
		x.Mass = 1
		if _, err := w.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	f := w.NewToucher(nil)
	q, _ := w.Start()
	return f.Find(nil, 0, q, 1)
}

// Signed distances by hand: least gap, its normal (from b into a) and the
// number of touches.
func TestTouches(t *testing.T) {
	box := bodies.Box{Size: [3]float64{2, 2, 2}}
	square := bodies.Polygon{Vertices: [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}
	s2 := math.Sqrt2
	tilt := [4]float64{math.Cos(math.Pi / 8), 0, 0, math.Sin(math.Pi / 8)} // 45° about z
	edge := [4]float64{math.Cos(math.Pi / 8), math.Sin(math.Pi / 8), 0, 0} // 45° about x
	cross := [4]float64{math.Cos(math.Pi / 8), 0, math.Sin(math.Pi / 8), 0}
	for _, c := range []struct {
		name  string
		dim   int
		a, b  bodies.Body
		gap   float64
		n     [3]float64
		count int
	}{
		{"box on box", 3, bodies.Body{Shape: box, Position: [3]float64{0, 0, 2.1}}, bodies.Body{Shape: box}, .1, [3]float64{0, 0, 1}, 4},
		{"overlapping boxes", 3, bodies.Body{Shape: box, Position: [3]float64{.5, 0, 1.9}}, bodies.Body{Shape: box},
			-.1, [3]float64{0, 0, 1}, 4},
		{"turned box on box", 3, bodies.Body{Shape: box, Position: [3]float64{0, 0, 2}, Orientation: tilt},
			bodies.Body{Shape: box}, 0, [3]float64{0, 0, 1}, 8},
		{"edge on face", 3, bodies.Body{Shape: box, Position: [3]float64{0, 0, 1.2 + s2}, Orientation: edge},
			bodies.Body{Shape: box}, .2, [3]float64{0, 0, 1}, 2},
		{"crossed edges", 3, bodies.Body{Shape: box, Position: [3]float64{0, 0, 2*s2 + .1}, Orientation: edge},
			bodies.Body{Shape: box, Orientation: cross}, .1, [3]float64{0, 0, 1}, 1},
		{"capsule along a box", 3, bodies.Body{Shape: bodies.Capsule{Length: 1, R: .1},
			Position: [3]float64{0, 0, 1.3}}, bodies.Body{Shape: box}, .2, [3]float64{0, 0, 1}, 2},
		{"parallel capsules", 3, bodies.Body{Shape: bodies.Capsule{Length: 2, R: .1}, Position: [3]float64{.5, 0, 1}},
			bodies.Body{Shape: bodies.Capsule{Length: 2, R: .2}}, .7, [3]float64{0, 0, 1}, 2},
		{"ellipsoid over sphere", 3, bodies.Body{Shape: bodies.Ellipsoid{Axes: [3]float64{3, 2, 1}},
			Position: [3]float64{0, 0, 2.1}}, bodies.Body{Shape: bodies.Sphere{R: 1}}, .1, [3]float64{0, 0, 1}, 1},
		{"square on square", 2, bodies.Body{Shape: square, Position: [3]float64{.5, 2.1}}, bodies.Body{Shape: square},
			.1, [3]float64{0, 1}, 2},
		{"overlapping squares", 2, bodies.Body{Shape: square, Position: [3]float64{1.9, .5}},
			bodies.Body{Shape: square}, -.1, [3]float64{1}, 2},
		{"corner over square", 2, bodies.Body{Shape: square, Position: [3]float64{0, 1.1 + s2}, Angle: math.Pi / 4},
			bodies.Body{Shape: square}, .1, [3]float64{0, 1}, 1},
		{"corner against corner", 2, bodies.Body{Shape: square, Position: [3]float64{2.3, 2.4}},
			bodies.Body{Shape: square}, .5, [3]float64{.6, .8}, 1},
		{"rod on square", 2, bodies.Body{Shape: bodies.Rod{Length: 1, R: .1}, Position: [3]float64{0, 1.3}},
			bodies.Body{Shape: square}, .2, [3]float64{0, 1}, 2},
		{"ellipses", 2, bodies.Body{Shape: bodies.Ellipse{A: 2, B: 1}, Position: [3]float64{0, 2.25}},
			bodies.Body{Shape: bodies.Ellipse{A: 3, B: 1}}, .25, [3]float64{0, 1}, 1},
		{"disc in an ellipse's way", 2, bodies.Body{Shape: bodies.Disc{R: 1}, Position: [3]float64{2.9}},
			bodies.Body{Shape: bodies.Ellipse{A: 2, B: 1}}, -.1, [3]float64{1}, 1},
	} {
		list := touches(t, c.dim, c.a, c.b)
		least := math.Inf(1)
		seen := map[uint64]bool{}
		var n [3]float64
		for _, x := range list {
			if x.Gap < least {
				least, n = x.Gap, x.N
			}
			if seen[x.Key] {
				t.Errorf("%s: two touches have the key %x", c.name, x.Key)
			}
			seen[x.Key] = true
		}
		off := 0.0
		for k := range n {
			off = max(off, math.Abs(n[k]-c.n[k]))
		}
		// 1e-7: the direction where two quadrics meet is found by a search
		if len(list) != c.count || !(math.Abs(least-c.gap) <= 1e-12) || off > 1e-7 {
			t.Errorf("%s: %d touches, gap %.15g, normal %v; want %d, %g, %v", c.name, len(list), least, n, c.count, c.gap, c.n)
		}
	}
}

// TestSegmentsNear: the least gap of two rods or capsules is the distance of their segments less
// the radii, which is by hand that of the nearest ends, or in space of the lines where their common
// perpendicular meets both: of drawn ones, of such on one line, one after the other (their sides
// part them nowhere), of nearly parallel ones that cross in space between their ends, each also
// turned and shifted.
func TestSegmentsNear(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 3))
	const length, r = 1, .1
	for k := range 4000 {
		dim, turn := 2+k%2, 2*math.Pi*random.Float64()*float64(k/2%2)
		dir := func(angle float64) [3]float64 { return [3]float64{math.Cos(turn + angle), math.Sin(turn + angle)} }
		along, up, angle := 4*random.Float64()-2, .1+random.Float64(), 2*math.Pi*random.Float64()
		line := [3]float64{dir(0)[1], -dir(0)[0]}
		switch k / 4 % 4 {
		case 1: // on one line, end to end
			along, up, angle = math.Copysign(length+random.Float64(), along), 0, math.Pi*float64(k/16%2)
		case 2: // nearly parallel: crossing in space
			angle = .02 * (random.Float64() - .5)
		case 3: // on one line to rounding
			along, up, angle = math.Copysign(length+random.Float64(), along), 1e-16*(random.Float64()-.5), 1e-16*(random.Float64()-.5)
		}
		if dim == 3 {
			line = [3]float64{0, 0, 1}
		}
		var shift [3]float64
		a, b := dir(0), dir(angle)
		for i := range dim {
			shift[i] = along*a[i] + up*line[i]
		}
		var distance float64
		if dim == 3 && up > 0 {
			distance = up
		}
		if d := [3]float64{shift[0] - distance*line[0], shift[1] - distance*line[1],
			shift[2] - distance*line[2]}; !crossing(d, a, b, length/2.) || distance == 0 {
			distance = apart(shift, a, b, length/2.)
			if dim == 2 && crossing(shift, a, b, length/2.) {
				continue // the depth of crossing rods is another question
			}
		}
		body := func(at [3]float64, angle float64) bodies.Body {
			x := bodies.Body{Shape: bodies.Rod{Length: length, R: r}, Position: at, Angle: angle}
			if dim == 3 {
				x.Shape, x.Orientation = bodies.Capsule{Length: length, R: r}, [4]float64{math.Cos(angle / 2), 0, 0, math.Sin(angle / 2)}
			}
			return x
		}
		least := math.Inf(1)
		for _, x := range touches(t, dim, body([3]float64{}, turn), body(shift, turn+angle)) {
			least = min(least, x.Gap)
		}
		// 1e-10: what crosses by less is seen by its ends; beyond a gap of 1 nothing is looked for
		if want := distance - 2*r; want < .9 && !(math.Abs(least-want) <= 1e-10) {
			t.Fatalf("%d: dimension %d, along %g, up %g, angle %g: gap %g, want %g", k, dim, along, up, angle, least, want)
		}
	}
}

// TestRodsAtCorners: two rods whose ends meet at a right angle overlap by their radii, also where
// rounding puts the end of one just beyond that of the other: by hand, and drawn with both ends in
// one place but for some digits.
func TestRodsAtCorners(t *testing.T) {
	rod := func(l, r, x, y, angle float64) bodies.Body {
		return bodies.Body{Shape: bodies.Rod{Length: l, R: r}, Position: [3]float64{x, y}, Angle: angle}
	}
	check := func(a, b bodies.Body, want, off float64) {
		t.Helper()
		least := math.Inf(1)
		for _, x := range touches(t, 2, a, b) {
			least = min(least, x.Gap)
		}
		if !(math.Abs(least-want) <= off) {
			t.Fatalf("%v at %v, %g and %v at %v, %g: gap %g, want %g", a.Shape, a.Position, a.Angle, b.Shape,
				b.Position, b.Angle, least, want)
		}
	}
	check(rod(.1, 0, -.2, .4, math.Pi), rod(.5, .05, -.15, .15, math.Pi/2), -.05, 1e-9)
	for _, e := range []float64{1e-12, -1e-12} { // beyond by a tenth of what it leans by
		for _, beyond := range []float64{1e-13, -1e-13} {
			check(rod(.2, .1, 0, 0, 0), rod(.2, .1, .1+beyond-.1*e, .1, math.Pi/2+e), -.2, 1e-9)
			check(rod(.2, .1, .1+beyond-.1*e, .1, math.Pi/2+e), rod(.2, .1, 0, 0, math.Pi), -.2, 1e-9)
		}
	}
	random := rand.New(rand.NewPCG(17, 4))
	length, quarter := []float64{.1, .2, .5}, math.Pi/2
	for k := range 400 {
		noise := func(x float64) float64 { return x + []float64{0, 1e-16, 1e-13, 1e-10}[k%4]*random.NormFloat64() }
		x, y, la, lb := .05*float64(random.IntN(9)-4), .05*float64(random.IntN(9)-4), length[random.IntN(3)], length[random.IntN(3)]
		a := rod(la, .1, noise(x), noise(y-la/2), noise(quarter+math.Pi*float64(random.IntN(2))))
		b := rod(lb, .05, noise(x-lb/2), noise(y), noise(math.Pi*float64(random.IntN(2))))
		check(a, b, -.15, 2e-9) // 1e-9 of a size counts as the same distance
	}
}

// crossing reports whether two segments of half length l, about the origin along a and about d
// along b, cross in the plane.
func crossing(d, a, b [3]float64, l float64) bool {
	det := a[0]*b[1] - a[1]*b[0]
	if det == 0 {
		return false
	}
	x, y := (d[0]*b[1]-d[1]*b[0])/det, (d[0]*a[1]-d[1]*a[0])/det
	return math.Abs(x) <= l && math.Abs(y) <= l
}

// apart is the least distance of an end of one of them from the other.
func apart(d, a, b [3]float64, l float64) float64 {
	least := math.Inf(1)
	end := func(d, a, b [3]float64, s float64) { // of the segment along b at d, from the one along a
		var x [3]float64
		on := 0.
		for i := range x {
			x[i] = d[i] + s*b[i]
			on += x[i] * a[i]
		}
		on = max(-l, min(l, on))
		least = min(least, math.Hypot(math.Hypot(x[0]-on*a[0], x[1]-on*a[1]), x[2]-on*a[2]))
	}
	for _, s := range []float64{-l, l} {
		end(d, a, b, s)
		end([3]float64{-d[0], -d[1], -d[2]}, b, a, s)
	}
	return least
}
