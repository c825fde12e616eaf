package fem

import (
	"fmt"
	"maps"
	"slices"
)

// Refined divides each element into 2^Dim of its kind of half its size: a bar in two, a triangle or
// quadrilateral in four, a tetrahedron or hexahedron in eight. That is red refinement, which keeps
// the shapes of bars and triangles; of the three
// diagonals of the octahedron within a tetrahedron the shortest is taken, so that shapes stay
// within a few classes (Bey 1995). Nodes keep their numbers, new ones follow in the
// order in which elements meet them; groups keep their names. It fails where a group has an edge
// that no element has. New nodes are where the map of the divided element has them: a curved
// boundary stays what its elements make of it. Straight edges are as others in the finer mesh.
func (m *Mesh) Refined() (*Mesh, error) { return m.divided(nil) }

// divided divides all edges, or those of cut.
func (m *Mesh) divided(cut map[edge]bool) (*Mesh, error) {
	fine := &Mesh{Kind: m.Kind, Dim: m.Dim, X: slices.Clone(m.X), Groups: map[string]Group{}}
	r := &refiner{mesh: m, fine: fine, cut: cut, middle: map[[8]int]int{}}
	if m.Kind == P2 {
		r.nameMiddles()
	}
	r.fine.Elem = r.divideAll(m.Dim, m.Elem)
	known := len(r.middle)
	for _, name := range slices.Sorted(maps.Keys(m.Groups)) { // the error names the first one
		g := m.Groups[name]
		r.fine.Groups[name] = Group{Kind: m.Kind, Dim: g.Dim, Elem: r.divideAll(g.Dim, g.Elem)}
		if len(r.middle) != known {
			return nil, fmt.Errorf("fem: the group %q has an edge that is of no element", name)
		}
	}
	return r.fine, r.fine.Validate()
}

// refiner divides the elements of a mesh.
type refiner struct {
	mesh, fine *Mesh
	cut        map[edge]bool  // edges of simplices that are divided, see [Mesh.Bisected]; nil: all are
	middle     map[[8]int]int // node amid others, by their numbers in ascending order, less one where there are fewer
}

// amid returns the node amid others.
func (r *refiner) amid(nodes ...int) int {
	key := [8]int{-1, -1, -1, -1, -1, -1, -1, -1}
	copy(key[:], nodes)
	of := key[:len(nodes)]
	slices.Sort(of)
	k, known := r.middle[key]
	if !known {
		k = r.fine.NumNodes()
		r.middle[key] = k
		for c, x := range r.fine.Node(of[0]) {
			sum := 0.0 // of differences: of two places it is the middle, whatever their size
			for _, i := range of[1:] {
				sum += r.fine.Node(i)[c] - x
			}
			r.fine.X = append(r.fine.X, x+sum/float64(len(of)))
		}
	}
	return k
}

// nameMiddles enters the nodes amid the edges of quadratic elements.
func (r *refiner) nameMiddles() {
	ref := r.mesh.reference()
	for k := range r.mesh.NumElems() {
		nodes := r.mesh.NodesOf(k)
		for e, ends := range ref.edges {
			i, j := nodes[ends[0]], nodes[ends[1]]
			r.middle[[8]int{min(i, j), max(i, j), -1, -1, -1, -1, -1, -1}] = nodes[ref.corners+e]
		}
	}
}

// divideAll divides elements of a dimension; those of dimension 0 stay.
func (r *refiner) divideAll(dim int, elem []int) []int {
	if dim == 0 {
		return slices.Clone(elem)
	}
	ref := references[r.mesh.Kind][dim]
	var list []int
	for k := 0; k < len(elem); k += ref.nodes {
		nodes := elem[k : k+ref.nodes]
		switch r.mesh.Kind {
		case Q1:
			list = r.divideCube(list, dim, nodes)
		case P2:
			list = r.raise(list, dim, nodes, r.divide(dim, nodes[:ref.corners]))
		default:
			list = append(list, r.divide(dim, nodes)...)
		}
	}
	return list
}

// divideCube divides a multilinear element: the corners of its children are amid those of its edges,
// sides and itself.
func (r *refiner) divideCube(list []int, dim int, nodes []int) []int {
	corners := cubeCorners[:1<<dim]
	at := func(x [3]int) int { // of the lattice 0, 1, 2
		var of []int
		for a, c := range corners {
			if near(x[0], c[0]) && (dim < 2 || near(x[1], c[1])) && (dim < 3 || near(x[2], c[2])) {
				of = append(of, nodes[a])
			}
		}
		if len(of) == 1 {
			return of[0]
		}
		return r.amid(of...)
	}
	for _, child := range corners {
		for _, c := range corners {
			list = append(list, at([3]int{child[0] + c[0], child[1] + c[1], child[2] + c[2]}))
		}
	}
	return list
}

