package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// This file has what the solvers of [form.Local] need of a regular pyramid (S = I)
// beyond [law.Pyramid.Project]. With (a, b) the components of a tangential vector
// across and along the facet into whose sector it points, the polygon of size s
// has the facet a = s, |b| ≤ s tan(π/m), and the corners beside it.

// alartCurnierPolygon is Alart and Curnier's function with the polygon for the disc.
// With (n, y) = r − u, s = μn, D and w the derivatives of the projection of y on
// the polygon of size s by y and by s,
//
//	∂f_T = ∂r_T − D(∂r_T − ∂u_T) − μw(∂r_N − ∂u_N).
func alartCurnierPolygon(l *law.Pyramid, f *vec3, e, bb *mat3, r, u *vec3) {
	n := r[0] - u[0]
	if n <= 0 {
		*f = *r
		if e != nil {
			*e, *bb = mat3{}, num.Identity3
		}
		return
	}
	x, y, s := r[1]-u[1], r[2]-u[2], l.Mu*n
	a, b, sin, cos, tan := l.Sector(x, y)
	if a <= s {
		*f = *u
		if e != nil {
			*e, *bb = num.Identity3, mat3{}
		}
		return
	}
	sx, sy := math.Copysign(1, x), math.Copysign(1, y)
	back := func(a, b float64) (x, y float64) { return sx * (cos*a - sin*b), sy * (sin*a + cos*b) }
	wx, wy := back(1, 0) // onto the facet
	dx, dy := back(0, 1) // along which the foot moves
	px, py := back(s, b)
	if math.Abs(b) > s*tan { // onto the corner
		wx, wy = back(1, math.Copysign(tan, b))
		dx, dy = 0, 0
		px, py = s*wx, s*wy
	}
	*f = vec3{u[0], r[1] - px, r[2] - py}
	if e == nil {
		return
	}
	mu := l.Mu
	*e = mat3{1, 0, 0, mu * wx, dx * dx, dx * dy, mu * wy, dx * dy, dy * dy}
	*bb = mat3{0, 0, 0, -mu * wx, 1 - dx*dx, -dx * dy, -mu * wy, -dx * dy, 1 - dy*dy}
}

const (
	// onePieces: a polygon of more facets is left to the general iteration.
	onePieces = 64
	// oneSlack is the part of the tangential velocity, or of the reaction, by
	// which a piece may miss its conditions: rounding where two pieces meet.
	oneSlack = 1e-12
)

// pyramid solves one contact exactly: take-off, stick, or one of the pieces of
// the boundary, each a linear problem whose signs decide. It reports false if no
// piece fits, and leaves r.
func (o *oneContact) pyramid(r *vec3, l *law.Pyramid, b *vec3) bool {
	if b[0] >= 0 {
		*r = vec3{}
		return true
	}
	if o.invN == 0 { // nothing moves the contact away: no reaction can help
		return true
	}
	rn := -b[0] * o.invN
	if l.Mu == 0 {
		*r = vec3{rn, 0, 0}
		return true
	}
	bt, bo := b[1]-o.ct[1]*b[0], b[2]-o.ct[2]*b[0]
	if x, y, ok := o.tangential(0, bt, bo); ok {
		n := rn - o.cn[1]*x - o.cn[2]*y
		if a, _, _, _, _ := l.Sector(x, y); a <= l.Mu*n {
			*r = vec3{n, x, y}
			return true
		}
	}
	m := l.Sides()
	if m > onePieces {
		return false
	}
	half := math.Pi / float64(m)
	sinHalf, cosHalf := math.Sincos(half)
	for k := range m {
		sin, cos := math.Sincos(2 * half * float64(k))
		if o.facet(r, l.Mu, cos, sin, sinHalf/cosHalf, rn, bt, bo) ||
			o.corner(r, l.Mu, cos, sin, sinHalf, cosHalf, rn, bt, bo) {
			return true
		}
	}
	return false
}

// facet slips against d = (cos, sin): r_T = μnd + τe, u_T = −λd.
//
//	n + c·(μnd + τe) = r_N⁰,   e·(Ã(μnd + τe) + b̃) = 0,   |τ| ≤ μn tan,  λ ≥ 0.
func (o *oneContact) facet(r *vec3, mu, cos, sin, tan, rn, bt, bo float64) bool {
	ex, ey := -sin, cos
	dx, dy := o.t[0]*cos+o.t[1]*sin, o.t[2]*cos+o.t[3]*sin // Ãd
	fx, fy := o.t[0]*ex+o.t[1]*ey, o.t[2]*ex+o.t[3]*ey     // Ãe
	a, b := 1+mu*(o.cn[1]*cos+o.cn[2]*sin), o.cn[1]*ex+o.cn[2]*ey
	c, d := mu*(ex*dx+ey*dy), ex*fx+ey*fy
	rhs := -(ex*bt + ey*bo)
	det := a*d - b*c
	if !(math.Abs(det) > noPivot*(math.Abs(a*d)+math.Abs(b*c))) {
		return false
	}
	n, tau := (rn*d-b*rhs)/det, (a*rhs-c*rn)/det
	if !(n >= 0) || math.Abs(tau) > mu*n*tan*(1+oneSlack) {
		return false
	}
	lambda := -(cos*(mu*n*dx+tau*fx+bt) + sin*(mu*n*dy+tau*fy+bo))
	if !(lambda >= -oneSlack*math.Hypot(bt, bo)) {
		return false
	}
	*r = vec3{n, mu*n*cos + tau*ex, mu*n*sin + tau*ey}
	return true
}

// corner slips with r_T = μnv in the corner v that follows d = (cos, sin), and
// −u_T between d and the normal of the next facet.
func (o *oneContact) corner(r *vec3, mu, cos, sin, sinHalf, cosHalf, rn, bt, bo float64) bool {
	c, s := cos*cosHalf-sin*sinHalf, sin*cosHalf+cos*sinHalf // towards v
	vx, vy := c/cosHalf, s/cosHalf
	k := 1 + mu*(o.cn[1]*vx+o.cn[2]*vy)
	if !(k > noPivot) {
		return false
	}
	n := rn / k
	x, y := mu*n*vx, mu*n*vy
	ux, uy := -(o.t[0]*x + o.t[1]*y + bt), -(o.t[2]*x + o.t[3]*y + bo)
	along, across := c*ux+s*uy, c*uy-s*ux
	if !(math.Abs(across)*cosHalf <= along*sinHalf+oneSlack*math.Hypot(bt, bo)) {
		return false
	}
	*r = vec3{n, x, y}
	return true
}
