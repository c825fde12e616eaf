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

// TestRowsAreDerivatives: for every shape and pair, the row n of a patch is
// the derivative of its gap along each velocity, by central differences
// through q(t) = q + hG(q)v; 1e-6 is the error of the differences.
func TestRowsAreDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	law := contact.Coulomb{Mu: .3}
	shapes := map[int][]bodies.Shape{
		2: {bodies.Point{}, bodies.Disc{.1}, bodies.Ellipse{.2, .1},
			bodies.Polygon{[][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}}, bodies.Rod{.3, .02}},
		3: {bodies.Point{}, bodies.Sphere{.1}, bodies.Box{[3]float64{.2, .3, .1}}, bodies.Capsule{.3, .05},
			bodies.Ellipsoid{[3]float64{.2, .1, .05}}},
	}
	tied := 0
	for dim, list := range shapes {
		patch := must(dynamics.NewRigid(law, dim))
		for i, a := range list {
			for _, b := range list[:i+1] {
				w := must(bodies.NewWorld(dim, [3]float64{}))
				for _, s := range []bodies.Shape{a, b} {
					body := bodies.Body{Shape: s, Mass: 1, Angle: rng.NormFloat64()}
					o := [4]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
					l := math.Sqrt(o[0]*o[0] + o[1]*o[1] + o[2]*o[2] + o[3]*o[3])
					for k := range o {
						body.Orientation[k] = o[k] / l
					}
					for k := range dim {
						body.Position[k] = .2 * rng.NormFloat64()
					}
					n := must(w.Add(body))
					normal := [3]float64{.3, .8, -.5}
					if dim == 2 {
						normal[2] = 0
					}
					must(w.OnObstacle(n, must(w.AddHalfSpace([3]float64{}, normal)), patch))
				}
				_, err := w.Between(0, 1, patch)
				if err == nil {
					tied++
				}
				checkRows(t, w, fmt.Sprintf("%T and %T", a, b))
			}
		}
	}
	if tied < 12 {
		t.Errorf("%d pairs of shapes have a gap", tied)
	}
}

func checkRows(t *testing.T, w *bodies.World, what string) {
	t.Helper()
	q, _ := w.Start()
	_, nv, dim := w.Size()
	gaps := func(q []float64) []float64 {
		var c dynamics.Contacts
		c.Reset(dim, nv)
		w.Contacts(&c, q)
		return c.Gaps()
	}
	var c dynamics.Contacts
	c.Reset(dim, nv)
	w.Contacts(&c, q)
	rate, v := make([]float64, len(q)), make([]float64, nv)
	for k := range nv {
		v[k] = 1
		w.Rate(rate, q, v)
		u := make([]float64, dim*len(c.Gaps()))
		c.Speeds(u, v)
		v[k] = 0
		const h = 1e-6
		plus, minus := append([]float64(nil), q...), append([]float64(nil), q...)
		for i := range q {
			plus[i] += h * rate[i]
			minus[i] -= h * rate[i]
		}
		a, b := gaps(plus), gaps(minus)
		if len(a) != len(b) {
			continue
		}
		for e := range a {
			if d := (a[e] - b[e]) / (2 * h); math.Abs(d-u[dim*e]) > 1e-6 {
				t.Errorf("%s: velocity %d, element %d: row %g, difference %g", what, k, e, u[dim*e], d)
			}
		}
	}
}

// TestPolygonFoot: the normal of a point that touches a regular polygon to rounding is that of its
// edge, to half of the digits of a number, and at a corner a unit vector between those of its two
// edges, the corner itself included.
func TestPolygonFoot(t *testing.T) {
	for _, m := range []int{3, 8, 16} {
		var vertices [][2]float64
		corner := func(i int) v3 {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(m))
			return v3{.1 * c, .1 * s}
		}
		for i := range m {
			vertices = append(vertices, [2]float64{corner(i)[0], corner(i)[1]})
		}
		normal := func(i int) v3 { // of the edge from corner i on
			s, c := math.Sincos(2 * math.Pi * (float64(i) + .5) / float64(m))
			return v3{c, s}
		}
		w := worldOf(t, 2, bodies.Body{Shape: bodies.Point{}, Mass: 1}, bodies.Body{Shape: bodies.Polygon{Vertices: vertices}, Mass: 1})
		q, _ := w.Start()
		f := w.NewToucher(nil)
		foot := func(y v3) (v3, float64) {
			copy(q, y[:2])
			x := nearest(f.Find(nil, 0, q, 1))
			return x.N, x.Gap
		}
		for i := range m {
			for _, d := range []float64{0, 1e-18, 1e-17, 1e-16, 1e-15, 1e-13, 1e-10, 3e-10, 1e-8} {
				for _, share := range []float64{.01, .3, .7} {
					y := vec3.Add(vec3.Add(corner(i), share, vec3.Add(corner(i+1), -1, corner(i))), d, normal(i))
					if n, gap := foot(y); !(vec3.Norm(vec3.Add(n, -1, normal(i))) <= 1e-7) || math.Abs(gap-d) > 1e-16 {
						t.Fatalf("%d corners: %g above edge %d: gap %g, normal %v", m, d, i, gap, n)
					}
				}
				out := corner(i)
				n, gap := foot(vec3.Add(out, d/.1, out))
				between := math.Cos(math.Pi/float64(m)) - 1e-7
				if !(math.Abs(vec3.Norm(n)-1) <= 1e-12) || vec3.Dot(n, out)/.1 < between || math.Abs(gap-d) > 1e-16 {
					t.Fatalf("%d corners: %g beyond corner %d: gap %g, normal %v", m, d, i, gap, n)
				}
			}
		}
	}
}
