package fem

import (
	"slices"

	"github.com/quasistatic/quasistatic/sparse"
)

// Split separates free degrees of freedom from prescribed ones.
type Split struct {
	Free  []int // ascending
	Fixed []int // ascending
	Index []int // of a dof among Free, or -1-k for the k-th of Fixed
}

// NewSplit takes the number of dofs and the prescribed ones, in any order,
// repetitions allowed.
func NewSplit(n int, fixed []int) *Split {
	s := &Split{Fixed: slices.Clone(fixed), Index: make([]int, n)}
	slices.Sort(s.Fixed)
	s.Fixed = slices.Compact(s.Fixed)
	for k, i := range s.Fixed {
		s.Index[i] = -1 - k
	}
	for i, x := range s.Index {
		if x >= 0 {
			s.Index[i] = len(s.Free)
			s.Free = append(s.Free, i)
		}
	}
	return s
}

// Gather stores the free entries of full in dst and returns it; nil allocates.
func (s *Split) Gather(dst, full []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(s.Free))
	}
	for k, i := range s.Free {
		dst[k] = full[i]
	}
	return dst
}

// Scatter writes the free entries into full.
func (s *Split) Scatter(full, free []float64) {
	for k, i := range s.Free {
		full[i] = free[k]
	}
}

// Coupling holds the entries of a matrix between free rows and prescribed
// columns.
type Coupling struct {
	Row, Col []int // row among Free, column among Fixed
	Val      []float64
}

// SubMul subtracts A_fd·x from dst.
func (c *Coupling) SubMul(dst, x []float64) {
	for k, v := range c.Val {
		dst[c.Row[k]] -= v * x[c.Col[k]]
	}
}

// SubMulTrans subtracts A_fdᵀ·x from dst.
func (c *Coupling) SubMulTrans(dst, x []float64) {
	for k, v := range c.Val {
		dst[c.Col[k]] -= v * x[c.Row[k]]
	}
}

// Restrict returns the free block of a and its coupling to the prescribed dofs.
func (s *Split) Restrict(a *sparse.Sym) (*sparse.Sym, *Coupling) {
	ff, fd := &sparse.Sym{N: len(s.Free), Ptr: make([]int, len(s.Free)+1)}, &Coupling{}
	for j := range a.N {
		cj := s.Index[j]
		for k := a.Ptr[j]; k < a.Ptr[j+1]; k++ {
			ci, v := s.Index[a.Row[k]], a.Val[k]
			switch {
			case ci >= 0 && cj >= 0: // both orders are ascending
				ff.Row, ff.Val = append(ff.Row, ci), append(ff.Val, v)
			case ci >= 0 && v != 0:
				fd.Row, fd.Col, fd.Val = append(fd.Row, ci), append(fd.Col, -1-cj), append(fd.Val, v)
			case cj >= 0 && v != 0:
				fd.Row, fd.Col, fd.Val = append(fd.Row, cj), append(fd.Col, -1-ci), append(fd.Val, v)
			}
		}
		if cj >= 0 {
			ff.Ptr[cj+1] = len(ff.Row)
		}
	}
	return ff, fd
}
