package fem

import (
	"fmt"
	"slices"
)

// Bisected divides some simplices across their longest edges, and as many others as must be for simplices to meet in
// whole sides [Rivara84]. The longest edge of each simplex with an edge that is divided is divided, too, and a simplex
// is bisected across the longest edge of it that is, then its children are. Edges have one order, by lengths, of equal
// ones by nodes: two simplices divide a side that they share in the same way. Angles of triangles never get below half
// of the least one of the first mesh; of tetrahedra no bound is proven. Nodes keep their numbers, new ones follow,
// groups keep their names, as in [Mesh.Refined].
func (m *Mesh) Bisected(elements []int) (*Mesh, error) {
	if m.Dim == 1 || m.Kind == Q1 {
		return nil, fmt.Errorf("fem: %s are not bisected, triangles and tetrahedra are", m.Kind.Name(m.Dim))
	}
	cut := map[edge]bool{}
	corners := func(k int) []int { return m.NodesOf(k)[:m.Dim+1] }
	all := func(edge) bool { return true }
	for _, k := range elements {
		long, _ := m.longest(corners(k), all)
		cut[long] = true
	}
	for more := true; more; {
		more = false
		for k := range m.NumElems() {
			long, _ := m.longest(corners(k), all)
			if _, divided := m.longest(corners(k), func(e edge) bool { return cut[e] }); divided && !cut[long] {
				cut[long], more = true, true
			}
		}
	}
	return m.divided(cut)
}

// edge is that of two nodes, the lower one first.
type edge [2]int

// longest returns the longest edge of a simplex among those that count, and whether there is one.
func (m *Mesh) longest(s []int, counts func(edge) bool) (long edge, ok bool) {
	size := 0.0
	for b, j := range s {
		for _, i := range s[:b] {
			e := edge{min(i, j), max(i, j)}
			if !counts(e) {
				continue
			}
			if d := distance(m.Node(e[0]), m.Node(e[1])); !ok || d > size || d == size && slices.Compare(e[:], long[:]) < 0 {
				long, size, ok = e, d, true
			}
		}
	}
	return long, ok
}

// bisect divides a simplex across its longest edge that is divided, and its children likewise.
func (r *refiner) bisect(s []int) []int {
	long, ok := r.mesh.longest(s, func(e edge) bool { return r.cut[e] })
	if !ok {
		return s
	}
	middle := r.amid(long[0], long[1])
	children := make([]int, 0, 2*len(s))
	for _, end := range long {
		child := slices.Clone(s)
		child[slices.Index(child, end)] = middle
		children = append(children, r.bisect(child)...)
	}
	return children
}
