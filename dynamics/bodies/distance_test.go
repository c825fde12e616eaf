package bodies_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

type v3 = [3]float64

func sum(a v3, f float64, b v3) v3 { return v3{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]} }
func inner(a, b v3) float64        { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func abs(a v3) float64             { return math.Sqrt(inner(a, a)) }

// solid is a body as the tests see it, written without the package's forms.
type solid struct {
	shape bodies.Shape
	c     v3
	r     [9]float64
}

func (s *solid) local(x v3) v3 {
	d := sum(x, -1, s.c)
	return v3{s.r[0]*d[0] + s.r[3]*d[1] + s.r[6]*d[2], s.r[1]*d[0] + s.r[4]*d[1] + s.r[7]*d[2], s.r[2]*d[0] + s.r[5]*d[1] + s.r[8]*d[2]}
}

// support is max n·x over the body, n a unit vector.
func (s *solid) support(n v3) float64 {
	m := s.local(sum(s.c, 1, n))
	h := 0.0
	switch x := s.shape.(type) {
	case bodies.Disc:
		h = x.R
	case bodies.Sphere:
		h = x.R
	case bodies.Rod:
		h = math.Abs(m[0])*x.Length/2 + x.R
	case bodies.Capsule:
		h = math.Abs(m[0])*x.Length/2 + x.R
	case bodies.Box:
		h = (math.Abs(m[0])*x.Size[0] + math.Abs(m[1])*x.Size[1] + math.Abs(m[2])*x.Size[2]) / 2
	case bodies.Ellipse:
		h = math.Hypot(x.A*m[0], x.B*m[1])
	case bodies.Ellipsoid:
		h = abs(v3{x.Axes[0] * m[0], x.Axes[1] * m[1], x.Axes[2] * m[2]})
	case bodies.Cone:
		h = max(.75*m[2]*x.Height, math.Hypot(m[0], m[1])*x.R-.25*m[2]*x.Height)
	case bodies.SolidCylinder:
		h = math.Abs(m[2])*x.Height/2 + math.Hypot(m[0], m[1])*x.R
	case bodies.Polyhedron:
		h = math.Inf(-1)
		for _, v := range x.Vertices {
			h = max(h, inner(m, v))
		}
	case bodies.Polygon:
		h = math.Inf(-1)
		for _, v := range x.Vertices {
			h = max(h, m[0]*v[0]+m[1]*v[1])
		}
	}
	return inner(s.c, n) + h
}

// outside is 0 for points of the body, else some length that they are out by.
func (s *solid) outside(x v3) float64 {
	y := s.local(x)
	far := 0.0
	segment := func(l, r float64) float64 {
		return abs(sum(y, -1, v3{max(-l/2, min(l/2, y[0]))})) - r
	}
	switch b := s.shape.(type) {
	case bodies.Point:
		far = abs(y)
	case bodies.Disc:
		far = abs(y) - b.R
	case bodies.Sphere:
		far = abs(y) - b.R
	case bodies.Rod:
		far = segment(b.Length, b.R)
	case bodies.Capsule:
		far = segment(b.Length, b.R)
	case bodies.Box:
		for k := range 3 {
			far = max(far, math.Abs(y[k])-b.Size[k]/2)
		}
	case bodies.Ellipse:
		far = (math.Hypot(y[0]/b.A, y[1]/b.B) - 1) * min(b.A, b.B)
	case bodies.Ellipsoid:
		far = (abs(v3{y[0] / b.Axes[0], y[1] / b.Axes[1], y[2] / b.Axes[2]}) - 1) * min(b.Axes[0], b.Axes[1], b.Axes[2])
	case bodies.Cone:
		side := math.Hypot(b.R, b.Height)
		far = max(-b.Height/4-y[2], (math.Hypot(y[0], y[1])*b.Height+(y[2]-.75*b.Height)*b.R)/side)
	case bodies.SolidCylinder:
		far = max(math.Abs(y[2])-b.Height/2, math.Hypot(y[0], y[1])-b.R)
	case bodies.Polyhedron: // of every plane through three corners that has the others on one side
		for i, u := range b.Vertices {
			for j, v := range b.Vertices[:i] {
				for _, w := range b.Vertices[:j] {
					n := cross(sum(v, -1, u), sum(w, -1, u))
					low, top := math.Inf(1), math.Inf(-1)
					for _, x := range b.Vertices {
						h := inner(n, sum(x, -1, u)) / abs(n)
						low, top = min(low, h), max(top, h)
					}
					switch h := inner(n, sum(y, -1, u)) / abs(n); {
					case top < 1e-9:
						far = max(far, h)
					case low > -1e-9:
						far = max(far, -h)
					}
				}
			}
		}
	case bodies.Polygon:
		for i, v := range b.Vertices {
			w := b.Vertices[(i+1)%len(b.Vertices)]
			d := [2]float64{w[0] - v[0], w[1] - v[1]}
			far = max(far, (d[1]*(y[0]-v[0])-d[0]*(y[1]-v[1]))/math.Hypot(d[0], d[1]))
		}
	}
	return max(far, 0)
}

// separation along n, which points from b into a.
func separation(a, b *solid, n v3) float64 {
	return -a.support(v3{-n[0], -n[1], -n[2]}) - b.support(n)
}

var triangle = bodies.Polygon{Vertices: [][2]float64{{-.3, -.2}, {.4, -.2}, {-.1, .4}}}

// wedge is a prism over a triangle, block a box of eight vertices beside the origin.
var (
	wedge = centred(v3{-.3, -.2, -.1}, v3{.5, -.2, -.1}, v3{-.3, .3, -.1}, v3{-.3, -.2, .4}, v3{.5, -.2, .4}, v3{-.3, .3, .4})
	block = centred(v3{0, 0, 0}, v3{.3, 0, 0}, v3{0, .5, 0}, v3{.3, .5, 0}, v3{0, 0, .2}, v3{.3, 0, .2}, v3{0, .5, .2}, v3{.3, .5, .2})
)

// centred has its vertices around their mean.
func centred(list ...v3) bodies.Polyhedron {
	var m v3
	for _, x := range list {
		m = sum(m, 1/float64(len(list)), x)
	}
	for i := range list {
		list[i] = sum(list[i], -1, m)
	}
	return bodies.Polyhedron{Vertices: list}
}

func cross(a, b v3) v3 {
	return v3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

var shapes = map[int][]bodies.Shape{
	2: {bodies.Point{}, bodies.Disc{R: .2}, bodies.Rod{Length: .7}, bodies.Rod{Length: .5, R: .1},
		bodies.Ellipse{A: .6, B: .1}, bodies.Ellipse{A: .2, B: .3}, triangle},
	3: {bodies.Point{}, bodies.Sphere{R: .2}, bodies.Capsule{Length: .6, R: .1}, bodies.Box{Size: v3{.3, .5, .7}},
		bodies.Box{Size: v3{.9, .05, .4}},
		bodies.Ellipsoid{Axes: v3{.6, .3, .1}}, bodies.Ellipsoid{Axes: v3{.2, .2, .5}}, bodies.Cone{R: .3, Height: .5},
		bodies.Cone{R: .1, Height: .9},
		bodies.SolidCylinder{R: .3, Height: .4}, bodies.SolidCylinder{R: .4, Height: .05}, wedge, block},
}

// scenery is two bodies somewhere, distance apart of the order of spread.
func scenery(uniform func() float64, dim int, a, b bodies.Shape, spread float64) (*bodies.World, [2]solid, error) {
	w, err := bodies.NewWorld(dim, v3{})
	if err != nil {
		return nil, [2]solid{}, err
	}
	for i, s := range []bodies.Shape{a, b} {
		x := bodies.Body{Shape: s, Mass: 1, Angle: 6.3 * uniform()}
		o := [4]float64{1}
		for l := 0.0; dim == 3 && !(l > .1 && l < 1); {
			for k := range o {
				o[k] = 2*uniform() - 1
			}
			l = math.Sqrt(o[0]*o[0] + o[1]*o[1] + o[2]*o[2] + o[3]*o[3])
			for k := range x.Orientation {
				x.Orientation[k] = o[k] / l
			}
		}
		for k := range dim {
			x.Position[k] = float64(i) * spread * (2*uniform() - 1)
		}
		if _, err := w.Add(x); err != nil {
			return nil, [2]solid{}, err
		}
	}
	q, _ := w.Start()
	var s [2]solid
	for i, shape := range []bodies.Shape{a, b} {
		s[i].shape = shape
		s[i].c, s[i].r = written(w, i, q)
	}
	return w, s, nil
}

// written is the place of the shape of a body, whose axes may not be principal.
func written(w *bodies.World, body int, q []float64) (v3, [9]float64) {
	q = append([]float64(nil), q...)
	w.Written(q, nil)
	at, _ := w.Coordinates(body)
	if w.Dim() == 2 || !w.Spins(body) {
		return w.Place(body, q)
	}
	r, x := [9]float64{}, q[at+3:]
	for k := range 9 {
		i, j := k/3, k%3
		r[k] = 2 * x[1+i] * x[1+j]
		if i == j {
			r[k] += 2*x[0]*x[0] - 1
		} else {
			s := 2 * x[0] * x[1+(3-i-j)]
			if (j-i+3)%3 == 1 {
				s = -s
			}
			r[k] += s
		}
	}
	return v3(q[at : at+3]), r
}

func nearest(list []bodies.Touch) bodies.Touch {
	x := bodies.Touch{Gap: math.Inf(1)}
	for _, t := range list {
		if t.Gap < x.Gap {
			x = t
		}
	}
	return x
}

// bias is what the axis of two overlapping boxes may fall short of the best by:
// axes of faces are preferred, so that the choice does not flicker.
func bias(a, b bodies.Shape) float64 {
	if _, ok := a.(bodies.Box); !ok {
		return 0
	}
	if _, ok := b.(bodies.Box); !ok {
		return 0
	}
	return 2e-3
}

// Every pair of shapes, somewhere. Disjoint bodies: the normal separates them by
// the gap, and two points of them are that far apart: a proof of the distance,
// to rounding. Overlaps: the separation along the normal is not below the gap.
func TestSignedDistances(t *testing.T) {
	thorough.Seconds(t)
	rng, scenes := rand.New(rand.NewPCG(5, 1)), 100
	if thorough.Asked() {
		scenes = 400
	}
	for dim := 2; dim <= 3; dim++ {
		list := shapes[dim]
		for i, a := range list {
			for _, b := range list[:i+1] {
				apart := 0
				for range scenes {
					w, s, err := scenery(rng.Float64, dim, a, b, 1)
					if err != nil {
						t.Fatal(err)
					}
					q, _ := w.Start()
					x := nearest(w.NewToucher(nil).Find(nil, 0, q, 10))
					what := fmt.Sprintf("%T %v and %T %v: gap %g, normal %v", a, a, b, b, x.Gap, x.N)
					if math.IsInf(x.Gap, 1) || !(math.Abs(abs(x.N)-1) < 1e-12) {
						t.Fatal(what)
					}
					bound := separation(&s[0], &s[1], x.N)
					if x.Gap > 0 {
						apart++
						out := max(s[0].outside(sum(x.At, x.Gap/2, x.N)), s[1].outside(sum(x.At, -x.Gap/2, x.N)))
						if !(bound >= x.Gap-1e-12) || out > 1e-12 {
							t.Errorf("%s: the normal separates them by %g, the points are %g outside; %v", what, bound, out, s)
						}
						continue
					}
					if bound < x.Gap-bias(a, b)-1e-9 {
						t.Errorf("%s: the normal separates them by %g", what, bound)
					}
				}
				if apart < scenes/20 {
					t.Errorf("%T and %T: only %d disjoint scenes", a, b, apart)
				}
			}
		}
	}
}

// Bodies that are pushed together by 1e-4 beyond their distance: the gap is not
// below −1e-4, and no direction separates them by more than the gap.
func TestShallowOverlaps(t *testing.T) {
	thorough.Seconds(t)
	rng := rand.New(rand.NewPCG(5, 2))
	for dim := 2; dim <= 3; dim++ {
		list := shapes[dim]
		for i, a := range list {
			for _, b := range list[:i+1] {
				for k := 0; k < 10; {
					w, s, err := scenery(rng.Float64, dim, a, b, 1)
					if err != nil {
						t.Fatal(err)
					}
					q, _ := w.Start()
					f := w.NewToucher(nil)
					x := nearest(f.Find(nil, 0, q, 10))
					if x.Gap <= 1e-3 {
						continue
					}
					// push a along the normal until the bodies overlap by 1e-4
					at, _ := w.Coordinates(0)
					for d := range dim {
						q[at+d] -= (x.Gap + 1e-4) * x.N[d]
					}
					s[0].c, s[0].r = written(w, 0, q)
					y := nearest(f.Find(nil, 0, q, 10))
					best := separation(&s[0], &s[1], x.N)
					for range 2000 {
						n := v3{rng.NormFloat64(), rng.NormFloat64(), float64(dim-2) * rng.NormFloat64()}
						if rng.IntN(2) == 0 { // near the normal
							n = sum(x.N, .1*rng.Float64(), n)
						}
						n = sum(v3{}, 1/abs(n), n)
						best = max(best, separation(&s[0], &s[1], n))
					}
					if thin(a) && thin(b) {
						k++
						continue // bodies without inside do not overlap
					}
					if !(y.Gap >= -1e-4-1e-12) || best > y.Gap+bias(a, b)+1e-12 {
						t.Errorf("%T %v and %T %v: gap %g, separation %g, %v", a, a, b, b, y.Gap, best, s)
					}
					k++
				}
			}
		}
	}
}

func thin(s bodies.Shape) bool {
	r, rod := s.(bodies.Rod)
	_, point := s.(bodies.Point)
	return point || rod && r.R == 0
}

// Symmetry, motions and derivatives: swapping the bodies turns the normal,
// moving both moves the touch along, and the gap changes by the speeds of its
// points along the normal (central differences; where it is smooth).
func TestDistanceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(2, 3).Draw(t, "dim")
		list := shapes[dim]
		a, b := rapid.SampledFrom(list).Draw(t, "a"), rapid.SampledFrom(list).Draw(t, "b")
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 3))
		w, _, err := scenery(rng.Float64, dim, a, b, 1)
		if err != nil {
			t.Fatal(err)
		}
		q, v := w.Start()
		f := w.NewToucher(nil)
		gap := func(q []float64) bodies.Touch { return nearest(f.Find(nil, 0, q, 10)) }
		x := gap(q)
		if x.Gap < 1e-2 {
			return
		}
		// a common motion: translation; orientations are covered by the scenes
		moved := append([]float64(nil), q...)
		for i := range 2 {
			at, _ := w.Coordinates(i)
			for k := range dim {
				moved[at+k] += float64(k + 1)
			}
		}
		if y := gap(moved); math.Abs(y.Gap-x.Gap) > 1e-9 {
			t.Fatalf("gap %.15g, moved %.15g", x.Gap, y.Gap)
		}
		// swapped
		swapped, _, err := scenery(rng.Float64, dim, b, a, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := swapped.Start()
		for i := range 2 {
			from, _ := w.Coordinates(i)
			to, _ := swapped.Coordinates(1 - i)
			n := dim
			if w.Spins(i) {
				n = []int{3, 7}[dim-2]
			}
			copy(r[to:to+n], q[from:from+n])
		}
		y := nearest(swapped.NewToucher(nil).Find(nil, 0, r, 10))
		if math.Abs(y.Gap-x.Gap) > 1e-9 || abs(sum(x.N, 1, y.N)) > 1e-6 {
			t.Fatalf("gap %.15g along %v, swapped %.15g along %v", x.Gap, x.N, y.Gap, y.N)
		}
		// derivatives
		const h = 1e-6
		for k := range v {
			clear(v)
			v[k] = 1
			up, down := append([]float64(nil), q...), append([]float64(nil), q...)
			w.Move(up, q, v, h)
			w.Move(down, q, v, -h)
			gu, gd := gap(up), gap(down)
			if abs(sum(gu.N, -1, gd.N)) > 1e-4 { // another feature became the closest
				continue
			}
			want := (gu.Gap - gd.Gap) / (2 * h)
			got := 0.0
			for i, sign := range []float64{1, -1} {
				_, at := w.Coordinates(i)
				if !(k >= at) || i == 0 && k >= func() int { _, at := w.Coordinates(1); return at }() {
					continue
				}
				c, rot := w.Place(i, q)
				d := k - at
				switch {
				case d < dim:
					got = sign * x.N[d]
				case dim == 2:
					l := sum(x.At, -1, c)
					got = sign * (l[0]*x.N[1] - l[1]*x.N[0])
				default:
					l := sum(x.At, -1, c)
					m := v3{l[1]*x.N[2] - l[2]*x.N[1], l[2]*x.N[0] - l[0]*x.N[2], l[0]*x.N[1] - l[1]*x.N[0]}
					got = sign * (rot[d-3]*m[0] + rot[3+d-3]*m[1] + rot[6+d-3]*m[2])
				}
			}
			if math.Abs(got-want) > 1e-4 { // curvature of a thin quadric times h, rounding over h
				t.Fatalf("%T and %T, velocity %d: row %g, difference %g", a, b, k, got, want)
			}
		}
	})
}
