package fem

import (
	"fmt"
	"slices"
)

// Bisected divides some triangles of a plane mesh of simplices across their longest edges, and as many others as must be
// for triangles to meet in whole edges [Rivara84]. The longest edge of each triangle with an edge that is divided is divided,
// too: angles never get below half of the least one of the first mesh. Nodes keep their numbers, new ones follow, groups
// keep their names, as in [Mesh.Refined].
func (m *Mesh) Bisected(elements []int) (*Mesh, error) {
	if m.Dim != 2 || m.Kind == Q1 {
		return nil, fmt.Errorf("fem: %s are not bisected, triangles are", m.Kind.Name(m.Dim))
	}
	cut := map[[2]int]bool{}
	for _, k := range elements {
		cut[m.longest(m.NodesOf(k)[:3]).key()] = true
	}
	for more := true; more; {
		more = false
		for k := range m.NumElems() {
			s := m.NodesOf(k)[:3]
			long := m.longest(s).key()
			if !cut[long] && (cut[edge{s[0], s[1]}.key()] || cut[edge{s[1], s[2]}.key()] || cut[edge{s[2], s[0]}.key()]) {
				cut[long], more = true, true
			}
		}
	}
	return m.divided(cut)
}

// edge is that of two nodes.
type edge [2]int

// key has the lower node first.
func (e edge) key() [2]int { return [2]int{min(e[0], e[1]), max(e[0], e[1])} }

// longest returns the longest edge of a triangle in its sense, the first of equal ones.
func (m *Mesh) longest(s []int) (long edge) {
	size := 0.0
	for a := range s {
		e := edge{s[a], s[(a+1)%3]}
		if d := distance(m.Node(e[0]), m.Node(e[1])); d > size*(1+flatness) {
			long, size = e, d
		}
	}
	return long
}

// bisect divides a triangle across its longest edge, and its children across what is left of its other edges, where these are divided.
func (r *refiner) bisect(s []int) []int {
	long := r.mesh.longest(s)
	if !r.cut[long.key()] {
		return s
	}
	a, b, middle := long[0], long[1], r.amid(long[0], long[1])
	c := s[slices.IndexFunc(s, func(i int) bool { return i != a && i != b })]
	children := []int{a, middle, c, middle, b, c}
	if r.cut[edge{c, a}.key()] {
		q := r.amid(c, a)
		children = []int{a, middle, q, middle, c, q, middle, b, c}
	}
	if r.cut[edge{b, c}.key()] {
		q := r.amid(b, c)
		children = append(children[:len(children)-3], middle, b, q, middle, q, c)
	}
	return children
}
