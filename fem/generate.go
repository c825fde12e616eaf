package fem

import "fmt"

// Box is a bar, rectangle or cuboid with its lowest corner and side lengths [m],
// divided into equal cells; its dimension is the number of entries.
type Box struct {
	Kind   Kind
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

// Mesh divides the box. Nodes are those of a lattice that has the corners of the cells, of quadratic
// elements also what is amid them: node i+(nx+1)(j+(ny+1)k), with twice the numbers nx, ny of cells
// for these. A cell is an element of Q1; else a square with the corners
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
	g := grid{Box: b, dim: dim, step: b.Kind.step()}
	m := &Mesh{Kind: b.Kind, Dim: dim, Groups: map[string]Group{}}
	g.eachNode(func(at [3]int) {
		for c := range dim {
			m.X = append(m.X, b.Corner[c]+b.Size[c]*float64(at[c])/float64(g.step*b.Cells[c]))
		}
	})
	m.Elem = g.elements(-1, 0)
	m.Groups["body"] = Group{Kind: b.Kind, Dim: dim, Elem: m.Elem}
	for c, names := range sides[dim] {
		m.Groups[names[0]] = Group{Kind: b.Kind, Dim: dim - 1, Elem: g.elements(c, 0)}
		m.Groups[names[1]] = Group{Kind: b.Kind, Dim: dim - 1, Elem: g.elements(c, b.Cells[c])}
	}
	return m, m.Validate()
}

// step is the number of steps of the lattice of nodes along a cell.
func (k Kind) step() int {
	if k == P2 {
		return 2
	}
	return 1
}

type grid struct {
	Box
	dim, step int
}

// node is the number of a place of the lattice.
func (g *grid) node(at [3]int) int {
	i, stride := 0, 1
	for c := range g.dim {
		i += at[c] * stride
		stride *= g.step*g.Cells[c] + 1
	}
	return i
}

func (g *grid) eachNode(visit func(at [3]int)) {
	n := [3]int{1, 1, 1}
	for c := range g.dim {
		n[c] = g.step*g.Cells[c] + 1
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

// elements divides the cells, or, if side is an axis, the faces of the cells
// in the plane where that coordinate is level.
func (g *grid) elements(side, level int) []int {
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
		for _, corners := range g.corners(axes) {
			for a := range corners {
				for c := range g.dim {
					corners[a][c] = g.step * (corners[a][c] + at[c])
				}
				list = append(list, g.node(corners[a]))
			}
			if g.Kind != P2 {
				continue
			}
			for _, e := range references[P2][len(axes)].edges {
				var middle [3]int
				for c := range middle {
					middle[c] = (corners[e[0]][c] + corners[e[1]][c]) / 2
				}
				list = append(list, g.node(middle))
			}
		}
	})
	return list
}

// corners returns those of the elements of the cell at the origin, or of a face of it along axes.
func (g *grid) corners(axes []int) (list [][][3]int) {
	if g.Kind == Q1 {
		var cell [][3]int
		for _, at := range cubeCorners[:1<<len(axes)] {
			var x [3]int
			for k, c := range axes {
				x[c] = at[k]
			}
			cell = append(cell, x)
		}
		return append(list, cell)
	}
	for _, walk := range walks[len(axes)] {
		s := make([][3]int, 1, 4)
		for k, a := range walk.axes {
			next := s[k]
			next[axes[a]]++
			s = append(s, next)
		}
		if last := len(axes); walk.odd { // positive orientation
			s[last-1], s[last] = s[last], s[last-1]
		}
		list = append(list, s)
	}
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
