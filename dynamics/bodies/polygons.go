package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// polygons adds the points of two convex polygons in the plane, perhaps
// rounded, perhaps with two corners: corner against corner where those are
// closest, else the incident edge clipped to the reference edge.
func (c *clipper) polygons(a, b *form, pa, pb *pose) {
	ea, sa := c.bestEdge(a, b, pa, pb)
	eb, sb := c.bestEdge(b, a, pb, pa)
	// Cores apart: the distance may be one of two corners. Those of two rods on one line have no
	// direction that parts them but that of the line.
	apart := max(sa, sb) > 0 || isSegment(a) && isSegment(b) && max(sa, sb) >= -1e-12*(a.reach+b.reach)
	var near point
	if apart {
		m, i, j, ok := corners(a, b, pa, pb)
		if near = (point{spot: m, feature: 1<<12 | i<<6 | j}); ok {
			c.out = append(c.out, near)
			return
		}
	}
	first := len(c.out)
	const bias = 1e-9 // of a size: no flicker between equal edges
	if sa >= sb-bias*a.reach {
		c.clipEdge(a, b, pa, pb, ea, -1)
	} else {
		c.clipEdge(b, a, pb, pa, eb, 1)
	}
	least := math.Inf(1)
	for _, x := range c.out[first:] {
		least = min(least, x.gap)
	}
	if apart && least > near.gap+1e-9*a.reach { // the end of a rod by rounding beyond that of another, which it meets at right angles: cut off
		c.out = append(c.out[:first], near)
	}
}

// edge returns corner, direction and outward normal of an edge; a segment has
// two edges, one for each side.
func (f *form) edge(p *pose, i int) (x, dir, out vec, length float64) {
	n := len(f.core)
	x = p.place(f.core[i%n])
	d := vec3.Add(p.place(f.core[(i+1)%n]), -1, x)
	length = vec3.Norm(d)
	dir = vec3.Scale(d, 1/length)
	return x, dir, vec{dir[1], -dir[0]}, length
}

// bestEdge returns the edge of a with the largest separation from b's core.
func (c *clipper) bestEdge(a, b *form, pa, pb *pose) (best int, separation float64) {
	separation = math.Inf(-1)
	for i := range a.core {
		x, _, out, _ := a.edge(pa, i)
		least := math.Inf(1)
		for _, y := range b.core {
			least = min(least, vec3.Dot(out, vec3.Add(pb.place(y), -1, x)))
		}
		if least > separation {
			best, separation = i, least
		}
	}
	return best, separation
}

// corners returns the meeting of the two closest corners if no edge is closer.
func corners(a, b *form, pa, pb *pose) (m spot, i, j int, ok bool) {
	least := math.Inf(1)
	for k, x := range a.core {
		for l, y := range b.core {
			if n := balls(pa.place(x), pb.place(y), a.radius, b.radius); n.gap < least {
				m, i, j, least = n, k, l, n.gap
			}
		}
	}
	edges := min(overEdges(a, b, pa, pb), overEdges(b, a, pb, pa))
	return m, i, j, edges > least+a.radius+b.radius+1e-12*a.reach // rounding of a distance
}

// overEdges returns the least distance of a corner of b from an edge of a
// above which it lies.
func overEdges(a, b *form, pa, pb *pose) float64 {
	least := math.Inf(1)
	for i := range a.core {
		x, dir, out, length := a.edge(pa, i)
		for _, y := range b.core {
			d := vec3.Add(pb.place(y), -1, x)
			if t, h := vec3.Dot(dir, d), vec3.Dot(out, d); (h >= 0 || isSegment(a)) && t >= 0 && t <= length {
				least = min(least, math.Abs(h))
			}
		}
	}
	return least
}

// clipEdge adds the ends of b's most opposed edge, clipped to edge i of a. s is
// the sign of the outward normal of a in the normal of the pair.
func (c *clipper) clipEdge(a, b *form, pa, pb *pose, i int, s float64) {
	x, dir, out, length := a.edge(pa, i)
	against, opposed := 0, math.Inf(1)
	for j := range b.core {
		if _, _, o, _ := b.edge(pb, j); vec3.Dot(o, out) < opposed {
			against, opposed = j, vec3.Dot(o, out)
		}
	}
	y, along, _, l := b.edge(pb, against)
	lo, hi := 0.0, l
	slope, start := vec3.Dot(along, dir), vec3.Dot(dir, vec3.Add(y, -1, x))
	featureLo, featureHi := 0, 1
	cut := func(bound float64, upper bool, feature int) {
		if slope == 0 {
			return
		}
		t := (bound - start) / slope
		if (slope > 0) == upper {
			if t < hi-1e-12*l {
				hi, featureHi = t, feature
			}
		} else if t > lo+1e-12*l {
			lo, featureLo = t, feature
		}
	}
	cut(0, false, 2)
	cut(length, true, 3)
	if lo > hi { // beside the edge: the corner that is closest to it
		lo = min(max(lo, 0), l)
		hi = lo
	}
	base := i<<7 | against<<2
	if s > 0 {
		base |= 1 << 13
	}
	put := func(t float64, feature int) {
		p := vec3.Add(y, t, along)
		h := vec3.Dot(out, vec3.Add(p, -1, x))
		gap := h - a.radius - b.radius
		c.add(spot{vec3.Add(p, -b.radius-gap/2, out), vec3.Scale(out, s), gap}, base|feature)
	}
	put(lo, featureLo)
	if hi > lo {
		put(hi, featureHi)
	}
}
