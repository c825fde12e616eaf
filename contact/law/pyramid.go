package law

import (
	"fmt"
	"math"
)

// Pyramid is Coulomb's friction on a polygon of m facets,
//
//	K = {r : r_T ∈ μ r_N Sᵀ·P},   P = {y : d_i·y ≤ 1, i = 0 … m−1},   d_i at the angle 2πi/m,
//
// with the correction μ·max{d·S u_T : d ∈ P}. The polygon P
// circumscribes the circle; m = 4 is the box |r_t| ≤ μ r_N, |r_o| ≤ μ r_N of
// [SongPangKumar04]; an S of diagonal (a, b) makes it the rectangle |r_t| ≤ μ a r_N,
// |r_o| ≤ μ b r_N. In two dimensions it is Coulomb's law itself.
type Pyramid struct {
	Mu     float64 `json:"mu"`              // μ ≥ 0 [-]
	Facets int     `json:"facets,omitzero"` // m, even, at least 4; 0 means 4
	Shape  Shape   `json:"shape,omitzero"`  // S [-]; the zero value is the identity
}

var _ Law = Pyramid{}

// Sides returns m.
func (l Pyramid) Sides() int {
	if l.Facets == 0 {
		return 4
	}
	return l.Facets
}

// Sector maps (x, y) into the wedge of one facet: a along its normal d, at the
// angle phi of the first quadrant, b along it; the polygon is symmetric in
// both axes, so that signs are restored afterwards and the third component of
// a plane problem stays zero.
func (l Pyramid) Sector(x, y float64) (a, b, sin, cos, tan float64) {
	sector := 2 * math.Pi / float64(l.Sides())
	x, y = math.Abs(x), math.Abs(y)
	phi := sector * math.Round(math.Atan2(y, x)/sector)
	sin, cos = math.Sincos(phi)
	if phi == 0.5*math.Pi {
		sin, cos = 1, 0
	}
	return cos*x + sin*y, cos*y - sin*x, sin, cos, math.Tan(0.5 * sector)
}

// Project implements [Law]: inside, onto the facet, onto the edge beside it,
// or onto the apex. Every piece is linear, the Jacobian its projector.
func (l Pyramid) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	switch {
	case l.Mu == 0: // corners that coincide span no facet
		Frictionless{}.Project(dst, jac, p)
		return
	case l.Shape.general:
		l.projectShaped(dst, jac, p)
		return
	}
	a, b, sin, cos, tan := l.Sector(p[1], p[2])
	if jac != nil {
		*jac = [9]float64{}
	}
	mu, n := l.Mu, p[0]
	if a <= mu*n {
		*dst = *p
		if jac != nil {
			jac[0], jac[4], jac[8] = 1, 1, 1
		}
		return
	}
	sx, sy := math.Copysign(1, p[1]), math.Copysign(1, p[2])
	back := func(n, a, b float64) [3]float64 {
		return [3]float64{n, sx * (cos*a - sin*b), sy * (sin*a + cos*b)}
	}
	if s := (n + mu*a) / (1 + mu*mu); s > 0 && math.Abs(b) <= mu*s*tan {
		*dst = back(s, mu*s, b)
		if jac != nil {
			ray, along := back(1, mu, 0), back(0, 0, 1)
			addDyad(jac, &ray, 1/(1+mu*mu))
			addDyad(jac, &along, 1)
		}
		return
	}
	edge := back(1, mu, math.Copysign(mu*tan, b))
	l2 := edge[0]*edge[0] + edge[1]*edge[1] + edge[2]*edge[2]
	s := (n*edge[0] + p[1]*edge[1] + p[2]*edge[2]) / l2
	if s <= 0 {
		*dst = [3]float64{}
		return
	}
	*dst = [3]float64{s * edge[0], s * edge[1], s * edge[2]}
	if jac != nil {
		addDyad(jac, &edge, 1/l2)
	}
}

// Corner returns the corner of P with the largest product with (x, y).
func (l Pyramid) Corner(x, y float64) (cx, cy float64) {
	_, b, sin, cos, tan := l.Sector(x, y)
	b = math.Copysign(tan, b)
	return math.Copysign(cos-sin*b, x), math.Copysign(sin+cos*b, y)
}

// Correction implements [Law]: μ times the support function of Sᵀ·P.
func (l Pyramid) Correction(u *[3]float64) float64 {
	s := l.Shape.Matrix()
	a, b, _, _, tan := l.Sector(s[0]*u[1]+s[1]*u[2], s[2]*u[1]+s[3]*u[2])
	return l.Mu * (a + math.Abs(b)*tan)
}

// Support implements [Law]; the reactions form a cone.
func (l Pyramid) Support(*[3]float64) float64 { return 0 }

// Form returns the cone over the polygon.
func (l Pyramid) Form() Form {
	return Form{Set: PolygonCone, Bound: l.Mu, Facets: l.Sides(), Shape: l.Shape}
}

// Validate implements [Law].
func (l Pyramid) Validate() error {
	if l.Facets != 0 && (l.Facets < 4 || l.Facets%2 != 0 || l.Facets > 1<<16) {
		return fmt.Errorf("field Facets is %d, want an even number from 4 to 65536", l.Facets)
	}
	return validateMu(l.Mu, &l.Shape)
}
