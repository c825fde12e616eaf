package body

import (
	"context"

	"github.com/quasistatic/quasistatic/fem"
)

// Bound prepares bounds of the error of the mesh, with sides that face obstacles and edges that are cut, see [fem.Bound].
func (b *Body) Bound(ctx context.Context, contact []fem.Group, cuts map[[2]int][]float64) (*fem.Bound, error) {
	if !b.Linear() {
		return nil, errNotLinear
	}
	o := fem.BoundOptions{Mesh: b.o.Mesh, Material: b.o.Material, Held: b.fixed, Contact: contact, Cuts: cuts}
	for _, t := range b.o.Tractions {
		o.Tractions = append(o.Tractions, t.Group)
	}
	return fem.NewBound(ctx, o)
}

// BoundState returns displacements and loads at the places x; contact is left to the caller.
func (b *Body) BoundState(t float64, x []float64) *fem.BoundState {
	s := &fem.BoundState{U: b.Displacement(nil, t, x)}
	for c, f := range b.o.BodyForce {
		s.BodyForce[c] = f.At(t)
	}
	for _, load := range b.o.Tractions {
		var g [3]float64
		for c, f := range load.Force {
			g[c] = f.At(t)
		}
		s.Tractions = append(s.Tractions, g)
	}
	return s
}

// Along returns a vector in space along the axes of the mesh.
func (b *Body) Along(v [3]float64) (on [3]float64) {
	for c, axis := range axes[b.dim] {
		on[c] = v[axis]
	}
	return on
}
