package fem

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

// fixing is what is given of the displacement of a node: its components along the first axes.
type fixing struct {
	axes  [][3]float64 // orthonormal
	value [3]float64
}

// add gives the component along a unit vector. It fails where others have given it another value.
func (x *fixing) add(axis vec3.Vec, value float64) bool {
	rest, miss := axis, value-vec3.Dot(axis, x.value)
	for _, a := range x.axes {
		rest = vec3.Add(rest, -vec3.Dot(a, axis), a)
	}
	long := vec3.Norm(rest)
	if long <= flatness { // it is given; of values about 1
		return math.Abs(miss) <= flatness
	}
	rest = vec3.Scale(rest, 1/long)
	x.axes, x.value = append(x.axes, rest), vec3.Add(x.value, miss/long, rest)
	return true
}

// frame completes the axes to those of a frame.
func (x *fixing) frame(d int) (frame [3][3]float64) {
	y := fixing{axes: slices.Clone(x.axes)}
	for len(y.axes) < d {
		// the axis of the mesh that is farthest from those so far: at least 1/√d of it is left
		best, most := vec3.Vec{}, -1.0
		for c := range d {
			left := 1.0
			for _, a := range y.axes {
				left -= a[c] * a[c]
			}
			if left > most {
				best, most = unitVector(c), left
			}
		}
		y.add(best, 0)
	}
	copy(frame[:], y.axes)
	return frame
}

// solveFixed solves A u = load, A of full nodal blocks, for what is not given of the nodes, each in a frame of its own.
func solveFixed(ctx context.Context, a *sparse.Sym, d int, u, load []float64, at map[int]*fixing) error {
	var list []ContactNode
	held := make([]bool, a.N)
	clear(u)
	for i, x := range at {
		list = append(list, ContactNode{Node: i, Frame: x.frame(d)})
		for c := range d {
			u[d*i+c], held[d*i+c] = x.value[c], c < len(x.axes)
		}
	}
	frames, local := NewFrames(d, list), *a
	local.Val = slices.Clone(a.Val)
	frames.Rotate(&local)
	f, err := factor.Held(ctx, &local, held)
	if err != nil {
		return err
	}
	right := make([]float64, a.N)
	a.MulVec(right, u)
	for i := range right {
		right[i] = load[i] - right[i]
	}
	frames.ToLocal(right)
	for i, h := range held {
		if h {
			right[i] = 0
		}
	}
	f.Solve(right, right)
	frames.ToGlobal(right)
	for i := range u {
		u[i] += right[i]
	}
	return nil
}
