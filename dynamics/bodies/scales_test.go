package bodies

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// scaled are the shapes of a dimension, k times as large.
func scaled(dim int, k float64) []Shape {
	if dim == 2 {
		return []Shape{Point{}, Disc{.1 * k}, Ellipse{.2 * k, .1 * k}, Polygon{[][2]float64{{-.1 * k, -.1 * k}, {.1 * k, -.1 * k}, {.1 * k, .1 * k}, {-.1 * k, .1 * k}}}, Rod{.3 * k, .02 * k}}
	}
	return []Shape{Point{}, Sphere{.1 * k}, Box{[3]float64{.2 * k, .3 * k, .1 * k}}, Capsule{.3 * k, .05 * k}, Ellipsoid{[3]float64{.2 * k, .1 * k, .05 * k}}}
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
			var want []Touch
			for part, k := range []float64{1, 0x1p-7, 0x1p7} {
				r := rand.New(rand.NewPCG(seed, 9))
				move := vec{3 * k, -2 * k, 5 * k}
				if part == 0 {
					move = vec{}
				}
				if dim == 2 {
					move[2] = 0
				}
				w := must(NewWorld(dim, [3]float64{}))
				for range 2 { // of each
					for _, s := range scaled(dim, k) {
						b := Body{Shape: s, Mass: 1, Angle: r.NormFloat64(), Orientation: orientation(r), Inertia: [3]float64{1, 1, 1}}
						for i := range dim {
							b.Position[i] = .25*k*r.NormFloat64() + move[i]
						}
						if _, err := w.Add(b); err != nil {
							t.Fatal(err)
						}
					}
				}
				center := vec3.Add(move, .2*k, vec{1, -1})
				surfaces := []Surface{Ball{Center: center, R: .2 * k}, HalfSpace{Point: move, Normal: vec{.6, .8}}, Oval{Center: center, Axes: [3]float64{.3 * k, .2 * k, .1 * k * float64(dim-2)}}}
				for _, s := range surfaces {
					if _, err := w.AddObstacle(Obstacle{Surface: s}); err != nil {
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
					if x.Key != y.Key && (x.Pair() != y.Pair() || x.Key&y.Key&(1<<13) == 0) || !(math.Abs(x.Gap/k-y.Gap) <= 1e-12) || !(vec3.Norm(vec3.Add(x.N, -1, y.N)) <= 1e-6) {
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
		w := must(NewWorld(dim, [3]float64{}))
		for _, s := range scaled(dim, 1) {
			must(w.Add(Body{Shape: s, Mass: 1, Angle: .7, Orientation: orientation(r), Inertia: [3]float64{1, 1, 1}, Position: [3]float64{1, 2}}))
		}
		q, _ := w.Start()
		for i := range w.bodies {
			f, p := &w.bodies[i].form, w.pose(i, q)
			for range 20 {
				n := vec{r.NormFloat64(), r.NormFloat64()}
				if dim == 3 {
					n[2] = r.NormFloat64()
				}
				n = vec3.Scale(n, 1/vec3.Norm(n))
				m := p.back(n)
				want := 0.0
				switch s := w.bodies[i].Shape.(type) {
				case Disc:
					want = s.R
				case Sphere:
					want = s.R
				case Ellipse:
					want = math.Hypot(s.A*m[0], s.B*m[1])
				case Ellipsoid:
					want = vec3.Norm(vec{s.Axes[0] * m[0], s.Axes[1] * m[1], s.Axes[2] * m[2]})
				case Box:
					want = .5 * (s.Size[0]*math.Abs(m[0]) + s.Size[1]*math.Abs(m[1]) + s.Size[2]*math.Abs(m[2]))
				case Polygon:
					want = .1 * (math.Abs(m[0]) + math.Abs(m[1]))
				case Rod:
					want = .5*s.Length*math.Abs(m[0]) + s.R
				case Capsule:
					want = s.R
					for k, e := range f.core[0] {
						want += math.Abs(e) * math.Abs(m[k])
					}
				}
				want += vec3.Dot(n, p.c)
				if got := w.Support(i, q, n); !(math.Abs(got-want) <= 1e-14*8) {
					t.Errorf("%s: support %g, want %g", name(w.bodies[i].Shape), got, want)
				}
				if got := w.Support(i, q, vec3.Scale(n, 3)); !(math.Abs(got-3*want) <= 1e-14*24) {
					t.Errorf("%s: support of 3n %g, want %g", name(w.bodies[i].Shape), got, 3*want)
				}
			}
		}
	}
}

// TestSweepOfLargeBodies: bodies larger than a metre are found as smaller ones are, and the order
// in which they are swept is one of the state alone.
func TestSweepOfLargeBodies(t *testing.T) {
	patch := must(dynamics.NewRigid(contact.Coulomb{Mu: .3}, 3))
	for _, k := range []float64{.01, 1, 100} {
		w := must(NewWorld(3, [3]float64{}))
		for i := range 3 {
			must(w.Add(Body{Shape: Sphere{k}, Mass: 1, Position: [3]float64{1.9 * k * float64(i)}}))
		}
		must(w.Add(Body{Shape: Sphere{k}, Mass: 1, Position: [3]float64{0, 5 * k}})) // as far left as the first
		if err := w.AllPairs(patch); err != nil {
			t.Fatal(err)
		}
		q, _ := w.Start()
		_, nv, _ := w.Size()
		var c dynamics.Contacts
		for _, before := range [][]int{{3, 2, 1, 0}, {0, 1, 2, 3}, {0, 3, 1, 2}} { // of a state before
			w.broad.order = before
			c.Reset(3, nv)
			w.Contacts(&c, q)
			for i, want := range []int{0, 3, 1, 2} {
				if w.broad.order[i] != want {
					t.Errorf("order %v", w.broad.order)
				}
			}
		}
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

// TestInsideEllipses: a point on the longer axis near the centre is nearest to two points of the
// ellipse, with cos τ = ax/(a² − b²): the depth is b √(1 − x²/(a² − b²)), the normal along (cos
// τ/a, sin τ/b).
func TestInsideEllipses(t *testing.T) {
	for _, c := range [][2]float64{{.2, .1}, {5, 2}, {1, .01}} {
		a, b := c[0], c[1]
		for _, s := range []float64{0, .3, -.9} {
			x := s * (a*a - b*b) / a
			gap, n := fromEllipsoid(vec{a, b}, vec{x, 0})
			cos := a * x / (a*a - b*b)
			want := vec3.Scale(vec{cos / a, math.Sqrt(1-cos*cos) / b}, 1)
			want = vec3.Scale(want, 1/vec3.Norm(want))
			if !(math.Abs(gap+b*math.Sqrt(1-x*x/(a*a-b*b))) <= 1e-14*a) || !(math.Abs(math.Abs(n[0])-math.Abs(want[0])) <= 1e-12) || !(math.Abs(math.Abs(n[1])-want[1]) <= 1e-12) {
				t.Errorf("%v at %g: gap %g, normal %v, want %v", c, x, gap, n, want)
			}
		}
	}
}

// TestSizesRefused: sizes that are no numbers, and a polygon whose centre is off by more than a
// millionth of it.
func TestSizesRefused(t *testing.T) {
	for _, s := range []Shape{Disc{math.Inf(1)}, Sphere{math.Inf(1)}, Ellipse{1, math.Inf(1)}, Box{[3]float64{1, math.Inf(1), 1}}, Disc{0}, Disc{math.NaN()}, Disc{-1}} {
		if err := s.validate(); err == nil || !strings.Contains(err.Error(), "must be positive") {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for off, ok := range map[float64]bool{0: true, .9e-6: true, -.9e-6: true, 1.1e-6: false} {
		x := off * math.Sqrt2
		if err := (Polygon{[][2]float64{{-1 + x, -1}, {1 + x, -1}, {1 + x, 1}, {-1 + x, 1}}}).validate(); (err == nil) != ok {
			t.Errorf("a centre off by %g of the size: %v", off, err)
		}
	}
}

// TestEdgesScale: the distance of two boxes that are closest at edges is that of boxes a power of
// two as large, to the last bits.
func TestEdgesScale(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	edges := 0
	for range 200 {
		a, b := Box{[3]float64{.2 + r.Float64(), .2, .3}}, Box{[3]float64{.2, .2 + r.Float64(), .3}}
		oa, ob, at := orientation(r), orientation(r), vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		var want Touch
		for _, k := range []float64{1, 0x1p-6, 0x1p6} {
			w := must(NewWorld(3, [3]float64{}))
			must(w.Add(Body{Shape: Box{vec3.Scale(a.Size, k)}, Mass: 1, Orientation: oa}))
			must(w.Add(Body{Shape: Box{vec3.Scale(b.Size, k)}, Mass: 1, Orientation: ob, Position: vec3.Scale(at, k)}))
			q, _ := w.Start()
			list := w.NewToucher(nil).Find(nil, 0, q, 10*k)
			if k == 1 {
				if len(list) != 1 { // faces
					break
				}
				want = list[0]
				edges++
			} else if len(list) != 1 || list[0].Key != want.Key || !(math.Abs(list[0].Gap/k-want.Gap) <= 1e-15*8) {
				t.Errorf("%g times as large: %+v, want %+v", k, list, want)
			}
		}
	}
	if edges < 50 {
		t.Errorf("%d pairs: the test looks at nothing", edges)
	}
}

// TestClimbs: a step of the search for the widest separation climbs, and turns by a radian at most,
// of ellipsoids that overlap or not.
func TestClimbs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	long, bent := 0, 0
	w := must(NewWorld(3, [3]float64{}))
	for range 2 {
		must(w.Add(Body{Shape: Sphere{1}, Mass: 1}))
	}
	q, _ := w.Start()
	for range 1000 {
		fa, fb := Ellipsoid{[3]float64{.05 + r.Float64(), .05 + r.Float64(), .05 + r.Float64()}}.form(), Ellipsoid{[3]float64{.05 + r.Float64(), .05 + r.Float64(), .05 + r.Float64()}}.form()
		for i := range 2 {
			at, _ := w.Coordinates(i)
			o := orientation(r)
			copy(q[at+3:at+7], o[:])
		}
		pa, pb := w.pose(0, q), w.pose(1, q)
		g := separating{a: &fa, b: &fb, pa: &pa, pb: &pb, d: vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}
		n := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		n = vec3.Scale(n, 1/vec3.Norm(n))
		value := g.value(n)
		step := g.newton(n, value)
		l := vec3.Norm(step)
		if !(l <= 1+1e-14) || math.Abs(vec3.Dot(step, n)) > 1e-13 {
			t.Fatalf("a step of %g, %g along the normal", l, vec3.Dot(step, n))
		}
		if l > 1-1e-12 {
			long++
		}
		if value < 0 {
			bent++
		}
		const f = 1e-5
		if rise := g.value(along(n, f, step)) - g.value(along(n, -f, step)); !(rise >= -1e-14) {
			t.Fatalf("a step of %g falls by %g", l, rise)
		}
	}
	if long < 50 || bent < 50 {
		t.Errorf("%d long steps, %d of overlaps: the test looks at nothing", long, bent)
	}
}
