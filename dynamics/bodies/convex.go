package bodies

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// convexBody is one of which no closed form is known: its points are enough to meet
// half-spaces, and by [clipper.convex] all other convex bodies.
type convexBody interface {
	// corners appends points of the surface of which one is the farthest along the unit vector m,
	// in the frame of the body, and those that may be the farthest once it has turned by the angle
	// parallel: all corners of a face or ends of a line that is as nearly across m. Their order
	// names them from step to step. They roll if all stay or move over the surface by no more than
	// its size times the turn.
	corners(dst []vec, m vec) (list []vec, roll bool)
	// bases are its flat faces, discs of a radius across z.
	bases() (radius float64, z []float64)
}

// corners are those of [convexBody] of the core of any form, without the radius around it.
func (f *form) corners(dst []vec, m vec) (list []vec, roll bool) {
	switch {
	case f.solid != nil:
		return f.solid.corners(dst, m)
	case isQuadric(f):
		return append(dst, f.farthest(m)), true
	}
	return append(dst, f.core...), true
}

// farthest is the point of a quadric that is farthest along m, A²m/‖Am‖, in its frame.
func (f *form) farthest(m vec) vec {
	s := vec{f.axes[0] * m[0], f.axes[1] * m[1], f.axes[2] * m[2]}
	h := vec3.Norm(s)
	for i := range s {
		s[i] *= f.axes[i] / h
	}
	return s
}

// convex adds where two convex bodies meet by what their support functions say: all points of a
// face or line of one above a face or line of the other, or the nearest point alone.
func (c *clipper) convex(a, b *form, pa, pb *pose) {
	first := len(c.out)
	c.nearest(a, b, pa, pb)
	c.spread(first)
}

// spread adds to the point of the largest separation all of the face or line that lies against one
// of the other body.
func (c *clipper) spread(first int) {
	near := c.out[first]
	if near.gap > c.margin {
		return
	}
	whole := c.facets(&c.separation, near.n, near.gap, parallel)
	if len(c.out) == first+1 { // what has left a face by less may lie on its edge
		whole = c.facets(&c.separation, near.n, near.gap, level)
	}
	if whole {
		c.out = append(c.out[:first], c.out[first+1:]...)
	}
}

// nearest adds the point of the largest separation Φ = max_n s(n), see [clipper.quadric]. Cost: a
// few dozen points of each body.
func (c *clipper) nearest(a, b *form, pa, pb *pose) {
	g := &c.separation
	g.a, g.b, g.pa, g.pb, g.d = a, b, pa, pb, vec3.Add(pa.c, -1, pb.c)
	g.size, g.plane = a.reach+b.reach, c.plane
	n, gap := g.widest()
	gap -= a.radius + b.radius
	c.add(spot{vec3.Add(vec3.Add(pb.c, 1, g.near.y), b.radius+gap/2, n), n, gap}, 0)
}

// separated finds the normal n of the largest separation of two cores, from b into a,
//
//	s(n) = n·d − h_a(−n) − h_b(n).
//
// Of cores apart it is that of their nearest points, which the algorithm of Gilbert, Johnson and
// Keerthi (1988) finds. Others are moved apart: with a moved by L n_k, L − s(n_k) > 0, the nearest
// points have the normal n_{k+1}, and from their distance s(n_{k+1}) + L n_k·n_{k+1} ≥ s(n_k) + L
//
//	s(n_{k+1}) ≥ s(n_k) + L(1 − n_k·n_{k+1}):
//
// s climbs to a stationary value, which is the maximum where that is not negative.
type separated struct {
	a, b   *form
	pa, pb *pose
	d      vec
	size   float64
	plane  bool

	simplex
	list []vec
}

// simplex has up to four points of the difference a − b, and the one nearest to the origin.
type simplex struct {
	n    int
	ends [4]ends
	near ends
}

// ends are the difference w of a point x of a and one y of b, from the centre of b, and the corners
// that they are.
type ends struct {
	w, x, y vec
	i, j    int
}

