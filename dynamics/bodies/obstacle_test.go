package bodies_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// wave is a relief with known derivatives, a·sin(kx)·cos(ky).
type wave struct{ a, k float64 }

func (w wave) Height(x, y float64) (f, fx, fy, fxx, fxy, fyy float64) {
	s, c := math.Sincos(w.k * x)
	t, d := math.Sincos(w.k * y)
	return w.a * s * d, w.a * w.k * c * d, -w.a * w.k * s * t, -w.a * w.k * w.k * s * d, -w.a * w.k * w.k * c * t, -w.a * w.k * w.k * s * d
}

func (w wave) Grid() (x, y []float64) {
	for i := range 41 {
		x = append(x, float64(i-20)*0.1)
	}
	return x, x
}

// TestGapsByBruteForce compares the gap of a ball to each obstacle with the least distance to
// points sampled on its surface, 1e-3 of its size apart: the sampled distance is never less, and
// more by at most the square of that over the distance.
func TestGapsByBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	const r = 0.1
	grid := func(n int, at func(a, b float64) [3]float64) (list [][3]float64) {
		for i := range n {
			for j := range n {
				list = append(list, at((float64(i)+0.5)/float64(n), (float64(j)+0.5)/float64(n)))
			}
		}
		return list
	}
	oval := func(x, y, z float64) func(a, b float64) [3]float64 {
		return func(a, b float64) [3]float64 {
			s, c := math.Sincos(2 * math.Pi * a)
			st, ct := math.Sincos(math.Pi * b)
			return [3]float64{x * st * c, y * st * s, z * ct}
		}
	}
	torus := func(a, b float64) [3]float64 {
		s, c := math.Sincos(2 * math.Pi * a)
		st, ct := math.Sincos(2 * math.Pi * b)
		return [3]float64{(1 + 0.4*ct) * c, (1 + 0.4*ct) * s, 0.4 * st}
	}
	w := wave{0.2, 1.5}
	graph := func(a, b float64) [3]float64 {
		x, y := 4*a-2, 4*b-2
		h, _, _, _, _, _ := w.Height(x, y)
		return [3]float64{x, y, h}
	}
	tube := func(a, b float64) [3]float64 {
		s, c := math.Sincos(2 * math.Pi * a)
		return [3]float64{c, 4*b - 2, s}
	}
	for name, c := range map[string]struct {
		s      bodies.Surface
		points [][3]float64
		in     func(x [3]float64) bool // centres on the side of the bodies
	}{
		"sphere":        {bodies.Ball{R: 1}, grid(300, oval(1, 1, 1)), func(x [3]float64) bool { return length(x) > 1+r }},
		"sphere inside": {bodies.Ball{R: 1, Inside: true}, grid(300, oval(1, 1, 1)), func(x [3]float64) bool { return length(x) < 1-r }},
		"cylinder": {bodies.Cylinder{Axis: [3]float64{0, 3, 0}, R: 1}, grid(300, tube),
			func(x [3]float64) bool { return math.Hypot(x[0], x[2]) > 1+r && math.Abs(x[1]) < 1 }},
		"cylinder inside": {bodies.Cylinder{Axis: [3]float64{0, 3, 0}, R: 1, Inside: true}, grid(300, tube),
			func(x [3]float64) bool { return math.Hypot(x[0], x[2]) < 1-r && math.Abs(x[1]) < 1 }},
		"ellipsoid": {bodies.Oval{Axes: [3]float64{1.5, 1, 0.7}}, grid(300, oval(1.5, 1, 0.7)),
			func(x [3]float64) bool { return length(x) > 1.7 }},
		"ellipsoid inside": {bodies.Oval{Axes: [3]float64{1.5, 1, 0.7}, Inside: true}, grid(300, oval(1.5, 1, 0.7)),
			func(x [3]float64) bool {
				return math.Hypot(math.Hypot(x[0]/1.4, x[1]/0.9), x[2]/0.6) < 1
			}},
		"torus": {bodies.Torus{Axis: [3]float64{0, 0, 2}, Radius: 1, Tube: 0.4}, grid(300, torus),
			func(x [3]float64) bool { return math.Hypot(math.Hypot(x[0], x[1])-1, x[2]) > 0.4+r }},
		"torus inside": {bodies.Torus{Axis: [3]float64{0, 0, 2}, Radius: 1, Tube: 0.4, Inside: true}, grid(300, torus),
			func(x [3]float64) bool { return math.Hypot(math.Hypot(x[0], x[1])-1, x[2]) < 0.4-r }},
		"graph": {bodies.Graph{Relief: w}, grid(400, graph), func(x [3]float64) bool {
			h, _, _, _, _, _ := w.Height(x[0], x[1])
			return x[2] > h+1.3*r && x[2] < h+0.5 && math.Abs(x[0]) < 1.2 && math.Abs(x[1]) < 1.2
		}},
	} {
		t.Run(name, func(t *testing.T) {
			world, _ := bodies.NewWorld(3, [3]float64{})
			if _, err := world.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := world.AddObstacle(bodies.Obstacle{Surface: c.s}); err != nil {
				t.Fatal(err)
			}
			if err := world.Meets(0, 0); err != nil {
				t.Fatal(err)
			}
			f := world.NewToucher(nil)
			q, _ := world.Start()
			for range 12 {
				x := [3]float64{}
				for !c.in(x) || x == [3]float64{} {
					x = [3]float64{4*rng.Float64() - 2, 4*rng.Float64() - 2, 4*rng.Float64() - 2}
				}
				copy(q, x[:])
				got := f.Find(nil, 0, q, 100)
				if len(got) != 1 {
					t.Fatalf("%d touches at %v", len(got), x)
				}
				least := math.Inf(1)
				for _, p := range c.points {
					least = min(least, length([3]float64{p[0] - x[0], p[1] - x[1], p[2] - x[2]}))
				}
				// A sample is at most .016 m from the foot (half a diagonal of the coarsest grid).
				if gap, want := got[0].Gap, least-r; gap > want+1e-12 || gap < want-0.016*0.016/(2*least)-0.016*0.016/2 {
					t.Errorf("gap %.9g at %v, by samples %.9g", gap, x, want)
				}
				if n := got[0].N; math.Abs(length(n)-1) > 1e-12 {
					t.Errorf("the normal %v has not the length 1", n)
				}
			}
		})
	}
}

