package solid

import (
	"encoding/json"
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/model/refinement"
)

// Level says which mesh a body is decoded on: that of the case, or the one that judges it.
type Level int

// The levels.
const (
	Coarse Level = -1 // a block of half the cells along each axis
	Own    Level = 0
	Fine   Level = 1 // all elements divided
)

// Factor is that of the estimate of the error by a run on the level, see package refinement.
func (l Level) Factor() float64 {
	if l == Coarse {
		return refinement.Coarser
	}
	return refinement.Finer
}

// Against names the run on the level in a verdict.
func (l Level) Against() string {
	if l == Coarse {
		return "on a block of half the cells"
	}
	return "on elements of half the size"
}

// Given reports whether the case says that its mesh is part of the problem.
func (d *Document) Given() bool { return string(d.Mesh.Accuracy) == `"`+refinement.Given+`"` }

// Target is the bound of its error up to which the mesh is to be refined.
func (d *Document) Target() (accuracy float64, ok bool) {
	if d.Mesh.Accuracy == nil || d.Given() {
		return 0, false
	}
	return accuracy, json.Unmarshal(d.Mesh.Accuracy, &accuracy) == nil
}

// Halves says why there is no block of half the cells; empty if there is one.
func (d *Document) Halves() (why string) {
	if d.Mesh.Block == nil {
		return "the mesh of a file is not coarsened"
	}
	if d.Adapted != nil {
		return "a mesh that was refined by its error is not coarsened"
	}
	for axis, n := range d.Mesh.Block.Cells {
		if int(n)%2 != 0 {
			return fmt.Sprintf("%d cells along %s cannot be halved", int(n), "xyz"[axis:axis+1])
		}
	}
	return ""
}

// cells is the number of cells along an axis of n on the level.
func (d *Document) cells(n int) int {
	switch {
	case d.Given() || d.Adapted != nil:
	case d.Level == Coarse:
		return n / 2
	case d.Level == Fine && d.curved():
		return 2 * n
	}
	return n
}

// curved reports whether finer cells of the block have another shape: they are made anew then, so that
// what the shape is off by is judged with the rest.
func (d *Document) curved() bool {
	block := d.Mesh.Block
	return block != nil && (block.Form != "" && block.Form != fem.Block.String() || block.Radius != 0)
}

// refined divides the mesh if the level asks for that.
func (d *Document) refined(m *fem.Mesh, err error) (*fem.Mesh, error) {
	if err != nil || d.Level != Fine || d.Given() || d.curved() && d.Adapted == nil {
		return m, err
	}
	return m.Refined()
}

// Judge chooses the level that judges a mesh of nodes in a run of steps, whose work is factor times
// [refinement.Work]. Without one, why says so.
func (d *Document) Judge(m *fem.Mesh, steps, factor float64) (level Level, why string) {
	dofs := float64(len(m.X)) * float64(int(1)<<m.Dim)
	if factor*refinement.Work(m.Dim, dofs, steps) <= refinement.Budget {
		return Fine, ""
	}
	if why = d.Halves(); why == "" {
		return Coarse, ""
	}
	return Own, Costly(why)
}

// Costly says why there is no other run: that on elements of half the size costs too much, and there is none on a
// block of half the cells.
func Costly(why string) string {
	return "for a run on elements of half the size costs too much, and " + why
}

// Shared returns the nodes that the mesh of the case and that of a level have in common, and their
// numbers on the level.
func (d *Document) Shared(m, other *fem.Mesh, on Level) (own, level []int) {
	if d.Given() || on == Fine && !(d.curved() && d.Adapted == nil) {
		for i := range m.NumNodes() {
			own = append(own, i)
		}
		return own, own
	}
	there := make(map[[3]float64]int, other.NumNodes())
	place := func(m *fem.Mesh, i int) (x [3]float64) {
		copy(x[:], m.Node(i))
		return x
	}
	for i := range other.NumNodes() {
		there[place(other, i)] = i
	}
	for i := range m.NumNodes() {
		if k, ok := there[place(m, i)]; ok { // lattices of the same block: equal to the last bit
			own, level = append(own, i), append(level, k)
		}
	}
	return own, level
}

// Need predicts the memory of the run on a level, from that of the run on the mesh of the case: in
// proportion to the elements, and of factors a little more.
func (l Level) Need(dim int, own memory.Estimate) (e memory.Estimate) {
	total := own.Total()
	if l == Coarse {
		e.Add("mesh", total>>dim)
		return e
	}
	e.Add("mesh", memory.Product(total, int64(1)<<dim+int64(1)<<dim/2))
	return e
}

// On returns a copy of the document for a level, and a builder of its own for it: what it finds at
// fault was found on the mesh of the case.
func On[D any](b *casefile.Builder, c *casefile.Case, doc *D) *casefile.Builder {
	own := casefile.NewBuilder(b.Context, c, doc)
	own.Limit = b.Limit
	return own
}
