package bodies

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// onEdge adds the points of a body a with no faces on an edge of face i of b, that to the face over
// whose side a reaches farthest. Of the normals between those of the two faces,
//
//	n(θ) = n_i cos θ + t sin θ,  s(θ) = n·(x − e),  s'(θ) = n'·(x − e) = 0,
//
// with e on the edge and x the point of a that is lowest along n, found by the secant method between
// bounds. It reports whether s is the largest separation of all: x − y = s n for a point y of the edge
// says so of cores apart. Where a is δ deep, what takes it out of b by less than δ has to pass the
// boundary within 2δ of x: the ends of the edge and all other faces are to be farther.
func (c *clipper) onEdge(a, b *form, pa, pb *pose, i int, sign float64) bool {
	size := a.reach + b.reach
	x := c.lowestPoints(a, pa, pb, b.faces[i].n, size)[0]
	j := b.beyond(i, x)
	e, u, length, ok := b.sharedEdge(i, j)
	if !ok {
		return false
	}
	ni := b.faces[i].n
	t := vec3.Add(b.faces[j].n, -vec3.Dot(ni, b.faces[j].n), ni)
	t = vec3.Scale(t, 1/vec3.Norm(t))
	var n vec
	slope := func(angle float64) float64 {
		sin, cos := math.Sincos(angle)
		n = vec3.Add(vec3.Scale(ni, cos), sin, t)
		x = c.lowestPoints(a, pa, pb, n, size)[0]
		return vec3.Dot(vec3.Add(vec3.Scale(t, cos), -sin, ni), vec3.Add(x, -1, e))
	}
	if !falls(slope, math.Acos(vec3.Dot(ni, b.faces[j].n)), exact*size) {
		return false
	}
	s := vec3.Dot(n, vec3.Add(x, -1, e))
	clear := 2 * max(0, -s)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range c.lowest {
		along := vec3.Dot(u, vec3.Add(x, -1, e))
		if off := vec3.Add(vec3.Add(x, -1, e), -along, u); vec3.Norm(vec3.Add(off, -s, n)) > edgeExact*size {
			return false
		}
		lo, hi = min(lo, along), max(hi, along)
	}
	if lo, hi = max(lo, clear), min(hi, length-clear); lo > hi || !b.within(vec3.Add(vec3.Add(e, lo, u), s, n), i, j, clear) {
		return false
	}
	g := &c.separation
	g.a, g.b, g.pa, g.pb, g.size, g.plane = a, b, pa, pb, size, false
	if sign < 0 {
		g.a, g.b, g.pa, g.pb = b, a, pb, pa
	}
	gap, out := s-a.radius-b.radius, pb.turn(n)
	at := vec3.Add(pb.place(vec3.Add(e, lo, u)), b.radius+gap/2, out)
	c.add(spot{at, vec3.Scale(out, sign), gap}, 0)
	c.spread(len(c.out) - 1)
	return true
}

// edgeExact is what x − y may be off s n by, of the sizes.
const edgeExact = 1e-12

// falls brings a function that falls through zero between 0 and the end to that place, by the secant
// method with bounds (Dowell and Jarratt 1971); false: it does not.
func falls(f func(float64) float64, end, exact float64) bool {
	low, high := 0.0, end
	fl, fh := f(low), f(high)
	if !(fl > 0 && fh < 0) {
		return false
	}
	for range 40 { // eight as a rule
		x := (low*fh - high*fl) / (fh - fl)
		switch y := f(x); {
		case math.Abs(y) <= exact || x <= low || x >= high:
			return true
		case y > 0:
			low, fl, fh = x, y, fh/2
		default:
			high, fh, fl = x, y, fl/2
		}
	}
	return true
}

// lowestPoints leaves the points of the core of a that are lowest along a direction of b, to
// rounding, on the axes of b.
func (c *clipper) lowestPoints(a *form, pa, pb *pose, n vec, size float64) []vec {
	c.points, _ = a.corners(c.points[:0], pa.back(vec3.Scale(pb.turn(n), -1)))
	least := math.Inf(1)
	c.lowest = c.lowest[:0]
	for _, y := range c.points {
		x := pb.local(pa.place(y))
		h := vec3.Dot(n, x)
		if h < least-edgeExact*size {
			c.lowest = c.lowest[:0]
		}
		if h <= least+edgeExact*size {
			c.lowest = append(c.lowest, x)
		}
		least = min(least, h)
	}
	return c.lowest
}

// beyond is the face over whose plane the foot of a point on a face reaches farthest.
func (f *form) beyond(face int, x vec) int {
	h := f.height(face, x)
	foot := vec3.Add(x, -max(h, 0), f.faces[face].n)
	best, most := -1, math.Inf(-1)
	for k := range f.faces {
		if h := f.height(k, foot); k != face && h > most {
			best, most = k, h
		}
	}
	return best
}

// height is that of a point above the plane of a face.
func (f *form) height(face int, x vec) float64 {
	return vec3.Dot(f.faces[face].n, vec3.Add(x, -1, f.core[f.faces[face].loop[0]]))
}

// sharedEdge is that of two faces: an end, its direction and its length.
func (f *form) sharedEdge(i, j int) (e, u vec, length float64, ok bool) {
	loop := f.faces[i].loop
	for k, p := range loop {
		q := loop[(k+1)%len(loop)]
		if slices.Contains(f.faces[j].loop, p) && slices.Contains(f.faces[j].loop, q) {
			e, u = f.core[p], vec3.Add(f.core[q], -1, f.core[p])
			length = vec3.Norm(u)
			return e, vec3.Scale(u, 1/length), length, true
		}
	}
	return e, u, 0, false
}

// within reports whether a point is deeper than that below all faces but two.
func (f *form) within(x vec, i, j int, deep float64) bool {
	for k := range f.faces {
		if k != i && k != j && deep > 0 && f.height(k, x) > -deep {
			return false
		}
	}
	return true
}
