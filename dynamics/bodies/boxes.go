package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// corner is a vertex of the polygon that is clipped, in world coordinates,
// with the feature that made it.
type corner struct {
	x       vec
	feature int
}

// boxes adds the points of two boxes: by the separating axis of least
// penetration the incident face clipped to the reference face, or the closest
// points of two edges. The separation along that axis is a lower bound of the
// distance, with the same zeros, and when they overlap minus the penetration.
// Where no point attains it, corners or edges beside the faces are closest.
func (c *clipper) boxes(a, b *form, pa, pb *pose) {
	s := satBoxes(a, b, pa, pb, c.margin)
	if s.value > c.margin {
		return
	}
	first := len(c.out)
	switch {
	case s.edge >= 0:
		if !c.edges(a, b, pa, pb, &s) && s.value > 0 {
			c.out = c.out[:first]
		}
	case s.face < 3:
		c.clipFace(a, b, pa, pb, s.face, -1)
	default:
		c.clipFace(b, a, pb, pa, s.face-3, 1)
	}
	least := math.Inf(1)
	for _, x := range c.out[first:] {
		least = min(least, x.gap)
	}
	switch rounding := 1e-12 * (a.reach + b.reach); {
	case s.value > rounding && least > s.value+rounding:
		c.out = c.out[:first]
		c.closestBoxes(a, b, pa, pb)
	case len(c.out) == first: // they overlap beside the reference face
		c.deepestVertex(a, b, pa, pb, s.face)
	}
}

// deepestVertex adds the vertex of one box that is deepest below a face, 0-2 of
// a and 3-5 of b, of the other.
func (c *clipper) deepestVertex(a, b *form, pa, pb *pose, face int) {
	s := -1.0
	if face >= 3 {
		a, b, pa, pb, s = b, a, pb, pa, 1
	}
	out := column(pa, face%3)
	if vec3.Dot(out, vec3.Add(pb.c, -1, pa.c)) < 0 {
		out = vec3.Scale(out, -1)
	}
	m := pb.back(out)
	var y vec
	vertex := 0
	for i := range 3 {
		y[i] = -math.Copysign(b.half[i], m[i])
		if y[i] > 0 {
			vertex |= 1 << i
		}
	}
	x := pb.place(y)
	gap := vec3.Dot(out, vec3.Add(x, -1, pa.c)) - a.half[face%3]
	c.add(spot{vec3.Add(x, -gap/2, out), vec3.Scale(out, s), gap}, 1<<14|face<<3|vertex)
}

// closestBoxes adds the closest points of two disjoint boxes, by trying each
// vertex with the other box and each edge with each: exact.
func (c *clipper) closestBoxes(a, b *form, pa, pb *pose) {
	var x, y [8]vec // the vertices in space
	best := point{spot: spot{gap: math.Inf(1)}}
	take := func(p, q vec, feature int) {
		if d := vec3.Add(p, -1, q); vec3.Dot(d, d) < best.gap*best.gap {
			best = point{spot: balls(p, q, 0, 0), feature: feature}
		}
	}
	for i := range x {
		x[i], y[i] = pa.place(a.core[i]), pb.place(b.core[i])
		foot, _, _ := b.boxFoot(pb.local(x[i]))
		take(x[i], pb.place(foot), 1<<13|i)
		foot, _, _ = a.boxFoot(pa.local(y[i]))
		take(pa.place(foot), y[i], 1<<13|8+i)
	}
	for i, e := range boxEdges {
		for j, f := range boxEdges {
			mid := vec3.Add(vec3.Add(x[e[0]], 1, x[e[1]]), -1, vec3.Add(y[f[0]], 1, y[f[1]])) // twice the distance
			if l := 2*best.gap + 2*a.half[i/4] + 2*b.half[j/4]; vec3.Dot(mid, mid) < l*l {
				p, q := closest(x[e[0]], x[e[1]], y[f[0]], y[f[1]])
				take(p, q, 1<<13|16+12*i+j)
			}
		}
	}
	c.out = append(c.out, best)
}

// boxEdges are the vertices of the edges, four along each axis; the bits of a
// vertex are the signs of its coordinates.
var boxEdges = [12][2]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}

// axis of least penetration: a face normal (0-2 of a, 3-5 of b) or, with
// edge ≥ 0, the cross product of two edges.
type separation struct {
	value float64
	face  int
	edge  int
	n     vec // from b into a, for edges
}

func column(p *pose, k int) vec { return vec{p.r[k], p.r[3+k], p.r[6+k]} }

