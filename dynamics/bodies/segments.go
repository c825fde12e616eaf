package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// ball is the meeting of two balls, the normal from y into x.
func balls(x, y vec, rx, ry float64) spot {
	d := vec3.Add(x, -1, y)
	l := vec3.Norm(d)
	n := vec{0, 1, 0} // coincident centres: any direction parts them
	if l > 0 {
		n = vec3.Scale(d, 1/l)
	}
	gap := l - rx - ry
	return spot{vec3.Add(y, ry+gap/2, n), n, gap}
}

// segments adds the closest points of two rounded segments (feature 0), and
// where they are nearly parallel the ends over the other one (1 to 4), which are
// further where segments cross in space.
func (c *clipper) segments(a, b *form, pa, pb *pose) {
	if c.plane {
		c.polygons(a, b, pa, pb)
		return
	}
	p, q := pa.place(a.core[0]), pa.place(a.core[1])
	r, s := pb.place(b.core[0]), pb.place(b.core[1])
	u, v := vec3.Add(q, -1, p), vec3.Add(s, -1, r)
	x, y := closest(p, q, r, s)
	near := balls(x, y, a.radius, b.radius)
	k := vec3.Cross(u, v)
	if vec3.Dot(k, k) > parallel*parallel*vec3.Dot(u, u)*vec3.Dot(v, v) {
		c.add(near, 0)
		return
	}
	first, least := len(c.out), math.Inf(1)
	for i, e := range []vec{p, q} {
		if t := vec3.Dot(vec3.Add(e, -1, r), v) / vec3.Dot(v, v); t >= 0 && t <= 1 {
			c.add(balls(e, vec3.Add(r, t, v), a.radius, b.radius), 1+i)
		}
	}
	for i, e := range []vec{r, s} {
		if t := vec3.Dot(vec3.Add(e, -1, p), u) / vec3.Dot(u, u); t >= 0 && t <= 1 {
			c.add(balls(vec3.Add(p, t, u), e, a.radius, b.radius), 3+i)
		}
	}
	for _, z := range c.out[first:] {
		least = min(least, z.gap)
	}
	if near.gap < least-crossed*(a.reach+b.reach) {
		c.add(near, 0)
	}
}

// crossed is by how much the middle of two segments is nearer than their ends, over their sizes, to
// count: bodies of a metre are pressed into each other by less than 1e-10 m there.
const crossed = 1e-11

// parallel is the sine below which two directions touch along a line: one
// contact point would let the bodies rock between its two ends.
const parallel = 1e-2
