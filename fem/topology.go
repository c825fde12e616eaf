package fem

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/internal/forest"
)

// CheckTopology fails for a mesh that is no body with a surface, which
// [Mesh.Validate] does not see: two nodes at one place (the elements on both
// sides are not joined) that are no sides of a slit, each in a group of facets without the other, a facet of three or more elements, and parts that meet
// in less than a facet (a hinge, which moves without strain). node and element
// give the numbers to name in errors; nil counts from 0. The mesh must be valid.
// Costs a sort of its facets.
func (m *Mesh) CheckTopology(node, element func(int) int) error {
	same := func(i int) int { return i }
	if node == nil {
		node = same
	}
	if element == nil {
		element = same
	}
	for _, pair := range m.Coincident() {
		if i, j := pair[0], pair[1]; !m.parted(i, j) || !m.parted(j, i) {
			return fmt.Errorf("fem: nodes %d and %d lie at the same place %v: the elements there are not joined; the sides of a slit are two groups of facets, each with one of these nodes",
				node(i), node(j), m.Node(i))
		}
	}
	facets := m.facets()
	for k := range max(0, len(facets)-2) {
		if facets[k].nodes == facets[k+2].nodes {
			f := facets[k]
			var names []int
			for _, i := range f.nodes[:references[m.Kind][m.Dim-1].corners] {
				names = append(names, node(i))
			}
			return fmt.Errorf("fem: the facet with the nodes %v belongs to three elements, %d, %d and %d: the mesh is no manifold",
				names, element(f.elem), element(facets[k+1].elem), element(facets[k+2].elem))
		}
	}
	return m.checkHinges(facets, node, element)
}

// Coincident returns the pairs of nodes with the same coordinates; of several at one place, each with the next.
func (m *Mesh) Coincident() (pairs [][2]int) {
	order := make([]int, m.NumNodes())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(slices.Compare(m.Node(a), m.Node(b)), a-b) })
	for k := 1; k < len(order); k++ {
		if slices.Equal(m.Node(order[k-1]), m.Node(order[k])) {
			pairs = append(pairs, [2]int{order[k-1], order[k]})
		}
	}
	return pairs
}

// parted reports whether a group of facets has node i, and not j.
func (m *Mesh) parted(i, j int) bool {
	for _, g := range m.Groups {
		if g.Dim == m.Dim-1 && slices.Contains(g.Elem, i) && !slices.Contains(g.Elem, j) {
			return true
		}
	}
	return false
}

// facet is a side of an element; its corners ascend.
type facet struct {
	nodes      [4]int
	elem, side int
}

// facets returns the sides of all elements, equal ones beside each other.
func (m *Mesh) facets() []facet {
	sides, corners := m.reference().sides, references[m.Kind][m.Dim-1].corners
	list := make([]facet, 0, len(sides)*m.NumElems())
	for k := range m.NumElems() {
		nodes := m.NodesOf(k)
		for number, side := range sides {
			f := facet{elem: k, side: number}
			for at, a := range side[:corners] {
				f.nodes[at] = nodes[a]
			}
			slices.Sort(f.nodes[:corners])
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b facet) int {
		for at, i := range a.nodes { // a third of the time of slices.Compare
			if j := b.nodes[at]; i != j {
				return i - j
			}
		}
		return a.elem - b.elem
	})
	return list
}

// Surface returns the facets that belong to one element only, and of which element each is a side.
// Their corners go round the outward normal.
func (m *Mesh) Surface() (g Group, of []int) {
	g.Kind, g.Dim = m.Kind, m.Dim-1
	list := m.facets()
	for k, f := range list {
		if (k == 0 || list[k-1].nodes != f.nodes) && (k == len(list)-1 || list[k+1].nodes != f.nodes) {
			for _, a := range m.reference().sides[f.side] {
				g.Elem = append(g.Elem, m.NodesOf(f.elem)[a])
			}
			of = append(of, f.elem)
		}
	}
	return g, of
}

// SurfaceSimplices returns the simplices of [Mesh.Simplices] that the elements with a facet of [Mesh.Surface] are cut
// into.
func (m *Mesh) SurfaceSimplices() (nodes []int) {
	all, of := m.Simplices()
	on := make([]bool, m.NumElems())
	_, outer := m.Surface()
	for _, k := range outer {
		on[k] = true
	}
	for s, k := range of {
		if on[k] {
			nodes = append(nodes, all[s*(m.Dim+1):(s+1)*(m.Dim+1)]...)
		}
	}
	return nodes
}

// checkHinges joins elements across facets; a node then belongs to one part.
func (m *Mesh) checkHinges(facets []facet, node, element func(int) int) error {
	parts := forest.New(m.NumElems())
	for k := 1; k < len(facets); k++ {
		if facets[k].nodes == facets[k-1].nodes {
			parts.Join(facets[k].elem, facets[k-1].elem)
		}
	}
	first := make([]int, m.NumNodes()) // an element of each node, plus 1
	for k := range m.NumElems() {
		for _, i := range m.NodesOf(k) {
			if first[i] == 0 {
				first[i] = k + 1
			} else if parts.Root(first[i]-1) != parts.Root(k) {
				return fmt.Errorf("fem: the elements %d and %d, of two parts, meet at node %d in less than a facet: the parts can turn about it without strain",
					element(first[i]-1), element(k), node(i))
			}
		}
	}
	return nil
}

// Parts returns the number of the part of each node, parts being joined by
// elements, and how many parts there are.
func (m *Mesh) Parts() (part []int, count int) {
	u := forest.New(m.NumNodes())
	for k := range m.NumElems() {
		nodes := m.NodesOf(k)
		for _, i := range nodes[1:] {
			u.Join(nodes[0], i)
		}
	}
	return u.Number()
}
