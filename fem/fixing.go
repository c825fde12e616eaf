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
	axes  []vec3.Vec // orthonormal
	value vec3.Vec
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

// frame completes the axes to those of a frame of some dimension.
func (x *fixing) frame(d int) []vec3.Vec {
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
	return y.axes
}

// solveFixed solves A u = load, A of full nodal blocks, for what is not given of the nodes: in the frame R of each node
// that has something given, Rᵀ A R y = Rᵀ (load − A u_0).
func solveFixed(ctx context.Context, a *sparse.Sym, d int, u, load []float64, at map[int]*fixing) error {
	frames, held := map[int][]vec3.Vec{}, make([]bool, a.N)
	clear(u)
	for i, x := range at {
		frames[i] = x.frame(d)
		for c := range d {
			u[d*i+c], held[d*i+c] = x.value[c], c < len(x.axes)
		}
	}
	right := make([]float64, a.N)
	a.MulVec(right, u)
	for i := range right {
		right[i] = load[i] - right[i]
	}
	for i, frame := range frames {
		var y vec3.Vec
		copy(y[:], right[d*i:d*(i+1)])
		for c := range d {
			right[d*i+c] = vec3.Dot(frame[c], y)
		}
	}
	for i, h := range held {
		if h {
			right[i] = 0
		}
	}
	f, err := factor.Held(ctx, turned(a, d, frames), held)
	if err != nil {
		return err
	}
	f.Solve(right, right)
	for i := range a.N / d {
		if frames[i] == nil {
			copy(u[d*i:d*(i+1)], right[d*i:d*(i+1)])
			continue
		}
		for c, axis := range frames[i] {
			for r := range d {
				u[d*i+r] += right[d*i+c] * axis[r]
			}
		}
	}
	return nil
}

// turned is Rᵀ A R with the frames of some nodes.
func turned(a *sparse.Sym, d int, frames map[int][]vec3.Vec) *sparse.Sym {
	out := *a
	out.Val = make([]float64, len(a.Val))
	component := func(i, c, r int) float64 { // of the axis c of node i
		if frame := frames[i]; frame != nil {
			return frame[c][r]
		}
		return unitVector(c)[r]
	}
	add := func(r, c int, v float64) {
		i, j := r/d, c/d
		for p := range d {
			for q := range d {
				if d*i+p >= d*j+q {
					out.AddAt(d*i+p, d*j+q, component(i, p, r%d)*v*component(j, q, c%d))
				}
			}
		}
	}
	for c := range a.N {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			r, v := a.Row[k], a.Val[k]
			if frames[r/d] == nil && frames[c/d] == nil {
				out.Val[k] += v
				continue
			}
			if add(r, c, v); r/d == c/d && r != c {
				add(c, r, v)
			}
		}
	}
	return &out
}
