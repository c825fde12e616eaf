// Package meshview shows what a run of elastic bodies leaves: figures, the overview and the
// animation of meshes.
package meshview

import (
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/report"
)

// View is the part of a mesh that can be seen: the sides of its elements that are its surface, or
// all elements of a plane one, or of a bar; and the nodes in them. Curved edges are drawn through
// the nodes amid them.
type View struct {
	report.Mesh
	Nodes []int // ascending
	mesh  *fem.Mesh
}

// NewView returns that of a mesh; a plane one is shown upright along the axis of that name.
func NewView(m *fem.Mesh, up string) *View {
	v := &View{mesh: m}
	v.Up = up
	v.Solid = m.Dim == 3
	switch m.Dim {
	case 1:
		nodes, of := m.Simplices()
		for f, k := range of {
			v.add(nodes[2*f:2*f+2], k)
		}
	case 2:
		for k, ring := range m.Outlines() {
			v.add(ring, k)
		}
	default:
		surface, owner := m.Surface()
		for k, ring := range surface.Outlines() {
			v.add(ring, owner[k])
		}
	}
	seen := make([]bool, m.NumNodes())
	for _, f := range v.Faces {
		for _, i := range f {
			seen[i] = true
		}
	}
	for i, s := range seen {
		if s {
			v.Nodes = append(v.Nodes, i)
		}
	}
	return v
}

// add appends a face of an element.
func (v *View) add(nodes []int, element int) {
	v.Faces, v.Of = append(v.Faces, nodes), append(v.Of, element)
}

// axes are those of the picture for the coordinates of a mesh: a plane one stands
// upright, a bar lies along x.
var axes = [4][]int{1: {0}, 2: {0, 2}, 3: {0, 1, 2}}

// at returns where a node is shown; u may be nil.
func (v *View) at(i int, u []float64) (x [3]float64) {
	d := v.mesh.Dim
	for c, axis := range axes[d] {
		x[axis] = v.mesh.X[d*i+c]
		if u != nil {
			x[axis] += u[d*i+c]
		}
	}
	return x
}

// Extent returns the longest side of what can be seen [m].
func (v *View) Extent() float64 {
	at, _ := v.points(nil)
	return v.Mesh.Extent(at)
}

// points returns the nodes and their displacements.
func (v *View) points(u []float64) (at, move [][3]float64) {
	n, d := v.mesh.NumNodes(), v.mesh.Dim
	at, move = make([][3]float64, n), make([][3]float64, n)
	for i := range n {
		at[i] = v.at(i, nil)
		if u != nil {
			for c, axis := range axes[d] {
				move[i][axis] = u[d*i+c]
			}
		}
	}
	return at, move
}

// Body returns the mesh with displacements, shaded by the stress at its nodes, the largest of those of an element.
func (v *View) Body(u []float64, nodal []fem.Tensor) report.Body {
	b := report.Body{Mesh: &v.Mesh, Shade: make([]float64, v.mesh.NumElems())}
	b.At, b.Move = v.points(u)
	for k := range b.Shade {
		b.Shade[k] = v.largest(k, nodal)
	}
	return b
}

// FaceStress appends the shades of the faces.
func (v *View) FaceStress(dst []float64, nodal []fem.Tensor) []float64 {
	for _, k := range v.Of {
		dst = append(dst, v.largest(k, nodal))
	}
	return dst
}

// largest is the largest von Mises stress of the nodes of element k: in a beam of one layer that of its middle
// is a third of it.
func (v *View) largest(k int, nodal []fem.Tensor) (most float64) {
	for _, i := range v.mesh.NodesOf(k) {
		most = max(most, nodal[i].VonMises())
	}
	return most
}

// Stress is the quantity that shades meshes.
const Stress = "von Mises stress at nodes"
