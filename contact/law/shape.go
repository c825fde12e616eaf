package law

import (
	"encoding/json"
	"math"
)

// Shape is the 2×2 matrix S of an anisotropic friction law: friction
// dissipates s‖S u_T‖ and reactions lie in the ellipse s·Sᵀ·ball. The zero
// value is the identity, the isotropic law.
//
// The ellipse is kept by its singular value decomposition S = U diag(a, b) Vᵀ:
// semi-axes a ≥ b ≥ 0 along the columns (c, d) and (−d, c) of V.
type Shape struct {
	general    bool
	s          [4]float64 // S, row by row
	a, b, c, d float64
}

// NewShape returns the shape of the matrix s, given row by row. A scaled
// rotation s stays general, even if it is a multiple of the identity.
func NewShape(s [4]float64) Shape {
	// SᵀS = V diag(a², b²) Vᵀ by one Jacobi rotation.
	p := s[0]*s[0] + s[2]*s[2]
	q := s[1]*s[1] + s[3]*s[3]
	o := s[0]*s[1] + s[2]*s[3]
	angle := 0.5 * math.Atan2(2*o, p-q)
	d, c := math.Sincos(angle)
	return Shape{
		general: true, s: s, c: c, d: d,
		a: math.Hypot(s[0]*c+s[1]*d, s[2]*c+s[3]*d),
		b: math.Hypot(s[1]*c-s[0]*d, s[3]*c-s[2]*d),
	}
}

// Norm returns ‖S (x, y)‖.
func (s *Shape) Norm(x, y float64) float64 {
	if !s.general {
		return math.Sqrt(x*x + y*y)
	}
	return math.Hypot(s.s[0]*x+s.s[1]*y, s.s[2]*x+s.s[3]*y)
}

// Matrix returns S, row by row.
func (s *Shape) Matrix() [4]float64 {
	if !s.general {
		return [4]float64{1, 0, 0, 1}
	}
	return s.s
}

// IsZero reports whether s is the zero value, which is the identity.
func (s Shape) IsZero() bool { return s == Shape{} }

// MarshalJSON writes S, row by row.
func (s Shape) MarshalJSON() ([]byte, error) { return json.Marshal(s.Matrix()) }

// UnmarshalJSON reads it.
func (s *Shape) UnmarshalJSON(data []byte) error {
	var m [4]float64
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*s = NewShape(m)
	return nil
}

// Axes returns the semi-axes of Sᵀ·ball, a ≥ b ≥ 0.
func (s *Shape) Axes() (a, b float64) {
	if !s.general {
		return 1, 1
	}
	return s.a, s.b
}

// MixesTangents reports whether S has entries off its diagonal.
func (s *Shape) MixesTangents() bool { return s.s[1] != 0 || s.s[2] != 0 }

// Isotropic reports whether S is the identity.
func (s *Shape) Isotropic() bool { return !s.general }

// project projects (p_1, p_2) onto the ellipse of semi-axes t·a, t·b and adds
// the Jacobian: inside the identity, outside τ τᵀ/(1 + κδ) with τ the tangent
// at the foot, κ the curvature there and δ the distance.
func (s *Shape) project(dst *[3]float64, jac *[9]float64, t float64, p *[3]float64) {
	a, b := t*s.a, t*s.b
	x, y := s.c*p[1]+s.d*p[2], s.c*p[2]-s.d*p[1] // the principal frame
	fx, fy, outside := ellipseFoot(a, b, x, y)
	dst[1], dst[2] = s.c*fx-s.d*fy, s.d*fx+s.c*fy
	if jac == nil {
		return
	}
	if !outside {
		jac[4], jac[8] = 1, 1
		return
	}
	tx, ty, k := ellipseStretch(a, b, x, y, fx, fy)
	tx, ty = s.c*tx-s.d*ty, s.d*tx+s.c*ty
	jac[4], jac[8] = k*tx*tx, k*ty*ty
	jac[5] = k * tx * ty
	jac[7] = jac[5]
}

// ellipseFoot returns the point of {(x/a)² + (y/b)² ≤ 1} nearest to (x, y),
// and whether (x, y) lies outside. The foot is (a²x/(a²+θ), b²y/(b²+θ)) with θ
// the root of the secular equation (ax/(a²+θ))² + (by/(b²+θ))² = 1, found by
// Newton's method on 1 − 1/‖·‖, which is monotone from the left (concave) and
// so needs no safeguard. Flat ellipses (a or b zero) are segments.
func ellipseFoot(a, b, x, y float64) (fx, fy float64, outside bool) {
	switch {
	case a == 0 && b == 0:
		return 0, 0, x != 0 || y != 0
	case b == 0:
		return min(max(x, -a), a), 0, y != 0 || math.Abs(x) > a
	case a == 0:
		return 0, min(max(y, -b), b), x != 0 || math.Abs(y) > b
	}
	if ex, ey := x/a, y/b; ex*ex+ey*ey <= 1 {
		return x, y, false
	}
	// Scaled by the larger axis; the root lies right of the largest pole, and
	// θ = max(a|x| − a², b|y| − b²) is a start where the norm is at least 1.
	ax, by := a*math.Abs(x), b*math.Abs(y)
	theta := max(ax-a*a, by-b*b, 0)
	for range 60 { // quadratic convergence; 60 is never reached
		gx, gy := ax/(a*a+theta), by/(b*b+theta)
		norm2 := gx*gx + gy*gy
		norm := math.Sqrt(norm2)
		slope := gx*gx/(a*a+theta) + gy*gy/(b*b+theta)
		step := (norm - 1) * norm2 / slope
		if !(step > 1e-16*(theta+min(a, b)*min(a, b))) { // roundoff of the equation
			break
		}
		theta += step
	}
	gx, gy := ax/(a*a+theta), by/(b*b+theta)
	norm := math.Hypot(gx, gy) // exactly on the boundary
	return math.Copysign(a*gx/norm, x), math.Copysign(b*gy/norm, y), true
}

// ellipseStretch returns the unit tangent at the foot (fx, fy) of (x, y) and
// the factor 1/(1 + κδ) by which the projection moves along it.
func ellipseStretch(a, b, x, y, fx, fy float64) (tx, ty, k float64) {
	switch { // a segment: its points move along it, its ends stand still
	case a == 0 && b == 0:
		return 1, 0, 0
	case b == 0:
		return 1, 0, indicator(math.Abs(x) <= a)
	case a == 0:
		return 0, 1, indicator(math.Abs(y) <= b)
	}
	nx, ny := fx/a, fy/b // a unit vector: the foot on the unit circle
	tx, ty = -a*ny, b*nx
	speed := math.Hypot(tx, ty)
	kappa := a * b / (speed * speed * speed)
	return tx / speed, ty / speed, 1 / (1 + kappa*math.Hypot(x-fx, y-fy))
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
