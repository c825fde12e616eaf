package halfspace

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// The influence of a patch on the surface of an elastic half-space, of Love,
// Boussinesq and Cerruti. Uniform tractions on a rectangle with half-sides a, b
// displace the surface at (x, y) from its centre by integrals over the rectangle of
//
//	1/r,   ξ²/r³,   η²/r³,   ξη/r³,   ξ/r²,   η/r²,      r² = ξ² + η²,
//
// with ξ, η from x−a to x+a and y−b to y+b. Each has a second antiderivative F
// with ∂²F/∂ξ∂η the integrand, and the integral is F at the four corners with
// alternating signs:
//
//	1/r    ξ ln(η + r) + η ln(ξ + r)
//	ξ²/r³  η ln(ξ + r)
//	η²/r³  ξ ln(η + r)
//	ξη/r³  −r
//	ξ/r²   η ln r + ξ atan(η/ξ)
//	η/r²   ξ ln r + η atan(ξ/η)

// patch holds the integrals over a rectangle, divided by its area: displacements
// for a force of 1, up to the elastic constants.
type patch struct {
	xx, yy, xy float64 // ξ²/r³, η²/r³, ξη/r³ [1/m]; xx + yy is that of 1/r
	x, y       float64 // ξ/r², η/r² [1/m]
}

// uniformPatch integrates over the rectangle with half-sides a and b at (x, y)
// from its centre. Far away the corners cancel, and Gauss' quadrature is exact to
// rounding: with n points a side the error is (a/r)^2n times less than one.
func uniformPatch(x, y, a, b float64) patch {
	switch r := math.Hypot(x, y) / max(a, b); {
	case r > 200:
		return quadrature(x, y, a, b, gauss3[:])
	case r > 25:
		return quadrature(x, y, a, b, gauss5[:])
	}
	return corners(x, y, a, b)
}

// Nodes and weights of Gauss on (−1, 1), of mean 1.
var (
	gauss3 = [...][2]float64{{0, 4. / 9}, {0.7745966692414834, 5. / 18}, {-0.7745966692414834, 5. / 18}}
	gauss5 = [...][2]float64{{0, 64. / 225}, {0.5384693101056831, 0.23931433524968324}, {-0.5384693101056831, 0.23931433524968324},
		{0.906179845938664, 0.11846344252809454}, {-0.906179845938664, 0.11846344252809454}}
)

func quadrature(x, y, a, b float64, nodes [][2]float64) patch {
	var s patch
	for _, p := range nodes {
		for _, q := range nodes {
			w, f := p[1]*q[1], pointPatch(x+a*p[0], y+b*q[0])
			s.xx += w * f.xx
			s.yy += w * f.yy
			s.xy += w * f.xy
			s.x += w * f.x
			s.y += w * f.y
		}
	}
	return s
}

// corners is the closed form.
func corners(x, y, a, b float64) patch {
	var s patch
	for _, c := range [4]struct{ u, v, sign float64 }{{x + a, y + b, 1}, {x - a, y + b, -1}, {x + a, y - b, -1}, {x - a, y - b, 1}} {
		r := math.Hypot(c.u, c.v)
		if r == 0 {
			continue // every F vanishes there
		}
		s.xx += c.sign * c.v * logSum(c.u, c.v, r)
		s.yy += c.sign * c.u * logSum(c.v, c.u, r)
		s.xy -= c.sign * r
		s.x += c.sign * (c.v*elementary.Log(r) + c.u*angle(c.v, c.u))
		s.y += c.sign * (c.u*elementary.Log(r) + c.v*angle(c.u, c.v))
	}
	area := 4 * a * b
	return patch{s.xx / area, s.yy / area, s.xy / area, s.x / area, s.y / area}
}

// logSum returns ln(u + r), r = |(u, v)|, without cancellation for u < 0. Where
// v = 0 its factor is zero, and any finite value serves.
func logSum(u, v, r float64) float64 {
	switch {
	case u >= 0:
		return elementary.Log(u + r)
	case v == 0:
		return 0
	}
	return 2*elementary.Log(math.Abs(v)) - elementary.Log(r-u) // (u + r)(r − u) = v²
}

// angle returns atan(v/u); its factor u vanishes at 0.
func angle(v, u float64) float64 {
	if u == 0 {
		return 0
	}
	return math.Atan(v / u)
}

// pointPatch is the far field of uniformPatch: a point force.
func pointPatch(x, y float64) patch {
	r := math.Sqrt(x*x + y*y)
	rrr := r * r * r
	return patch{x * x / rrr, y * y / rrr, x * y / rrr, x / (r * r), y / (r * r)}
}
