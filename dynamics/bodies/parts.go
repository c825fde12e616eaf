package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

var (
	_ dynamics.Grouped   = (*World)(nil)
	_ dynamics.Divisible = (*World)(nil)
	_ dynamics.Turned    = (*World)(nil)
)

// Parts implements [dynamics.Grouped]: each body is a part.
func (w *World) Parts() []int {
	parts := make([]int, w.nv)
	for b := range w.bodies {
		m := &w.bodies[b]
		for k := range m.spread {
			parts[m.v+k] = b
		}
	}
	return parts
}

// Loads returns the forces on the bodies that have any.
func (w *World) Loads() []signal.Vector {
	var loads []signal.Vector
	for b := range w.bodies {
		if l := w.bodies[b].Load; l != nil {
			loads = append(loads, l)
		}
	}
	return loads
}

// Directed reports whether a body has a direction in space that is to be told from its turn:
// not a ball, which looks the same from everywhere.
func (w *World) Directed(body int) bool {
	return w.dim == 3 && w.bodies[body].form.spins && !w.Ball(body)
}

// Ball reports whether a body is a sphere of equal moments, which looks the same from everywhere.
func (w *World) Ball(body int) bool {
	b := &w.bodies[body]
	_, sphere := b.Shape.(Sphere)
	return sphere && !b.framed() && b.Inertia[0] == b.Inertia[1] && b.Inertia[1] == b.Inertia[2]
}

// Round reports about which of its own axes a body may turn and look the same, with a spin that
// stays: those of its symmetry, and for a [World.Ball] any. In the plane it is the third of a disc.
func (w *World) Round(body int) (axes [3]bool) {
	b := &w.bodies[body]
	if !b.form.spins || b.framed() {
		return axes
	}
	axes = b.Shape.round()
	if even := b.Inertia[0] == b.Inertia[1] && b.Inertia[1] == b.Inertia[2]; axes == ([3]bool{true, true, true}) && !even {
		axes = [3]bool{}
	}
	return axes
}

// Arm is the length by which turns of a body are measured: its reach, or what its moments say
// where that is more [m].
func (w *World) Arm(body int) float64 {
	b := &w.bodies[body]
	return max(b.form.reach, math.Sqrt(max(b.Inertia[0], b.Inertia[1], b.Inertia[2])/b.Mass))
}

// Arms implements [dynamics.Turned].
func (w *World) Arms() []float64 {
	arms := make([]float64, w.nv)
	for i := range w.bodies {
		b := &w.bodies[i]
		for k := w.dim; k < b.spread; k++ {
			arms[b.v+k] = w.Arm(i)
		}
	}
	return arms
}

// Deviation is the angle between the directions of a body in space at two places [rad]: the
// turn from one to the other, of half a revolution at most, without what it has about the
// axis about which the body spins at the velocities v; nil: the whole turn. What is left out is the
// phase of the spin, which counts among the turns. In the plane it is the difference of the angles.
func (w *World) Deviation(body int, from, to, v []float64) float64 {
	at := &w.bodies[body]
	if w.dim == 2 {
		return math.Abs(to[at.q+2] - from[at.q+2])
	}
	a, b := from[at.q+3:at.q+7], to[at.q+3:at.q+7]
	c := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] // conj(a)·b
	x := vec{a[0]*b[1] - a[1]*b[0] - a[2]*b[3] + a[3]*b[2], a[0]*b[2] + a[1]*b[3] - a[2]*b[0] - a[3]*b[1], a[0]*b[3] - a[1]*b[2] + a[2]*b[1] - a[3]*b[0]}
	sine := vec3.Norm(x)
	if sine == 0 {
		return 0
	}
	turn := vec3.Scale(x, 2*math.Atan2(sine, math.Abs(c))/sine)
	if v != nil {
		if o := (vec{v[at.v+3], v[at.v+4], v[at.v+5]}); o != (vec{}) {
			turn = vec3.Add(turn, -vec3.Dot(turn, o)/vec3.Dot(o, o), o)
		}
	}
	return vec3.Norm(turn)
}
