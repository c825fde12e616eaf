package bodies_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// elbow is two boxes and a cylinder, turned, of different densities.
var elbow = bodies.Compound{Parts: []bodies.Part{
	{Shape: bodies.Box{Size: v3{.6, .2, .2}}, Position: v3{.1, .3, -.2}},
	{Shape: bodies.SolidCylinder{R: .1, Height: .5}, Position: v3{.4, .5, -.1}, Orientation: [4]float64{.8, 0, .6, 0}, Density: 3},
	{Shape: wedge, Position: v3{-.1, .6, .2}, Orientation: [4]float64{.5, .5, -.5, .5}},
}}

// TestSkewBodies: centre, moments and axes of bodies that are not uniform boxes, from the points of
// their parts: the tensor about the centre of mass, turned into space by the pose that the world has
// for the principal axes, is the sum over the points.
func TestSkewBodies(t *testing.T) {
	thorough.Seconds(t)
	turn := [4]float64{.1, .7, -.5, .5}
	for _, s := range []bodies.Shape{wedge, block, elbow, bodies.Compound{Parts: elbow.Parts[:1]}} {
		c, ok := s.(bodies.Compound)
		if !ok {
			c = bodies.Compound{Parts: []bodies.Part{{Shape: s}}}
		}
		w := worldOf(t, 3, bodies.Body{Shape: s, Mass: 2, Position: v3{1, 2, 3}, Orientation: turn})
		q, _ := w.Start()
		centre, axes := w.Place(0, q)
		where, r := written(w, 0, q)
		_, moments := w.Inertia(0)
		rng := rand.New(rand.NewPCG(3, 9))
		// points of the parts, by rejection, as many in each as it has of the mass
		var points []v3
		var total float64
		weight := func(p *bodies.Part) float64 { // of a point that is drawn
			if p.Density > 0 {
				return p.Density
			}
			return 1
		}
		var mean v3
		var weights []float64
		for range 60000 {
			y := v3{rng.Float64()*2.4 - 1.2, rng.Float64()*2.4 - 1.2, rng.Float64()*2.4 - 1.2}
			for i := range c.Parts {
				p := &c.Parts[i]
				b := solidOf(p)
				if b.outside(y) > 0 {
					continue
				}
				x := where
				for k := range 9 {
					x[k/3] += r[k] * y[k%3]
				}
				points, weights = append(points, x), append(weights, weight(p))
				total += weight(p)
				mean = sum(mean, weight(p), x)
			}
		}
		n := float64(len(points))
		mean = sum(v3{}, 1/total, mean)
		if d := abs(sum(mean, -1, centre)); !(d < 3/math.Sqrt(n)) { // of points within 1 m
			t.Errorf("%s: the centre is at %v, by points at %v", s.Name(), centre, mean)
		}
		var want, got [9]float64
		for i, x := range points {
			d := sum(x, -1, centre)
			for k := range 9 {
				want[k] -= 2 / total * weights[i] * d[k/3] * d[k%3]
				if k%4 == 0 {
					want[k] += 2 / total * weights[i] * inner(d, d)
				}
			}
		}
		for k := range 9 {
			for a := range 3 {
				got[k] += axes[3*(k/3)+a] * moments[a] * axes[3*(k%3)+a]
			}
			if size := moments[0] + moments[1] + moments[2]; !(math.Abs(got[k]-want[k]) < 5/math.Sqrt(n)*size) {
				t.Errorf("%s: entry %d of the inertia is %g, by points %g", s.Name(), k, got[k], want[k])
			}
		}
	}
}

