package bodies

import (
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
)

var _ dynamics.Inertial = (*World)(nil)

// Axes implements [dynamics.Inertial].
func (w *World) Axes() []int {
	axes := make([]int, w.nv)
	for i := range w.bodies {
		b := &w.bodies[i]
		for k := range b.spread {
			if axes[b.v+k] = k; k >= w.dim {
				axes[b.v+k] = -1
			}
		}
	}
	return axes
}

// Frames implements [dynamics.Inertial]: an obstacle goes with the mean of its shift; those with
// the same one share a frame.
func (w *World) Frames(until float64) (list [][3]float64, of []int) {
	for i := range w.floors {
		v := w.floors[i].Motion.MeanShift(until)
		f := slices.Index(list, v)
		if f < 0 {
			f, list = len(list), append(list, v)
		}
		of = append(of, f)
	}
	return list, of
}

// ObstacleOf implements [dynamics.Inertial].
func (w *World) ObstacleOf(key int) int {
	if _, other := w.KeyOf(key); other >= 0 {
		return -1
	}
	return w.pairs[w.pairOf(key)].floor
}
