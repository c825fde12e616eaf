package bodies

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestRowsAreDerivatives: for every shape and pair, the row n of a patch is
// the derivative of its gap along each velocity, by central differences
// through q(t) = q + hG(q)v; 1e-6 is the error of the differences.
func TestRowsAreDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	law := contact.Coulomb{Mu: .3}
	shapes := map[int][]Shape{
		2: {Point{}, Disc{.1}, Ellipse{.2, .1}, Polygon{[][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}}, Rod{.3, .02}},
		3: {Point{}, Sphere{.1}, Box{[3]float64{.2, .3, .1}}, Capsule{.3, .05}, Ellipsoid{[3]float64{.2, .1, .05}}},
	}
	for dim, list := range shapes {
		patch := must(dynamics.NewRigid(law, dim))
		for i, a := range list {
			for j, b := range list[:i+1] {
				w := must(NewWorld(dim, [3]float64{}))
				for _, s := range []Shape{a, b} {
					body := Body{Shape: s, Mass: 1, Angle: rng.NormFloat64()}
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
				if _, err := w.Between(0, 1, patch); (err == nil) != hasGap(&w.bodies[0].form, &w.bodies[1].form) {
					t.Errorf("%s and %s: %v", name(a), name(b), err)
				}
				checkRows(t, w, name(a)+" and "+name(b))
				_ = j
			}
		}
	}
}

func checkRows(t *testing.T, w *World, what string) {
	t.Helper()
	q, _ := w.Start()
	_, nv, _ := w.Size()
	gaps := func(q []float64) []float64 {
		var c dynamics.Contacts
		c.Reset(w.dim, nv)
		w.Contacts(&c, q)
		return c.Gaps()
	}
	var c dynamics.Contacts
	c.Reset(w.dim, nv)
	w.Contacts(&c, q)
	rate, v := make([]float64, len(q)), make([]float64, nv)
	for k := range nv {
		v[k] = 1
		w.Rate(rate, q, v)
		u := make([]float64, w.dim*len(c.Gaps()))
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
			if d := (a[e] - b[e]) / (2 * h); math.Abs(d-u[w.dim*e]) > 1e-6 {
				t.Errorf("%s: velocity %d, element %d: row %g, difference %g", what, k, e, u[w.dim*e], d)
			}
		}
	}
}

// TestGapsAgainstSampling compares gaps with the least distance of sampled
// surface points; 2 % is the resolution of the samples.
func TestGapsAgainstSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		l, r := .3, .05
		a := segment(l, r)
		b := ball(.1)
		pa := spacePose(vec{}, []float64{1, 0, 0, 0})
		pb := pose{c: vec{rng.NormFloat64() * .3, .3 + .2*rng.Float64(), rng.NormFloat64() * .3}, r: pa.r}
		m := between(&a, &b, &pa, &pb)
		least := math.Inf(1)
		for k := range 1001 {
			x := vec{-l/2 + l*float64(k)/1000}
			least = min(least, vec3.Norm(vec3.Add(x, -1, pb.c))-r-.1)
		}
		if math.Abs(least-m.gap) > 1e-4 || math.Abs(vec3.Norm(m.n)-1) > 1e-12 {
			t.Fatalf("capsule: gap %g, sampled %g", m.gap, least)
		}
		box := Box{[3]float64{.4, .2, .3}}.form()
		m = between(&b, &box, &pb, &pa)
		least = math.Inf(1)
		for i := range 31 {
			for j := range 31 {
				for k := range 31 {
					x := vec{-.2 + .4*float64(i)/30, -.1 + .2*float64(j)/30, -.15 + .3*float64(k)/30}
					least = min(least, vec3.Norm(vec3.Add(x, -1, pb.c))-.1)
				}
			}
		}
		if math.Abs(least-m.gap) > .01 {
			t.Fatalf("box: gap %g, sampled %g", m.gap, least)
		}
	}
}

// TestClosest draws pairs of segments, some parallel, some points: no pair of
// samples is closer than the pair found.
func TestClosest(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	draw := func() vec { return vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
	for k := range 3000 {
		p, q, r, s := draw(), draw(), draw(), draw()
		switch k % 6 {
		case 1:
			s = vec3.Add(r, 1+rng.Float64(), vec3.Add(q, -1, p)) // parallel
		case 2:
			q = p
		case 3:
			s = r
		case 4:
			q, s = p, r
		}
		x, y := closest(p, q, r, s)
		d := vec3.Norm(vec3.Add(x, -1, y))
		for range 40 {
			a, b := rng.Float64(), rng.Float64()
			if e := vec3.Norm(vec3.Add(vec3.Add(p, a, vec3.Add(q, -1, p)), -1, vec3.Add(r, b, vec3.Add(s, -1, r)))); e < d-1e-9 {
				t.Fatalf("%d: distance %g, a sample has %g", k, d, e)
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
		corner := func(i int) vec {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(m))
			return vec{.1 * c, .1 * s}
		}
		for i := range m {
			vertices = append(vertices, [2]float64{corner(i)[0], corner(i)[1]})
		}
		f := Polygon{vertices}.form()
		normal := func(i int) vec { // of the edge from corner i on
			s, c := math.Sincos(2 * math.Pi * (float64(i) + .5) / float64(m))
			return vec{c, s}
		}
		for i := range m {
			for _, d := range []float64{0, 1e-18, 1e-17, 1e-16, 1e-15, 1e-13, 1e-10, 3e-10, 1e-8} {
				for _, share := range []float64{.01, .3, .7} {
					y := vec3.Add(vec3.Add(corner(i), share, vec3.Add(corner(i+1), -1, corner(i))), d, normal(i))
					if _, n, gap := f.polygonFoot(y); !(vec3.Norm(vec3.Add(n, -1, normal(i))) <= 1e-7) || math.Abs(gap-d) > 1e-16 {
						t.Fatalf("%d corners: %g above edge %d: gap %g, normal %v", m, d, i, gap, n)
					}
				}
				out := corner(i)
				_, n, gap := f.polygonFoot(vec3.Add(out, d/.1, out))
				between := math.Cos(math.Pi/float64(m)) - 1e-7
				if !(math.Abs(vec3.Norm(n)-1) <= 1e-12) || vec3.Dot(n, out)/.1 < between || math.Abs(gap-d) > 1e-16 {
					t.Fatalf("%d corners: %g beyond corner %d: gap %g, normal %v", m, d, i, gap, n)
				}
			}
		}
	}
}
