package sparse

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/counting"
)

// Builder collects the pattern of a Sym. Entries may come in any order, from
// either triangle and repeatedly; the diagonal is always part of the pattern.
type Builder struct {
	n        int
	row, col []int32 // one pair for each call of Add, row >= col
}

// NewBuilder returns a Builder for an n×n matrix whose pattern is, so far, the
// diagonal.
func NewBuilder(n int) *Builder {
	if n < 0 || n > maxOrder {
		panic(fmt.Sprintf("sparse: NewBuilder: order %d is not in [0, %d]", n, maxOrder))
	}
	return &Builder{n: n}
}

// Add declares that the entries (i, j) and (j, i) may differ from zero.
func (b *Builder) Add(i, j int) {
	if i < 0 || j < 0 || i >= b.n || j >= b.n {
		panic(fmt.Sprintf("sparse: Builder.Add: entry (%d, %d) of an order %d matrix", i, j, b.n))
	}
	if i == j {
		return
	}
	b.row = append(b.row, int32(max(i, j)))
	b.col = append(b.col, int32(min(i, j)))
}

// Build returns the matrix of the collected pattern with all values zero. The
// Builder may go on collecting afterwards. It costs O(n + number of Adds).
func (b *Builder) Build() *Sym {
	// Two transpositions sort: entries are dropped into their rows, then row by
	// row into their columns, which leaves the rows of a column ascending.
	byRow := counting.Order(b.n, b.row)
	colEnd := make([]int, b.n+1)
	last := make([]int32, b.n) // last row seen in a column, to drop duplicates
	a := &Sym{N: b.n, Ptr: make([]int, b.n+1)}
	for j := range last {
		last[j] = int32(j)
		a.Ptr[j+1] = 1
	}
	b.eachUnique(byRow, last, func(_, j int32) { a.Ptr[j+1]++ })
	for j := range b.n {
		a.Ptr[j+1] += a.Ptr[j]
	}
	a.Row = make([]int, a.Ptr[b.n])
	a.Val = make([]float64, a.Ptr[b.n])
	for j := range last {
		last[j] = int32(j)
		a.Row[a.Ptr[j]] = j
		colEnd[j] = a.Ptr[j] + 1
	}
	b.eachUnique(byRow, last, func(i, j int32) {
		a.Row[colEnd[j]] = int(i)
		colEnd[j]++
	})
	return a
}

// eachUnique visits every distinct off-diagonal entry once, rows ascending.
func (b *Builder) eachUnique(byRow, last []int32, visit func(i, j int32)) {
	for _, p := range byRow {
		i, j := b.row[p], b.col[p]
		if last[j] != i {
			last[j] = i
			visit(i, j)
		}
	}
}

// maxOrder is the largest order of a matrix: indices are 32 bits.
const maxOrder = math.MaxInt32 - 1
