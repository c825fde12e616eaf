package bodies

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// meeting is one point where a body meets another or a half-space: the gap
// along the normal, which points into the first body.
type meeting struct {
	r   vec // the contact point from the centre of the first body
	n   vec
	gap float64
}

// features returns the number of points where a form can meet a half-space.
func (f *form) features() int {
	switch {
	case f.parts != nil:
		n := 0
		for i := range f.parts {
			n += f.parts[i].features()
		}
		return n
	case f.solid != nil:
		list, _ := f.solid.corners(nil, vec{2: -1})
		return len(list)
	case isQuadric(f):
		return 1
	}
	return len(f.core)
}

// onPlane adds all points where a body may meet the half-space under p with the normal n: those of
// a solid are its corners downwards, of which the lowest depends on how it lies.
func (c *clipper) onPlane(f *form, b *pose, p, n vec) {
	if f.solid == nil { // of one part
		for k := range f.onFlat() {
			c.add(spotOf(f.onPlane(b, k, p, n), b), k)
		}
		return
	}
	height := vec3.Dot(n, vec3.Add(b.c, -1, p))
	var roll bool
	c.points, roll = f.solid.corners(c.points[:0], b.back(vec3.Scale(n, -1)))
	for k, y := range c.points {
		r := b.turn(y)
		c.out = append(c.out, point{spot: spot{vec3.Add(b.c, 1, r), n, height + vec3.Dot(n, r)}, feature: k, leaps: !roll})
	}
	for k := range f.dots {
		c.add(spotOf(f.onPlane(b, f.named+k, p, n), b), f.named+k)
	}
}

// onPlane is the gap of feature k over the plane through p with normal n:
// n·(x − p) − R at a core point x, and for a quadric at its lowest point,
//
//	x = c − R A²Rᵀn/‖A Rᵀn‖,   gap = n·(c − p) − ‖A Rᵀn‖.
//
// The lever x − c is not taken from coordinates in space: a patch may be a
// millionth of it.
func (f *form) onPlane(b *pose, k int, p, n vec) meeting {
	height := vec3.Dot(n, vec3.Add(b.c, -1, p))
	if !isQuadric(f) {
		r := vec3.Add(b.turn(f.spot(k)), -f.radius, n)
		return meeting{r, n, height + vec3.Dot(n, r)}
	}
	m := b.back(n)
	s := vec{f.axes[0] * m[0], f.axes[1] * m[1], f.axes[2] * m[2]}
	h := vec3.Norm(s)
	for i := range s {
		s[i] *= -f.axes[i] / h
	}
	return meeting{b.turn(s), n, height - h}
}

// hasGap says whether a patch may be between two forms: their gap has a closed form in [between].
// Bodies without a radius have no inside, and never overlap.
func hasGap(a, b *form) bool {
	return isLine(a) && isLine(b) && a.radius+b.radius > 0 || isRound(a) && isPolytope(b) || isPolytope(a) && isRound(b)
}

func isLine(f *form) bool     { return isRound(f) || isSegment(f) }
func isPolytope(f *form) bool { return f.polygon || isBox(f) }

func errGap(a, b Shape) error {
	return fmt.Errorf("bodies: the gap between %s and %s has no closed form here; round shapes (point, disc, sphere, rod, capsule) meet each other if one has a radius, and a point, disc or sphere meets a box or polygon",
		name(a), name(b))
}

// between is the gap of two forms in one point, the normal from b into a.
func between(a, b *form, pa, pb *pose) meeting {
	switch {
	case isPolytope(a) && isRound(b):
		m := between(b, a, pb, pa)
		m.n = vec3.Scale(m.n, -1)
		m.r = vec3.Add(vec3.Add(m.r, 1, pb.c), -1, pa.c)
		return m
	case isRound(a) && isPolytope(b):
		return pointPolytope(a, b, pa, pb)
	case !isLine(a) || !isLine(b):
		var c clipper
		c.nearest(a, b, pa, pb)
		return meeting{vec3.Add(c.out[0].at, -1, pa.c), c.out[0].n, c.out[0].gap}
	}
	var x, y vec
	if isRound(a) && isRound(b) { // what closest returns of two points, which is most of what a pile asks for
		x, y = vec3.Add(pa.place(a.core[0]), 0, vec{}), vec3.Add(pb.place(b.core[0]), 0, vec{})
	} else {
		x, y = closest(pa.place(a.core[0]), pa.place(a.core[len(a.core)-1]), pb.place(b.core[0]), pb.place(b.core[len(b.core)-1]))
	}
	d := vec3.Add(x, -1, y)
	l := vec3.Norm(d)
	n := vec{0, 1, 0} // coincident cores: any direction parts them
	if l > 0 {
		n = vec3.Scale(d, 1/l)
	}
	gap := l - a.radius - b.radius
	return meeting{vec3.Add(vec3.Add(y, b.radius+gap/2, n), -1, pa.c), n, gap}
}

