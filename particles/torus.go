package particles

import (
	"fmt"
	"math"
)

// Torus is a ring as an obstacle, from outside or from within its tube: u runs around the axis, a
// length on the circle of the middles of the tube, and v around the tube, from its outermost circle
// up.
type Torus struct {
	center, t, o, axis vec
	radius, tube, side float64
}

// NewTorus takes the centre, the axis, the radius of the circle of the middles, that of the tube,
// which is smaller [m], and whether the particles are inside of the tube.
func NewTorus(center, axis [3]float64, radius, tube float64, inside bool) (Torus, error) {
	if err := round("torus", center, radius); err != nil {
		return Torus{}, err
	}
	if err := round("tube of a torus", center, tube); err != nil {
		return Torus{}, err
	}
	if !(tube < radius) {
		return Torus{}, fmt.Errorf("particles: torus: the tube has the radius %g, want less than that of the ring, %g", tube, radius)
	}
	h, err := NewHalfSpace(center, axis)
	if err != nil {
		return Torus{}, fmt.Errorf("particles: torus: the axis %v has no direction", axis)
	}
	f := h.Frame()
	s := Torus{center: at(center[:], 0), t: at(f.T[:], 0), o: at(f.O[:], 0), axis: at(f.N[:], 0), radius: radius, tube: tube, side: 1}
	if inside {
		s.side = -1
	}
	return s, nil
}

// derivatives returns p = c + (R + r cos θ) ρ(φ) + r sin θ k with φ = u/R, θ = v/r.
func (s *Torus) derivatives(u, v float64) (d jet) {
	sin, cos := math.Sincos(u / s.radius)
	out, around := s.t.scale(cos).plus(sin, s.o), s.o.scale(cos).plus(-sin, s.t)
	sinv, cosv := math.Sincos(v / s.tube)
	k := 1 / s.radius
	l := s.radius + s.tube*cosv
	d.p = s.center.plus(l, out).plus(s.tube*sinv, s.axis)
	d.u, d.v = around.scale(l*k), out.scale(-sinv).plus(cosv, s.axis)
	d.uu, d.uv = out.scale(-l*k*k), around.scale(-sinv*k)
	d.vv = out.scale(-cosv/s.tube).plus(-sinv/s.tube, s.axis)
	return d
}

// At implements [Face].
func (s Torus) At(u, v float64) (p, pu, pv, n, nu, nv [3]float64) {
	d := s.derivatives(u, v)
	return d.at(s.side)
}

// Near implements [Face]: the foot itself.
func (s Torus) Near(x [3]float64) (u, v float64) {
	d := at(x[:], 0).sub(s.center)
	a, b := s.t.dot(d), s.o.dot(d)
	return s.radius * math.Atan2(b, a), s.tube * math.Atan2(s.axis.dot(d), math.Hypot(a, b)-s.radius)
}

// Metric implements [Face].
func (s Torus) Metric(u, v float64) Metric {
	d := s.derivatives(u, v)
	return d.metric()
}

// Flat implements [Face].
func (s Torus) Flat() bool { return false }

// Size is a length over which the surface bends.
func (s Torus) Size() float64 { return min(s.tube, s.radius-s.tube) }
