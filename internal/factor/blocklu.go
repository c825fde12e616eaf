package factor

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/quasistatic/quasistatic/sparse"
)

// BlockPlan is the symbolic analysis of a matrix of 3×3 blocks whose values
// need not be symmetric: elimination in the order of fewest products, by minimum
// degree or nested dissection, pivots on the diagonal.
type BlockPlan struct {
	g *graph
	t *tree
}

// blockDissection is the number of products of blocks from which nested dissection is
// tried as well: see dissectionFlops, at 27 multiplications a product of 3×3 blocks, L
// and U.
const blockDissection = dissectionFlops / (4 * blockProduct)

// blockProduct are the multiplications of a product of blocks.
const blockProduct = blockOrder * blockOrder * blockOrder

// NewBlockPlan analyses the pattern with the blocks (i, col[k]), ptr[i] <= k <
// ptr[i+1]; a block and its mirror count as one. When the context is done it returns the cause.
func NewBlockPlan(ctx context.Context, ptr []int, col []int32) (*BlockPlan, error) {
	n := len(ptr) - 1
	b := sparse.NewBuilder(n)
	for i := range n {
		for _, j := range col[ptr[i]:ptr[i+1]] {
			b.Add(i, int(j))
		}
	}
	g := newGraph(b.Build())
	t, _ := cheaperTree(ctx, g, blockDissection)
	if t == nil {
		return nil, context.Cause(ctx)
	}
	return &BlockPlan{g: g, t: t}, nil
}

// Permutation returns the elimination order: entry k is the k-th row.
func (p *BlockPlan) Permutation() []int32 {
	perm, _ := p.t.columns(p.g)
	return perm
}

// NNZ returns the blocks of L with the diagonal, Products the number of
// products of blocks of a factorisation.
func (p *BlockPlan) NNZ() int { return p.t.nnz() }

// Bytes returns the memory of [NewBlockLU]: the panels of L and U and the update matrices.
func (p *BlockPlan) Bytes() int64 {
	s := newPartition(p.g, p.t)
	const block = 8 * blockOrder * blockOrder
	return block * (2*int64(s.panel[s.count()]) + int64(blockSchedule(s).arenaSize))
}

// blockSchedule shares the work on blocks among the cores.
func blockSchedule(s *partition) *schedule {
	return newSchedule(s, runtime.GOMAXPROCS(0), sharedFlops/blockProduct)
}

// Products returns Σ c² over the columns of L.
func (p *BlockPlan) Products() float64 { return p.t.flops() }

// BlockLU is the multifrontal factorisation P A Pᵀ = L U [DR83] of a matrix of
// 3×3 blocks. Both L and Uᵀ lie in panels by rows, as the L of the supernodal
// Cholesky factorisation does, so that each update is a product C −= X Yᵀ:
//
//	L_ij −= L_ik (Uᵀ)_jkᵀ   (i > j),     Uᵀ_ij −= Uᵀ_ik (L_jk)ᵀ   (i >= j).
//
// Pivots are the diagonal blocks; nothing is exchanged.
type BlockLU struct {
	*partition
	*schedule
	lower, upper []float64 // panels of L and Uᵀ, by rows
	arena        []float64 // update matrices
	inv          []mat3    // inverse pivots, in elimination order
	source       []blockPlace
	x            []vec3
	fronts       []luPanel // the one at hand of each worker
	nextTask     atomic.Int64
}

type (
	vec3 = [3]float64
	mat3 = [9]float64
)

// blockOrder is that of a block.
const blockOrder = 3

// blockPlace is where a block of A goes.
type blockPlace struct {
	offset, ld int
	upper      bool // transposed, into the panel of Uᵀ
}

