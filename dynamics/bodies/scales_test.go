package bodies_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// scaled are the shapes of a dimension, k times as large.
func scaled(dim int, k float64) []bodies.Shape {
	if dim == 2 {
		return []bodies.Shape{bodies.Point{}, bodies.Disc{.1 * k}, bodies.Ellipse{.2 * k, .1 * k},
			bodies.Polygon{[][2]float64{{-.1 * k, -.1 * k}, {.1 * k, -.1 * k}, {.1 * k, .1 * k}, {-.1 * k, .1 * k}}},
			bodies.Rod{.3 * k, .02 * k}}
	}
	return []bodies.Shape{bodies.Point{}, bodies.Sphere{.1 * k}, bodies.Box{[3]float64{.2 * k, .3 * k, .1 * k}},
		bodies.Capsule{.3 * k, .05 * k}, bodies.Ellipsoid{[3]float64{.2 * k, .1 * k, .05 * k}}}
}

// orientation is a random orientation.
func orientation(r *rand.Rand) (o [4]float64) {
	l := 0.0
	for k := range o {
		o[k] = r.NormFloat64()
		l = math.Hypot(l, o[k])
	}
	for k := range o {
		o[k] /= l
	}
	return o
}

// TestTouchesScale: the touches of a scene that is a power of two as large, and moved, are those of
// the scene: the same features and normals, gaps that much larger; of all pairs of shapes, and of
// all with curved obstacles beside the origin.
func TestTouchesScale(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for seed := range uint64(12) {
			var want []bodies.Touch
			for part, k := range []float64{1, 0x1p-7, 0x1p7} {
				r := rand.New(rand.NewPCG(seed, 9))
				move := v3{3 * k, -2 * k, 5 * k}
				if part == 0 {
					move = v3{}
				}
				if dim == 2 {
					move[2] = 0
				}
				w := must(bodies.NewWorld(dim, [3]float64{}))
				for range 2 { // of each
					for _, s := range scaled(dim, k) {
						b := bodies.Body{Shape: s, Mass: 1, Angle: r.NormFloat64(), Orientation: orientation(r),
							Inertia: [3]float64{1, 1, 1}}
						for i := range dim {
							b.Position[i] = .25*k*r.NormFloat64() + move[i]
						}
						if _, err := w.Add(b); err != nil {
							t.Fatal(err)
						}
					}
				}
				center := vec3.Add(move, .2*k, v3{1, -1})
				surfaces := []bodies.Surface{bodies.Ball{Center: center, R: .2 * k},
					bodies.HalfSpace{Point: move, Normal: v3{.6, .8}},
					bodies.Oval{Center: center, Axes: [3]float64{.3 * k, .2 * k, .1 * k * float64(dim-2)}}}
				for _, s := range surfaces {
					if _, err := w.AddObstacle(bodies.Obstacle{Surface: s}); err != nil {
						t.Fatal(err)
					}
				}
				q, _ := w.Start()
				got := w.NewToucher(nil).Find(nil, 0, q, .1*k)
				if part == 0 {
					if want = got; len(want) < 10 {
						t.Fatalf("%d touches: the scene is empty", len(want))
					}
					continue
				}
				if len(got) != len(want) {
					t.Fatalf("%d dimensions, seed %d: %d touches of a scene %g times as large, %d", dim, seed, len(got), k, len(want))
				}
				for i := range got {
					x, y := &got[i], &want[i]
					// 1e-12: places are rounded at other bits, since their unit is. Where a vertex
					// is closest to an edge, rounding says which of its edges is named.
					if x.Key != y.Key && (x.Pair() != y.Pair() || x.Key&y.Key&(1<<13) == 0) ||
						!(math.Abs(x.Gap/k-y.Gap) <= 1e-12) || !(vec3.Norm(vec3.Add(x.N, -1, y.N)) <= 1e-6) {
						t.Errorf("%d dimensions, seed %d, %g times as large: %+v, want %+v", dim, seed, k, *x, *y)
					}
				}
			}
		}
	}
}

// TestSupports: the support of a body is that of its boundary: reached, and no more; and that of a
// direction of any length.
func TestSupports(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	for dim := 2; dim <= 3; dim++ {
		for _, s := range scaled(dim, 1) {
			w := worldOf(t, dim, bodies.Body{Shape: s, Mass: 1, Angle: .7 * float64(3-dim), Orientation: orientation(r),
				Inertia: v3{1, 1, 1}, Position: v3{1, 2}})
			q, _ := w.Start()
			b := solid{shape: s}
			b.c, b.r = w.Place(0, q)
			for range 20 {
				n := v3{r.NormFloat64(), r.NormFloat64(), float64(dim-2) * r.NormFloat64()}
				n = vec3.Scale(n, 1/vec3.Norm(n))
				if got, want := w.Support(0, q, n), b.support(n); !(math.Abs(got-want) <= 1e-14*8) {
					t.Errorf("%T: support %g, want %g", s, got, want)
				}
				if got, want := w.Support(0, q, vec3.Scale(n, 3)), 3*b.support(n); !(math.Abs(got-want) <= 1e-14*24) {
					t.Errorf("%T: support of 3n %g, want %g", s, got, want)
				}
			}
		}
	}
}

// TestSweepOfLargeBodies: bodies larger than a metre are found as smaller ones are.
func TestSweepOfLargeBodies(t *testing.T) {
	patch := must(dynamics.NewRigid(contact.Coulomb{Mu: .3}, 3))
	for _, k := range []float64{.01, 1, 100} {
		w := must(bodies.NewWorld(3, v3{}))
		for i := range 3 {
			must(w.Add(bodies.Body{Shape: bodies.Sphere{R: k}, Mass: 1, Position: v3{1.9 * k * float64(i)}}))
		}
		must(w.Add(bodies.Body{Shape: bodies.Sphere{R: k}, Mass: 1, Position: v3{0, 5 * k}})) // as far left as the first
		if err := w.AllPairs(patch); err != nil {
			t.Fatal(err)
		}
		q, v := w.Start()
		var c dynamics.Contacts
		c.Reset(3, len(v))
		w.Contacts(&c, q)
		near := 0
		for _, g := range c.Gaps() {
			if g < 0 {
				near++
			}
		}
		if near != 2 {
			t.Errorf("spheres of %g m: %d of 2 pairs touch", k, near)
		}
	}
}
