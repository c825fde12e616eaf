package particles

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/signal"
)

// Face is a smooth rigid obstacle in coordinates (u, v) along it. Lengths along the surface are
// those of its Metric.
type Face interface {
	// At returns the point, its derivatives, the unit normal into the admissible side, and
	// its derivatives.
	At(u, v float64) (p, pu, pv, n, nu, nv [3]float64)
	// Near returns coordinates near to those of the foot of a point.
	Near(x [3]float64) (u, v float64)
	// Metric returns what lengths along the surface are.
	Metric(u, v float64) Metric
	// Flat reports whether the surface is a plane.
	Flat() bool
}

// Motion moves an obstacle.
type Motion = signal.Motion

// Chart gives a particle the coordinates z = (u, v, h) of an obstacle that is curved or
// moves,
//
//	x(t, z) = c + R(t) (p(u, v) + (h + d(t)) n(u, v) − c) + s(t),
//
// so that h >= 0 is the obstacle, h the distance from it where h is small beside its radii,
// and ż the motion relative to it. The energy in these coordinates is E(t, x(t, z)): it
// depends on time as the obstacle moves, whose work so enters ∂_tE, and its second
// derivative has the curvature of the obstacle.
type Chart struct {
	Face   Face
	Motion Motion
	// Overlap is d(t) [m], by which the surface has grown along its normals; nil: 0. Lengths along it are those of the Face,
	// so that friction on one that is not flat has ways that are off by d over its radii.
	Overlap signal.Scalar
}

// NewChart checks its parts.
func NewChart(s Face, m Motion) (*Chart, error) {
	if s == nil {
		return nil, errors.New("particles: chart without a surface")
	}
	if err := m.Normalise(); err != nil {
		return nil, fmt.Errorf("particles: motion of an obstacle: %w", err)
	}
	return &Chart{Face: s, Motion: m}, nil
}

// moves reports whether the obstacle moves.
func (c *Chart) moves() bool { return c.Motion.Moves() || c.Overlap != nil }

// raised is z at the height h + d(t) over the Face.
func (c *Chart) raised(t float64, z vec) vec {
	if c.Overlap != nil {
		z.z += c.Overlap.At(t)
	}
	return z
}

// placement is x with what it depends on.
type placement struct {
	x    vec
	axes [3]vec // ∂x/∂z
	rate vec    // ∂x/∂t
	turn [3]vec // ∂²x/∂t∂z
}

// still evaluates the chart of the obstacle at rest: x and ∂x/∂z.
func (c *Chart) still(z vec) (x vec, axes [3]vec) {
	p, pu, pv, n, nu, nv := c.Face.At(z.x, z.y)
	normal := at(n[:], 0)
	return at(p[:], 0).plus(z.z, normal), [3]vec{at(pu[:], 0).plus(z.z, at(nu[:], 0)), at(pv[:], 0).plus(z.z, at(nv[:], 0)), normal}
}

// at evaluates the chart.
func (c *Chart) at(t float64, z vec) (q placement) {
	q.x, q.axes = c.still(c.raised(t, z))
	if c.Overlap != nil {
		_, _, _, _, nu, nv := c.Face.At(z.x, z.y)
		rate := c.Overlap.Rate(t)
		q.rate, q.turn[0], q.turn[1] = q.axes[2].scale(rate), at(nu[:], 0).scale(rate), at(nv[:], 0).scale(rate)
	}
	m := &c.Motion
	if m.Angle != nil {
		angle, speed := m.Angle.At(t), m.Angle.Rate(t)
		center, axis := at(m.Center[:], 0), at(m.Axis[:], 0)
		arm := turnedBy(axis, angle, q.x.sub(center))
		q.x = center.plus(1, arm)
		q.rate = turnedBy(axis, angle, q.rate).plus(speed, axis.cross(arm))
		for i, a := range q.axes {
			q.axes[i] = turnedBy(axis, angle, a)
			q.turn[i] = turnedBy(axis, angle, q.turn[i]).plus(speed, axis.cross(q.axes[i]))
		}
	}
	if m.Shift != nil {
		q.x = q.x.plus(1, vec{m.Shift[0].At(t), m.Shift[1].At(t), m.Shift[2].At(t)})
		q.rate = q.rate.plus(1, vec{m.Shift[0].Rate(t), m.Shift[1].Rate(t), m.Shift[2].Rate(t)})
	}
	return q
}

// turnedBy is Rodrigues' formula.
func turnedBy(axis vec, angle float64, v vec) vec {
	sin, cos := math.Sincos(angle)
	return v.scale(cos).plus(sin, axis.cross(v)).plus((1-cos)*axis.dot(v), axis)
}

// bendStep is that of the central differences of ∂x/∂z, relative to a radius: their error is
// about 1e-10 of the curvature, and they enter D²E only, which directs the steps.
const bendStep = 1e-5