// NewBlockLU lays out the memory of the factors of the analysed pattern.
func NewBlockLU(p *BlockPlan, ptr []int, col []int32) *BlockLU {
	s := newPartition(p.g, p.t)
	size := blockOrder * blockOrder * s.panel[s.count()]
	f := &BlockLU{partition: s, schedule: blockSchedule(s),
		lower: make([]float64, size), upper: make([]float64, size),
		inv: make([]mat3, len(ptr)-1), x: make([]vec3, len(ptr)-1)}
	f.arena = make([]float64, blockOrder*blockOrder*f.arenaSize)
	f.fronts = make([]luPanel, max(f.workers, 1))
	for w := range f.fronts {
		f.fronts[w].table = new(leafTable)
	}
	f.locate(ptr, col)
	return f
}

// locate finds the place of each block of A.
func (f *BlockLU) locate(ptr []int, col []int32) {
	n := len(ptr) - 1
	pos, owner, entries := inverse(f.perm), make([]int32, n), make([][]int32, f.count())
	for s := range f.count() {
		for k := f.first[s]; k < f.first[s+1]; k++ {
			owner[k] = int32(s)
		}
	}
	row := make([]int32, len(col))
	for i := range n {
		for k := ptr[i]; k < ptr[i+1]; k++ {
			row[k] = int32(i)
			s := owner[min(pos[i], pos[col[k]])]
			entries[s] = append(entries[s], int32(k))
		}
	}
	f.source = make([]blockPlace, len(col))
	local := make([]int, n) // row of the current panel
	for s, list := range entries {
		width, first := f.width(s), int(f.first[s])
		for k := range width {
			local[first+k] = k
		}
		for q, r := range f.belowRows(s) {
			local[r] = width + q
		}
		for _, k := range list {
			i, j := local[pos[row[k]]], local[pos[col[k]]]
			b := blockPlace{ld: blockOrder * width, upper: i <= j}
			if b.upper {
				i, j = j, i
			}
			b.offset = blockOrder*blockOrder*f.panel[s] + blockOrder*(i*b.ld+j)
			f.source[k] = b
		}
	}
}

// Clear makes all blocks of A zero.
func (f *BlockLU) Clear() {
	clear(f.lower)
	clear(f.upper)
}

// Set makes v, row by row, block k of the pattern.
func (f *BlockLU) Set(k int, v *[9]float64) {
	at := &f.source[k]
	if at.upper {
		for j := range blockOrder {
			*(*vec3)(f.upper[at.offset+j*at.ld:]) = vec3{v[j], v[3+j], v[6+j]}
		}
		return
	}
	for i := range blockOrder {
		*(*vec3)(f.lower[at.offset+i*at.ld:]) = vec3(v[3*i:])
	}
}

// Factor overwrites A by L and U, until the context is done, looked at between panels of fronts;
// then the factors are of no use. invert inverts a pivot; what it makes of a singular one is for
// the caller to say. Subtrees, and the rows of large fronts above them, are shared among
// goroutines; the result does not depend on how many there are.
func (f *BlockLU) Factor(ctx context.Context, invert func(dst, a *[9]float64)) {
	if len(f.tasks) > 0 {
		f.nextTask.Store(0)
		var done sync.WaitGroup
		for w := 1; w < f.workers; w++ {
			done.Go(func() { f.takeTasks(ctx, w, invert) })
		}
		f.takeTasks(ctx, 0, invert)
		done.Wait()
	}
	for _, i := range f.top {
		if ctx.Err() != nil {
			break
		}
		f.eliminate(ctx, int(i), 0, &f.fronts[0], f.workers, invert)
	}
	for w := range f.fronts {
		f.fronts[w].ctx = nil // no hold on what is the caller's
	}
}

// takeTasks is the life of worker w.
func (f *BlockLU) takeTasks(ctx context.Context, w int, invert func(dst, a *[9]float64)) {
	for {
		k := int(f.nextTask.Add(1)) - 1
		if k >= len(f.tasks) {
			return
		}
		for i := f.tasks[k].from; i < f.tasks[k].end && ctx.Err() == nil; i++ {
			f.eliminate(ctx, i, f.stackBase+w*f.stackSize, &f.fronts[w], 1, invert)
		}
	}
}

