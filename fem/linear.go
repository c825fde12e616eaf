package fem

import "math"

// linear is the affine simplex: φ_0 = 1 − Σξ_c, φ_c = ξ_c.
func linear(dim int) *reference {
	ref := &reference{name: [...]string{1: "linear bars", 2: "linear triangles", 3: "linear tetrahedra"}[dim],
		corners: dim + 1, nodes: dim + 1, vtk: [...]byte{1: 3, 2: 5, 3: 10}[dim],
		edges: simplexEdges[dim], sides: simplexSides[dim], cut: [][]int{[]int{0, 1, 2, 3}[:dim+1]}}
	ref.places = make([][3]float64, dim+1)
	for c := range dim {
		ref.places[c+1][c] = 1
	}
	ref.shape = func(xi *[3]float64, n *[mostNodes]float64, d *[mostNodes][3]float64) {
		l := barycentric(dim, xi)
		copy(n[:], l[:dim+1])
		for c := range dim {
			d[0][c], d[c+1][c] = -1, 1
		}
	}
	ref.rule = []sample{{weight: simplexSize[dim]}}
	for c := range dim {
		ref.rule[0].xi[c] = 1 / float64(dim+1)
	}
	return ref
}

// simplexSize is the size of a reference simplex.
var simplexSize = [...]float64{1, 1, 1. / 2, 1. / 6}

// simplexEdges are in the order of VTK's quadratic simplices.
var simplexEdges = [...][][2]int{1: {{0, 1}}, 2: {{0, 1}, {1, 2}, {2, 0}}, 3: {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}}

// simplexSides lie opposite of each corner.
var simplexSides = [...][][]int{1: {{1}, {0}}, 2: {{1, 2}, {2, 0}, {0, 1}}, 3: {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}}

// barycentric are the coordinates of a place with respect to the corners.
func barycentric(dim int, xi *[3]float64) (l [4]float64) {
	l[0] = 1
	for c := range dim {
		l[0], l[c+1] = l[0]-xi[c], xi[c]
	}
	return l
}

// Simplex is an affine element with its geometry.
type Simplex struct {
	Nodes  [4]int        // Dim+1 of them count
	Grad   [4][3]float64 // gradients of the shape functions [1/m]
	Volume float64       // length, area or volume; negative if inverted
}

// Element computes the geometry of element k of a mesh of affine elements, or of the simplex of the
// first corners of another.
func (m *Mesh) Element(k int) (s Simplex) {
	n := m.Dim + 1
	copy(s.Nodes[:], m.NodesOf(k)[:n])
	x0 := m.Node(s.Nodes[0])
	var j [3][3]float64 // rows: edges from node 0
	for a := 1; a < n; a++ {
		for c, x := range m.Node(s.Nodes[a]) {
			j[a-1][c] = x - x0[c]
		}
	}
	det, inv := invert(m.Dim, &j)
	s.Volume = det / [...]float64{1, 1, 2, 6}[m.Dim]
	for c := range m.Dim {
		for a := 1; a < n; a++ {
			s.Grad[a][c] = inv[c][a-1]
			s.Grad[0][c] -= inv[c][a-1]
		}
	}
	return s
}

// centroid is the point of an affine element: its gradients are constant.
func (m *Mesh) centroid(k int, ring bool) (p Point) {
	s := m.Element(k)
	factor, hoop := m.ring(&s, ring)
	p.Weight = s.Volume * factor
	copy(p.Grad[:], s.Grad[:])
	for a := range m.Dim + 1 {
		p.Shape[a], p.Hoop[a] = 1/float64(m.Dim+1), hoop
	}
	return p
}

// ring returns what turns a section of an axisymmetric body into the body: the
// volume factor 2πr at the centroid and the hoop strain N_a/r of each node.
func (m *Mesh) ring(s *Simplex, ring bool) (factor, hoop float64) {
	if !ring {
		return 1, 0
	}
	r := 0.0
	for _, i := range s.Nodes[:3] {
		r += m.X[2*i] / 3
	}
	return 2 * math.Pi * r, 1 / (3 * r)
}