const (
	// apart of the sizes is a distance of cores whose direction is good to 1e-13.
	apart = 1e-3
	// climbs bound the steps of n: one for faces, ten for what is round.
	climbs = 60
	// supports bound the points of a search; polytopes take less than ten, round ones some thirty.
	supports = 200
	// exact is rounding of a square.
	exact = 1e-15
	// polishes bound the steps of Newton's method, which takes two or three.
	polishes = 8
	// polished is what n = G(n) is solved to: some roundings.
	polished = 1e-14
	// level is the angle by which corners of an edge differ across its normal: rounding [rad].
	level = 1e-9
	// tilt of n is that of its differences [rad].
	tilt = 1e-6
)

// widest returns n and s(n), and leaves the nearest points in near. Where the bodies overlap s may
// have several maxima: the search then starts from the axes of both bodies, too.
func (g *separated) widest() (n vec, value float64) {
	if g.nearest(vec{}, exact) && vec3.Norm(g.near.w) > apart*g.size {
		n = vec3.Scale(g.near.w, 1/vec3.Norm(g.near.w))
		return g.polish(n)
	}
	n = vec{0, 1}
	if l := vec3.Norm(g.d); l > 0 {
		n = vec3.Scale(g.d, 1/l)
	}
	n, value = g.climb(n, false)
	if value < -1e-9*g.size { // not touching to rounding
		for _, p := range []*pose{g.pa, g.pb} {
			for k := range 3 {
				for _, s := range []float64{1, -1} {
					if g.plane && k == 2 {
						continue
					}
					if m, v := g.climb(vec3.Scale(column(p, k), s), true); v > value {
						n, value = m, v
					}
				}
			}
		}
		return g.climb(n, false)
	}
	return n, value
}

// climb takes n to a stationary value of s; a rough one tells maxima from each other.
func (g *separated) climb(n vec, rough bool) (vec, float64) {
	value, goal, last := g.value(n), exact, 1e-13
	if rough {
		goal, last = 1e-6, 1e-3
	}
	for range climbs {
		if !g.nearest(vec3.Scale(n, apart*g.size-value), goal) {
			break
		}
		m := vec3.Scale(g.near.w, 1/vec3.Norm(g.near.w))
		v := g.value(m)
		if !rough {
			m, v = g.polish(m)
		}
		turned := vec3.Norm(vec3.Add(m, -1, n))
		if n, value = m, v; turned < last {
			break
		}
	}
	return n, value
}

// value is s(n).
func (g *separated) value(n vec) float64 { return vec3.Dot(n, g.extreme(n).w) }

// extreme are the points of both cores that are nearest along n.
func (g *separated) extreme(n vec) (e ends) {
	e.x, e.i = g.farthest(g.a, g.pa, vec3.Scale(n, -1))
	e.y, e.j = g.farthest(g.b, g.pb, n)
	e.x = vec3.Add(e.x, 1, g.d)
	e.w = vec3.Add(e.x, -1, e.y)
	return e
}

// farthest is the corner of a core that is farthest along n, from its centre.
func (g *separated) farthest(f *form, p *pose, n vec) (x vec, corner int) {
	m, most := p.back(n), math.Inf(-1)
	g.list, _ = f.corners(g.list[:0], m)
	for i, y := range g.list {
		if h := vec3.Dot(m, y); h > most {
			x, corner, most = y, i, h
		}
	}
	return p.turn(x), corner
}

// polish goes on by Newton's method from an n that is near: of what is round, the nearest points of
// a chord are as far from those of the surface as the root of rounding says. With the corners w_k(n)
// that the simplex holds n is that of the nearest point of their hull, shifted by Ln,
//
//	n = G(n),  G(n) ∥ argmin ‖Ln + Σ λ_k w_k(n)‖,  λ_k ≥ 0, Σ λ_k = 1,
//
// whose derivative is taken from differences.
func (g *separated) polish(n vec) (vec, float64) {
	value := g.value(n)
	if len(g.a.core)+len(g.b.core) > 1 && g.a.solid == nil && g.b.solid == nil && !isQuadric(g.a) && !isQuadric(g.b) {
		return n, value
	}
	kept, start := g.simplex, n
	for range polishes {
		v, ok := g.facing(&kept, n)
		if !ok {
			break
		}
		if vec3.Norm(vec3.Add(v, -1, n)) <= polished {
			if s := g.value(n); s >= value-1e-15*g.size {
				return n, s
			}
			break
		}
		dim := 3
		if g.plane {
			dim = 2
		}
		t, o := tangents(n, dim)
		vt, ok1 := g.facing(&kept, turned(n, tilt, t))
		vo, ok2 := v, true
		if !g.plane {
			vo, ok2 = g.facing(&kept, turned(n, tilt, o))
		}
		if !ok1 || !ok2 {
			break
		}
		a, b := 1-vec3.Dot(vec3.Add(vt, -1, v), t)/tilt, -vec3.Dot(vec3.Add(vo, -1, v), t)/tilt
		c, d := -vec3.Dot(vec3.Add(vt, -1, v), o)/tilt, 1-vec3.Dot(vec3.Add(vo, -1, v), o)/tilt
		rt, ro := vec3.Dot(v, t), vec3.Dot(v, o)
		det := a*d - b*c
		if !(math.Abs(det) > 1e-6*(a*a+b*b+c*c+d*d)) { // corners in one place
			break
		}
		dt, do := (d*rt-b*ro)/det, (a*ro-c*rt)/det
		if !(math.Hypot(dt, do) < 1e-2) { // it was near
			break
		}
		n = turned(turned(n, dt, t), do, o)
	}
	g.simplex = kept
	return start, value
}