// eliminate assembles the front of supernode i and eliminates its columns; the stacks of the
// worker begin at stack.
func (f *BlockLU) eliminate(ctx context.Context, i, stack int, p *luPanel, workers int, invert func(dst, a *[9]float64)) {
	w, m := blockOrder*f.width(i), blockOrder*f.below(i)
	from, end := blockOrder*blockOrder*f.panel[i], blockOrder*blockOrder*f.panel[i+1]
	*p = luPanel{a: matrix{f.lower[from:end], w}, b: matrix{f.upper[from:end], w}, m: w + m,
		inv: f.inv[f.first[i]:f.first[i+1]], invert: invert, ctx: ctx, workers: workers, table: p.table, ends: p.ends}
	u := f.updateOf(i, stack)
	clear(u.v)
	for c := f.childHead[i]; c >= 0; c = f.childNext[c] {
		p.add(u, f.updateOf(int(c), stack), f.place[f.rowPtr[c]:f.rowPtr[c+1]])
	}
	p.halve(0, w)
	if m > 0 && ctx.Err() == nil {
		p.product(u, p.a.from(w, 0), p.b.from(w, 0), m, m, w, m)
	}
}

// updateOf returns the place of the update matrix of supernode i.
func (f *BlockLU) updateOf(i, stack int) matrix {
	size, at := blockOrder*f.below(i), f.update[i]
	if f.onStack[i] {
		at += stack
	}
	at *= blockOrder * blockOrder
	return matrix{f.arena[at : at+size*size], size}
}

// luPanel is the front of a supernode: m rows of L and of Uᵀ.
type luPanel struct {
	a, b   matrix
	m      int
	inv    []mat3
	invert func(dst, a *[9]float64)
	ctx    context.Context
	d      mat3 // a pivot: an argument of invert would go to the heap
	table  *leafTable
	ends   []int32 // of runs

	workers int // that share a large product
}

// product is subMulTrans by rows of c, shared where that is worth it. Chunks are whole tiles, and
// one worker takes the same, so that all numbers of workers give the same bits.
func (p *luPanel) product(c, a, b matrix, m, n, k, diagonal int) {
	if p.workers < 2 || m*n*k < worthwhile {
		for from := 0; from < m && p.ctx.Err() == nil; from += chunk {
			subMulTrans(c.from(from, 0), a.from(from, 0), b, min(chunk, m-from), n, k, diagonal+from)
		}
		return
	}
	var next atomic.Int64
	var done sync.WaitGroup
	work := func() {
		for {
			from := (int(next.Add(1)) - 1) * chunk
			if from >= m || p.ctx.Err() != nil {
				return
			}
			subMulTrans(c.from(from, 0), a.from(from, 0), b, min(chunk, m-from), n, k, diagonal+from)
		}
	}
	for range min(p.workers, (m+chunk-1)/chunk) - 1 {
		done.Go(work)
	}
	work()
	done.Wait()
}

// add is the extend-add of the update matrix of a child: to the panels, and to
// the update matrix u of this front. place holds its block rows in the front,
// ascending.
func (p *luPanel) add(u, child matrix, place []int32) {
	width, split := p.a.ld, 0 // split: block rows of the child among the columns here
	for split < len(place) && blockOrder*int(place[split]) < width {
		split++
	}
	p.ends = runs(p.ends, place)
	for i, ri := range place {
		for a := range blockOrder {
			r, values := blockOrder*int(ri)+a, child.v[(blockOrder*i+a)*child.ld:][:child.ld]
			addPieces(p.a.v[r*width:], place, p.ends, 0, min(i, split), blockOrder, values, 0)
			if i >= split {
				addPieces(u.v[(r-width)*u.ld:], place, p.ends, split, len(place), blockOrder, values, width)
				continue
			}
			for j := i; j < len(place); j++ { // right of the diagonal: into Uᵀ
				c, x := p.b.v[blockOrder*int(place[j])*width+r:], (*vec3)(values[blockOrder*j:])
				c[0] += x[0]
				c[width] += x[1]
				c[2*width] += x[2]
			}
		}
	}
}

