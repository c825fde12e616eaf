package bodies

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// The coordinates of a world are those of centres of mass and principal axes. Users write and read
// the origin and the axes of the shape. With the centre of mass c and the principal axes P on those,
//
//	x = X + R c,  V = v − ω × R c,  R_principal = R P,  ω_principal = Pᵀ ω.

// framed reports whether the two differ for a body.
func (b *member) framed() bool { return b.frame != nil }

// frame says where a body has its centre of mass and principal axes.
type frame struct {
	at   pose       // of the principal axes, in those that were written
	turn [4]float64 // the same turn
}

// moments sets the principal moments of a body as it was written, and returns its centre of mass
// and their axes.
func (b *member) moments(dim int) (axes pose, err error) {
	h := b.heavy(dim)
	for k, c := range h.c { // of a polyhedron about its centre, by rounding
		if h.m*c*c <= axial*axial*(h.j[0]+h.j[4]+h.j[8]) {
			h.c[k] = 0
		}
	}
	b.Inertia, axes = h.principal()
	if j := b.Inertia; b.Products != (vec{}) && !(j[0] > 0 && j[2] <= (1+typedMoments)*(j[0]+j[1])) {
		return axes, fmt.Errorf("bodies: the inertia of a body has the principal moments %g, %g and %g kg m²: want positive ones, none more than the sum of the others",
			j[0], j[1], j[2])
	}
	axes.c = h.c
	return axes, nil
}

// typedMoments is what moments may be off by where they are typed with three digits.
const typedMoments = 1e-2

// settle takes a body as it was written to its centre of mass and principal axes.
func (b *member) settle(axes pose) {
	if axes.c == (vec{}) && axes.r == identity {
		return
	}
	b.frame = &frame{axes, quaternion(&axes)}
	inverse := pose{c: vec3.Scale(axes.back(axes.c), -1)}
	for k := range 9 {
		inverse.r[k] = axes.r[3*(k%3)+k/3]
	}
	b.form = b.form.moved(&inverse)
}

// quaternion is that of a rotation, by the largest of its entries.
func quaternion(p *pose) (q [4]float64) {
	r := &p.r
	squares := [4]float64{1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8]}
	k := 0
	for i, s := range squares {
		if s > squares[k] {
			k = i
		}
	}
	all := [4][4]float64{
		{squares[0], r[7] - r[5], r[2] - r[6], r[3] - r[1]},
		{r[7] - r[5], squares[1], r[1] + r[3], r[2] + r[6]},
		{r[2] - r[6], r[1] + r[3], squares[2], r[5] + r[7]},
		{r[3] - r[1], r[2] + r[6], r[5] + r[7], squares[3]},
	}
	l := length4(all[k])
	for i := range q {
		q[i] = all[k][i] / l
	}
	return q
}

// Inner takes coordinates and velocities as they are written to those of the world; v may be nil.
func (w *World) Inner(q, v []float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.framed() {
			continue
		}
		arm := w.carry(b, q, v, 1)
		for k := range w.dim {
			q[b.q+k] += arm[k]
		}
		if w.dim == 3 {
			t := b.frame.turn
			compose(q[b.q+3:b.q+7], q[b.q+3:b.q+7], t[0], t[1], t[2], t[3])
			if v != nil {
				o := v[b.v+3 : b.v+6]
				copy(o, ptr(b.frame.at.back(vec(o))))
			}
		}
	}
}

// Written takes coordinates and velocities of the world to those that are written; v may be nil.
func (w *World) Written(q, v []float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.framed() {
			continue
		}
		if w.dim == 3 {
			t := b.frame.turn
			compose(q[b.q+3:b.q+7], q[b.q+3:b.q+7], t[0], -t[1], -t[2], -t[3])
			if v != nil {
				o := v[b.v+3 : b.v+6]
				copy(o, ptr(b.frame.at.turn(vec(o))))
			}
		}
		arm := w.carry(b, q, v, -1)
		for k := range w.dim {
			q[b.q+k] -= arm[k]
		}
	}
}

func ptr(x vec) []float64 { return x[:] }

// carry returns R c, and adds ω × R c to the velocity of a body, by turn and spin as they are
// written.
func (w *World) carry(b *member, q, v []float64, sign float64) (arm vec) {
	p, c := w.poseOf(b, q), b.frame.at.c
	if v != nil {
		omega := vec{2: v[b.v+2]}
		if w.dim == 3 {
			omega = vec(v[b.v+3 : b.v+6])
		}
		u := p.turn(vec3.Cross(omega, c))
		for k := range w.dim {
			v[b.v+k] += sign * u[k]
		}
	}
	return p.turn(c)
}

// OnAxes takes a point on the axes of a body as they are written to its principal axes.
func (w *World) OnAxes(body int, y [3]float64) [3]float64 {
	if b := &w.bodies[body]; b.framed() {
		return b.frame.at.local(y)
	}
	return y
}

// Along takes a direction on the axes of a body as they are written to its principal axes.
func (w *World) Along(body int, d [3]float64) [3]float64 {
	if b := &w.bodies[body]; b.framed() {
		return b.frame.at.back(d)
	}
	return d
}

// Framed reports whether the axes of a body that are written are others than those of the world.
func (w *World) Framed(body int) bool { return w.bodies[body].framed() }

// Moments returns the mass of a body [kg] and its inertia about the centre of mass, on the axes that
// are written, row by row [kg m²].
func (w *World) Moments(body int) (mass float64, moments [9]float64) {
	b, at := &w.bodies[body], identity
	if b.framed() {
		at = b.frame.at.r
	}
	for i := range 3 {
		for k := range 3 {
			for l, j := range b.Inertia {
				moments[3*i+k] += at[3*i+l] * j * at[3*k+l]
			}
		}
	}
	return b.Mass, moments
}

// Centre is the centre of mass of a body on the axes that are written [m].
func (w *World) Centre(body int) (c [3]float64) {
	if b := &w.bodies[body]; b.framed() {
		c = b.frame.at.c
	}
	return c
}

// MassProperties are the mass of a shape of density 1, or of parts of theirs, its centre, and the
// moments about that on the axes of the shape, row by row.
func MassProperties(s Shape) (mass float64, centre [3]float64, moments [9]float64) {
	if s.validate() != nil {
		return 0, centre, moments
	}
	h := heavyOf(s, s.Dim())
	return h.m, h.c, h.j
}

// Validate says why a shape is none.
func Validate(s Shape) error { return s.validate() }

// MassOf is the mass of a shape of a density in kg/m³, in the plane in kg/m²; 0 for points, and
// where the shape is none.
func MassOf(s Shape, density float64) float64 {
	if s.validate() != nil {
		return 0
	}
	m := density * s.volume()
	if math.IsInf(m, 1) {
		return 0
	}
	return m
}
