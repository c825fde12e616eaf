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

// PairOf implements [dynamics.Inertial].
func (w *World) PairOf(key int) dynamics.Pair {
	a, b := w.KeyOf(key)
	if b >= 0 {
		return dynamics.Pair{A: a, B: b, Obstacle: -1}
	}
	return dynamics.Pair{A: a, B: -1, Obstacle: w.pairs[w.pairOf(key)].floor}
}

// Normal implements [dynamics.Inertial].
func (w *World) Normal(obstacle int) [3]float64 { return w.floors[obstacle].normal }

// Carried implements [dynamics.Inertial].
func (w *World) Carried(obstacle, body int, q []float64, from, to float64) (way [3]float64) {
	if to == from || !w.Moving(obstacle) {
		return way
	}
	centre := w.pose(body, q).c
	v := w.floors[obstacle].Motion.Mean(from, to-from, centre, centre)
	for k := range way {
		way[k] = (to - from) * v[k]
	}
	return way
}