// luLeaf is the width, in scalar columns, that is factored without blocking.
const luLeaf = 4 * blockOrder

// halve factors the columns lo to hi; all but the leaves are products.
func (p *luPanel) halve(lo, hi int) {
	if hi-lo <= luLeaf {
		p.leaf(lo, hi)
		return
	}
	mid := lo + (hi-lo+luLeaf)/(2*luLeaf)*luLeaf
	p.halve(lo, mid)
	if p.ctx.Err() != nil {
		return
	}
	m, n, k := p.m-mid, hi-mid, mid-lo
	p.product(p.a.from(mid, mid), p.a.from(mid, lo), p.b.from(mid, lo), m, n, k, blockOrder-1)
	p.product(p.b.from(mid, mid), p.b.from(mid, lo), p.a.from(mid, lo), m, n, k, blockOrder-1)
	p.halve(mid, hi)
}

// leaf factors the columns lo to hi one block after the other, first in the rows of their own, then
// below.
func (p *luPanel) leaf(lo, hi int) {
	for k := lo; k < hi; k += blockOrder {
		d := p.b.from(k, k)
		inv := &p.inv[k/blockOrder]
		p.d = mat3{
			d.v[0], d.v[d.ld], d.v[2*d.ld],
			d.v[1], d.v[d.ld+1], d.v[2*d.ld+1],
			d.v[2], d.v[d.ld+2], d.v[2*d.ld+2],
		}
		p.invert(inv, &p.d)
		for i := k + blockOrder; i < hi; i++ {
			x := (*vec3)(p.a.v[i*p.a.ld+k:])
			*x = vec3{
				x[0]*inv[0] + x[1]*inv[3] + x[2]*inv[6],
				x[0]*inv[1] + x[1]*inv[4] + x[2]*inv[7],
				x[0]*inv[2] + x[1]*inv[5] + x[2]*inv[8],
			}
		}
		leafUpdate(p.a, p.b, k, hi)
		leafUpdate(p.b, p.a, k, hi)
	}
	if p.m == hi {
		return
	}
	inv := p.inv[lo/blockOrder : hi/blockOrder]
	p.table.set(p.b.from(lo, lo), inv)
	leafRows(p.a.from(hi, lo), p.m-hi, len(inv), p.table, true)
	p.table.set(p.a.from(lo, lo), inv)
	leafRows(p.b.from(hi, lo), p.m-hi, len(inv), p.table, false)
}

// leafUpdate subtracts X_ik Y_jkᵀ from X_ij, k < j < hi, j <= i < hi.
func leafUpdate(x, y matrix, k, hi int) {
	for j := k + blockOrder; j < hi; j += blockOrder {
		w := y.v[j*y.ld+k:]
		w0, w1, w2 := *(*vec3)(w), *(*vec3)(w[y.ld:]), *(*vec3)(w[2*y.ld:])
		for i := j; i < hi; i++ {
			row := x.v[i*x.ld+k:]
			v, z := (*vec3)(row), (*vec3)(row[j-k:])
			z[0] -= v[0]*w0[0] + v[1]*w0[1] + v[2]*w0[2]
			z[1] -= v[0]*w1[0] + v[1]*w1[1] + v[2]*w1[2]
			z[2] -= v[0]*w2[0] + v[1]*w2[1] + v[2]*w2[2]
		}
	}
}

// Solve overwrites x with A⁻¹x.
func (f *BlockLU) Solve(x [][3]float64) {
	y := f.x
	for k, j := range f.perm {
		y[k] = x[j]
	}
	for s := range f.count() {
		f.forward(s, y)
	}
	for s := f.count() - 1; s >= 0; s-- {
		f.backward(s, y)
	}
	for k, j := range f.perm {
		x[j] = y[k]
	}
}

