package particles

import (
	"fmt"
	"math"
)

// Plane is the Face of a half-space with axes.
type Plane struct{ frame Frame }

// NewPlane takes the frame of a half-space.
func NewPlane(f Frame) (Plane, error) {
	if err := f.validate(); err != nil || f.Free {
		return Plane{}, fmt.Errorf("particles: plane: %w", err)
	}
	return Plane{f}, nil
}

// At implements [Face].
func (s Plane) At(u, v float64) (p, pu, pv, n, nu, nv [3]float64) {
	f := &s.frame
	return at(f.P[:], 0).plus(u, at(f.T[:], 0)).plus(v, at(f.O[:], 0)).array(), f.T, f.O, f.N, nu, nv
}

// Near implements [Face].
func (s Plane) Near(x [3]float64) (u, v float64) {
	d := at(x[:], 0).sub(at(s.frame.P[:], 0))
	return at(s.frame.T[:], 0).dot(d), at(s.frame.O[:], 0).dot(d)
}

// Metric implements [Face].
func (s Plane) Metric(float64, float64) Metric { return conformal(1, 0, 0) }

// Flat implements [Face].
func (s Plane) Flat() bool { return true }

// Sphere is a spherical obstacle: a ball, or the hollow around one. Its coordinates are
// those of a stereographic projection that touches at a foot point; they reach everywhere
// but to the opposite point.
type Sphere struct {
	center, t, o, n vec // n points to the foot
	radius, side    float64
}

// NewSphere takes the centre, the radius [m], whether the particles are inside, and the
// direction from the centre to the foot point of the coordinates.
func NewSphere(center [3]float64, radius float64, inside bool, foot [3]float64) (Sphere, error) {
	if err := round("sphere", center, radius); err != nil {
		return Sphere{}, err
	}
	h, err := NewHalfSpace([3]float64{}, foot)
	if err != nil {
		return Sphere{}, fmt.Errorf("particles: sphere: a particle at its centre has no direction")
	}
	f := h.Frame()
	s := Sphere{center: at(center[:], 0), t: at(f.T[:], 0), o: at(f.O[:], 0), n: at(f.N[:], 0), radius: radius, side: 1}
	if inside {
		s.side = -1
	}
	return s, nil
}

// FootAt returns the sphere with the foot point of its coordinates under a point.
func (s Sphere) FootAt(x [3]float64) (Face, error) {
	c := s.center.array()
	return NewSphere(c, s.radius, s.side < 0, [3]float64{x[0] - c[0], x[1] - c[1], x[2] - c[2]})
}

// round checks centre and radius.
func round(kind string, center [3]float64, radius float64) error {
	if !finite3(center) || !(radius > 0) || math.IsInf(radius, 1) {
		return fmt.Errorf("particles: %s: centre %v, radius %g, want finite ones and a radius > 0", kind, center, radius)
	}
	return nil
}

// At implements [Face]: p = c + r e, e = (2a, 2b, 1 − a² − b²)/(1 + a² + b²) with
// a = u/2r, b = v/2r.
func (s Sphere) At(u, v float64) (p, pu, pv, n, nu, nv [3]float64) {
	a, b := u/(2*s.radius), v/(2*s.radius)
	q := 1 + a*a + b*b
	axis := func(x, y, z float64) vec { return s.t.scale(x).plus(y, s.o).plus(z, s.n) }
	e := axis(2*a/q, 2*b/q, (2-q)/q)
	// r ∂e/∂u = ∂e/∂a / 2
	eu := axis((q-2*a*a)/(q*q), -2*a*b/(q*q), -2*a/(q*q))
	ev := axis(-2*a*b/(q*q), (q-2*b*b)/(q*q), -2*b/(q*q))
	k := s.side / s.radius
	return s.center.plus(s.radius, e).array(), eu.array(), ev.array(), e.scale(s.side).array(), eu.scale(k).array(), ev.scale(k).array()
}

// Near implements [Face].
func (s Sphere) Near(x [3]float64) (u, v float64) {
	d := at(x[:], 0).sub(s.center)
	l := math.Sqrt(d.dot(d))
	if l == 0 {
		return 0, 0
	}
	d = d.scale(1 / l)
	q := 1 + s.n.dot(d)
	if q < 1e-12 { // the opposite point
		q = 1e-12
	}
	return 2 * s.radius * s.t.dot(d) / q, 2 * s.radius * s.o.dot(d) / q
}

// Metric implements [Face].
func (s Sphere) Metric(u, v float64) Metric {
	a, b := u/(2*s.radius), v/(2*s.radius)
	q := 1 + a*a + b*b
	return conformal(1/q, -a/(s.radius*q*q), -b/(s.radius*q*q))
}

// Flat implements [Face].
func (s Sphere) Flat() bool { return false }

// Size is a length over which the surface bends.
func (s Sphere) Size() float64 { return s.radius }

// Cylinder is a cylindrical obstacle, a shaft or a pipe: u runs around it and v along it.
type Cylinder struct {
	point, t, o, axis vec // t points to u = 0
	radius, side      float64
}

// NewCylinder takes a point of the axis, its direction, the radius [m] and whether the
// particles are inside.
func NewCylinder(point, axis [3]float64, radius float64, inside bool) (Cylinder, error) {
	if err := round("cylinder", point, radius); err != nil {
		return Cylinder{}, err
	}
	h, err := NewHalfSpace(point, axis)
	if err != nil {
		return Cylinder{}, fmt.Errorf("particles: cylinder: the axis %v has no direction", axis)
	}
	f := h.Frame()
	c := Cylinder{point: at(point[:], 0), t: at(f.T[:], 0), o: at(f.O[:], 0), axis: at(f.N[:], 0), radius: radius, side: 1}
	if inside {
		c.side = -1
	}
	return c, nil
}

// At implements [Face].
func (c Cylinder) At(u, v float64) (p, pu, pv, n, nu, nv [3]float64) {
	sin, cos := math.Sincos(u / c.radius)
	e, around := c.t.scale(cos).plus(sin, c.o), c.o.scale(cos).plus(-sin, c.t)
	return c.point.plus(c.radius, e).plus(v, c.axis).array(), around.array(), c.axis.array(), e.scale(c.side).array(),
		around.scale(c.side / c.radius).array(), nv
}

// Near implements [Face].
func (c Cylinder) Near(x [3]float64) (u, v float64) {
	d := at(x[:], 0).sub(c.point)
	return c.radius * math.Atan2(c.o.dot(d), c.t.dot(d)), c.axis.dot(d)
}

// Metric implements [Face].
func (c Cylinder) Metric(float64, float64) Metric { return conformal(1, 0, 0) }

// Flat implements [Face].
func (c Cylinder) Flat() bool { return false }

// Size is a length over which the surface bends.
func (c Cylinder) Size() float64 { return c.radius }

var (
	_ Face = Plane{}
	_ Face = Sphere{}
	_ Face = Cylinder{}
)
