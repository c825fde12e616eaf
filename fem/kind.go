package fem

import (
	"fmt"
	"math"
	"slices"
)

// Kind is a family of finite elements, see the table of reference elements.
type Kind int

// The kinds.
const (
	P1 Kind = iota // affine, on simplices
	P2             // quadratic, on simplices
	Q1             // multilinear, on quadrilaterals and hexahedra, with their mean dilatation
)

// references are the elements by kind and dimension, from that of a point.
var references = [...][4]*reference{P1: {&point, linear(1), linear(2), linear(3)}, P2: {&point, quadratic(1), quadratic(2), quadratic(3)},
	Q1: {&point, multilinear(1), multilinear(2), multilinear(3)}}

var kindNames = [...]string{P1: "P1", P2: "P2", Q1: "Q1"}

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// ParseKind is the inverse of String.
func ParseKind(name string) (Kind, error) {
	if i := slices.Index(kindNames[:], name); i >= 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("fem: unknown element %q, want one of %q", name, kindNames)
}

// Name says what the elements of a dimension are.
func (k Kind) Name(dim int) string { return references[k][dim].name }

// mostNodes is the largest number of nodes of an element: of a quadratic tetrahedron.
const mostNodes = 10

// reference is a reference element. Local numbers are those of VTK, corners first.
type reference struct {
	name    string
	corners int
	nodes   int
	vtk     byte
	edges   [][2]int // ends; the node amid edge e of a quadratic element is corners + e
	sides   [][]int  // nodes of each, in the order of their own reference element
	cut     [][]int  // simplices that make it up, positively oriented, of its nodes
	// places are the coordinates of the nodes, shape stores the shape functions and their
	// derivatives at a place.
	places [][3]float64
	shape  func(xi *[3]float64, n *[mostNodes]float64, d *[mostNodes][3]float64)
	rule   []sample
}

// sample is a point of a rule of quadrature; weights add up to the size of the reference element.
type sample struct {
	xi     [3]float64
	weight float64
}

// point is the element of dimension 0.
var point = reference{name: "points", corners: 1, nodes: 1, vtk: 1, cut: [][]int{{0}},
	places: make([][3]float64, 1), rule: []sample{{weight: 1}},
	shape: func(_ *[3]float64, n *[mostNodes]float64, _ *[mostNodes][3]float64) { n[0] = 1 }}

// reference returns that of the mesh.
func (m *Mesh) reference() *reference { return references[m.Kind][m.Dim] }

// NodesOf returns the nodes of element k; they belong to the mesh.
func (m *Mesh) NodesOf(k int) []int {
	n := m.reference().nodes
	return m.Elem[n*k : n*k+n]
}

// Cell is the number that VTK has for the elements.
func (m *Mesh) Cell() byte { return m.reference().vtk }

// Point is an element at a point of quadrature.
type Point struct {
	Shape  [mostNodes]float64
	Grad   [mostNodes][3]float64 // of the shape functions [1/m]
	Hoop   [mostNodes]float64    // their share in the hoop strain of a ring, N/r [1/m]
	Weight float64               // of the element's volume, that of the whole ring if there is one
}

// element is an element at all its points.
type element struct {
	nodes  []int
	points []Point
	volume float64 // of the weights
	// mean is that of the dilatation of the shape functions, where it stands for the dilatation.
	mean     [mostNodes][3]float64
	averaged bool
}

// evaluate makes element k; the memory of dst is reused.
func (m *Mesh) evaluate(dst *element, k int, e *Elastic) {
	ref, ring := m.reference(), m.Dim == 2 && e.Kinematics == Axisymmetric
	dst.nodes, dst.points, dst.volume = m.NodesOf(k), dst.points[:0], 0
	dst.averaged = m.Kind == Q1 && m.Dim > 1 && e.Kinematics != PlaneStress
	if m.Kind == P1 {
		dst.points = append(dst.points, m.centroid(k, ring))
		dst.volume = dst.points[0].Weight
		return
	}
	for i := range ref.rule {
		p := m.pointOf(ref, dst.nodes, &ref.rule[i].xi, ring)
		p.Weight *= ref.rule[i].weight
		dst.points, dst.volume = append(dst.points, p), dst.volume+p.Weight
	}
	if dst.averaged {
		dst.average(m.Dim)
	}
}

// pointOf evaluates shape functions at a place; Weight is the volume over that of the reference
// element. On the axis of a ring the hoop strain is the radial one.
func (m *Mesh) pointOf(ref *reference, nodes []int, xi *[3]float64, ring bool) (p Point) {
	var d [mostNodes][3]float64
	ref.shape(xi, &p.Shape, &d)
	var j [3][3]float64 // ∂x_c/∂ξ_k, row k
	for a, i := range nodes {
		for c, x := range m.Node(i) {
			for k := range m.Dim {
				j[k][c] += d[a][k] * x
			}
		}
	}
	det, inv := invert(m.Dim, &j)
	r := 0.0
	for a, i := range nodes {
		for c := range m.Dim {
			for k := range m.Dim {
				p.Grad[a][c] += inv[c][k] * d[a][k]
			}
		}
		r += p.Shape[a] * m.X[m.Dim*i]
	}
	if p.Weight = det; ring {
		p.Weight *= 2 * math.Pi * r
		for a := range nodes {
			if p.Hoop[a] = p.Shape[a] / r; r == 0 {
				p.Hoop[a] = p.Grad[a][0]
			}
		}
	}
	m.straighten(&p, ref, nodes)
	return p
}