// turned is the direction of n + f t.
func turned(n vec, f float64, t vec) vec {
	n = vec3.Add(n, f, t)
	return vec3.Scale(n, 1/vec3.Norm(n))
}

// facing is G(n), with the corners of a simplex; not ok: one is not there.
func (g *separated) facing(s *simplex, n vec) (v vec, ok bool) {
	g.simplex.n = 0
	for k := range s.n {
		e := s.ends[k]
		if slices.ContainsFunc(g.ends[:g.simplex.n], func(x ends) bool { return x.i == e.i && x.j == e.j }) {
			continue
		}
		if e.x, ok = g.corner(g.a, g.pa, vec3.Scale(n, -1), e.i); !ok {
			return v, false
		}
		if e.y, ok = g.corner(g.b, g.pb, n, e.j); !ok {
			return v, false
		}
		e.x = vec3.Add(e.x, 1, g.d)
		e.w = vec3.Add(vec3.Add(e.x, -1, e.y), g.size, n)
		g.ends[g.simplex.n] = e
		g.simplex.n++
	}
	g.reduce()
	return vec3.Scale(g.near.w, 1/vec3.Norm(g.near.w)), true
}

// corner is one of a core, from its centre.
func (g *separated) corner(f *form, p *pose, n vec, k int) (x vec, ok bool) {
	g.list, _ = f.corners(g.list[:0], p.back(n))
	if k >= len(g.list) {
		return x, false
	}
	return p.turn(g.list[k]), true
}

// nearest finds the nearest points of the cores, that of a moved by a shift, to a goal on the square
// of their distance, relative; not ok: they overlap.
func (g *separated) nearest(shift vec, goal float64) (ok bool) {
	s := &g.simplex
	*s = simplex{near: ends{w: vec3.Add(g.d, 1, shift)}}
	if s.near.w == (vec{}) {
		s.near.w = vec{0, 1}
	}
	best := math.Inf(1)
	for range supports {
		v := s.near.w
		e := g.extreme(vec3.Scale(v, 1/vec3.Norm(v)))
		e.w = vec3.Add(e.w, 1, shift)
		if best < math.Inf(1) && vec3.Dot(v, v)-vec3.Dot(v, e.w) <= goal*best {
			break
		}
		before := *s
		s.ends[s.n] = e
		s.n++
		s.reduce()
		l := vec3.Dot(s.near.w, s.near.w)
		if !(l < best) { // rounding ends it
			*s = before
			break
		}
		if best = l; s.n == len(s.ends) || best <= 1e-28*g.size*g.size { // inside of a tetrahedron
			return false
		}
	}
	return true
}

// reduce finds the point of the simplex that is nearest to the origin, and leaves the face that
// holds it: of all faces whose plane, line or point has its nearest point inside the least distant.
func (s *simplex) reduce() {
	best, face, share := math.Inf(1), 0, [4]float64{}
	for set := 1; set < 1<<s.n; set++ {
		l, ok := s.weights(set)
		if !ok {
			continue
		}
		var p vec
		for i := range s.n {
			p = vec3.Add(p, l[i], s.ends[i].w)
		}
		if d := vec3.Dot(p, p); d < best {
			best, face, share = d, set, l
		}
	}
	n := 0
	s.near = ends{}
	for i := range s.n {
		if face>>i&1 == 0 {
			continue
		}
		e, f := &s.ends[i], share[i]
		s.near = ends{w: vec3.Add(s.near.w, f, e.w), x: vec3.Add(s.near.x, f, e.x), y: vec3.Add(s.near.y, f, e.y)}
		s.ends[n] = *e
		n++
	}
	s.n = n
}

