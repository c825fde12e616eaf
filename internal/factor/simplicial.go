package factor

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/sparse"
)

// simplicial is P A Pᵀ = L D Lᵀ with unit lower triangular L, computed row by
// row ("up-looking"): row k of L solves L_{0:k,0:k} y = a_{0:k,k} with
// l_kj = y_j/d_j. All positions are found by Analyse; the numeric phase only
// follows lists.
type simplicial struct {
	n         int
	tolerance float64
	perm      []int32 // column of A eliminated k-th
	colPtr    []int32 // L by columns, diagonal left out
	row       []int32
	val       []float64
	diag      []float64
	rowPtr    []int32 // the same entries by rows
	entry     []rowEntry
	source    []rowSource // entries of A by rows of P A Pᵀ, the diagonal last
	sourcePtr []int32
	work      []float64
	failed    bool
}

// rowEntry is an entry of a row of L: its column and its place in val.
type rowEntry struct{ col, pos int32 }

// rowSource is an entry of a row of P A Pᵀ: its column and its place in A.Val.
type rowSource struct{ col, pos int32 }

func newSimplicial(a *sparse.Sym, g *graph, t *tree, tolerance float64) *simplicial {
	n := a.N
	f := &simplicial{n: n, tolerance: tolerance, diag: make([]float64, n), work: make([]float64, n), failed: true}
	var start []int
	f.perm, start = t.columns(g)
	f.layout(t, t.structure(g), start)
	f.transpose()
	f.source, f.sourcePtr = sources(a, f.perm)
	return f
}

// layout expands the structure of the vertices to the columns of L.
func (f *simplicial) layout(t *tree, rows [][]int32, start []int) {
	f.colPtr = make([]int32, f.n+1)
	f.row = make([]int32, 0, t.nnz()-f.n)
	for k, list := range rows {
		for j := start[k]; j < start[k+1]; j++ {
			for i := j + 1; i < start[k+1]; i++ {
				f.row = append(f.row, int32(i))
			}
			for _, v := range list {
				for i := start[v]; i < start[v+1]; i++ {
					f.row = append(f.row, int32(i))
				}
			}
			f.colPtr[j+1] = int32(len(f.row))
		}
	}
	f.val = make([]float64, len(f.row))
}

// transpose lists the entries of L by rows, columns ascending.
func (f *simplicial) transpose() {
	f.rowPtr = make([]int32, f.n+1)
	for _, i := range f.row {
		f.rowPtr[i+1]++
	}
	for i := range f.n {
		f.rowPtr[i+1] += f.rowPtr[i]
	}
	f.entry = make([]rowEntry, len(f.row))
	end := make([]int32, f.n)
	copy(end, f.rowPtr)
	for j := range int32(f.n) {
		for p := f.colPtr[j]; p < f.colPtr[j+1]; p++ {
			i := f.row[p]
			f.entry[end[i]] = rowEntry{col: j, pos: p}
			end[i]++
		}
	}
}

// sources lists the entries of the lower triangle of P A Pᵀ by rows with their
// places in a.Val; the diagonal entry is the last of its row.
func sources(a *sparse.Sym, perm []int32) ([]rowSource, []int32) {
	pos := inverse(perm)
	ptr := make([]int32, a.N+1)
	each := func(visit func(i, j int32, p int)) {
		for j := range a.N {
			for p := a.Ptr[j] + 1; p < a.Ptr[j+1]; p++ {
				s, t := pos[a.Row[p]], pos[j]
				visit(max(s, t), min(s, t), p)
			}
		}
	}
	for i := range a.N {
		ptr[i+1] = 1
	}
	each(func(i, _ int32, _ int) { ptr[i+1]++ })
	for i := range a.N {
		ptr[i+1] += ptr[i]
	}
	list := make([]rowSource, ptr[a.N])
	end := make([]int32, a.N)
	copy(end, ptr)
	each(func(i, j int32, p int) {
		list[end[i]] = rowSource{col: j, pos: int32(p)}
		end[i]++
	})
	for k, j := range perm {
		list[end[k]] = rowSource{col: int32(k), pos: int32(a.Ptr[j])}
	}
	return list, ptr
}

