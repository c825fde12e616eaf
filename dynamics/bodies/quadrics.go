package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// quadric adds the one point where an ellipse or ellipsoid meets another body.
// The gap of two convex bodies is the largest separation
//
//	Φ = max_n s(n),  s(n) = n·(c_a − c_b) − h_a(−n) − h_b(n)  over unit normals n,
//
// h the support functions: the distance of disjoint bodies, and minus the
// depth of overlapping ones. Wherever s(n) > 0 is stationary, it is the
// maximum.
func (c *clipper) quadric(a, b *form, pa, pb *pose) {
	switch {
	case !isQuadric(b):
		c.quadricCore(a, b, pa, pb, -1)
	case !isQuadric(a):
		c.quadricCore(b, a, pb, pa, 1)
	default:
		n := widest(a, b, pa, pb)
		x, y := extreme(a, pa, vec3.Scale(n, -1)), extreme(b, pb, n)
		gap := vec3.Dot(n, vec3.Add(x, -1, y))
		c.add(spot{vec3.Scale(vec3.Add(x, 1, y), 0.5), n, gap}, 0)
	}
}

// extreme is the farthest point of a quadric along n.
func extreme(f *form, p *pose, n vec) vec {
	return p.place(f.farthest(p.back(n)))
}

// quadricCore meets quadric e with a core of points with a radius around. The
// largest separation is stationary over the normals of one feature of the core,
// a vertex, an edge or a face: the candidates are the nearest points of the
// quadric to each, and every candidate is a lower bound. sign turns the normal
// from the core into the quadric. Exact for disjoint bodies, and for overlaps
// that are shallow beside the curvature of the quadric.
func (c *clipper) quadricCore(e, f *form, pe, pf *pose, sign float64) {
	c.points = c.points[:0]
	for _, y := range f.core {
		c.points = append(c.points, pf.place(y))
	}
	w := tangency{e: e, pe: pe, points: c.points, best: math.Inf(-1)}
	w.features(f, pf)
	x := extreme(e, pe, w.n)
	gap := w.best - f.radius
	c.add(spot{vec3.Add(x, gap/2, w.n), vec3.Scale(w.n, sign), gap}, 0)
}

// tangency is the search for the normal n, from the quadric into the core.
type tangency struct {
	e      *form
	pe     *pose
	points []vec // vertices of the core in space
	best   float64
	n      vec
}

// try takes the normal n if its separation, min over vertices p of
// n·(p − c) − h(n), is larger.
func (w *tangency) try(n vec) {
	least := math.Inf(1)
	for _, p := range w.points {
		least = min(least, vec3.Dot(n, vec3.Add(p, -1, w.pe.c)))
	}
	if s := least - support(w.e, w.pe, n); s > w.best {
		w.best, w.n = s, n
	}
}

// features tries the candidates of all features of the core; faces first, which
// may settle it.
func (w *tangency) features(f *form, pf *pose) {
	if isBox(f) {
		for k := range 3 {
			n := column(pf, k)
			w.try(n)
			w.try(vec3.Scale(n, -1))
		}
		if w.overFace(f, pf) {
			return
		}
		for _, e := range boxEdges {
			w.edge(w.points[e[0]], w.points[e[1]])
		}
	}
	for _, p := range w.points {
		w.vertex(p)
	}
	switch n := len(w.points); {
	case w.e.axes[2] == 0 && n > 1: // in the plane an edge is a face
		for i, p := range w.points {
			d := vec3.Add(w.points[(i+1)%n], -1, p)
			w.try(vec3.Scale(vec{-d[1], d[0]}, 1/vec3.Norm(d)))
		}
	case n == 2:
		w.edge(w.points[0], w.points[1])
	}
}

// overFace reports whether the point of the quadric nearest to the face of the
// best normal lies over that face: then the normal is stationary.
func (w *tangency) overFace(f *form, pf *pose) bool {
	y := pf.local(extreme(w.e, w.pe, w.n))
	m := pf.back(w.n)
	for k := range 3 {
		if math.Abs(m[k]) < 0.5 && math.Abs(y[k]) > f.half[k] {
			return false
		}
	}
	return w.best > -0.5*f.width
}

// vertex tries the normal at the point of the quadric nearest to p.
func (w *tangency) vertex(p vec) {
	_, n := fromEllipsoid(w.e.axes, w.pe.local(p))
	w.try(w.pe.turn(n))
}

// edge tries the normal at the point of the quadric nearest to the line through
// p and q: seen along it, the quadric is an ellipse and the line a point.
func (w *tangency) edge(p, q vec) {
	u := vec3.Add(q, -1, p)
	u1, u2 := tangents(vec3.Scale(u, 1/vec3.Norm(u)), 3)
	y := vec3.Add(p, -1, w.pe.c)
	axes, e1, e2 := shadow(w.e, w.pe, u1, u2)
	d1, d2 := vec3.Add(vec3.Scale(u1, e1[0]), e1[1], u2), vec3.Add(vec3.Scale(u1, e2[0]), e2[1], u2)
	_, n := fromEllipsoid(axes, vec{vec3.Dot(y, d1), vec3.Dot(y, d2)})
	w.try(vec3.Add(vec3.Scale(d1, n[0]), n[1], d2))
}

// shadow returns semi-axes and their directions, in coordinates of u1 and u2,
// of the ellipse that is an ellipsoid seen across both: h(n) = ‖A Rᵀn‖ for the
// n that they span.
func shadow(f *form, p *pose, u1, u2 vec) (axes vec, e1, e2 [2]float64) {
	x, y := p.back(u1), p.back(u2)
	for i, a := range f.axes {
		x[i] *= a
		y[i] *= a
	}
	xx, xy, yy := vec3.Dot(x, x), vec3.Dot(x, y), vec3.Dot(y, y)
	angle := 0.5 * math.Atan2(2*xy, xx-yy)
	s, c := math.Sincos(angle)
	large := 0.5 * (xx + yy + math.Hypot(xx-yy, 2*xy))
	area := vec3.Norm(vec3.Cross(x, y)) // √det, without cancellation
	return vec{math.Sqrt(large), area / math.Sqrt(large)}, [2]float64{c, s}, [2]float64{-s, c}
}
