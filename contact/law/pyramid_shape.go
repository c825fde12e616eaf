package law

import "math"

// vertex returns corner k of the polygon mapped by Sᵀ and stretched by μ, as
// the ray (1, μ Sᵀc_k) of the cone; k and k+1 bound facet k.
func (l *Pyramid) vertex(k int) vec3 {
	half := math.Pi / float64(l.Sides())
	sin, cos := math.Sincos(float64(2*k-1) * half)
	f, s := l.Mu/math.Cos(half), l.Shape.Matrix()
	return vec3{1, f * (s[0]*cos + s[2]*sin), f * (s[1]*cos + s[3]*sin)}
}

// projectShaped projects onto the cone over the parallel image Sᵀ·polygon, for
// which the facets are tried one after the other: where p lies outside of a
// facet and its foot within, the foot is the projection, since a convex set has
// one point only with p − r in its normal cone. If no facet takes it, the
// nearest edge does, or the apex. It costs O(m).
func (l *Pyramid) projectShaped(dst *vec3, jac *mat3, p *vec3) {
	if jac != nil {
		*jac = mat3{}
	}
	s := &l.Shape
	if s.b <= 4*eps*s.a { // flat, to the rounding of the decomposition
		projectSector(dst, jac, l.flatSlope(), s, p[0], s.c*p[1]+s.d*p[2])
		return
	}
	inside, best, at := true, 0.0, vec3{}
	x := l.vertex(0)
	for k := range l.Sides() {
		y := l.vertex(k + 1)
		n := cross(&y, &x) // outward
		if s.s[0]*s.s[3] < s.s[1]*s.s[2] {
			n = vec3{-n[0], -n[1], -n[2]}
		}
		nn := n[0]*n[0] + n[1]*n[1] + n[2]*n[2]
		a, b, c := n[0]*p[0], n[1]*p[1], n[2]*p[2]
		// What rounding puts outside is inside: its edge could not be told.
		if d := a + b + c; nn > 0 && d > 2*eps*(math.Abs(a)+math.Abs(b)+math.Abs(c)) {
			inside = false
			if between(&x, &y, p) {
				f := d / nn
				*dst = vec3{p[0] - f*n[0], p[1] - f*n[1], p[2] - f*n[2]}
				if jac != nil {
					jac[0], jac[4], jac[8] = 1, 1, 1
					addDyad(jac, &n, -1/nn)
				}
				l.keepPlane(dst, p)
				return
			}
		}
		if c := (x[0]*p[0] + x[1]*p[1] + x[2]*p[2]) / math.Sqrt(x[0]*x[0]+x[1]*x[1]+x[2]*x[2]); c > best {
			best, at = c, x
		}
		x = y
	}
	if inside && p[0] >= 0 {
		*dst = *p
		if jac != nil {
			jac[0], jac[4], jac[8] = 1, 1, 1
		}
		return
	}
	l2 := at[0]*at[0] + at[1]*at[1] + at[2]*at[2]
	if l2 == 0 { // the apex
		*dst = vec3{}
		return
	}
	f := best / math.Sqrt(l2)
	if jac != nil {
		addDyad(jac, &at, 1/l2)
	}
	*dst = vec3{f * at[0], f * at[1], f * at[2]}
	l.keepPlane(dst, p)
}

// keepPlane removes the roundoff across the plane of a plane problem.
func (l *Pyramid) keepPlane(dst, p *vec3) {
	if p[2] == 0 && l.Shape.s[1] == 0 && l.Shape.s[2] == 0 {
		dst[2] = 0
	}
}

// flatSlope is μ times the largest extent of Sᵀ·polygon along the axis of a
// shape of rank one (zero for S = 0).
func (l *Pyramid) flatSlope() float64 {
	u := vec3{0, l.Shape.c, l.Shape.d}
	return l.Correction(&u)
}

func cross(a, b *vec3) vec3 {
	return vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// between reports whether the foot of p on the plane of x and y is a sum of
// both with weights ≥ 0: Cramer's rule in the plane.
func between(x, y, p *vec3) bool {
	n, py, xp := cross(x, y), cross(p, y), cross(x, p)
	return dot3v(&py, &n) >= 0 && dot3v(&xp, &n) >= 0
}

func dot3v(a, b *vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
