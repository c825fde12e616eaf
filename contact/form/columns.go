package form

import (
	"errors"
	"fmt"
	"slices"
)

// Columns is a sparse matrix by columns: column k holds Val[e] in row Row[e]
// for e from Ptr[k] to Ptr[k+1]. It stores the G of [Global], one joint a
// column. A row may appear several times in a column; its values add up.
type Columns struct {
	Rows int
	Ptr  []int
	Row  []int
	Val  []float64
}

// Cols returns the number of columns.
func (g *Columns) Cols() int { return len(g.Ptr) - 1 }

// MulTransAdd adds Gᵀ v to y.
func (g *Columns) MulTransAdd(y, v []float64) {
	for k := range g.Cols() {
		for e := g.Ptr[k]; e < g.Ptr[k+1]; e++ {
			y[k] += g.Val[e] * v[g.Row[e]]
		}
	}
}

// MulAdd adds G λ to f.
func (g *Columns) MulAdd(f, lambda []float64) {
	for k := range g.Cols() {
		for e := g.Ptr[k]; e < g.Ptr[k+1]; e++ {
			f[g.Row[e]] += g.Val[e] * lambda[k]
		}
	}
}

func (g *Columns) validate(nv int) error {
	nb := g.Cols()
	switch {
	case nb < 0 || g.Ptr[0] != 0 || g.Ptr[nb] != len(g.Row):
		return errors.New("contact: G.Ptr does not span G.Row")
	case g.Rows != nv:
		return fmt.Errorf("contact: G has %d rows, M has %d", g.Rows, nv)
	case len(g.Val) != len(g.Row):
		return fmt.Errorf("contact: G.Val has %d entries, G.Row has %d", len(g.Val), len(g.Row))
	case !slices.IsSorted(g.Ptr):
		return errors.New("contact: G.Ptr falls")
	}
	for e, i := range g.Row {
		if i < 0 || i >= nv {
			return fmt.Errorf("contact: G.Row[%d] is %d, G has %d rows", e, i, nv)
		}
	}
	return Finite("G", g.Val)
}
