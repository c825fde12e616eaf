package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// The secant scheme turns a body by R' = R C, C a rotation about w = ω^α: exp(hŵ), or Cayley's
// transform of hŵ where the body has joints. With the impulse τ of the moments in space
//
//	N(w) = C J ω' − J ω = Rᵀτ,   w = (1−α)ω + αω',
//
// says that angular momentum in space, R J ω, changes by τ: exactly. As C turns about w, Cᵀw = w,
// and the work
//
//	w·N(w) = w·J(ω' − ω) = ½ω'·Jω' − ½ω·Jω + (α−½)(ω' − ω)·J(ω' − ω)
//
// is the change of the energy, and a loss for α > ½.
//
// For equal moments C commutes with J and N is linear in the end velocity on the axes of the
// beginning, y = Cω': there is nothing to iterate.

// Rotation overwrites c, row by row, with C of the turn h about w.
func Rotation(c *[9]float64, w vec, h float64, cayley bool) {
	var a, b float64 // C = I + a ŵ + b ŵ²
	x := vec3.Scale(w, h)
	l := vec3.Norm(x)
	switch {
	case cayley:
		a = 1 / (1 + 0.25*l*l)
		b = 0.5 * a
	case l < 1e-4: // the series; the next terms are below rounding
		a, b = 1-l*l/6, 0.5-l*l/24
	default:
		s, c := math.Sincos(l)
		a, b = s/l, (1-c)/(l*l)
	}
	Second(c, x, 1, a, b)
}

// Second overwrites m with d I + a x̂ + b x̂².
func Second(m *[9]float64, x vec, d, a, b float64) {
	l := vec3.Dot(x, x)
	for i := range 3 {
		for j := range 3 {
			m[3*i+j] = b * x[i] * x[j]
		}
		m[4*i] += d - b*l
	}
	m[1], m[3] = m[1]-a*x[2], m[3]+a*x[2]
	m[2], m[6] = m[2]+a*x[1], m[6]-a*x[1]
	m[5], m[7] = m[5]-a*x[0], m[7]+a*x[0]
}

func MulVec(m *[9]float64, x vec) vec {
	return vec{m[0]*x[0] + m[1]*x[1] + m[2]*x[2], m[3]*x[0] + m[4]*x[1] + m[5]*x[2], m[6]*x[0] + m[7]*x[1] + m[8]*x[2]}
}

func MulBack(m *[9]float64, x vec) vec {
	return vec{m[0]*x[0] + m[3]*x[1] + m[6]*x[2], m[1]*x[0] + m[4]*x[1] + m[7]*x[2], m[2]*x[0] + m[5]*x[1] + m[8]*x[2]}
}

func MulMat(dst, a, b *[9]float64) {
	for i := range 3 {
		for j := range 3 {
			dst[3*i+j] = a[3*i]*b[j] + a[3*i+1]*b[3+j] + a[3*i+2]*b[6+j]
		}
	}
}

func (p *Place) Momentum(w vec) vec {
	return vec{p.Moments[0] * w[0], p.Moments[1] * w[1], p.Moments[2] * w[2]}
}

// SpinOf is the ω of a body in space.
func (p *Place) SpinOf(v []float64) vec { return vec{v[p.V+3], v[p.V+4], v[p.V+5]} }

// SpinBalance returns N(w) for the spin o at the beginning and w = ω^α.
func (p *Place) SpinBalance(o, w vec, h, alpha float64) vec {
	var c [9]float64
	Rotation(&c, w, h, p.Tied)
	return vec3.Add(MulVec(&c, p.Momentum(p.endSpin(o, w, alpha))), -1, p.Momentum(o))
}

func (p *Place) endSpin(o, w vec, alpha float64) vec {
	return vec3.Add(o, 1/alpha, vec3.Add(w, -1, o))
}

// SpinTangent overwrites t, row by row, with dN/dw = C J/α + ∂(C y)/∂w, y = Jω'.
func (p *Place) SpinTangent(t *[9]float64, o, w vec, h, alpha float64) {
	var c [9]float64
	y := p.Momentum(p.endSpin(o, w, alpha))
	TurnTangent(t, &c, w, y, h, p.Tied)
	for i := range 3 {
		for j := range 3 {
			t[3*i+j] += c[3*i+j] * p.Moments[j] / alpha
		}
	}
}

// TurnTangent overwrites t with ∂(C y)/∂w and c with C:
//
//	−h C ŷ T(hw),                      C = exp(hŵ),
//	−h/2 (I − hŵ/2)⁻¹((I + C)y)^,      Cayley's,
//
// with T = I − (1 − cos φ)/φ² x̂ + (φ − sin φ)/φ³ x̂², x = hw, φ = ‖x‖.
func TurnTangent(t, c *[9]float64, w, y vec, h float64, cayley bool) {
	var m, k, prod [9]float64
	Rotation(c, w, h, cayley)
	x := vec3.Scale(w, h)
	if cayley {
		Second(&k, vec3.Add(y, 1, MulVec(c, y)), 0, 1, 0)
		a := vec3.Scale(x, 0.5)
		Second(&m, a, 1, 1, 1) // I + â + â² = (1 + ‖a‖²)(I − â)⁻¹ − ‖a‖²I
		l := vec3.Dot(a, a)
		for i := range 3 {
			m[4*i] += l
		}
		MulMat(t, &m, &k)
		for i := range t {
			t[i] *= -0.5 * h / (1 + l)
		}
		return
	}
	Second(&k, y, 0, 1, 0)
	MulMat(&prod, c, &k)
	phi := vec3.Norm(x)
	a, b := -0.5, 1./6
	if phi > 1e-3 { // below, the next terms of the series are rounding
		sin, cos := math.Sincos(phi)
		a, b = -(1-cos)/(phi*phi), (phi-sin)/(phi*phi*phi)
	}
	Second(&m, x, -h, -h*a, -h*b)
	MulMat(t, &prod, &m)
}

// Coriolis is F(v)w = Iω(v) × ω(w), in body axes.
func (p *Place) Coriolis(v, w []float64) vec {
	l := vec{p.Moments[0] * v[p.V+3], p.Moments[1] * v[p.V+4], p.Moments[2] * v[p.V+5]}
	return vec3.Cross(l, vec{w[p.V+3], w[p.V+4], w[p.V+5]})
}