// weights are those of the points of a set in the nearest point of their plane, by Cramer's rule;
// not ok: one is not positive, or the points lie in less than a plane, to rounding.
func (s *simplex) weights(set int) (l [4]float64, ok bool) {
	var at [4]int
	k := 0
	for i := range s.n {
		if set>>i&1 == 1 {
			at[k] = i
			k++
		}
	}
	p := s.ends[at[0]].w
	q := vec3.Scale(p, -1)
	var e [3]vec
	for i := 1; i < k; i++ {
		e[i-1] = vec3.Add(s.ends[at[i]].w, -1, p)
	}
	var x [3]float64
	switch k {
	case 1:
	case 2:
		x[0] = vec3.Dot(e[0], q) / vec3.Dot(e[0], e[0])
	case 3:
		n := vec3.Cross(e[0], e[1])
		det := vec3.Dot(n, n)
		if !(det > 1e-24*vec3.Dot(e[0], e[0])*vec3.Dot(e[1], e[1])) {
			return l, false
		}
		x[0], x[1] = vec3.Dot(vec3.Cross(q, e[1]), n)/det, vec3.Dot(vec3.Cross(e[0], q), n)/det
	default:
		det := vec3.Dot(e[0], vec3.Cross(e[1], e[2]))
		if !(math.Abs(det) > 1e-14*vec3.Norm(e[0])*vec3.Norm(e[1])*vec3.Norm(e[2])) {
			return l, false
		}
		x[0], x[1], x[2] = vec3.Dot(q, vec3.Cross(e[1], e[2]))/det, vec3.Dot(e[0], vec3.Cross(q, e[2]))/det,
			vec3.Dot(e[0], vec3.Cross(e[1], q))/det
	}
	first := 1.0
	for i := 1; i < k; i++ {
		if !(x[i-1] > 0) {
			return l, false
		}
		l[at[i]] = x[i-1]
		first -= x[i-1]
	}
	l[at[0]] = first
	return l, first > 0
}

// facet returns the corners of a form that are farthest along n to within an angle, in space and in
// order around n.
func (f *form) facet(p *pose, n vec, angle float64) (dst []corner, roll bool) {
	m := p.back(n)
	list, roll := f.corners(nil, m)
	top := list[0]
	for _, y := range list {
		if vec3.Dot(m, y) > vec3.Dot(m, top) {
			top = y
		}
	}
	var middle vec
	for i, y := range list {
		d := vec3.Add(y, -1, top)
		if -vec3.Dot(m, d) <= angle*vec3.Norm(d) {
			dst = append(dst, corner{p.place(y), i})
			middle = vec3.Add(middle, 1, dst[len(dst)-1].x)
		}
	}
	if len(dst) > 2 {
		middle = vec3.Scale(middle, 1/float64(len(dst)))
		t, o := tangents(n, 3)
		around := func(c corner) float64 {
			d := vec3.Add(c.x, -1, middle)
			return math.Atan2(vec3.Dot(o, d), vec3.Dot(t, d))
		}
		slices.SortFunc(dst, func(x, y corner) int {
			if around(x) < around(y) {
				return -1
			}
			return 1
		})
	}
	return dst, roll
}

// facets adds the corners of a face or line of one body, cut to the face or line of the other that
// lies against it, each at its distance along n from that, and reports whether the nearest point is
// among them.
func (c *clipper) facets(g *separated, n vec, gap, angle float64) bool {
	a, rollA := g.a.facet(g.pa, vec3.Scale(n, -1), angle)
	b, rollB := g.b.facet(g.pb, n, angle)
	slices.Reverse(a) // counter-clockwise around n, as b
	if len(a) < 2 || len(b) < 2 {
		return false
	}
	// The reference is what is flat across n, faces before lines, and of two that are as flat that of b.
	under := len(b) > 2 && len(a) == 2 || (len(a) > 2) == (len(b) > 2) && spread(b, n) <= spread(a, n)+1e-9*g.size
	return c.facing(a, b, n, gap, under, !rollA || !rollB)
}

