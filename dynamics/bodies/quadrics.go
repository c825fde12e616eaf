package bodies

import "math"

// quadric adds the one point where an ellipse or ellipsoid meets a ball or, in
// the plane, another ellipse. The gap is the largest separation
//
//	max_n  n·(c_a − c_b) − h_a(−n) − h_b(n)   over unit normals n,
//
// h the support functions: the distance of disjoint bodies, and minus the
// depth of overlapping ones.
func (c *clipper) quadric(a, b *form, pa, pb *pose) {
	n := add(pa.c, -1, pb.c)
	if l := norm(n); l > 0 {
		n = scale(n, 1/l)
	} else {
		n = vec{0, 1, 0}
	}
	if (flat(a) || isRound(a)) && (flat(b) || isRound(b)) && pa.c[2] == 0 {
		n = bestAngle(a, b, pa, pb, n)
	} else {
		n = ascend(a, b, pa, pb, n)
	}
	x, y := support(a, pa, scale(n, -1)), support(b, pb, n)
	gap := dot(n, add(x, -1, y))
	c.add(spot{scale(add(x, 1, y), 0.5), n, gap}, 0)
}

// support is the farthest point of a body along n.
func support(f *form, p *pose, n vec) vec {
	if !isQuadric(f) {
		return add(p.c, f.radius, n)
	}
	m := p.back(n)
	s := vec{f.axes[0] * m[0], f.axes[1] * m[1], f.axes[2] * m[2]}
	h := norm(s)
	for i := range s {
		s[i] *= f.axes[i] / h
	}
	return p.place(s)
}

func separationAt(a, b *form, pa, pb *pose, n vec) float64 {
	return dot(n, add(support(a, pa, scale(n, -1)), -1, support(b, pb, n)))
}

// bestAngle scans the circle and refines the best angle by golden sections.
func bestAngle(a, b *form, pa, pb *pose, start vec) vec {
	const scan = 48
	at := func(phi float64) (vec, float64) {
		s, c := math.Sincos(phi)
		n := vec{c, s}
		return n, separationAt(a, b, pa, pb, n)
	}
	first := math.Atan2(start[1], start[0])
	best, top := first, math.Inf(-1)
	for k := range scan {
		phi := first + 2*math.Pi*float64(k)/scan
		if _, v := at(phi); v > top {
			best, top = phi, v
		}
	}
	// The maximum is smooth: bisect the derivative, which values cannot resolve.
	slope := func(phi float64) float64 {
		s, c := math.Sincos(phi)
		n := vec{c, s}
		d := add(support(a, pa, scale(n, -1)), -1, support(b, pb, n))
		return c*d[1] - s*d[0]
	}
	lo, hi := best-2*math.Pi/scan, best+2*math.Pi/scan
	for range 60 { // bits of an angle
		mid := (lo + hi) / 2
		if slope(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	n, _ := at((lo + hi) / 2)
	return n
}

// ascend follows the gradient of the separation on the sphere, with steps that
// shrink until they help.
func ascend(a, b *form, pa, pb *pose, n vec) vec {
	value, step := separationAt(a, b, pa, pb, n), 1.0
	size := a.reach + b.reach
	for range 500 { // linear convergence; 500 is never reached by round bodies
		g := add(support(a, pa, scale(n, -1)), -1, support(b, pb, n))
		g = add(g, -dot(g, n), n)
		if norm(g) < 1e-14*size {
			break
		}
		for step > 1e-12 {
			m := add(n, step/size, g)
			m = scale(m, 1/norm(m))
			if v := separationAt(a, b, pa, pb, m); v >= value {
				n, value = m, v
				step *= 1.5
				break
			}
			step /= 2
		}
		if step <= 1e-12 {
			break
		}
	}
	return n
}