// solidOf is a part as the tests see it.
func solidOf(p *bodies.Part) *solid {
	s := &solid{shape: p.Shape, c: p.Position, r: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	if o := p.Orientation; o != ([4]float64{}) {
		w := must(bodies.NewWorld(3, v3{}))
		must(w.Add(bodies.Body{Shape: bodies.Box{Size: v3{1, 1, 1}}, Mass: 1, Orientation: o}))
		q, _ := w.Start()
		_, s.r = w.Place(0, q)
	}
	return s
}

// TestWritten: coordinates as they are written, taken to the world and back, are the same; a point
// that is fixed on the written axes moves as the world says.
func TestWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	centre := v3{.1, -.2, .3}
	for _, b := range []bodies.Body{{Shape: elbow, Mass: 2}, {Shape: wedge, Mass: 1},
		{Shape: bodies.Sphere{R: .3}, Mass: 1, Centre: &centre},
		{Shape: bodies.Box{Size: v3{1, 1, 1}}, Mass: 3, Inertia: v3{1, 1.5, 2}, Products: v3{.1, -.2, .3}}} {
		w := worldOf(t, 3, b)
		q, v := w.Start()
		for k := range q {
			q[k] = rng.NormFloat64()
		}
		for k := range v {
			v[k] = rng.NormFloat64()
		}
		w.Project(q)
		p, u := append([]float64(nil), q...), append([]float64(nil), v...)
		w.Written(p, u)
		at, r := written(w, 0, q)
		y := v3{.3, .2, -.7}
		place := func(c v3, r [9]float64, y v3) v3 {
			for k := range 9 {
				c[k/3] += r[k] * y[k%3]
			}
			return c
		}
		c, s := w.Place(0, q)
		if d := abs(sum(place(at, r, y), -1, place(c, s, w.OnAxes(0, y)))); !(d < 1e-14) {
			t.Errorf("%s: a point is at two places, %g m from each other", b.Shape.Name(), d)
		}
		const h = 1e-6
		ahead, behind := append([]float64(nil), q...), append([]float64(nil), q...)
		w.Move(ahead, q, v, h)
		w.Move(behind, q, v, -h)
		x, _ := written(w, 0, ahead)
		z, _ := written(w, 0, behind)
		if d := abs(sum(sum(v3{}, .5/h, sum(x, -1, z)), -1, v3(u[:3]))); !(d < 1e-9) {
			t.Errorf("%s: the written velocity is off by %g m/s", b.Shape.Name(), d)
		}
		w.Inner(p, u)
		for k := range p {
			if !(math.Abs(math.Abs(p[k])-math.Abs(q[k])) < 1e-14) { // q and −q turn alike
				t.Errorf("%s: coordinate %d is %g, was %g", b.Shape.Name(), k, p[k], q[k])
			}
		}
		for k := range u {
			if !(math.Abs(u[k]-v[k]) < 1e-14) {
				t.Errorf("%s: velocity %d is %g, was %g", b.Shape.Name(), k, u[k], v[k])
			}
		}
	}
}

// TestParts: the touches of a compound are those of its parts as bodies of their own, with any other
// shape and with all obstacles; the key of each is another one.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, other := range append(append([]bodies.Shape{}, shapes[3]...), elbow) {
		for range 20 {
			w := must(bodies.NewWorld(3, v3{}))
			apart := must(bodies.NewWorld(3, v3{}))
			whole := bodies.Body{Shape: elbow, Mass: 1}
			b := bodies.Body{Shape: other, Mass: 1,
				Position: v3{2*rng.Float64() - 1, 2*rng.Float64() - 1, 2*rng.Float64() - 1}, Orientation: [4]float64{.6, 0, 0, .8}}
			must(w.Add(whole))
			must(w.Add(b))
			for i := range elbow.Parts {
				p := &elbow.Parts[i]
				must(apart.Add(bodies.Body{Shape: p.Shape, Mass: 1, Position: p.Position, Orientation: p.Orientation}))
			}
			must(apart.Add(b))
			for _, x := range []*bodies.World{w, apart} {
				must(x.AddHalfSpace(v3{0, 0, -.4}, v3{.1, 0, 1}))
				must(x.AddObstacle(bodies.Obstacle{Surface: bodies.Ball{R: 3, Inside: true}}))
				must(x.AddObstacle(bodies.Obstacle{Surface: bodies.Solid{Shape: bodies.Box{Size: v3{3, 3, .1}}, Position: v3{0, 0, -.6}}}))
			}
			if x, _ := other.(bodies.Ellipsoid); x != (bodies.Ellipsoid{}) {
				continue // which no hollow takes
			}
			parts := len(elbow.Parts)
			skip := func(a, b int) bool { return a == 1 && b < 0 || b == -2 }
			qa, _ := w.Start()
			qb, _ := apart.Start()
			got := w.NewToucher(skip).Find(nil, 0, qa, .3)
			want := apart.NewToucher(func(a, b int) bool {
				return a < parts && b >= 0 && b < parts || a == parts &&
					b < 0 || b == -2
			}).Find(nil, 0, qb, .3)
			if slices.ContainsFunc(want, func(x bodies.Touch) bool { return x.Leaps }) {
				continue // flat rims, whose points rounding chooses
			}
			keys := map[uint64]bool{}
			for _, x := range got {
				if keys[x.Key] {
					t.Fatalf("%s: two touches have the key %x", other.Name(), x.Key)
				}
				keys[x.Key] = true
				if !found(want, x) {
					t.Fatalf("%s: the touch at %v, gap %g, is none of the parts %v", other.Name(), x.At, x.Gap, want)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%s: %d touches, of the parts %d", other.Name(), len(got), len(want))
			}
		}
	}
}

