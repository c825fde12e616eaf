package particles

import "math"

// Metric is the root of the metric of a face: the upper triangular S = [a b; 0 d] with |∂p/∂u u' +
// ∂p/∂v v'| = ‖S (u', v')‖, rows first, and its derivatives along u and v [1/m]. Columns of S are
// ∂p/∂u and ∂p/∂v in an orthonormal base, whose first vector is along ∂p/∂u.
type Metric struct{ S, Su, Sv [4]float64 }

// conformal is f times the unit matrix.
func conformal(f, fu, fv float64) Metric {
	return Metric{[4]float64{f, 0, 0, f}, [4]float64{fu, 0, 0, fu}, [4]float64{fv, 0, 0, fv}}
}

// jet has the derivatives of a point of a face up to the second.
type jet struct{ p, u, v, uu, uv, vv vec }

// normal returns the unit normal along ∂p/∂u × ∂p/∂v times side, and its derivatives by
// Weingarten's equations.
func (s *jet) normal(side float64) (n, nu, nv vec) {
	n = s.u.cross(s.v)
	n = n.scale(side / math.Sqrt(n.dot(n)))
	e, f, g := s.u.dot(s.u), s.u.dot(s.v), s.v.dot(s.v)
	l, m, k := n.dot(s.uu), n.dot(s.uv), n.dot(s.vv)
	det := e*g - f*f
	nu = s.u.scale((m*f-l*g)/det).plus((l*f-m*e)/det, s.v)
	nv = s.u.scale((k*f-m*g)/det).plus((m*f-k*e)/det, s.v)
	return n, nu, nv
}

// metric returns S = [√E, F/√E; 0, √(G − F²/E)] of the first fundamental form E, F, G.
func (s *jet) metric() (m Metric) {
	e, f, g := s.u.dot(s.u), s.u.dot(s.v), s.v.dot(s.v)
	a := math.Sqrt(e)
	b := f / a
	d := math.Sqrt(g - b*b)
	m.S = [4]float64{a, b, 0, d}
	root := func(eu, fu, gu float64) [4]float64 {
		da := eu / (2 * a)
		db := (fu - b*da) / a
		return [4]float64{da, db, 0, (gu - 2*b*db) / (2 * d)}
	}
	m.Su = root(2*s.u.dot(s.uu), s.uu.dot(s.v)+s.u.dot(s.uv), 2*s.v.dot(s.uv))
	m.Sv = root(2*s.u.dot(s.uv), s.uv.dot(s.v)+s.u.dot(s.vv), 2*s.v.dot(s.vv))
	return m
}

// at has what Face.At returns.
func (s *jet) at(side float64) (p, pu, pv, n, nu, nv [3]float64) {
	a, b, c := s.normal(side)
	return s.p.array(), s.u.array(), s.v.array(), a.array(), b.array(), c.array()
}
