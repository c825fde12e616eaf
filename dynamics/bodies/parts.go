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
	turn := at.turn(from, to)
	if v != nil {
		if o := (vec{v[at.v+3], v[at.v+4], v[at.v+5]}); o != (vec{}) {
			turn = vec3.Add(turn, -vec3.Dot(turn, o)/vec3.Dot(o, o), o)
		}
	}
	return vec3.Norm(turn)
}

// turn is the rotation vector of half a revolution at most that takes a body of space from one place to
// another, on its axes [rad].
func (b *member) turn(from, to []float64) vec {
	p, q := from[b.q+3:b.q+7], to[b.q+3:b.q+7]
	c := p[0]*q[0] + p[1]*q[1] + p[2]*q[2] + p[3]*q[3] // conj(p)·q
	x := vec{p[0]*q[1] - p[1]*q[0] - p[2]*q[3] + p[3]*q[2], p[0]*q[2] + p[1]*q[3] - p[2]*q[0] - p[3]*q[1],
		p[0]*q[3] - p[1]*q[2] + p[2]*q[1] - p[3]*q[0]}
	sine := vec3.Norm(x)
	if sine == 0 {
		return vec{}
	}
	return vec3.Scale(x, math.Copysign(2*math.Atan2(sine, math.Abs(c))/sine, c))
}

// Rolled corrects the ways of the velocities in a step, h v, of bodies in space: turns are those that
// their places made, of several revolutions the one next to h ω. A scheme whose step turns by
// 2 atan(hω/2) is behind by (hω)³/12, of which two places that are compared show no more than the rest
// after whole revolutions. What is below 1e-12 rad is rounding of quaternions.
func (w *World) Rolled(way, from, to []float64) {
	if w.dim == 2 {
		return
	}
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.form.spins {
			continue
		}
		want, turn := vec(way[b.v+3:b.v+6]), b.turn(from, to)
		axis := turn
		if axis == (vec{}) {
			axis = want
		}
		if size := vec3.Norm(axis); size > 0 {
			axis = vec3.Scale(axis, 1/size)
			more := vec3.Dot(vec3.Add(want, -1, turn), axis)
			turn = vec3.Add(turn, 2*math.Pi*math.Round(more/(2*math.Pi)), axis)
		}
		if vec3.Norm(vec3.Add(turn, -1, want)) > 1e-12 {
			copy(way[b.v+3:b.v+6], turn[:])
		}
	}
}