// bend returns Σ_i g_i ∂²x_i/∂z², the part of the curvature in D²E.
func (c *Chart) bend(t float64, z, g vec) (b [3][3]float64) {
	if c.Face.Flat() {
		return b
	}
	z = c.raised(t, z)
	h := bendStep * (1 + math.Abs(z.z))
	if s, ok := c.Face.(interface{ Size() float64 }); ok {
		h = bendStep * s.Size()
	}
	m, angle := &c.Motion, 0.
	if m.Angle != nil {
		angle = m.Angle.At(t)
	}
	pull := func(z vec) [3]float64 {
		_, axes := c.still(z)
		if m.Angle != nil {
			for i, a := range axes {
				axes[i] = turnedBy(at(m.Axis[:], 0), angle, a)
			}
		}
		return [3]float64{axes[0].dot(g), axes[1].dot(g), axes[2].dot(g)}
	}
	for k := range 3 {
		lo, hi := z, z
		switch k {
		case 0:
			lo.x, hi.x = z.x-h, z.x+h
		case 1:
			lo.y, hi.y = z.y-h, z.y+h
		default:
			lo.z, hi.z = z.z-h, z.z+h
		}
		p, q := pull(lo), pull(hi)
		for i := range 3 {
			b[i][k] = (q[i] - p[i]) / (2 * h)
		}
	}
	for i := range 3 {
		for k := range i {
			mean := (b[i][k] + b[k][i]) / 2
			b[i][k], b[k][i] = mean, mean
		}
	}
	return b
}

// inversions of the chart take a few steps of Newton's method from Near.
const inversions = 50

// FootAt returns the frame at the foot of a point at t = 0, its tangents along the coordinates, and
// the coordinates of the foot.
func (c *Chart) FootAt(x [3]float64) (f Frame, u, v float64) {
	z := c.local(0, at(x[:], 0))
	z.z = 0
	q := c.at(0, z)
	for i := range 3 {
		f.P[i], f.N[i] = q.x.array()[i], q.axes[2].array()[i]
	}
	f.T, f.O = q.axes[0].scale(1/math.Sqrt(q.axes[0].dot(q.axes[0]))).array(),
		q.axes[1].scale(1/math.Sqrt(q.axes[1].dot(q.axes[1]))).array()
	return f, z.x, z.y
}

// Body returns where a point at time t is on the obstacle at rest.
func (c *Chart) Body(t float64, x [3]float64) [3]float64 { return c.body(t, at(x[:], 0)).array() }

// Coordinates returns the coordinates of a point at time t.
func (c *Chart) Coordinates(t float64, x [3]float64) [3]float64 {
	return c.local(t, at(x[:], 0)).array()
}

func (c *Chart) body(t float64, x vec) vec {
	body, m := x, &c.Motion
	if m.Shift != nil {
		body = body.sub(vec{m.Shift[0].At(t), m.Shift[1].At(t), m.Shift[2].At(t)})
	}
	if m.Angle != nil {
		center := at(m.Center[:], 0)
		body = center.plus(1, turnedBy(at(m.Axis[:], 0), -m.Angle.At(t), body.sub(center)))
	}
	return body
}

// local returns the coordinates of a point at time t.
func (c *Chart) local(t float64, x vec) vec {
	body := c.body(t, x)
	still := Chart{Face: c.Face}
	u, v := c.Face.Near(body.array())
	p, _, _, n, _, _ := c.Face.At(u, v)
	z := vec{u, v, body.sub(at(p[:], 0)).dot(at(n[:], 0))}
	for range inversions {
		q := still.at(0, z)
		off := body.sub(q.x)
		bc, ca, ab := q.axes[1].cross(q.axes[2]), q.axes[2].cross(q.axes[0]), q.axes[0].cross(q.axes[1])
		det := q.axes[0].dot(bc)
		step := vec{off.dot(bc) / det, off.dot(ca) / det, off.dot(ab) / det}
		if !(math.Abs(step.x)+math.Abs(step.y)+math.Abs(step.z) > 1e-16*(math.Abs(z.x)+math.Abs(z.y)+math.Abs(z.z))) {
			break
		}
		z = z.plus(1, step)
	}
	if c.Overlap != nil {
		z.z -= c.Overlap.At(t)
	}
	return z
}

// Periods are the lengths after which the coordinates of what is round name the same points again
// [m]; 0: never.
func (c *Chart) Periods() (p [2]float64) {
	switch f := c.Face.(type) {
	case Cylinder:
		p[0] = 2 * math.Pi * f.radius
	case Torus:
		p[0], p[1] = 2*math.Pi*f.radius, 2*math.Pi*f.tube
	}
	return p
}

// Reach is the radius of what is round [m], the smaller one of a torus and an ellipsoid; of a
// graph, whose coordinates are those of the table, 1.
func (c *Chart) Reach() float64 {
	switch f := c.Face.(type) {
	case Cylinder:
		return f.radius
	case interface{ Size() float64 }:
		return f.Size()
	}
	return 1
}
