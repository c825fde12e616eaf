package form

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/sparse"
)

// GraphFrom is the number of contacts from which the graph of the bodies is looked at.
const GraphFrom = 100

// Graph is where a W comes from: w = HᵀM⁻¹H, with the sparse M and H.
type Graph struct {
	W     Operator
	M     *sparse.Sym
	H     *Jacobian
	stamp uint64 // of the values of m and h
}

// NewGraph notes what w was made of.
func NewGraph(w Operator, m *sparse.Sym, h *Jacobian) Graph {
	return Graph{w, m, h, stampOf(m.Val, h.Val)}
}

// Of reports whether g still tells what w is made of: not of another W, nor after M or H
// were changed in place, which W does not follow.
func (g Graph) Of(w Operator) bool {
	return g.W == w && (g.M == nil || g.H.Contacts() < GraphFrom || g.stamp == stampOf(g.M.Val, g.H.Val))
}

// stampOf is a hash (FNV-1a, by words) of values.
func stampOf(lists ...[]float64) uint64 {
	x := uint64(14695981039346656037)
	for _, list := range lists {
		for _, v := range list {
			x = (x ^ math.Float64bits(v)) * 1099511628211
		}
	}
	return x
}

// SamePattern reports whether the factors of one serve the other.
func (g Graph) SamePattern(o Graph) bool {
	if g.M == nil || o.M == nil {
		return g.M == o.M
	}
	return slices.Equal(g.M.Ptr, o.M.Ptr) && slices.Equal(g.M.Row, o.M.Row) &&
		slices.Equal(g.H.Ptr, o.H.Ptr) && slices.Equal(g.H.Row, o.H.Row)
}
