package body

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// Touch puts node i in contact with the obstacle of a frame, with friction if it rubs. It fails if
//   - the node lies inside the obstacle at t = 0;
//   - it is prescribed along an axis that is not tangential there;
//   - it rubs, and is prescribed along a tangent by a motion that changes, or the obstacle moves along that tangent:
//     the follower that stands for a prescribed component (see [particles.Relative]) would have a friction of its own.
//
// On a plane of symmetry, or the axis of a ring, a prescribed component that rests is right. Tangents of a curved
// obstacle may change later: [Body.Lag] measures what that does.
func (b *Body) Touch(i int, f *particles.Frame, rubs bool) error {
	x, size := [3]float64(b.start[3*i:3*i+3]), 0.0
	z, normal := f.Local(x), f.N
	for c := range x {
		size = max(size, math.Abs(x[c]), math.Abs(f.P[c]))
	}
	if !(z[2] >= -inside*size) {
		return fmt.Errorf("body: %w", b.o.Mesh.Inside(i, -z[2]))
	}
	var motion particles.Motion
	if f.Chart != nil {
		_, _, _, normal, _, _ = f.Chart.Face.At(z[0], z[1])
		motion = f.Chart.Motion
	}
	for c, axis := range axes[b.dim] {
		switch held := b.motion[b.dim*i+c]; {
		case held == nil:
		case math.Abs(normal[axis]) > 1e-9: // a unit normal is rounded as coordinates on a curved obstacle are
			return b.contradiction(i, c, ", which is no tangent of the obstacle")
		case motion.Angle != nil && math.Abs(motion.Axis[axis]) != 1:
			return b.contradiction(i, c, ", and the tangents of the obstacle change")
		case rubs && !signal.Rests(held):
			return b.contradiction(i, c, " by a motion that changes, with friction")
		case rubs && motion.Shift != nil && !signal.Rests(motion.Shift[axis]):
			return b.contradiction(i, c, ", along which the obstacle moves, with friction")
		}
	}
	b.normal = append(b.normal, fem.Normal{Node: i, Along: b.Along(normal)})
	return nil
}

// CheckSupport fails if the body can move without strain along obstacles, what is prescribed, ties and beds, see [fem.CheckSupport].
func (b *Body) CheckSupport() error {
	held := slices.Clone(b.normal)
	for k := range b.o.Beds {
		held = append(held, b.o.Beds[k].Holds(b.o.Mesh)...)
	}
	held = append(held, b.o.Tied...)
	return fem.CheckSupport(b.o.Mesh, b.o.Material, b.fixed, held...)
}

// contradiction is the fault of a contact node that is prescribed along an axis of the mesh.
func (b *Body) contradiction(i, c int, why string) error {
	return fmt.Errorf("body: node %d at %v is in contact and prescribed along %s%s: leave it out of one of the two groups, "+
		"by a group of the mesh that is part of it (\"mesh\": {\"groups\": …})", i, b.o.Mesh.Node(i), "xyz"[c:c+1], why)
}

// lag returns by how much the particle misses the prescribed component i at time t [m].
func (b *Body) lag(i int, t float64, x []float64) float64 {
	return b.offset(b.dof[i], x) - b.motion[i].At(t)
}

// Lag returns the node in contact that misses its prescribed components most, as contact pushes it off them, and by
// how much, over the largest difference of displacements within the elements at the node. It returns -1 if no node
// misses them by more than rounding, as is so on planes of symmetry of the obstacle.
func (b *Body) Lag(t float64, x []float64) (node int, share float64) {
	lag, size := map[int]float64{}, 0.0
	for _, v := range b.start {
		size = max(size, math.Abs(v))
	}
	for _, touch := range b.normal {
		for c := range b.dim {
			if i := b.dim*touch.Node + c; b.motion[i] != nil {
				if off := math.Abs(b.lag(i, t, x)); off > inside*size {
					lag[touch.Node] = max(lag[touch.Node], off)
				}
			}
		}
	}
	if node = -1; len(lag) == 0 {
		return node, 0
	}
	d, deforms := b.Displacement(nil, t, x), map[int]float64{}
	for k := range b.o.Mesh.NumElems() {
		nodes := b.o.Mesh.NodesOf(k)
		for _, i := range nodes {
			if lag[i] == 0 {
				continue
			}
			for _, j := range nodes {
				for c := range b.dim {
					deforms[i] = max(deforms[i], math.Abs(d[b.dim*i+c]-d[b.dim*j+c]))
				}
			}
		}
	}
	for _, touch := range b.normal { // in their order
		i := touch.Node
		if s := lag[i] / deforms[i]; lag[i] > 0 && (node < 0 || s > share) {
			node, share = i, s
		}
	}
	return node, share
}
