package bodies_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
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

// TestFindKept: what a search keeps of the last one, bodies that have not moved and balls by a shorter way, is what one finds that has
// seen nothing before, to the last bit and in the same order: over obstacles that stand and one that moves, with margins that change.
func TestFindKept(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	for dim := 2; dim <= 3; dim++ {
		w, err := bodies.NewWorld(dim, [3]float64{})
		check := func(_ int, e error) {
			if e != nil {
				t.Fatal(e)
			}
		}
		check(0, err)
		floor, wall := [3]float64{0, 1}, [3]float64{1}
		if dim == 3 {
			floor = [3]float64{0, 0, 1}
		}
		check(w.AddHalfSpace([3]float64{}, floor))
		way, err := signal.NewVectorTable([]float64{0, 9}, [][]float64{{0, 0, 0}, {.9, 0, 0}})
		check(0, err)
		check(w.AddObstacle(bodies.Obstacle{Surface: bodies.HalfSpace{Normal: wall}, Motion: signal.Motion{Shift: way}}))
		for i := range 24 {
			at := [3]float64{float64(i % 4), float64(i / 4)}
			shape := bodies.Shape(bodies.Disc{R: .5})
			if i%3 == 0 {
				shape = bodies.Rod{Length: .5, R: .3}
			}
			if dim == 3 {
				at = [3]float64{float64(i % 3), float64(i / 3 % 3), float64(i / 9)}
				shape = bodies.Sphere{R: .5}
				if i%3 == 0 {
					shape = bodies.Box{Size: [3]float64{.8, .9, .7}}
				}
			}
			check(w.Add(bodies.Body{Shape: shape, Mass: 1, Position: at}))
		}
		kept, found := w.NewToucher(nil), 0
		q, _ := w.Start()
		var list, fresh []bodies.Touch
		for step := range 40 {
			if step%5 > 0 { // else nothing moves but the wall
				for range 3 {
					at, _ := w.Coordinates(random.IntN(24))
					for k := range dim {
						q[at+k] += .1 * random.NormFloat64()
					}
				}
			}
			margin := .1 * float64(1+step/15)
			list = kept.Find(list, .1*float64(step), q, margin)
			fresh = w.NewToucher(nil).Find(fresh, .1*float64(step), q, margin)
			if !slices.Equal(list, fresh) {
				t.Fatalf("step %d: %d touches, %d of a new search", step, len(list), len(fresh))
			}
			found += len(list)
			if !slices.IsSortedFunc(list, func(a, b bodies.Touch) int { return cmp.Compare(a.Key, b.Key) }) {
				t.Fatal("touches are not in the order of their keys")
			}
		}
		if found < 400 {
			t.Errorf("%d touches found", found)
		}
	}
}
