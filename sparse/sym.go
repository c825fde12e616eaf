package sparse

import (
	"fmt"
	"math"
	"sort"
)

// Sym is the lower triangle, diagonal included, of a symmetric n×n matrix in
// compressed columns: column j holds the rows Row[Ptr[j]:Ptr[j+1]], strictly
// ascending, and the values Val at the same positions. Every diagonal entry
// is present, so that Row[Ptr[j]] == j.
type Sym struct {
	N   int
	Ptr []int     // length N+1
	Row []int     // length Ptr[N]
	Val []float64 // length Ptr[N]
}

// Validate reports the first violation of the structure described at Sym, or
// a value that is not finite, naming the column. It costs O(n + nnz).
func (a *Sym) Validate() error {
	if a.N < 0 || len(a.Ptr) != a.N+1 || a.Ptr[0] != 0 {
		return fmt.Errorf("sparse: %d columns with %d pointers", a.N, len(a.Ptr))
	}
	if nnz := a.Ptr[a.N]; len(a.Row) != nnz || len(a.Val) != nnz {
		return fmt.Errorf("sparse: %d rows and %d values for %d entries", len(a.Row), len(a.Val), nnz)
	}
	for j := range a.N {
		if err := a.validateColumn(j); err != nil {
			return err
		}
	}
	return nil
}

func (a *Sym) validateColumn(j int) error {
	start, end := a.Ptr[j], a.Ptr[j+1]
	if start >= end || end > len(a.Row) || a.Row[start] != j {
		return fmt.Errorf("sparse: column %d does not begin with its diagonal entry", j)
	}
	for p := start; p < end; p++ {
		if i := a.Row[p]; i >= a.N || p > start && i <= a.Row[p-1] {
			return fmt.Errorf("sparse: column %d: row %d is out of order or beyond %d", j, i, a.N-1)
		}
		if v := a.Val[p]; math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("sparse: entry (%d, %d) is %g", a.Row[p], j, v)
		}
	}
	return nil
}

// Index returns the position in Val of the entry (i, j), which is also that
// of (j, i), or -1 if the pattern does not hold it. It costs O(log) of the
// length of the column.
func (a *Sym) Index(i, j int) int {
	if i < j {
		i, j = j, i
	}
	start, end := a.Ptr[j], a.Ptr[j+1]
	p := start + sort.SearchInts(a.Row[start:end], i)
	if p < end && a.Row[p] == i {
		return p
	}
	return -1
}

// AddAt adds v to the entry (i, j) and so to (j, i). It panics if the pattern
// does not hold the entry.
func (a *Sym) AddAt(i, j int, v float64) {
	p := a.Index(i, j)
	if p < 0 {
		panic(fmt.Sprintf("sparse: Sym.AddAt: entry (%d, %d) is not in the pattern", i, j))
	}
	a.Val[p] += v
}

// Zero sets every value to zero and keeps the pattern.
func (a *Sym) Zero() { clear(a.Val) }

// MaxDiagonal returns the largest entry of the diagonal, 0 if none is positive.
func (a *Sym) MaxDiagonal() float64 {
	k := 0.0
	for c := range a.N {
		k = max(k, a.Val[a.Ptr[c]])
	}
	return k
}

// MulVec computes dst = A x. dst may not be x.
func (a *Sym) MulVec(dst, x []float64) {
	if len(dst) != a.N || len(x) != a.N {
		panic(fmt.Sprintf("sparse: Sym.MulVec: lengths %d and %d for %d columns", len(dst), len(x), a.N))
	}
	clear(dst)
	for j, xj := range x {
		start, end := a.Ptr[j], a.Ptr[j+1]
		sum := a.Val[start] * xj
		rows, vals := a.Row[start+1:end], a.Val[start+1:end]
		for p, i := range rows {
			v := vals[p]
			dst[i] += v * xj
			sum += v * x[i]
		}
		dst[j] += sum
	}
}
