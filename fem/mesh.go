package fem

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Mesh is a conforming mesh of elements of one kind.
type Mesh struct {
	Kind   Kind
	Dim    int       // 1, 2 or 3
	X      []float64 // node i has the coordinates X[Dim·i : Dim·(i+1)] [m]
	Elem   []int     // the nodes of the elements, one after the other, see [Mesh.NodesOf]
	Groups map[string]Group
	// Straight marks nodes amid edges of quadratic elements that are kept straight, see
	// [Mesh.StraightenEdges]; nil: there are none.
	Straight []bool
}

// Group is a named set of elements: a part of the boundary or of the body.
type Group struct {
	Kind Kind
	Dim  int   // of its elements
	Elem []int // their nodes, those of Kind in that dimension each
	// Pressed says that the first component of a traction on it is a pressure, see [Mesh.Inward].
	Pressed bool
}

// NumNodes returns the number of nodes.
func (m *Mesh) NumNodes() int { return len(m.X) / m.Dim }

// NumElems returns the number of elements.
func (m *Mesh) NumElems() int { return len(m.Elem) / m.reference().nodes }

// Node returns the coordinates of node i; they belong to the mesh.
func (m *Mesh) Node(i int) []float64 { return m.X[m.Dim*i : m.Dim*i+m.Dim] }

