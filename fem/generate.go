package fem

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Box is a body that is divided into cells: a bar, rectangle or cuboid with its lowest corner and
// side lengths [m], or what its form makes of such coordinates. Its dimension is the number of
// entries of Cells.
type Box struct {
	Kind   Kind
	Corner []float64
	Size   []float64
	Cells  []int
	// Grading is the length of cells at the end of each axis over that at its start: they grow
	// geometrically between. nil: they are equal.
	Grading []float64
	Form    Form
	// Center is that of a ring or cylinder in its section [m], or the place of the lowest point of a
	// bottom that is part of a sphere; nil: the origin.
	Center []float64
	// Quarters are those of a cylinder, counter-clockwise, 0 where both coordinates are positive; nil:
	// all four.
	Quarters []int
	// Lying puts the axis of a ring or cylinder in space along y, not z: its section has the
	// coordinates x and z.
	Lying bool
	// Radius is that of the sphere (in the plane the circle) that the bottom is a part of [m]; 0: it is
	// flat. What is above is bent with it, up to the top, which stays.
	Radius float64
	// Lean is the angle by which the top of a block rises along x [rad].
	Lean float64
}

// Mesh divides the box. Nodes are those of a lattice that has the corners of the cells, of quadratic
// elements also what is amid them: node i+(nx+1)(j+(ny+1)k), with twice the numbers nx, ny of cells
// for these; of a closed ring and of a cylinder, which is made of several lattices, those that are
// there already are left out. A cell is an element of Q1; else a square with the corners
// n0, n1, n2, n3 counter-clockwise from the lowest one becomes (n0, n1, n2) and
// (n0, n2, n3), a cube six tetrahedra around its diagonal (Kuhn's division, of
// which the squares are the faces). Groups are body and the sides of the form: of a block left, right
// (x), front, back (y in space), bottom, top (last axis), see [Form].
func (b Box) Mesh() (*Mesh, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	dim := len(b.Cells)
	m := &Mesh{Kind: b.Kind, Dim: dim, Groups: map[string]Group{"body": {Kind: b.Kind, Dim: dim}}}
	known := map[[3]float64]int{}
	for _, p := range b.patches() {
		g := grid{Box: p.box, dim: dim, step: b.Kind.step()}
		var number []int // of the nodes of the lattice in the mesh
		g.eachNode(func(at [3]int) {
			x := b.bend(p.place(g.coordinates(at)))
			i, there := known[x]
			if !there {
				i = len(m.X) / dim
				m.X = append(m.X, x[:dim]...)
				if p.joined {
					known[x] = i
				}
			}
			number = append(number, i)
		})
		add := func(name string, dim int, lattice []int) {
			e := m.Groups[name].Elem
			for _, i := range lattice {
				e = append(e, number[i])
			}
			m.Groups[name] = Group{Kind: b.Kind, Dim: dim, Elem: e}
		}
		add("body", dim, g.elements(-1, 0))
		for _, s := range p.sides {
			add(s.name, dim-1, g.elements(s.axis, s.upper*p.box.Cells[s.axis]))
		}
	}
	m.Elem = m.Groups["body"].Elem
	if b.Radius != 0 && b.Form == Cylinder {
		rim := m.Groups["outer"].Nodes()
		m.Groups["tip"] = m.Groups["bottom"].Within(func(i int) bool { _, on := slices.BinarySearch(rim, i); return !on })
	}
	return m, m.Validate()
}

// coordinates are those of a node of the lattice.
func (g *grid) coordinates(at [3]int) (x [3]float64) {
	for c := range g.dim {
		n := float64(g.step * g.Cells[c])
		if x[c] = g.Corner[c] + g.Size[c]*float64(at[c])/n; g.Grading != nil && g.Grading[c] != 1 {
			q := elementary.Log(g.Grading[c])
			x[c] = g.Corner[c] + g.Size[c]*math.Expm1(q*float64(at[c])/n)/math.Expm1(q)
		}
	}
	return x
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
