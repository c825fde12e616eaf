package bodies

import "math"

// corner is a vertex of the polygon that is clipped, in world coordinates,
// with the feature that made it.
type corner struct {
	x       vec
	feature int
}

// boxes adds the points of two boxes: by the separating axis of least
// penetration the incident face clipped to the reference face, or the closest
// points of two edges. The separation along that axis is a lower bound of the
// distance, with the same zeros and, when they overlap, the penetration.
func (c *clipper) boxes(a, b *form, pa, pb *pose) {
	s := satBoxes(a, b, pa, pb)
	switch {
	case s.edge >= 0:
		c.edges(a, b, pa, pb, &s)
	case s.face < 3:
		c.clipFace(a, b, pa, pb, s.face, -1)
	default:
		c.clipFace(b, a, pb, pa, s.face-3, 1)
	}
}

// axis of least penetration: a face normal (0-2 of a, 3-5 of b) or, with
// edge ≥ 0, the cross product of two edges.
type separation struct {
	value float64
	face  int
	edge  int
	n     vec // from b into a, for edges
}

func column(p *pose, k int) vec { return vec{p.r[k], p.r[3+k], p.r[6+k]} }

func extent(f *form, p *pose, n vec) float64 {
	m := p.back(n)
	return f.half[0]*math.Abs(m[0]) + f.half[1]*math.Abs(m[1]) + f.half[2]*math.Abs(m[2])
}

// satBoxes tests the 15 axes. Faces go before edges and a before b unless the
// others are better by more than a part of the size: the choice must not
// flicker where they are equal.
func satBoxes(a, b *form, pa, pb *pose) separation {
	d := add(pa.c, -1, pb.c)
	size := a.reach + b.reach
	best := separation{value: math.Inf(-1), edge: -1}
	for k := range 6 {
		n := column(pa, k%3)
		if k >= 3 {
			n = column(pb, k-3)
		}
		v := math.Abs(dot(n, d)) - extent(a, pa, n) - extent(b, pb, n)
		if v > best.value+1e-9*size {
			best.value, best.face = v, k
		}
	}
	for k := range 9 {
		n := cross(column(pa, k/3), column(pb, k%3))
		l := norm(n)
		if l < parallel {
			continue
		}
		n = scale(n, 1/l)
		v := math.Abs(dot(n, d)) - extent(a, pa, n) - extent(b, pb, n)
		if v > best.value+1e-3*size*l*positiveOne(-best.value)+1e-9*size {
			best.value, best.edge = v, k
			best.n = scale(n, math.Copysign(1, dot(n, d)))
		}
	}
	return best
}

func positiveOne(x float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

// edges adds the closest points of the two edges that face each other.
func (c *clipper) edges(a, b *form, pa, pb *pose, s *separation) {
	x := edgePoint(a, pa, scale(s.n, -1), s.edge/3)
	y := edgePoint(b, pb, s.n, s.edge%3)
	u, v := column(pa, s.edge/3), column(pb, s.edge%3)
	d := add(y, -1, x)
	uv := dot(u, v)
	det := 1 - uv*uv
	t := (dot(d, u) - uv*dot(d, v)) / det
	r := (uv*dot(d, u) - dot(d, v)) / det
	p, q := add(x, t, u), add(y, r, v)
	m := spot{scale(add(p, 1, q), 0.5), s.n, s.value}
	c.add(m, 1<<12|s.edge)
}

// edgePoint is the middle of the edge along axis k that is farthest along n.
func edgePoint(f *form, p *pose, n vec, k int) vec {
	m := p.back(n)
	var y vec
	for i := range 3 {
		if i != k {
			y[i] = math.Copysign(f.half[i], m[i])
		}
	}
	return p.place(y)
}

// clipFace adds the corners of b's most opposed face, clipped to the sides of
// face k of a. s is the sign of a's outward normal in the normal of the pair.
func (c *clipper) clipFace(a, b *form, pa, pb *pose, k int, s float64) {
	d := add(pb.c, -1, pa.c)
	out := column(pa, k)
	if dot(out, d) < 0 {
		out = scale(out, -1)
	}
	c.incident(b, pb, out)
	for i := range 3 {
		if i == k {
			continue
		}
		n := column(pa, i)
		at := dot(n, pa.c)
		c.cut(n, at+a.half[i], 1+2*i)
		c.cut(scale(n, -1), a.half[i]-at, 2+2*i)
	}
	base := k << 8
	if s > 0 {
		base |= 1 << 11
	}
	top := dot(out, pa.c) + a.half[k]
	for _, p := range c.poly {
		gap := dot(out, p.x) - top
		c.add(spot{add(p.x, -gap/2, out), scale(out, s), gap}, base|p.feature)
	}
}

// incident sets poly to the face of f whose normal is most opposed to out.
func (c *clipper) incident(f *form, p *pose, out vec) {
	m := p.back(out)
	k := 0
	for i := range 3 {
		if math.Abs(m[i]) > math.Abs(m[k])+1e-9 {
			k = i
		}
	}
	var y vec
	y[k] = -math.Copysign(f.half[k], m[k])
	i, j := (k+1)%3, (k+2)%3
	c.poly = c.poly[:0]
	for v, sg := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		y[i], y[j] = sg[0]*f.half[i], sg[1]*f.half[j]
		c.poly = append(c.poly, corner{p.place(y), v})
	}
}

// cut keeps the part of poly with n·x ≤ bound (Sutherland and Hodgman);
// corners within rounding of the plane stay corners. side names the plane.
func (c *clipper) cut(n vec, bound float64, side int) {
	const rounding = 1e-9 // m; of positions of the order of 1 m to 1 km
	c.next = c.next[:0]
	for i, p := range c.poly {
		q := c.poly[(i+1)%len(c.poly)]
		hp, hq := dot(n, p.x)-bound, dot(n, q.x)-bound
		if hp <= rounding {
			c.next = append(c.next, p)
		}
		if (hp > rounding) != (hq > rounding) && math.Abs(hp) > rounding && math.Abs(hq) > rounding {
			t := hp / (hp - hq)
			x := add(scale(p.x, 1-t), t, q.x)
			c.next = append(c.next, corner{x, (p.feature&3 | side<<2 | sideOf(hp)<<5) & 0xff})
		}
	}
	c.poly, c.next = c.next, c.poly
}

func sideOf(h float64) int {
	if h > 0 {
		return 1
	}
	return 0
}