// facing adds the corners of a face or line of one body, cut to that of the other, the reference,
// which is that of b where that is under, and reports whether the nearest point is among them. Both
// go counter-clockwise around n.
func (c *clipper) facing(a, b []corner, n vec, gap float64, under, leaps bool) bool {
	ref, base := a, 1<<9
	c.poly = append(c.poly[:0], b...)
	if under {
		ref, base = b, 1<<9|1<<8
		c.poly = append(c.poly[:0], a...)
	}
	if !c.within(ref, n) {
		return false
	}
	g, first, least := &c.separation, len(c.out), math.Inf(1)
	if over, on := g.a, g.b; under && over.faces == nil && on.faces != nil || !under && on.faces == nil && over.faces != nil {
		base = onFaceNames // what rolls from a face over its edge goes on with its names
	}
	for _, p := range c.poly {
		other := onFacet(ref, p.x, n)
		x, y := p.x, vec3.Add(p.x, other, n) // of a and of b
		if !under {
			x, y = y, x
		}
		x, y = vec3.Add(x, -g.a.radius, n), vec3.Add(y, g.b.radius, n)
		at, h := vec3.Scale(vec3.Add(x, 1, y), 0.5), vec3.Dot(n, vec3.Add(x, -1, y))
		if slices.ContainsFunc(c.out[first:], func(x point) bool {
			return x.feature == base|p.feature || vec3.Norm(vec3.Add(x.at, -1, at)) <= 1e-9*g.size // rounding of cuts
		}) {
			continue
		}
		least = min(least, h)
		c.out = append(c.out, point{spot: spot{at, n, h}, feature: base | p.feature, leaps: leaps})
	}
	return least <= gap+1e-9*g.size
}

// spread is the difference of the heights of corners along n.
func spread(list []corner, n vec) float64 {
	low, top := math.Inf(1), math.Inf(-1)
	for _, x := range list {
		h := vec3.Dot(n, x.x)
		low, top = min(low, h), max(top, h)
	}
	return top - low
}

// onFacet is how far a face or line lies along n from a point.
func onFacet(ref []corner, x, n vec) float64 {
	d := vec3.Add(ref[0].x, -1, x)
	if len(ref) == 2 {
		u := vec3.Add(ref[1].x, -1, ref[0].x)
		return vec3.Dot(n, vec3.Add(d, -vec3.Dot(d, u)/vec3.Dot(u, u), u))
	}
	var normal vec
	for i := 2; i < len(ref); i++ {
		normal = vec3.Add(normal, 1, vec3.Cross(vec3.Add(ref[i-1].x, -1, ref[0].x), vec3.Add(ref[i].x, -1, ref[0].x)))
	}
	return vec3.Dot(normal, d) / vec3.Dot(normal, n)
}

// sideNames are those of the sides of [clipper.within], beyond the corners that a form may have.
const sideNames = 32

// within cuts poly to the prism along n over a face, or to the slab over a line that it is parallel
// to.
func (c *clipper) within(ref []corner, n vec) bool {
	if len(ref) == 2 {
		u, v := vec3.Add(ref[1].x, -1, ref[0].x), vec3.Add(c.poly[1].x, -1, c.poly[0].x)
		if len(c.poly) == 2 && vec3.Norm(vec3.Cross(u, v)) > parallel*vec3.Norm(u)*vec3.Norm(v) {
			return false
		}
		u = vec3.Scale(u, 1/vec3.Norm(u))
		c.cut(u, vec3.Dot(u, ref[1].x), sideNames)
		c.cut(vec3.Scale(u, -1), -vec3.Dot(u, ref[0].x), sideNames+1)
		return true
	}
	for i, p := range ref { // counter-clockwise around n
		q := ref[(i+1)%len(ref)]
		out := vec3.Cross(vec3.Add(q.x, -1, p.x), n)
		if l := vec3.Norm(out); l > 0 {
			out = vec3.Scale(out, 1/l)
			c.cut(out, vec3.Dot(out, p.x), sideNames+i)
		}
	}
	return true
}
