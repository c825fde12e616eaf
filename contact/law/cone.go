package law

import (
	"fmt"
	"math"
)

// ProjectCone projects p onto {r : ‖r_T‖ ≤ μ r_N}. On the boundary r lies on
// the ray (1, μe) with e = p_T/‖p_T‖, and the Jacobian is the projector onto
// that ray plus μ r_N/‖p_T‖ times the projector onto the direction across.
func ProjectCone(dst *[3]float64, jac *[9]float64, mu float64, p *[3]float64) {
	n, x, y := p[0], p[1], p[2]
	t := math.Sqrt(x*x + y*y)
	switch {
	case t <= mu*n && n >= 0: // μn is −0 for μ = 0, n < 0
		*dst = [3]float64{n, x, y}
		if jac != nil {
			*jac = [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
		}
		return
	case mu*t <= -n:
		*dst = [3]float64{}
		if jac != nil {
			*jac = [9]float64{}
		}
		return
	}
	c := 1 / (1 + mu*mu)
	rn := (n + mu*t) * c
	if t == 0 { // only for μ = 0 or n not finite
		x, t = 1, 1
	}
	x, y = x/t, y/t
	*dst = [3]float64{rn, mu * rn * x, mu * rn * y}
	if jac == nil {
		return
	}
	m := mu * c
	a, k := mu*m, mu*rn/t
	o := (a - k) * x * y
	*jac = [9]float64{
		c, m * x, m * y,
		m * x, a*x*x + k*y*y, o,
		m * y, o, a*y*y + k*x*x,
	}
}

// projectEllipticCone projects p onto {r : (x/A)² + (y/B)² ≤ r_N²}, with A, B
// the semi-axes μa, μb of the shape and (x, y) its principal frame. On the
// boundary r = (n/(1−θ), A²x/(A²+θ), B²y/(B²+θ)) for the θ > 0 of
//
//	(1−θ)·‖(Ax/(A²+θ), By/(B²+θ))‖ = n,
//
// and the Jacobian is rrᵀ/‖r‖² + ttᵀ/(1 + θ t·Mt) with M = diag(−1, A⁻², B⁻²)
// and t ⊥ r the other tangent of the cone.
func projectEllipticCone(dst *[3]float64, jac *[9]float64, mu float64, s *Shape, p *[3]float64) {
	a, b := mu*s.a, mu*s.b
	x, y := s.c*p[1]+s.d*p[2], s.c*p[2]-s.d*p[1]
	if jac != nil {
		*jac = [9]float64{}
	}
	if b <= 4*eps*a { // flat, to the rounding of the decomposition
		projectSector(dst, jac, a, s, p[0], x)
		return
	}
	if insideElliptic(a, b, p[0], x, y) {
		*dst = *p
		if jac != nil {
			jac[0], jac[4], jac[8] = 1, 1, 1
		}
		return
	}
	if p[0] <= -math.Hypot(a*x, b*y) {
		*dst = [3]float64{}
		return
	}
	r, theta := ellipticFoot(a, b, p[0], x, y)
	*dst = [3]float64{r[0], s.c*r[1] - s.d*r[2], s.d*r[1] + s.c*r[2]}
	if jac == nil {
		return
	}
	addDyad(jac, dst, 1/(r[0]*r[0]+r[1]*r[1]+r[2]*r[2]))
	// M r up to a factor is the outward normal; t is across it and r.
	m := [3]float64{-r[0], r[1] / (a * a), r[2] / (b * b)}
	t := [3]float64{m[1]*r[2] - m[2]*r[1], m[2]*r[0] - m[0]*r[2], m[0]*r[1] - m[1]*r[0]}
	l2 := t[0]*t[0] + t[1]*t[1] + t[2]*t[2]
	k := (t[1]*t[1]/(a*a) + t[2]*t[2]/(b*b) - t[0]*t[0]) / l2
	t[1], t[2] = s.c*t[1]-s.d*t[2], s.d*t[1]+s.c*t[2]
	addDyad(jac, &t, 1/(l2*(1+theta*k)))
}

// projectSector projects onto the cone of a flat ellipse (b = 0): |x| ≤ a r_N
// in the plane of n and the principal axis (c, d), nothing across.
func projectSector(dst *[3]float64, jac *[9]float64, a float64, s *Shape, n, x float64) {
	q := [3]float64{n, x, 0}
	ProjectCone(&q, jac, a, &q)
	*dst = [3]float64{q[0], s.c * q[1], s.d * q[1]}
	if jac != nil {
		nn, nx, xx := jac[0], jac[1], jac[4]
		*jac = [9]float64{
			nn, s.c * nx, s.d * nx,
			s.c * nx, s.c * s.c * xx, s.c * s.d * xx,
			s.d * nx, s.c * s.d * xx, s.d * s.d * xx,
		}
	}
}

func insideElliptic(a, b, n, x, y float64) bool {
	x, y = x/a, y/b
	return n >= 0 && x*x+y*y <= n*n
}

// ellipticFoot finds θ = τ/(1−τ) by bisection sped up by the secant rule; τ
// runs through [0, 1], where the equation times 1 stays bounded.
func ellipticFoot(a, b, n, x, y float64) (r [3]float64, theta float64) {
	g := func(tau float64) (v, w float64) {
		return a * x / (a*a + tau*(1-a*a)), b * y / (b*b + tau*(1-b*b))
	}
	lo, hi := 0.0, 1.0
	tau := 0.5
	for k := range 200 { // 60 halvings would do
		v, w := g(tau)
		f := (1-2*tau)*math.Hypot(v, w) - n
		if f > 0 {
			lo = tau
		} else {
			hi = tau
		}
		next := tau
		if h := 1e-7 * tau; k%2 == 0 { // a Newton step by differences, every other time
			v, w = g(tau + h)
			slope := ((1-2*(tau+h))*math.Hypot(v, w) - n - f) / h
			next = tau - f/slope
		}
		if !(next > lo && next < hi) || next == tau {
			next = 0.5 * (lo + hi)
		}
		if math.Abs(next-tau) <= eps*tau || hi-lo <= eps*hi {
			tau = next
			break
		}
		tau = next
	}
	v, w := g(tau)
	v, w = (1-tau)*v, (1-tau)*w
	return [3]float64{math.Hypot(v, w), a * v, b * w}, tau / (1 - tau)
}

// addDyad adds k·v vᵀ to m.
func addDyad(m *[9]float64, v *[3]float64, k float64) {
	for i := range 3 {
		for j := range 3 {
			m[3*i+j] += k * v[i] * v[j]
		}
	}
}

func validateMu(mu float64, s *Shape) error {
	if !(mu >= 0) || mu > maxMu {
		return fmt.Errorf("field Mu is %g, want a number between 0 and %g", mu, float64(maxMu))
	}
	if s.general && !(s.a*mu <= maxMu) {
		return fmt.Errorf("field Shape times Mu has a semi-axis of %g, want at most %g", s.a*mu, float64(maxMu))
	}
	return nil
}

// maxMu keeps 1 + μ² exact enough to be a cone and not a half-space: at 1e6
// the cosine of the half-angle still has ten digits.
const maxMu = 1e6

// eps is the spacing of the float64 above 1.
const eps = 0x1p-52

type (
	vec3 = [3]float64
	mat3 = [9]float64 // row by row
)
