package bodies

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Polyhedron is the convex hull of its vertices, in any order and from any origin [m]: the centre of
// mass and the principal axes are found.
type Polyhedron struct{ Vertices [][3]float64 }

var polyhedron = shapeKind{Polyhedron{}, keys{"vertices": 0}, nil, func(x map[string][]float64) Shape {
	var p Polyhedron
	for v := range slices.Chunk(x["vertices"], 3) {
		p.Vertices = append(p.Vertices, [3]float64(append(v, 0, 0, 0)))
	}
	return p
}}

// MostCorners bounds those of a polyhedron: their numbers name contacts.
const MostCorners = 64

// Dim implements [Shape].
func (Polyhedron) Dim() int { return 3 }

// Name implements [Shape].
func (Polyhedron) Name() string { return "polyhedron" }

func (Polyhedron) round() [3]bool { return [3]bool{} }

func (p Polyhedron) validate() error {
	if len(p.Vertices) < 4 {
		return fmt.Errorf("bodies: a polyhedron has %d vertices, want at least 4", len(p.Vertices))
	}
	for i, v := range p.Vertices {
		if !finite(v[:]...) {
			return fmt.Errorf("bodies: vertex %d of a polyhedron is at %v, want finite numbers", i, v)
		}
	}
	corners, _, out := convexHull(p.Vertices, len(p.Vertices))
	switch {
	case corners == nil:
		return fmt.Errorf("bodies: the %d vertices of a polyhedron lie in a plane, want a body with a volume", len(p.Vertices))
	case out > 2*hullFlat*p.form().reach:
		return fmt.Errorf("bodies: the hull of the vertices of a polyhedron is lost in rounding: some lie within %g m of each other", out)
	case len(corners) > MostCorners:
		return fmt.Errorf("bodies: a polyhedron has %d corners, want %d at most: fewer, or parts of a compound", len(corners), MostCorners)
	}
	for i, v := range p.Vertices {
		if deep := p.depth(v); deep > 1e-3*p.form().width { // more than typed digits
			return fmt.Errorf("bodies: vertex %d of a polyhedron lies %g m inside of the hull of the others: want a convex one, or a compound of such",
				i, deep)
		}
	}
	return nil
}

// depth is how deep a point lies in the body [m].
func (p Polyhedron) depth(x vec) float64 {
	f, least := p.form(), math.Inf(1)
	for _, s := range f.faces {
		least = min(least, -vec3.Dot(s.n, vec3.Add(x, -1, f.core[s.loop[0]])))
	}
	return least
}

func (p Polyhedron) form() form {
	f := form{spins: true, width: math.Inf(1)}
	f.core, f.faces, _ = convexHull(p.Vertices, len(p.Vertices))
	for _, x := range f.core {
		f.reach = max(f.reach, vec3.Norm(x))
	}
	for _, s := range f.faces {
		across := 0.0
		for _, x := range f.core {
			across = max(across, -vec3.Dot(s.n, vec3.Add(x, -1, f.core[s.loop[0]])))
		}
		f.width = min(f.width, across)
	}
	return f
}

func (p Polyhedron) volume() float64 { return p.heavy(3).m }

func (p Polyhedron) inertia(m float64) vec {
	x := p.heavy(3)
	return vec{m / x.m * x.j[0], m / x.m * x.j[4], m / x.m * x.j[8]}
}

// heavy sums the tetrahedra from the first corner to the triangles of the faces. That of corners
// 0, a, b, c has the volume V = a·(b × c)/6, the centre s/4 with s = a + b + c, and
// ∫ x xᵀ dV = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ).
func (p Polyhedron) heavy(int) heavy {
	f := p.form()
	o := f.core[0]
	var h heavy
	var second [9]float64
	for _, s := range f.faces {
		a := vec3.Add(f.core[s.loop[0]], -1, o)
		for i := 2; i < len(s.loop); i++ {
			b, c := vec3.Add(f.core[s.loop[i-1]], -1, o), vec3.Add(f.core[s.loop[i]], -1, o)
			v, sum := vec3.Dot(a, vec3.Cross(b, c))/6, vec3.Add(vec3.Add(a, 1, b), 1, c)
			h.m += v
			h.c = vec3.Add(h.c, v/4, sum)
			for _, x := range []vec{a, b, c, sum} {
				for k := range 9 {
					second[k] += v / 20 * x[k/3] * x[k%3]
				}
			}
		}
	}
	h.c = vec3.Scale(h.c, 1/h.m)
	for k := range 9 {
		second[k] -= h.m * h.c[k/3] * h.c[k%3]
	}
	trace := second[0] + second[4] + second[8]
	for k := range 9 {
		if h.j[k] = -second[k]; k%4 == 0 {
			h.j[k] += trace
		}
	}
	h.c = vec3.Add(h.c, 1, o)
	return h
}

// aligned is the sine of the angle within which the normal of a pair is that of a face: what the
// search for it leaves is less by far, and bodies that lie on each other have not turned by as much.
const aligned = 1e-6