// forward is the substitution with L.
func (f *BlockLU) forward(s int, y []vec3) {
	width, ld := f.width(s), blockOrder*f.width(s)
	v := f.lower[blockOrder*blockOrder*f.panel[s]:]
	own := y[f.first[s]:f.first[s+1]]
	for i := 1; i < width; i++ {
		subRow(&own[i], v[blockOrder*i*ld:], ld, own[:i])
	}
	subProductRows(y, matrix{v[blockOrder*width*ld:], ld}, f.belowRows(s), own)
}

// subRow computes y −= L x for a row of blocks.
func subRow(y *vec3, l []float64, ld int, x []vec3) {
	n := blockOrder * len(x)
	r0, r1, r2 := l[:n], l[ld:ld+n], l[2*ld:2*ld+n]
	s0, s1, s2 := y[0], y[1], y[2]
	for k := range x {
		v, a, b, c := &x[k], (*vec3)(r0[3*k:]), (*vec3)(r1[3*k:]), (*vec3)(r2[3*k:])
		s0 -= a[0]*v[0] + a[1]*v[1] + a[2]*v[2]
		s1 -= b[0]*v[0] + b[1]*v[1] + b[2]*v[2]
		s2 -= c[0]*v[0] + c[1]*v[1] + c[2]*v[2]
	}
	*y = vec3{s0, s1, s2}
}

// backward is the substitution with U.
func (f *BlockLU) backward(s int, y []vec3) {
	width, ld := f.width(s), blockOrder*f.width(s)
	v := f.upper[blockOrder*blockOrder*f.panel[s]:]
	own, inv := y[f.first[s]:f.first[s+1]], f.inv[f.first[s]:f.first[s+1]]
	subRows(own, matrix{v[blockOrder*width*ld:], ld}, f.belowRows(s), y)
	for i := width - 1; i >= 0; i-- {
		b, z := &inv[i], own[i]
		own[i] = vec3{
			b[0]*z[0] + b[1]*z[1] + b[2]*z[2],
			b[3]*z[0] + b[4]*z[1] + b[5]*z[2],
			b[6]*z[0] + b[7]*z[1] + b[8]*z[2],
		}
		subColumns(own[:i], v[blockOrder*i*ld:], ld, &own[i])
	}
}

// subColumns computes y −= U x for a column of blocks, stored as a row of Uᵀ.
func subColumns(y []vec3, u []float64, ld int, x *vec3) {
	n := blockOrder * len(y)
	r0, r1, r2 := u[:n], u[ld:ld+n], u[2*ld:2*ld+n]
	x0, x1, x2 := x[0], x[1], x[2]
	for k := range y {
		a, b, c := (*vec3)(r0[3*k:]), (*vec3)(r1[3*k:]), (*vec3)(r2[3*k:])
		y[k][0] -= a[0]*x0 + b[0]*x1 + c[0]*x2
		y[k][1] -= a[1]*x0 + b[1]*x1 + c[1]*x2
		y[k][2] -= a[2]*x0 + b[2]*x1 + c[2]*x2
	}
}

// Negative reports whether the determinant of the factorised matrix is negative.
func (f *BlockLU) Negative() bool { return OddNegative(f.inv) }

// OddNegative reports whether an odd number of the blocks has a negative determinant.
func OddNegative(blocks [][blockOrder * blockOrder]float64) bool {
	odd := false
	for i := range blocks {
		a := &blocks[i]
		if a[0]*(a[4]*a[8]-a[5]*a[7])-a[1]*(a[3]*a[8]-a[5]*a[6])+a[2]*(a[3]*a[7]-a[4]*a[6]) < 0 {
			odd = !odd
		}
	}
	return odd
}
