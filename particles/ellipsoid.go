package particles

import (
	"fmt"
	"math"
)

// Ellipsoid is an obstacle with semi-axes along the global axes. Its coordinates are those of the
// sphere that is stretched to it: stereographic from the point opposite to a foot point,
// which they do not reach.
type Ellipsoid struct {
	center     [3]float64
	axes       [3]float64
	t, o, n    vec // of the sphere; n points to the foot
	unit, side float64
}

// NewEllipsoid takes the centre, the semi-axes along x, y and z [m], whether the particles are
// inside, and the direction from the centre to a point under which coordinates begin.
func NewEllipsoid(center, semiAxes [3]float64, inside bool, foot [3]float64) (Ellipsoid, error) {
	s := Ellipsoid{center: center, axes: semiAxes, side: 1}
	for c, a := range semiAxes {
		if err := round("ellipsoid", center, a); err != nil {
			return Ellipsoid{}, err
		}
		foot[c] /= a
	}
	h, err := NewHalfSpace([3]float64{}, foot)
	if err != nil {
		return Ellipsoid{}, fmt.Errorf("particles: ellipsoid: a particle at its centre has no direction")
	}
	f := h.Frame()
	s.t, s.o, s.n = at(f.T[:], 0), at(f.O[:], 0), at(f.N[:], 0)
	s.unit = math.Cbrt(semiAxes[0]) * math.Cbrt(semiAxes[1]) * math.Cbrt(semiAxes[2])
	if inside {
		s.side = -1
	}
	return s, nil
}

// FootAt returns the ellipsoid with coordinates that begin under a point.
func (s Ellipsoid) FootAt(x [3]float64) (Face, error) {
	for c := range x {
		x[c] -= s.center[c]
	}
	return NewEllipsoid(s.center, s.axes, s.side < 0, x)
}

// derivatives returns p = c + diag(a) e, e = (2α, 2β, 1 − α² − β²)/(1 + α² + β²) with
// α = u/2r, β = v/2r, r the mean of the semi-axes.
func (s *Ellipsoid) derivatives(u, v float64) (d jet) {
	k := 1 / (2 * s.unit)
	a, b := k*u, k*v
	w := 1 / (1 + a*a + b*b)
	wa, wb := -2*a*w*w, -2*b*w*w
	waa, wab, wbb := (8*a*a*w-2)*w*w, 8*a*b*w*w*w, (8*b*b*w-2)*w*w
	axis := func(x, y, z float64) vec {
		e := s.t.scale(x).plus(y, s.o).plus(z, s.n)
		return vec{s.axes[0] * e.x, s.axes[1] * e.y, s.axes[2] * e.z}
	}
	d.p = at(s.center[:], 0).plus(1, axis(2*a*w, 2*b*w, 2*w-1))
	d.u, d.v = axis(2*(w+a*wa), 2*b*wa, 2*wa).scale(k), axis(2*a*wb, 2*(w+b*wb), 2*wb).scale(k)
	d.uu = axis(2*(2*wa+a*waa), 2*b*waa, 2*waa).scale(k * k)
	d.uv = axis(2*(wb+a*wab), 2*(wa+b*wab), 2*wab).scale(k * k)
	d.vv = axis(2*a*wbb, 2*(2*wb+b*wbb), 2*wbb).scale(k * k)
	return d
}

// At implements [Face].
func (s Ellipsoid) At(u, v float64) (p, pu, pv, n, nu, nv [3]float64) {
	d := s.derivatives(u, v)
	return d.at(s.side)
}

// Near implements [Face]: on the ray from the centre.
func (s Ellipsoid) Near(x [3]float64) (u, v float64) {
	d := vec{(x[0] - s.center[0]) / s.axes[0], (x[1] - s.center[1]) / s.axes[1], (x[2] - s.center[2]) / s.axes[2]}
	l := math.Sqrt(d.dot(d))
	if l == 0 {
		return 0, 0
	}
	d = d.scale(1 / l)
	q := max(1+s.n.dot(d), 1e-12) // the opposite point
	return 2 * s.unit * s.t.dot(d) / q, 2 * s.unit * s.o.dot(d) / q
}

// Metric implements [Face].
func (s Ellipsoid) Metric(u, v float64) Metric {
	d := s.derivatives(u, v)
	return d.metric()
}

// Flat implements [Face].
func (s Ellipsoid) Flat() bool { return false }

// Size is the smallest radius of curvature.
func (s Ellipsoid) Size() float64 {
	least, most := min(s.axes[0], s.axes[1], s.axes[2]), max(s.axes[0], s.axes[1], s.axes[2])
	return least * (least / most)
}