// Release implements Factor: there is nothing that only Refactor needs.
func (f *simplicial) Release() {}

// NNZ implements Factor.
func (f *simplicial) NNZ() int { return len(f.val) + f.n }

// Refactor implements Factor.
func (f *simplicial) Refactor(a *sparse.Sym) error {
	return f.RefactorContext(context.Background(), a)
}

// rowsBetween is the number of rows between two looks at the context: a row of a
// simplicial factor has some thousand operations at most.
const rowsBetween = 256

// RefactorContext implements Factor.
func (f *simplicial) RefactorContext(ctx context.Context, a *sparse.Sym) error {
	checkPattern(a, f.n, len(f.source))
	f.failed = true
	for k := range f.n {
		if k%rowsBetween == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		pivot, ajj := f.eliminateRow(k, a.Val)
		if !acceptable(pivot, ajj, f.tolerance) {
			clear(f.work)
			return &NotPositiveDefiniteError{Column: int(f.perm[k]), Pivot: pivot}
		}
		f.diag[k] = pivot
	}
	f.failed = false
	return nil
}

// eliminateRow computes row k of L and returns d_k and the diagonal of A.
func (f *simplicial) eliminateRow(k int, val []float64) (pivot, ajj float64) {
	y := f.work
	// y = a_{0:k,k}; work is zero on entry and on return.
	from := f.source[f.sourcePtr[k]:f.sourcePtr[k+1]]
	last := len(from) - 1
	for _, s := range from[:last] {
		y[s.col] = val[s.pos]
	}
	ajj = val[from[last].pos]
	pivot = ajj
	for _, e := range f.entry[f.rowPtr[k]:f.rowPtr[k+1]] {
		yj := y[e.col]
		y[e.col] = 0
		// Column e.col is complete down to row k: place pos is this row's.
		start := f.colPtr[e.col]
		rows := f.row[start:e.pos]
		vals := f.val[start:e.pos]
		for p, i := range rows {
			y[i] -= vals[p] * yj
		}
		lkj := yj / f.diag[e.col]
		f.val[e.pos] = lkj
		pivot -= lkj * yj
	}
	return pivot, ajj
}

// Solve implements Factor.
func (f *simplicial) Solve(dst, b []float64) {
	checkSolve(f.failed, f.n, dst, b)
	x := f.work
	for k, j := range f.perm {
		x[k] = b[j]
	}
	for j := range x { // L x = b; x[j] is final when its turn comes
		xj := x[j]
		start, end := f.colPtr[j], f.colPtr[j+1]
		vals := f.val[start:end]
		for p, i := range f.row[start:end] {
			x[i] -= vals[p] * xj
		}
	}
	for j := f.n - 1; j >= 0; j-- { // Lᵀ x = D⁻¹ x
		sum := x[j] / f.diag[j]
		start, end := f.colPtr[j], f.colPtr[j+1]
		vals := f.val[start:end]
		for p, i := range f.row[start:end] {
			sum -= vals[p] * x[i]
		}
		x[j] = sum
	}
	for k, j := range f.perm {
		dst[j] = x[k]
		x[k] = 0
	}
}

// acceptable tells a positive pivot from one that is zero to working precision.
// A NaN fails the comparison, and so does any pivot of an infinite a_jj.
func acceptable(pivot, ajj, tolerance float64) bool {
	return pivot > tolerance*math.Abs(ajj)
}

func checkPattern(a *sparse.Sym, n, nnz int) {
	if a.N != n || len(a.Val) != nnz {
		panic(fmt.Sprintf("factor: Factor.Refactor: order %d with %d entries, analysed %d with %d", a.N, len(a.Val), n, nnz))
	}
}

func checkSolve(failed bool, n int, dst, b []float64) {
	if failed {
		panic("factor: Factor.Solve: no successful Refactor before")
	}
	if len(dst) != n || len(b) != n {
		panic(fmt.Sprintf("factor: Factor.Solve: lengths %d and %d for order %d", len(dst), len(b), n))
	}
}
