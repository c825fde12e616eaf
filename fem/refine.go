package fem

import (
	"fmt"
	"maps"
	"slices"
)

// Refined divides each simplex into 2^Dim of half its size, a bar in two, a triangle in four, a
// tetrahedron in eight: red refinement, which keeps the shapes of bars and triangles; of the three
// diagonals of the octahedron within a tetrahedron the shortest is taken, so that shapes stay
// within a few classes (Bey 1995). Nodes keep their numbers, those amid the edges follow in the
// order in which elements meet them; groups keep their names. It fails where a group has an edge
// that no element has. A curved boundary stays the polygon that it is.
func (m *Mesh) Refined() (*Mesh, error) {
	r := &refiner{mesh: m, fine: &Mesh{Dim: m.Dim, X: append([]float64(nil), m.X...), Groups: map[string]Group{}}, middle: map[[2]int]int{}}
	r.fine.Elem = r.divide(m.Dim, m.Elem)
	known := len(r.middle)
	for _, name := range slices.Sorted(maps.Keys(m.Groups)) { // the error names the first one
		g := m.Groups[name]
		r.fine.Groups[name] = Group{Dim: g.Dim, Simplex: r.divide(g.Dim, g.Simplex)}
		if len(r.middle) != known {
			return nil, fmt.Errorf("fem: the group %q has an edge that is of no element", name)
		}
	}
	return r.fine, r.fine.Validate()
}

// refiner divides the simplices of a mesh.
type refiner struct {
	mesh, fine *Mesh
	middle     map[[2]int]int // node amid two others, by their numbers in ascending order
}

// amid returns the node amid two others.
func (r *refiner) amid(i, j int) int {
	edge := [2]int{min(i, j), max(i, j)}
	k, known := r.middle[edge]
	if !known {
		k = r.fine.NumNodes()
		r.middle[edge] = k
		for c, x := range r.mesh.Node(edge[0]) {
			r.fine.X = append(r.fine.X, x+(r.mesh.Node(edge[1])[c]-x)/2)
		}
	}
	return k
}

// divide divides simplices of a dimension; those of dimension 0 stay.
func (r *refiner) divide(dim int, simplices []int) []int {
	var list []int
	for k := 0; k < len(simplices); k += dim + 1 {
		s := simplices[k : k+dim+1]
		switch dim {
		case 0:
			list = append(list, s[0])
		case 1:
			a := r.amid(s[0], s[1])
			list = append(list, s[0], a, a, s[1])
		case 2:
			a, b, c := r.amid(s[0], s[1]), r.amid(s[1], s[2]), r.amid(s[2], s[0])
			list = append(list, s[0], a, c, a, s[1], b, c, b, s[2], a, b, c)
		default:
			list = r.divideTetrahedron(list, s)
		}
	}
	return list
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
