package fem

import "fmt"

// Box is a bar, rectangle or cuboid with its lowest corner and side lengths [m],
// divided into equal cells; its dimension is the number of entries.
type Box struct {
	Corner []float64
	Size   []float64
	Cells  []int
}

// sides names the groups of the boundary: lower and upper side of each axis,
// the last axis pointing up.
var sides = [4][][2]string{
	1: {{"left", "right"}},
	2: {{"left", "right"}, {"bottom", "top"}},
	3: {{"left", "right"}, {"front", "back"}, {"bottom", "top"}},
}

// Mesh divides the box: node i+(nx+1)(j+(ny+1)k); a square with the corners
// n0, n1, n2, n3 counter-clockwise from the lowest one becomes (n0, n1, n2) and
// (n0, n2, n3), a cube six tetrahedra around its diagonal (Kuhn's division, of
// which the squares are the faces). Groups are the sides left, right (x), front,
// back (y in space), bottom, top (last axis), and body.
func (b Box) Mesh() (*Mesh, error) {
	dim := len(b.Cells)
	if dim < 1 || dim > 3 || len(b.Corner) != dim || len(b.Size) != dim {
		return nil, fmt.Errorf("fem: box with %d cell counts, %d corner coordinates and %d sizes", dim, len(b.Corner), len(b.Size))
	}
	for c, n := range b.Cells {
		if n < 1 || !(b.Size[c] > 0) {
			return nil, fmt.Errorf("fem: box: axis %d has the size %g in %d cells", c, b.Size[c], n)
		}
	}
	g := grid{Box: b, dim: dim}
	m := &Mesh{Dim: dim, Groups: map[string]Group{}}
	g.eachNode(func(at [3]int) {
		for c := range dim {
			m.X = append(m.X, b.Corner[c]+b.Size[c]*float64(at[c])/float64(b.Cells[c]))
		}
	})
	m.Elem = g.simplices(-1, 0)
	m.Groups["body"] = Group{Dim: dim, Simplex: m.Elem}
	for c, names := range sides[dim] {
		m.Groups[names[0]] = Group{Dim: dim - 1, Simplex: g.simplices(c, 0)}
		m.Groups[names[1]] = Group{Dim: dim - 1, Simplex: g.simplices(c, b.Cells[c])}
	}
	return m, m.Validate()
}

type grid struct {
	Box
	dim int
}

func (g *grid) node(at [3]int) int {
	i, stride := 0, 1
	for c := range g.dim {
		i += at[c] * stride
		stride *= g.Cells[c] + 1
	}
	return i
}

func (g *grid) eachNode(visit func(at [3]int)) {
	n := [3]int{1, 1, 1}
	for c := range g.dim {
		n[c] = g.Cells[c] + 1
	}
	g.each(n, visit)
}

func (g *grid) each(n [3]int, visit func(at [3]int)) {
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				visit([3]int{i, j, k})
			}
		}
	}
}

// simplices divides the cells, or, if side is an axis, the faces of the cells
// in the plane where that coordinate is level.
func (g *grid) simplices(side, level int) []int {
	n := [3]int{1, 1, 1}
	var axes []int
	for c := range g.dim {
		if c != side {
			n[c] = g.Cells[c]
			axes = append(axes, c)
		}
	}
	var list []int
	g.each(n, func(at [3]int) {
		if side >= 0 {
			at[side] = level
		}
		for _, walk := range walks[len(axes)] {
			corner, start := at, len(list)
			list = append(list, g.node(corner))
			for _, k := range walk.axes {
				corner[axes[k]]++
				list = append(list, g.node(corner))
			}
			if walk.odd { // positive orientation
				list[start+len(axes)-1], list[start+len(axes)] = list[start+len(axes)], list[start+len(axes)-1]
			}
		}
	})
	return list
}

// walks go along the edges from the lowest corner of a cell to the highest, one
// for each order of the axes: Kuhn's simplices.
var walks = [4][]struct {
	axes []int
	odd  bool
}{
	0: {{}},
	1: {{axes: []int{0}}},
	2: {{axes: []int{0, 1}}, {axes: []int{1, 0}, odd: true}},
	3: {
		{axes: []int{0, 1, 2}}, {axes: []int{1, 2, 0}}, {axes: []int{2, 0, 1}},
		{axes: []int{0, 2, 1}, odd: true}, {axes: []int{1, 0, 2}, odd: true}, {axes: []int{2, 1, 0}, odd: true},
	},
}