// satBoxes tests the 15 axes. Faces go before edges and a before b unless the
// others are better by more than a part of the size: the choice must not
// flicker where they are equal. It ends where boxes are apart by more than far.
//
// With C = AᵀB, t = Aᵀd, the axis a_i × b_j, j₁ and j₂ following j, has the length
// √(C²_i₁j + C²_i₂j), the distance |t_i₂C_i₁j − t_i₁C_i₂j| of the centres along it, and
// the extents e_i₁|C_i₂j| + e_i₂|C_i₁j| and f_j₁|C_ij₂| + f_j₂|C_ij₁|
// (Gottschalk, Lin and Manocha, OBBTree, SIGGRAPH 1996).
func satBoxes(a, b *form, pa, pb *pose, far float64) separation {
	d := vec3.Add(pa.c, -1, pb.c)
	size := a.reach + b.reach
	best := separation{value: math.Inf(-1), edge: -1}
	t, u := pa.back(d), pb.back(d)
	var c, m [3][3]float64
	for i := range 3 {
		for j := range 3 {
			c[i][j] = pa.r[i]*pb.r[j] + pa.r[3+i]*pb.r[3+j] + pa.r[6+i]*pb.r[6+j]
			m[i][j] = math.Abs(c[i][j])
		}
	}
	e, f := &a.half, &b.half
	for k := range 6 {
		var v float64
		if i := k % 3; k < 3 {
			v = math.Abs(t[i]) - e[i] - (f[0]*m[i][0] + f[1]*m[i][1] + f[2]*m[i][2])
		} else {
			v = math.Abs(u[i]) - f[i] - (e[0]*m[0][i] + e[1]*m[1][i] + e[2]*m[2][i])
		}
		if v > best.value+1e-9*size {
			best.value, best.face = v, k
			if v > far {
				return best
			}
		}
	}
	for k := range 9 {
		i, j := k/3, k%3
		i1, i2, j1, j2 := next[i], next[i+1], next[j], next[j+1]
		l := math.Sqrt(c[i1][j]*c[i1][j] + c[i2][j]*c[i2][j])
		if l < parallel {
			continue
		}
		v := math.Abs(t[i2]*c[i1][j]-t[i1]*c[i2][j]) - (e[i1]*m[i2][j] + e[i2]*m[i1][j]) - (f[j1]*m[i][j2] + f[j2]*m[i][j1])
		if v /= l; v > best.value+1e-3*size*l*positiveOne(-best.value)+1e-9*size {
			best.value, best.edge = v, k
			if v > far {
				return best
			}
		}
	}
	if best.edge >= 0 {
		n := vec3.Cross(column(pa, best.edge/3), column(pb, best.edge%3))
		best.n = vec3.Scale(n, math.Copysign(1/vec3.Norm(n), vec3.Dot(n, d)))
	}
	return best
}

// next[i] and next[i+1] follow the axis i.
var next = [4]int{1, 2, 0, 1}

func positiveOne(x float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

// edges adds the closest points of the two edges that face each other, and
// reports whether they are within the edges.
func (c *clipper) edges(a, b *form, pa, pb *pose, s *separation) bool {
	i, j := s.edge/3, s.edge%3
	x := edgePoint(a, pa, vec3.Scale(s.n, -1), i)
	y := edgePoint(b, pb, s.n, j)
	u, v := column(pa, i), column(pb, j)
	d := vec3.Add(y, -1, x)
	uv := vec3.Dot(u, v)
	det := 1 - uv*uv
	t := (vec3.Dot(d, u) - uv*vec3.Dot(d, v)) / det
	r := (uv*vec3.Dot(d, u) - vec3.Dot(d, v)) / det
	p, q := vec3.Add(x, t, u), vec3.Add(y, r, v)
	m := spot{vec3.Scale(vec3.Add(p, 1, q), 0.5), s.n, s.value}
	c.add(m, 1<<12|s.edge)
	return math.Abs(t) <= a.half[i] && math.Abs(r) <= b.half[j]
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
	d := vec3.Add(pb.c, -1, pa.c)
	out := column(pa, k)
	if vec3.Dot(out, d) < 0 {
		out = vec3.Scale(out, -1)
	}
	c.incident(b, pb, out)
	for i := range 3 {
		if i == k {
			continue
		}
		n := column(pa, i)
		at := vec3.Dot(n, pa.c)
		c.cut(n, at+a.half[i], 1+2*i)
		c.cut(vec3.Scale(n, -1), a.half[i]-at, 2+2*i)
	}
	base := k << 8
	if s > 0 {
		base |= 1 << 11
	}
	top := vec3.Dot(out, pa.c) + a.half[k]
	for _, p := range c.poly {
		gap := vec3.Dot(out, p.x) - top
		c.add(spot{vec3.Add(p.x, -gap/2, out), vec3.Scale(out, s), gap}, base|p.feature)
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
		hp, hq := vec3.Dot(n, p.x)-bound, vec3.Dot(n, q.x)-bound
		if hp <= rounding {
			c.next = append(c.next, p)
		}
		if (hp > rounding) != (hq > rounding) && math.Abs(hp) > rounding && math.Abs(hq) > rounding {
			t := hp / (hp - hq)
			x := vec3.Add(vec3.Scale(p.x, 1-t), t, q.x)
			c.next = append(c.next, corner{x, crossing(p.feature, side, sideOf(hp))})
		}
	}
	c.poly, c.next = c.next, c.poly
}

// crossing is the feature where the edge after a corner crosses a side: of the prism of a box with
// the corner, of others with the side alone, which a convex polygon crosses once either way.
func crossing(corner, side, leaves int) int {
	if side >= sideNames {
		return side<<1 | leaves
	}
	return (corner&3 | side<<2 | leaves<<5) & 0xff
}

func sideOf(h float64) int {
	if h > 0 {
		return 1
	}
	return 0
}