// near reports whether a place 0, 1, 2 of the lattice is at a corner 0, 1 of it, or amid both.
func near(x, corner int) bool { return x == 1 || x == 2*corner }

// raise adds the nodes amid the edges of the simplices that a quadratic element was divided into, where its map
// has them.
func (r *refiner) raise(list []int, dim int, nodes, children []int) []int {
	ref, known := references[P2][dim], len(r.middle)
	for k := 0; k < len(children); k += dim + 1 {
		child := children[k : k+dim+1]
		list = append(list, child...)
		for _, e := range ref.edges {
			i, j := child[e[0]], child[e[1]]
			middle := r.amid(i, j)
			list = append(list, middle)
			if len(r.middle) == known {
				continue // it was there
			}
			known = len(r.middle)
			a, b := &ref.places[slices.Index(nodes, i)], &ref.places[slices.Index(nodes, j)]
			var n [mostNodes]float64
			var d [mostNodes][3]float64
			ref.shape(&[3]float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}, &n, &d)
			x := r.fine.Node(middle)
			clear(x)
			for a, i := range nodes {
				for c, y := range r.fine.Node(i) {
					x[c] += n[a] * y
				}
			}
		}
	}
	return list
}

// divide divides the simplex of some corners.
func (r *refiner) divide(dim int, s []int) []int {
	switch {
	case r.cut != nil:
		return r.bisect(s)
	case dim == 1:
		a := r.amid(s[0], s[1])
		return []int{s[0], a, a, s[1]}
	case dim == 2:
		a, b, c := r.amid(s[0], s[1]), r.amid(s[1], s[2]), r.amid(s[2], s[0])
		return []int{s[0], a, c, a, s[1], b, c, b, s[2], a, b, c}
	}
	return r.divideTetrahedron(nil, s)
}

// divideTetrahedron cuts off four corners and the octahedron that is left along its shortest
// diagonal, the first of equal ones.
func (r *refiner) divideTetrahedron(list, s []int) []int {
	e := func(a, b int) int { return r.amid(s[a], s[b]) }
	for a := range 4 {
		corner := [4]int{}
		for b := range 4 {
			corner[b] = s[a]
			if b != a {
				corner[b] = e(a, b)
			}
		}
		list = append(list, corner[:]...)
	}
	// Diagonals join the middles of opposite edges; the other four middles go round them.
	diagonals := [3][2][2]int{{{0, 2}, {1, 3}}, {{0, 1}, {2, 3}}, {{0, 3}, {1, 2}}}
	rounds := [3][4][2]int{{{0, 1}, {1, 2}, {2, 3}, {0, 3}}, {{0, 2}, {1, 2}, {1, 3}, {0, 3}}, {{0, 1}, {1, 3}, {2, 3}, {0, 2}}}
	best, shortest := 0, 0.0
	for d, ends := range diagonals {
		length := distance(r.fine.Node(e(ends[0][0], ends[0][1])), r.fine.Node(e(ends[1][0], ends[1][1])))
		// Of lengths that are equal but for rounding the first.
		if d == 0 || length < shortest*(1-flatness) {
			best, shortest = d, length
		}
	}
	one, other := e(diagonals[best][0][0], diagonals[best][0][1]), e(diagonals[best][1][0], diagonals[best][1][1])
	for k := range 4 {
		a, b := rounds[best][k], rounds[best][(k+1)%4]
		t := [4]int{one, other, e(a[0], a[1]), e(b[0], b[1])}
		if r.volume(t) < 0 {
			t[2], t[3] = t[3], t[2]
		}
		list = append(list, t[:]...)
	}
	return list
}

// volume is six times that of a tetrahedron of the fine mesh, with its sign.
func (r *refiner) volume(t [4]int) float64 {
	var j [3][3]float64
	x0 := r.fine.Node(t[0])
	for a := 1; a < 4; a++ {
		for c, x := range r.fine.Node(t[a]) {
			j[a-1][c] = x - x0[c]
		}
	}
	det, _ := invert(3, &j)
	return det
}
