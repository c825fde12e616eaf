package bodies

// ball is the meeting of two balls, the normal from y into x.
func balls(x, y vec, rx, ry float64) spot {
	d := add(x, -1, y)
	l := norm(d)
	n := vec{0, 1, 0} // coincident centres: any direction parts them
	if l > 0 {
		n = scale(d, 1/l)
	}
	gap := l - rx - ry
	return spot{add(y, ry+gap/2, n), n, gap}
}

// segments adds the closest points of two rounded segments (feature 0), and
// where they are nearly parallel the ends over the other one (1 to 4).
func (c *clipper) segments(a, b *form, pa, pb *pose) {
	p, q := pa.place(a.core[0]), pa.place(a.core[1])
	r, s := pb.place(b.core[0]), pb.place(b.core[1])
	u, v := add(q, -1, p), add(s, -1, r)
	k := cross(u, v)
	if dot(k, k) > parallel*parallel*dot(u, u)*dot(v, v) {
		x, y := closest(p, q, r, s)
		c.add(balls(x, y, a.radius, b.radius), 0)
		return
	}
	before := len(c.out)
	for i, e := range []vec{p, q} {
		if t := dot(add(e, -1, r), v) / dot(v, v); t >= 0 && t <= 1 {
			c.add(balls(e, add(r, t, v), a.radius, b.radius), 1+i)
		}
	}
	for i, e := range []vec{r, s} {
		if t := dot(add(e, -1, p), u) / dot(u, u); t >= 0 && t <= 1 {
			c.add(balls(add(p, t, u), e, a.radius, b.radius), 3+i)
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