// Nodes returns the nodes of the group, ascending, each once.
func (g Group) Nodes() []int {
	nodes := slices.Clone(g.Elem)
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// Corners returns the nodes at corners of its elements, ascending, each once: those that may be in
// contact.
func (g Group) Corners() []int {
	ref := references[g.Kind][g.Dim]
	var nodes []int
	for k := 0; k < len(g.Elem); k += ref.nodes {
		nodes = append(nodes, g.Elem[k:k+ref.corners]...)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// Within returns the elements of the group of which all nodes are inside; if there are none, its nodes that are.
func (g Group) Within(inside func(node int) bool) Group {
	n, part := references[g.Kind][g.Dim].nodes, Group{Kind: g.Kind, Dim: g.Dim}
	for k := 0; k < len(g.Elem); k += n {
		if e := g.Elem[k : k+n]; !slices.ContainsFunc(e, func(i int) bool { return !inside(i) }) {
			part.Elem = append(part.Elem, e...)
		}
	}
	if len(part.Elem) == 0 {
		part = Group{Kind: g.Kind, Elem: slices.DeleteFunc(g.Nodes(), func(i int) bool { return !inside(i) })}
	}
	return part
}

// Group returns a named group, or an error that lists the names there are.
func (m *Mesh) Group(name string) (Group, error) {
	g, ok := m.Groups[name]
	if !ok {
		return g, fmt.Errorf("fem: the mesh has no group %q; its groups are %q", name, slices.Sorted(maps.Keys(m.Groups)))
	}
	return g, nil
}

// invert returns determinant and inverse of the leading dim×dim block. The
// inverse of a singular matrix is not finite.
func invert(dim int, a *[3][3]float64) (det float64, inv [3][3]float64) {
	switch dim {
	case 1:
		det = a[0][0]
		inv[0][0] = 1 / det
	case 2:
		det = a[0][0]*a[1][1] - a[0][1]*a[1][0]
		inv[0][0], inv[0][1] = a[1][1]/det, -a[0][1]/det
		inv[1][0], inv[1][1] = -a[1][0]/det, a[0][0]/det
	default:
		for r := range 3 {
			for c := range 3 {
				r1, r2, c1, c2 := (r+1)%3, (r+2)%3, (c+1)%3, (c+2)%3
				inv[c][r] = a[r1][c1]*a[r2][c2] - a[r1][c2]*a[r2][c1] // cofactors
			}
		}
		det = a[0][0]*inv[0][0] + a[0][1]*inv[1][0] + a[0][2]*inv[2][0]
		for r := range 3 {
			for c := range 3 {
				inv[r][c] /= det
			}
		}
	}
	return det, inv
}

// flatness: an element whose volume is below this fraction of its longest edge
// to the power Dim has lost half the digits of its gradients.
const flatness = 1e-8

// Validate checks sizes and numbers of nodes, orientation of every element and
// that every node belongs to an element. Errors name the element or node,
// counted from 0.
func (m *Mesh) Validate() error {
	if m.Kind < 0 || int(m.Kind) >= len(references) {
		return fmt.Errorf("fem: the mesh has elements of %s", m.Kind)
	}
	if m.Dim < 1 || m.Dim > 3 || len(m.X)%m.Dim != 0 || len(m.Elem)%m.reference().nodes != 0 {
		return fmt.Errorf("fem: mesh of dimension %d with %d coordinates and %d element nodes", m.Dim, len(m.X), len(m.Elem))
	}
	if m.NumElems() == 0 {
		return fmt.Errorf("fem: the mesh has no elements of dimension %d", m.Dim)
	}
	if m.Straight != nil && (m.Kind != P2 || len(m.Straight) != m.NumNodes()) {
		return fmt.Errorf("fem: straight edges at %d of %d nodes of a mesh of %s", len(m.Straight), m.NumNodes(), m.Kind)
	}
	for i, x := range m.X {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("fem: node %d: coordinate %d is %g", i/m.Dim, i%m.Dim, x)
		}
	}
	used := make([]bool, m.NumNodes())
	for k := range m.NumElems() {
		if err := m.validateElement(k, used); err != nil {
			return err
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return fmt.Errorf("fem: node %d at %v belongs to no element", i, m.Node(i))
	}
	return m.validateGroups()
}

func (m *Mesh) validateElement(k int, used []bool) error {
	nodes := m.NodesOf(k)
	longest := 0.0
	for _, i := range nodes {
		if i < 0 || i >= len(used) {
			return fmt.Errorf("fem: element %d refers to node %d of %d", k, i, len(used))
		}
		used[i] = true
		for _, j := range nodes {
			if j >= 0 && j < len(used) {
				longest = max(longest, distance(m.Node(i), m.Node(j)))
			}
		}
	}
	volume := m.leastVolume(k)
	switch size := math.Pow(longest, float64(m.Dim)); {
	case volume < -flatness*size:
		return fmt.Errorf("fem: element %d with the nodes %v is inverted: volume %g", k, nodes, volume)
	case !(volume > flatness*size):
		return fmt.Errorf("fem: element %d with the nodes %v is flat: volume %g", k, nodes, volume)
	}
	return nil
}

// leastVolume is that of an affine element, or what another would have whose map were everywhere as
// at its worst node or point of quadrature.
func (m *Mesh) leastVolume(k int) float64 {
	if m.Kind == P1 {
		return m.Element(k).Volume
	}
	ref, nodes, least, size := m.reference(), m.NodesOf(k), math.Inf(1), 0.0
	at := func(xi *[3]float64) {
		p := m.pointOf(ref, nodes, xi, false)
		least = min(least, p.Weight)
	}
	for i := range ref.rule {
		size += ref.rule[i].weight
		at(&ref.rule[i].xi)
	}
	for i := range ref.places {
		at(&ref.places[i])
	}
	return least * size
}

func (m *Mesh) validateGroups() error {
	for _, name := range slices.Sorted(maps.Keys(m.Groups)) {
		g := m.Groups[name]
		if g.Kind != m.Kind || g.Dim < 0 || g.Dim > m.Dim || len(g.Elem)%references[g.Kind][g.Dim].nodes != 0 {
			return fmt.Errorf("fem: group %q of %s of dimension %d with %d nodes in a mesh of %s of dimension %d", name,
				g.Kind, g.Dim, len(g.Elem), m.Kind, m.Dim)
		}
		for _, i := range g.Elem {
			if i < 0 || i >= m.NumNodes() {
				return fmt.Errorf("fem: group %q refers to node %d of %d", name, i, m.NumNodes())
			}
		}
	}
	return nil
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for c, x := range a {
		sum += (x - b[c]) * (x - b[c])
	}
	return math.Sqrt(sum)
}
