package elastic

import (
	"fmt"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// overlap looks whether parts of the mesh lie in each other, or in themselves: contact between them is not modelled.
type overlap struct {
	Depth float64 // that two elements share along every axis, the largest so far [m] …
	Time  float64 // … and when [s]

	shapes []particles.Shape // of the parts; none: the mesh is a bar
	nodes  [][]int           // of the mesh, of each
	met    [][]float64       // by pairs, the depth that is rounding of sides that are polygons [m]
}

// open finds the parts.
func (o *overlap) open(c *Case) {
	m := c.Model.Mesh
	part, count := m.Parts()
	if m.Dim < 2 {
		return
	}
	o.shapes, o.nodes = make([]particles.Shape, count), make([][]int, count)
	number := make([]int, len(part))
	for i, p := range part {
		number[i] = len(o.nodes[p])
		o.nodes[p] = append(o.nodes[p], i)
	}
	for p := range o.shapes {
		o.shapes[p].Dim, o.shapes[p].Node = m.Dim, make([]float64, 3*len(o.nodes[p]))
	}
	o.met = make([][]float64, count)
	for p := range o.met {
		o.met[p] = make([]float64, count)
	}
	for k := range c.Model.Meetings {
		for i := range c.Model.Meetings[k].Nodes {
			n := &c.Model.Meetings[k].Nodes[i]
			a, b := part[n.Node], part[n.Masters[0]]
			depth := max(o.met[a][b], 0.1*reach(n, m, m)) // as of energetic, see particles.Overlap
			o.met[a][b], o.met[b][a] = depth, depth
		}
	}
	nodes, _ := m.Simplices()
	for _, node := range nodes {
		s := &o.shapes[part[node]]
		s.Element = append(s.Element, number[node])
	}
	for _, node := range m.SurfaceSimplices() {
		s := &o.shapes[part[node]]
		s.Surface = append(s.Surface, number[node])
	}
}

// observe takes the displacements of the nodes at a time.
func (o *overlap) observe(c *Case, t float64, u []float64) {
	dim := c.Model.Mesh.Dim
	axes := [3]int{0, 1, 2}
	if dim == 2 { // a shape of triangles is in the plane y = 0
		axes[1] = 2
	}
	for p := range o.shapes {
		for k, node := range o.nodes[p] {
			for a := range dim {
				o.shapes[p].Node[3*k+axes[a]] = c.Model.Mesh.X[dim*node+a] + u[dim*node+a]
			}
		}
	}
	if d := particles.DeepestOverlap(o.shapes, func(i, k int) float64 { return o.met[i][k] }).Depth; d > o.Depth {
		o.Depth, o.Time = d, t
	}
}

// fact judges it.
func (o *overlap) fact() table.Fact {
	f := table.AtMost(table.Accurate, "two parts of the mesh, or two sides of one, lie in each other, and contact between them is not modelled: the depth of two elements",
		o.Depth, 0, "m", table.Computed)
	if f.Place = ""; !f.Passed {
		f.Place = fmt.Sprintf("t = %.6g s", o.Time)
	}
	return f
}