// found reports whether there is a touch of the place, gap and normal of another.
func found(list []bodies.Touch, x bodies.Touch) bool {
	for _, y := range list {
		if abs(sum(x.At, -1, y.At)) < 1e-7 && math.Abs(x.Gap-y.Gap) < 1e-12 &&
			abs(sum(x.N, -1, y.N)) < 1e-7 { // what is round has its normal to the root of rounding
			return true
		}
	}
	return false
}

// TestBoxOfVertices: a polyhedron with the vertices of a box touches others where the box does, with
// the same gaps along the same normals, where faces lie on each other or have turned a little.
func TestBoxOfVertices(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	size := v3{.4, .6, .2}
	var vertices []v3
	for k := range 8 {
		vertices = append(vertices, v3{size[0] * (float64(k&1) - .5), size[1] * (float64(k>>1&1) - .5), size[2] * (float64(k>>2&1) - .5)})
	}
	rng.Shuffle(8, func(i, j int) { vertices[i], vertices[j] = vertices[j], vertices[i] })
	for k := range 200 {
		tilt := []float64{0, 1e-12, 1e-4, .02}[k%4] // [rad]
		under := bodies.Body{Shape: bodies.Box{Size: v3{1, .5, .3}}, Mass: 1, Position: v3{0, 0, -.25 - 1e-5*rng.Float64()}}
		on := bodies.Body{Shape: bodies.Box{Size: size}, Mass: 1,
			Position:    v3{.2 * rng.Float64(), .2 * rng.Float64(), tilt * .3},
			Orientation: [4]float64{1, tilt * rng.Float64() / 2, tilt * rng.Float64() / 2, .2}}
		l := math.Sqrt(inner(v3(on.Orientation[1:]), v3(on.Orientation[1:])) + 1)
		for i := range on.Orientation {
			on.Orientation[i] /= l
		}
		list := map[bool][]bodies.Touch{}
		for _, hull := range []bool{false, true} {
			w := must(bodies.NewWorld(3, v3{}))
			must(w.Add(under))
			if hull {
				on.Shape = bodies.Polyhedron{Vertices: vertices}
			}
			must(w.Add(on))
			must(w.AddHalfSpace(v3{0, 0, -.1}, v3{0, 0, 1}))
			q, _ := w.Start()
			list[hull] = w.NewToucher(func(a, b int) bool { return a == 0 && b < 0 }).Find(nil, 0, q, .1)
		}
		if len(list[true]) != len(list[false]) {
			t.Fatalf("tilt %g: %d touches, the box has %d\n%v\n%v", tilt, len(list[true]), len(list[false]), list[true], list[false])
		}
		for _, x := range list[true] {
			if !found(list[false], x) {
				t.Fatalf("tilt %g: the touch at %v, gap %g, is none of the box, %v", tilt, x.At, x.Gap, list[false])
			}
		}
	}
}
