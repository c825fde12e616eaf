package bodies

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/signal"
)

var (
	_ dynamics.Grouped   = (*World)(nil)
	_ dynamics.Divisible = (*World)(nil)
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

// Ball reports whether a body is a sphere, which looks the same from everywhere.
func (w *World) Ball(body int) bool {
	_, ok := w.bodies[body].Shape.(Sphere)
	return ok
}
