package bodies

import "github.com/quasistatic/quasistatic/internal/vec3"

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
// where they are nearly parallel the ends over the other one (1 to 4).
func (c *clipper) segments(a, b *form, pa, pb *pose) {
	p, q := pa.place(a.core[0]), pa.place(a.core[1])
	r, s := pb.place(b.core[0]), pb.place(b.core[1])
	u, v := vec3.Add(q, -1, p), vec3.Add(s, -1, r)
	k := vec3.Cross(u, v)
	if vec3.Dot(k, k) > parallel*parallel*vec3.Dot(u, u)*vec3.Dot(v, v) {
		x, y := closest(p, q, r, s)
		c.add(balls(x, y, a.radius, b.radius), 0)
		return
	}
	before := len(c.out)
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
	if len(c.out) == before {
		x, y := closest(p, q, r, s)
		c.add(balls(x, y, a.radius, b.radius), 0)
	}
}

// parallel is the sine below which two directions touch along a line: one
// contact point would let the bodies rock between its two ends.
const parallel = 1e-2