// closest returns the points of the segments pq and rs that are closest to
// each other; of parallel ones, the middle of the overlap.
func closest(p, q, r, s vec) (x, y vec) {
	u, v, w := vec3.Add(q, -1, p), vec3.Add(s, -1, r), vec3.Add(p, -1, r)
	a, b, c, d, e := vec3.Dot(u, u), vec3.Dot(u, v), vec3.Dot(v, v), vec3.Dot(u, w), vec3.Dot(v, w)
	clamp := func(t float64) float64 { return max(0, min(1, t)) }
	ratio := func(num, den float64) float64 {
		if den == 0 {
			return 0
		}
		return clamp(num / den)
	}
	k, l := 0.0, 0.0 // parameters on pq and rs
	switch det := a*c - b*b; {
	case a == 0:
		l = ratio(e, c)
	case c == 0:
		k = clamp(-d / a)
	case det > 1e-12*a*c: // an angle of 1e-6 and more
		l = ratio(b*clamp((b*e-c*d)/det)+e, c)
		k = clamp((b*l - d) / a)
	default: // parallel
		k = (clamp(-d/a) + clamp((b-d)/a)) / 2
		l = ratio(b*k+e, c)
	}
	return vec3.Add(p, k, u), vec3.Add(r, l, v)
}

// pointPolytope is a ball against a box or polygon: outside the distance to
// the closest point, inside minus the distance to the closest face.
func pointPolytope(a, b *form, pa, pb *pose) meeting {
	centre := pa.place(a.core[0])
	y := pb.local(centre)
	foot, n, distance := b.boxFoot(y)
	if b.polygon {
		foot, n, distance = b.polygonFoot(y)
	}
	gap := distance - a.radius
	normal := pb.turn(n)
	return meeting{vec3.Add(vec3.Add(pb.place(foot), gap/2, normal), -1, pa.c), normal, gap}
}

func (f *form) boxFoot(y vec) (foot, n vec, distance float64) {
	inside, face, least := true, 0, math.Inf(1)
	for i := range 3 {
		foot[i] = max(-f.half[i], min(f.half[i], y[i]))
		inside = inside && foot[i] == y[i]
		if depth := f.half[i] - math.Abs(y[i]); depth < least {
			least, face = depth, i
		}
	}
	if inside {
		n[face] = math.Copysign(1, y[face])
		foot[face] = math.Copysign(f.half[face], y[face])
		return foot, n, -least
	}
	d := vec3.Add(y, -1, foot)
	distance = vec3.Norm(d)
	return foot, vec3.Scale(d, 1/distance), distance
}

// onEdge is the distance, over the size of a polygon, below which the difference of two places has
// lost half of its digits: the normal of the edge is better.
const onEdge = 1e-8

func (f *form) polygonFoot(y vec) (foot, n vec, distance float64) {
	inside, depth := true, math.Inf(1)
	distance = math.Inf(1)
	for i, p := range f.core {
		q := f.core[(i+1)%len(f.core)]
		edge := vec3.Add(q, -1, p)
		l := vec3.Norm(edge)
		out := vec{edge[1] / l, -edge[0] / l}
		away := vec3.Dot(out, vec3.Add(y, -1, p))
		t := vec3.Dot(edge, vec3.Add(y, -1, p)) / (l * l)
		x := vec3.Add(p, max(0, min(1, t)), edge)
		if away > 0 {
			inside = false
		}
		if d := vec3.Norm(vec3.Add(y, -1, x)); !inside && d < distance && away > 0 {
			distance, foot, n = d, x, out
			if d > onEdge*f.reach || (t < 0 || t > 1) && d > 1e-13*f.reach { // else what leads there is rounding
				n = vec3.Scale(vec3.Add(y, -1, x), 1/d)
			}
		}
		if inside && -away < depth {
			depth, foot, n = -away, vec3.Add(y, -away, out), out
		}
	}
	if inside {
		return foot, n, -depth
	}
	return foot, n, distance
}
