package fem

import "github.com/quasistatic/quasistatic/memory"

// stencil is the number of entries of the lower triangle of a stiffness by nodes amid a box, d² a
// neighbour and d(d+1)/2 of the node itself: in Kuhn's division of 1, 3, 7 neighbours on one side,
// of cells 1, 4, 13; of quadratic elements the mean over the nodes of a cell, of 1½, 5¼, 13⅞. elements are those of a
// cell.
var (
	stencil  = [...][4]int64{P1: {1: 2, 2: 15, 3: 69}, P2: {1: 3, 2: 24, 3: 131}, Q1: {1: 2, 2: 19, 3: 123}}
	elements = [...][4]int64{P1: {1: 1, 2: 2, 3: 6}, P2: {1: 1, 2: 2, 3: 6}, Q1: {1: 1, 2: 1, 3: 1}}
)

// Nodes returns the number of nodes of the box's mesh, those that patches share counted by each, at
// most the largest int64.
func (b Box) Nodes() int64 {
	nodes := int64(0)
	b.eachPatch(func(cells []int64) {
		n := int64(1)
		for _, c := range cells {
			n = memory.Product(n, memory.Sum(memory.Product(int64(b.Kind.step()), c), 1))
		}
		nodes = memory.Sum(nodes, n)
	})
	return nodes
}

// eachPatch visits the counts of cells of the patches, which may be absurd.
func (b Box) eachPatch(visit func(cells []int64)) {
	var cells []int64
	for _, n := range b.Cells {
		cells = append(cells, int64(max(n, 0)))
	}
	if b.Form != Cylinder || len(cells) < 2 {
		visit(cells)
		return
	}
	quarters := len(b.Quarters)
	if quarters == 0 {
		quarters = 4
	}
	for range min(quarters, 4) {
		for _, outward := range []int64{cells[0], cells[1], cells[1]} {
			visit(append([]int64{cells[0], outward}, cells[2:]...))
		}
	}
}

// Memory predicts the memory of the box's mesh and of matrices of its stiffness's
// pattern, without making it; counts of cells may be absurd.
func (b Box) Memory(matrices int) memory.Estimate {
	var e memory.Estimate
	dim := len(b.Cells)
	if dim < 1 || dim > 3 {
		return e // Mesh refuses it
	}
	nodes, cells := b.Nodes(), int64(0)
	b.eachPatch(func(counts []int64) { cells = memory.Sum(cells, memory.Product(counts...)) })
	e.Add("mesh", memory.Sum(memory.Product(8, int64(dim), nodes),
		memory.Product(8, int64(references[b.Kind][dim].nodes), elements[b.Kind][dim], cells)))
	e.Add("matrices", memory.Product(16*stencil[b.Kind][dim]+8*int64(dim), nodes,
		int64(matrices))) // rows and values, and where columns begin
	return e
}
