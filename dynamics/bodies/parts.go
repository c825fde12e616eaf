package bodies

import "github.com/quasistatic/quasistatic/dynamics"

var _ dynamics.Grouped = (*World)(nil)

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
