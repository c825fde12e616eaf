package bodies_test

import (
	"math"
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
		{"overlapping boxes", 3, bodies.Body{Shape: box, Position: [3]float64{.5, 0, 1.9}}, bodies.Body{Shape: box}, -.1, [3]float64{0, 0, 1}, 4},
		{"turned box on box", 3, bodies.Body{Shape: box, Position: [3]float64{0, 0, 2}, Orientation: tilt}, bodies.Body{Shape: box}, 0, [3]float64{0, 0, 1}, 8},
		{"edge on face", 3, bodies.Body{Shape: box, Position: [3]float64{0, 0, 1.2 + s2}, Orientation: edge}, bodies.Body{Shape: box}, .2, [3]float64{0, 0, 1}, 2},
		{"crossed edges", 3, bodies.Body{Shape: box, Position: [3]float64{0, 0, 2*s2 + .1}, Orientation: edge}, bodies.Body{Shape: box, Orientation: cross}, .1, [3]float64{0, 0, 1}, 1},
		{"capsule along a box", 3, bodies.Body{Shape: bodies.Capsule{Length: 1, R: .1}, Position: [3]float64{0, 0, 1.3}}, bodies.Body{Shape: box}, .2, [3]float64{0, 0, 1}, 2},
		{"parallel capsules", 3, bodies.Body{Shape: bodies.Capsule{Length: 2, R: .1}, Position: [3]float64{.5, 0, 1}}, bodies.Body{Shape: bodies.Capsule{Length: 2, R: .2}}, .7, [3]float64{0, 0, 1}, 2},
		{"ellipsoid over sphere", 3, bodies.Body{Shape: bodies.Ellipsoid{Axes: [3]float64{3, 2, 1}}, Position: [3]float64{0, 0, 2.1}}, bodies.Body{Shape: bodies.Sphere{R: 1}}, .1, [3]float64{0, 0, 1}, 1},
		{"square on square", 2, bodies.Body{Shape: square, Position: [3]float64{.5, 2.1}}, bodies.Body{Shape: square}, .1, [3]float64{0, 1}, 2},
		{"overlapping squares", 2, bodies.Body{Shape: square, Position: [3]float64{1.9, .5}}, bodies.Body{Shape: square}, -.1, [3]float64{1}, 2},
		{"corner over square", 2, bodies.Body{Shape: square, Position: [3]float64{0, 1.1 + s2}, Angle: math.Pi / 4}, bodies.Body{Shape: square}, .1, [3]float64{0, 1}, 1},
		{"corner against corner", 2, bodies.Body{Shape: square, Position: [3]float64{2.3, 2.4}}, bodies.Body{Shape: square}, .5, [3]float64{.6, .8}, 1},
		{"rod on square", 2, bodies.Body{Shape: bodies.Rod{Length: 1, R: .1}, Position: [3]float64{0, 1.3}}, bodies.Body{Shape: square}, .2, [3]float64{0, 1}, 2},
		{"ellipses", 2, bodies.Body{Shape: bodies.Ellipse{A: 2, B: 1}, Position: [3]float64{0, 2.25}}, bodies.Body{Shape: bodies.Ellipse{A: 3, B: 1}}, .25, [3]float64{0, 1}, 1},
		{"disc in an ellipse's way", 2, bodies.Body{Shape: bodies.Disc{R: 1}, Position: [3]float64{2.9}}, bodies.Body{Shape: bodies.Ellipse{A: 2, B: 1}}, -.1, [3]float64{1}, 1},
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
