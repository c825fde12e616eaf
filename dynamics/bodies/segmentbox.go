package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// segmentBox adds the point where a rounded segment is closest to a box
// (feature 4), and where it lies along a face or an edge both ends of the part above
// that (0 and 1 ends of the segment, 2 and 3 ends of the part): one point would
// let it rock.
func (c *clipper) segmentBox(a, b *form, pa, pb *pose) { c.alongBox(a, b, pa, pb, 1) }

// boxSegment is the same with the normal turned.
func (c *clipper) boxSegment(a, b *form, pa, pb *pose) { c.alongBox(b, a, pb, pa, -1) }

func (c *clipper) alongBox(a, b *form, pa, pb *pose, s float64) {
	p, q := pb.local(pa.place(a.core[0])), pb.local(pa.place(a.core[1]))
	m := b.nearSegment(p, q)
	first := len(c.out)
	if lo, hi, ok := b.along(p, q, &m); ok {
		c.overFace(b, p, q, lo, 2*int(positiveOne(lo)))
		c.overFace(b, p, q, hi, 1+2*int(positiveOne(1-hi)))
	}
	least := math.Inf(1)
	for _, x := range c.out[first:] {
		least = min(least, x.gap)
	}
	if m.gap < least-1e-12*b.reach {
		c.out = append(c.out, point{spot: m.spot, feature: 4})
	}
	for i := first; i < len(c.out); i++ { // to space, with the radius
		x := &c.out[i]
		x.gap -= a.radius
		x.n = pb.turn(x.n)
		x.at = vec3.Add(pb.place(x.at), x.gap/2, x.n)
		x.n = vec3.Scale(x.n, s)
	}
}

// footing is a spot on a box, in its frame: at on the surface, n outwards.
type footing struct{ spot }

// face is the axis that n is parallel to, within the angle that counts as
// parallel; −1 if there is none.
func (m *footing) face() int {
	for k, x := range m.n {
		if 1-math.Abs(x) <= parallel*parallel/2 {
			return k
		}
	}
	return -1
}

// along returns the part of a segment, as shares, that lies along the face or the edge at which the
// box is nearest.
func (f *form) along(p, q vec, m *footing) (lo, hi float64, ok bool) {
	u := vec3.Add(q, -1, p)
	length := vec3.Norm(u)
	if face := m.face(); face >= 0 && math.Abs(u[face]) <= parallel*length {
		if lo, hi, ok = f.above(p, q, face); ok {
			return lo, hi, true
		}
	}
	for k := range 3 {
		if length-math.Abs(u[k]) <= parallel*parallel/2*length {
			x, y := (-f.half[k]-p[k])/u[k], (f.half[k]-p[k])/u[k]
			lo, hi = max(0, min(x, y)), min(1, max(x, y))
			return lo, hi, lo < hi
		}
	}
	return 0, 0, false
}

// above returns the part of the segment, as shares, over face k of the box.
func (f *form) above(p, q vec, k int) (lo, hi float64, ok bool) {
	lo, hi = 0, 1
	for i := range 3 {
		if i == k {
			continue
		}
		u := q[i] - p[i]
		if u == 0 {
			if math.Abs(p[i]) > f.half[i] {
				return 0, 0, false
			}
			continue
		}
		x, y := (-f.half[i]-p[i])/u, (f.half[i]-p[i])/u
		lo, hi = max(lo, min(x, y)), min(hi, max(x, y))
	}
	return lo, hi, lo < hi
}

func (c *clipper) overFace(f *form, p, q vec, t float64, feature int) {
	foot, n, d := f.boxFoot(vec3.Add(vec3.Scale(p, 1-t), t, q))
	c.add(spot{foot, n, d}, feature)
}

// nearSegment is the signed distance of a segment from a box, in its frame. Of
// disjoint ones: an end and its foot, or the segment and one of twelve edges.
// Of others minus the depth: by the separating axes, three faces and three
// products of edges.
func (f *form) nearSegment(p, q vec) footing {
	n, value := f.satSegment(p, q)
	if value <= 1e-14*f.reach { // rounding: a direction needs a distance
		low := p
		if vec3.Dot(n, q) < vec3.Dot(n, p) {
			low = q
		}
		return footing{spot{vec3.Add(low, -value, n), n, value}}
	}
	var x, y vec
	least := math.Inf(1)
	take := func(v, w vec) {
		if d := vec3.Norm(vec3.Add(v, -1, w)); d < least {
			x, y, least = v, w, d
		}
	}
	for _, e := range [2]vec{p, q} {
		foot, _, _ := f.boxFoot(e)
		take(e, foot)
	}
	for i, e := range boxEdges {
		r := f.core[e[0]]
		if offLine(p, q, r, i/4) < least+1e-12*f.reach { // rounding of both
			take(closest(p, q, r, f.core[e[1]]))
		}
	}
	return footing{spot{y, vec3.Scale(vec3.Add(x, -1, y), 1/least), least}}
}

// offLine is the largest distance along an axis, but for the given one, of the point r from the
// interval that the segment pq takes there: what it keeps at least from the line through r along
// that one.
func offLine(p, q, r vec, along int) (d float64) {
	for k := range 3 {
		if k != along {
			d = max(d, min(p[k], q[k])-r[k], r[k]-max(p[k], q[k]))
		}
	}
	return d
}

// satSegment returns the axis of largest separation, outwards.
func (f *form) satSegment(p, q vec) (axis vec, value float64) {
	value = math.Inf(-1)
	u := vec3.Add(q, -1, p)
	mid := vec3.Scale(vec3.Add(p, 1, q), 0.5)
	try := func(n vec) {
		l := vec3.Norm(n)
		if l <= 1e-9*vec3.Norm(u) { // along an edge: a face does
			return
		}
		n = vec3.Scale(n, math.Copysign(1/l, vec3.Dot(n, mid)))
		h := f.half[0]*math.Abs(n[0]) + f.half[1]*math.Abs(n[1]) + f.half[2]*math.Abs(n[2])
		if v := min(vec3.Dot(n, p), vec3.Dot(n, q)) - h; v > value {
			axis, value = n, v
		}
	}
	for k := range 3 {
		var e vec
		e[k] = vec3.Norm(u)
		try(e)
		try(vec3.Cross(u, vec3.Scale(e, 1/vec3.Norm(u))))
	}
	return axis, value
}