func length(x [3]float64) float64 { return math.Sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2]) }

// TestGapsMove: an obstacle that turns and shifts is as far from a body as one at rest from the
// body moved back.
func TestGapsMove(t *testing.T) {
	angle, _ := signal.NewTable([]float64{0, 1}, []float64{0, 0.7})
	shift, _ := signal.NewVectorTable([]float64{0, 1}, [][]float64{{0, 0, 0}, {0.3, -0.2, 0.5}})
	motion := signal.Motion{Shift: shift, Center: [3]float64{0.1, 0.2, 0.3}, Axis: [3]float64{1, 2, -1}, Angle: angle}
	if err := motion.Normalise(); err != nil {
		t.Fatal(err)
	}
	r, p := motion.At(1)
	for _, s := range []bodies.Surface{bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}, bodies.Ball{R: 0.4},
		bodies.Cylinder{Axis: [3]float64{1, 0, 0}, R: 0.5}, bodies.Oval{Axes: [3]float64{0.3, 0.5, 0.4}},
		bodies.Torus{Axis: [3]float64{0, 0, 1}, Radius: 0.6, Tube: 0.2}, bodies.Graph{Relief: wave{0.05, 1.5}}} {
		still, _ := bodies.NewWorld(3, [3]float64{})
		moved, _ := bodies.NewWorld(3, [3]float64{})
		place := [3]float64{0.4, 0.7, 0.9}
		there := p
		for a := range there {
			for b, v := range place {
				there[a] += r[3*a+b] * v
			}
		}
		for w, at := range map[*bodies.World][3]float64{still: place, moved: there} {
			if _, err := w.Add(bodies.Body{Shape: bodies.Sphere{R: 0.1}, Mass: 1, Position: at}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := still.AddObstacle(bodies.Obstacle{Surface: s}); err != nil {
			t.Fatal(err)
		}
		if _, err := moved.AddObstacle(bodies.Obstacle{Surface: s, Motion: motion}); err != nil {
			t.Fatal(err)
		}
		qs, _ := still.Start()
		qm, _ := moved.Start()
		a := still.NewToucher(nil).Find(nil, 1, qs, 10)
		b := moved.NewToucher(nil).Find(nil, 1, qm, 10)
		if len(a) != 1 || len(b) != 1 || math.Abs(a[0].Gap-b[0].Gap) > 1e-13 { // rounding of a rotation
			t.Errorf("%T: %v and %v", s, a, b)
		}
	}
}

// TestObstaclesRefused: shapes that are none, and bodies that do not fit.
func TestObstaclesRefused(t *testing.T) {
	space := func() *bodies.World { w, _ := bodies.NewWorld(3, [3]float64{}); return w }
	plane, _ := bodies.NewWorld(2, [3]float64{})
	nan := math.NaN()
	for want, f := range map[string]func() error{
		"radius of a ball": func() error { _, err := space().AddObstacle(bodies.Obstacle{Surface: bodies.Ball{}}); return err },
		"no surface":       func() error { _, err := space().AddObstacle(bodies.Obstacle{}); return err },
		"want a direction": func() error {
			_, err := space().AddObstacle(bodies.Obstacle{Surface: bodies.Cylinder{R: 1}})
			return err
		},
		"centre of a ball": func() error {
			_, err := space().AddObstacle(bodies.Obstacle{Surface: bodies.Ball{R: 1, Center: [3]float64{nan}}})
			return err
		},
		"want less than its": func() error {
			_, err := space().AddObstacle(bodies.Obstacle{Surface: bodies.Torus{Axis: [3]float64{1}, Radius: 1, Tube: 1}})
			return err
		},
		"a cylinder is of space": func() error {
			_, err := plane.AddObstacle(bodies.Obstacle{Surface: bodies.Cylinder{Axis: [3]float64{1}, R: 1}})
			return err
		},
		"a graph has no relief": func() error { _, err := space().AddObstacle(bodies.Obstacle{Surface: bodies.Graph{}}); return err },
		"turns about": func() error {
			_, err := plane.AddObstacle(bodies.Obstacle{Surface: bodies.Ball{R: 1},
				Motion: signal.Motion{Axis: [3]float64{1}, Angle: signal.Constant(0)}})
			return err
		},
		"not a direction": func() error {
			_, err := space().AddObstacle(bodies.Obstacle{Surface: bodies.Ball{R: 1}, Motion: signal.Motion{Angle: signal.Constant(0)}})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	for _, c := range []struct {
		body bodies.Shape
		s    bodies.Surface
		want string
	}{
		{bodies.Sphere{R: 1}, bodies.Ball{R: 1, Inside: true}, "does not fit into the hollow"},
		{bodies.Sphere{R: 0.4}, bodies.Oval{Axes: [3]float64{2, 1, 1}, Inside: true}, ""},
		{bodies.Sphere{R: 0.5}, bodies.Oval{Axes: [3]float64{2, 1, 1}, Inside: true}, "want less than 0.5 m"},
		{bodies.Ellipsoid{Axes: [3]float64{1, 1, 2}}, bodies.Cylinder{Axis: [3]float64{1}, R: 9, Inside: true},
			"gap to a hollow is not known"},
		{bodies.Ellipsoid{Axes: [3]float64{1, 1, 2}}, bodies.Cylinder{Axis: [3]float64{1}, R: 9}, ""},
		{bodies.Box{Size: [3]float64{1, 1, 1}}, bodies.Ball{R: 3, Inside: true}, ""},
		{bodies.Box{Size: [3]float64{1, 1, 1}}, bodies.Graph{Relief: wave{0.1, 1}}, "points, discs and spheres may meet it"},
		{bodies.Sphere{R: 11}, bodies.Graph{Relief: wave{0.1, 1}}, "least radius of curvature"},
		{bodies.Sphere{R: 0.7}, bodies.Torus{Axis: [3]float64{1}, Radius: 1, Tube: 0.4}, "want less than 0.6 m"},
	} {
		w := space()
		if _, err := w.Add(bodies.Body{Shape: c.body, Mass: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddObstacle(bodies.Obstacle{Surface: c.s}); err != nil {
			t.Fatal(err)
		}
		err := w.Meets(0, 0)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T on %T: %v, want %q", c.body, c.s, err, c.want)
		}
	}
}