// hulls adds the points of two bodies with faces: where the largest separation is along the normal of
// a face, the face of the other that is the most opposed to it, cut to the prism over that face; else
// the nearest point. A face along which the bodies are apart by s, with a point of the other over it
// at that height, needs no search: their distance is s. Where they overlap so does one with a corner
// below it to which no face is nearer: along no normal are they less deep than that corner.
func (c *clipper) hulls(a, b *form, pa, pb *pose) {
	g, first := &c.separation, len(c.out)
	g.a, g.b, g.pa, g.pb, g.size, g.plane = a, b, pa, pb, a.reach+b.reach, c.plane
	fa, sa := c.parting(a, b, pa, pb)
	fb, sb := c.parting(b, a, pb, pa)
	if max(sa, sb) > c.margin {
		return
	}
	under := c.under(sa, sb)
	s, n := max(sa, sb), vec3.Scale(pa.turn(a.faces[fa].n), -1)
	if under {
		n = pb.turn(b.faces[fb].n)
	}
	if c.flat(n, s, under, fa, fb) && (s > -shallow*g.size || c.deepest(first, s, under)) {
		return
	}
	c.out = c.out[:first]
	c.nearest(a, b, pa, pb)
	near := c.out[first]
	fa, na := a.toward(pa, vec3.Scale(near.n, -1))
	fb, nb := b.toward(pb, near.n)
	na = vec3.Scale(na, -1)
	onA, onB := vec3.Norm(vec3.Cross(na, near.n)) <= aligned, vec3.Norm(vec3.Cross(nb, near.n)) <= aligned
	if near.gap > c.margin || !onA && !onB {
		return
	}
	if n, under = na, onB && (!onA || under); under {
		n = nb
	}
	c.out = c.out[:first]
	if !c.flat(n, near.gap, under, fa, fb) {
		c.out = append(c.out[:first], near)
	}
}

// shallow of the sizes is how deep bodies overlap that as good as touch.
const shallow = 1e-9

// deepest reports whether one of the points from first on is a corner, at the depth s below a face
// of the other body, to which none of its faces is nearer.
func (c *clipper) deepest(first int, s float64, under bool) bool {
	g := &c.separation
	ref, p, sign := g.a, g.pa, -0.5
	if under {
		ref, p, sign = g.b, g.pb, 0.5
	}
	for i := range c.out[first:] {
		x := &c.out[first+i]
		if x.gap > s+shallow*g.size {
			continue
		}
		y, top := p.local(vec3.Add(x.at, sign*x.gap, x.n)), math.Inf(-1)
		for k := range ref.faces {
			f := &ref.faces[k]
			top = max(top, vec3.Dot(f.n, y)-vec3.Dot(f.n, ref.core[f.loop[0]]))
		}
		if top <= s+shallow*g.size {
			return true
		}
	}
	return false
}

// flat adds the points of the two faces that are the most opposed along n, of which one has that
// normal: face fb of the second body where it is under the other, else fa of the first.
func (c *clipper) flat(n vec, gap float64, under bool, fa, fb int) bool {
	g := &c.separation
	if under {
		fa, _ = g.a.toward(g.pa, vec3.Scale(n, -1))
	} else {
		fb, _ = g.b.toward(g.pb, n)
	}
	up := g.a.around(g.pa, fa)
	slices.Reverse(up) // counter-clockwise around n, as that of b
	return c.facing(up, g.b.around(g.pb, fb), n, gap, under, false)
}

// parting is the face of a above which b is highest, and by how much; the first of equal ones.
func (c *clipper) parting(a, b *form, pa, pb *pose) (face int, value float64) {
	c.points = c.points[:0]
	for _, y := range b.core {
		c.points = append(c.points, pa.local(pb.place(y)))
	}
	value = math.Inf(-1)
	for k := range a.faces {
		s := &a.faces[k]
		low := math.Inf(1)
		for _, y := range c.points {
			low = min(low, vec3.Dot(s.n, y))
		}
		if low -= vec3.Dot(s.n, a.core[s.loop[0]]); low > value+1e-9*c.separation.size {
			face, value = k, low
		}
	}
	return face, value
}

// under reports whether the face of b is the reference, of separations along faces of a and of b:
// that of the larger body, along whose normal the separation is that of the bodies where a small one
// lies on it, and of equal ones that of a; unless the other is better by more than rounding. So it
// does not change while a body comes to lie.
func (c *clipper) under(sa, sb float64) bool {
	with := 1e-9 * c.separation.size
	if c.separation.a.reach < c.separation.b.reach {
		with = -with
	}
	return sb > sa+with
}

// toward is the face whose normal is the nearest to a direction, and that normal in space.
func (f *form) toward(p *pose, n vec) (at int, normal vec) {
	m, most := p.back(n), math.Inf(-1)
	for i := range f.faces {
		if d := vec3.Dot(m, f.faces[i].n); d > most+1e-9 { // no flicker between two
			at, most = i, d
		}
	}
	return at, p.turn(f.faces[at].n)
}

// around are the corners of a face in space.
func (f *form) around(p *pose, face int) (list []corner) {
	for _, k := range f.faces[face].loop {
		list = append(list, corner{p.place(f.core[k]), k})
	}
	return list
}