// straighten gives the shape functions of nodes amid straight edges to the ends.
func (m *Mesh) straighten(p *Point, ref *reference, nodes []int) {
	if m.Straight == nil {
		return
	}
	for e, ends := range ref.edges {
		a := ref.corners + e
		if a >= ref.nodes || !m.Follows(nodes[a]) {
			continue
		}
		for _, b := range ends {
			p.Shape[b] += p.Shape[a] / 2
			p.Hoop[b] += p.Hoop[a] / 2
			for c := range p.Grad[b] {
				p.Grad[b][c] += p.Grad[a][c] / 2
			}
		}
		p.Shape[a], p.Hoop[a], p.Grad[a] = 0, 0, [3]float64{}
	}
}

// StraightenEdges makes all edges of quadratic elements that lie in a group straight: the node amid
// one is put amid the ends, and its displacement is the mean of theirs. Faces are then linear, and
// a uniform pressure on them makes positive forces at their corners, none elsewhere, as a law of
// contact at nodes needs. Meshes of other kinds stay.
func (m *Mesh) StraightenEdges(g Group) {
	if m.Kind != P2 || g.Dim == 0 {
		return
	}
	if m.Straight == nil {
		m.Straight = make([]bool, m.NumNodes())
	}
	ref := references[P2][g.Dim]
	for k := 0; k < len(g.Elem); k += ref.nodes {
		nodes := g.Elem[k : k+ref.nodes]
		for e, ends := range ref.edges {
			middle := nodes[ref.corners+e]
			m.Straight[middle] = true
			for c := range m.Dim {
				m.X[m.Dim*middle+c] = (m.Node(nodes[ends[0]])[c] + m.Node(nodes[ends[1]])[c]) / 2
			}
		}
	}
}

// Follows reports whether node i is amid a straight edge.
func (m *Mesh) Follows(i int) bool { return m.Straight != nil && m.Straight[i] }

// eachStraight visits the nodes amid straight edges with the ends, each once, by elements.
func (m *Mesh) eachStraight(visit func(middle int, ends [2]int)) {
	if m.Straight == nil {
		return
	}
	ref, seen := m.reference(), make([]bool, m.NumNodes())
	for k := range m.NumElems() {
		nodes := m.NodesOf(k)
		for e, ends := range ref.edges {
			if i := nodes[ref.corners+e]; m.Straight[i] && !seen[i] {
				seen[i] = true
				visit(i, [2]int{nodes[ends[0]], nodes[ends[1]]})
			}
		}
	}
}

// Simplices cuts the elements into simplices, of says of which each is a part: P1 stays, P2 is cut
// at its nodes, Q1 along diagonals. Of quadratic and multilinear elements it is the shape that is
// meant, nearly.
func (m *Mesh) Simplices() (nodes, of []int) { return m.reference().simplices(m.Elem) }

// Outlines returns the nodes around each element of a plane mesh, those amid its edges with them.
func (m *Mesh) Outlines() [][]int { return m.reference().outlines(m.Elem) }

// Outlines returns the nodes around each element of a group of dimension 2.
func (g Group) Outlines() [][]int { return references[g.Kind][g.Dim].outlines(g.Elem) }

func (ref *reference) outlines(elem []int) (rings [][]int) {
	for ; len(elem) >= ref.nodes; elem = elem[ref.nodes:] {
		var ring []int
		for a := range ref.corners {
			ring = append(ring, elem[a])
			for e, ends := range ref.edges {
				if b := (a + 1) % ref.corners; ref.nodes > ref.corners && (ends == [2]int{a, b} || ends == [2]int{b, a}) {
					ring = append(ring, elem[ref.corners+e])
				}
			}
		}
		rings = append(rings, ring)
	}
	return rings
}

func (ref *reference) simplices(elem []int) (nodes, of []int) {
	for k := range len(elem) / ref.nodes {
		for _, s := range ref.cut {
			for _, a := range s {
				nodes = append(nodes, elem[ref.nodes*k+a])
			}
			of = append(of, k)
		}
	}
	return nodes, of
}

// facePoint evaluates an element of one dimension less than the mesh at a place: its shape
// functions, and as Weight its size over that of the reference element, of the whole ring if there
// is one.
func (m *Mesh) facePoint(ref *reference, nodes []int, xi *[3]float64, ring bool) (p Point) {
	var d [mostNodes][3]float64
	ref.shape(xi, &p.Shape, &d)
	var j [3][3]float64
	r := 0.0
	for a, i := range nodes {
		for c, x := range m.Node(i) {
			for k := range m.Dim - 1 {
				j[k][c] += d[a][k] * x
			}
		}
		r += p.Shape[a] * m.X[m.Dim*i]
	}
	p.Weight = size(m.Dim-1, &j)
	if ring {
		p.Weight *= 2 * math.Pi * r
	}
	m.straighten(&p, ref, nodes)
	return p
}
