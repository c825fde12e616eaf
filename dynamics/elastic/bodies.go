package elastic

import (
	"fmt"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// Body is one of several bodies of a model: a part of its mesh with its material and its loads.
type Body struct {
	ID        string
	Mesh      *fem.Mesh // with numbers of nodes of its own …
	First     int       // … of which node 0 has this number in Model.Mesh
	Material  fem.Elastic
	BodyForce signal.Vector // [N/m^dim], or nil
	Tractions []Traction    // of groups of Mesh
	Nodal     []Nodal
}

// bodies returns those of the model, which has one if it names none.
func (m *Model) bodies() []Body {
	if m.Bodies != nil {
		return m.Bodies
	}
	return []Body{{Mesh: m.Mesh, Material: m.Material, BodyForce: m.BodyForce, Tractions: m.Tractions, Nodal: m.Nodal}}
}

// bodyOf is the body of a node.
func (m *Model) bodyOf(node int) *Body {
	list := m.bodies()
	k := len(list) - 1
	for list[k].First > node {
		k--
	}
	return &list[k]
}

// of returns the part of the body in a vector of the nodes of the model.
func (b *Body) of(x []float64) []float64 {
	return x[b.Mesh.Dim*b.First:][:len(b.Mesh.X)]
}

// NodeName is the number of a node in its mesh, behind the id of its body where there are several.
func (m *Model) NodeName(i int) string {
	if b := m.bodyOf(i); b.ID != "" {
		return fmt.Sprintf("%s.%d", b.ID, i-b.First)
	}
	return fmt.Sprint(i)
}

// Stresses are those of all elements under displacements of all nodes, see [fem.Stresses].
func (m *Model) Stresses(u []float64) (list []fem.Tensor) {
	for _, b := range m.bodies() {
		list = append(list, fem.Stresses(b.Mesh, b.Material, b.of(u))...)
	}
	return list
}

// Strains are those of all elements, see [fem.Strains].
func (m *Model) Strains(u []float64) (list []fem.Tensor) {
	for _, b := range m.bodies() {
		list = append(list, fem.Strains(b.Mesh, b.Material, b.of(u))...)
	}
	return list
}

// StressesAtNodes are those of elements at their nodes, see [fem.StressesAtNodes].
func (m *Model) StressesAtNodes(u []float64) (list []fem.Tensor) {
	for _, b := range m.bodies() {
		list = append(list, fem.StressesAtNodes(b.Mesh, b.Material, b.of(u))...)
	}
	return list
}

// blocks is the matrix of all bodies, by that of each.
func (m *Model) blocks(of func(b *Body) (*sparse.Sym, error)) (*sparse.Sym, error) {
	all, list := (*sparse.Sym)(nil), m.bodies()
	for k := range list {
		x, err := of(&list[k])
		if err != nil || len(list) == 1 {
			return x, err
		}
		if all == nil {
			all = &sparse.Sym{Ptr: []int{0}}
		}
		for _, p := range x.Ptr[1:] {
			all.Ptr = append(all.Ptr, len(all.Row)+p)
		}
		for _, i := range x.Row {
			all.Row = append(all.Row, all.N+i)
		}
		all.N, all.Val = all.N+x.N, append(all.Val, x.Val...)
	}
	return all, nil
}

// standardMass assembles the mass of a kind, before anything is taken from it.
func (m *Model) standardMass(kind fem.MassKind) (*sparse.Sym, error) {
	return m.blocks(func(b *Body) (*sparse.Sym, error) { return fem.Mass(b.Mesh, b.Material, kind) })
}
