package factor

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/quasistatic/quasistatic/sparse"
)

// supernodal is the multifrontal Cholesky factorisation P A Pᵀ = L Lᵀ [DR83].
// The front of a supernode gathers its entries of A and the update matrices of
// its children, always in the same order; its panel is factored in place in L
// and its update matrix U -= L₂L₂ᵀ waits for the parent.
type supernodal struct {
	*partition
	*schedule
	n         int
	tolerance float64
	val       []float64 // panels of L, by rows
	arena     []float64 // update matrices
	limit     []float64 // tolerance·|a_jj| by column of L
	diag      []int     // place of a_jj in A.Val
	source    []panelSource
	sourcePtr []int
	work      []float64
	team      team
	nextTask  atomic.Int64
	failures  []failure // by task
	panels    []panel   // by task, then that of the top
	failed    bool
}

// panelSource says which value of A goes where in a panel.
type panelSource struct{ pos, offset int }

// failure is the first pivot of a task that was not positive; column -1: none.
type failure struct {
	column int
	pivot  float64
}

func newSupernodal(a *sparse.Sym, s *partition, sch *schedule, tolerance float64) *supernodal {
	f := &supernodal{
		partition: s, schedule: sch, n: a.N, tolerance: tolerance, failed: true,
		val:   make([]float64, s.panel[s.count()]),
		limit: make([]float64, a.N), diag: make([]int, a.N), work: make([]float64, a.N),
		failures: make([]failure, len(sch.tasks)), panels: make([]panel, len(sch.tasks)+1),
	}
	f.team.workers = sch.workers
	for k, j := range s.perm {
		f.diag[k] = a.Ptr[j]
	}
	f.source, f.sourcePtr = panelSources(a, s)
	return f
}

// panelSources sorts the entries of A by the supernodes that own them and finds
// their places in the panels.
func panelSources(a *sparse.Sym, s *partition) ([]panelSource, []int) {
	pos := inverse(s.perm)
	owner := make([]int32, a.N)
	for i := range s.count() {
		for k := s.first[i]; k < s.first[i+1]; k++ {
			owner[k] = int32(i)
		}
	}
	ptr := make([]int, s.count()+1)
	row := make([]int32, len(a.Row)) // places of the entry in P A Pᵀ, row >= col
	col := make([]int32, len(a.Row))
	for j := range a.N {
		for p := a.Ptr[j]; p < a.Ptr[j+1]; p++ {
			u, v := pos[a.Row[p]], pos[j]
			row[p], col[p] = max(u, v), min(u, v)
			ptr[owner[col[p]]+1]++
		}
	}
	for i := range s.count() {
		ptr[i+1] += ptr[i]
	}
	end := append([]int(nil), ptr...)
	source := make([]panelSource, len(a.Row))
	for p := range row {
		o := owner[col[p]]
		source[end[o]].pos = p
		end[o]++
	}
	local := make([]int, a.N) // row of the current panel
	for i := range s.count() {
		width, first := s.width(i), s.first[i]
		for k := range width {
			local[int(first)+k] = k
		}
		for q, r := range s.belowRows(i) {
			local[r] = width + q
		}
		list := source[ptr[i]:ptr[i+1]]
		for q := range list {
			p := list[q].pos
			list[q].offset = local[row[p]]*width + int(col[p]-first)
		}
	}
	return source, ptr
}

// NNZ implements Factor.
func (f *supernodal) NNZ() int { return f.entries() }

// Release implements Factor.
func (f *supernodal) Release() { f.arena = nil }

// Refactor implements Factor.
func (f *supernodal) Refactor(a *sparse.Sym) error {
	return f.RefactorContext(context.Background(), a)
}

// RefactorContext implements Factor.
func (f *supernodal) RefactorContext(ctx context.Context, a *sparse.Sym) error {
	f.team.ctx = ctx
	err := f.refactor(a)
	f.team.ctx = nil
	if ctx.Err() != nil { // whatever was found in what is not complete
		f.failed = true
		return context.Cause(ctx)
	}
	return err
}

func (f *supernodal) refactor(a *sparse.Sym) error {
	checkPattern(a, f.n, len(f.source))
	if f.arena == nil { // at first, and after Release
		f.arena = make([]float64, f.arenaSize)
	}
	f.failed = true
	for k, p := range f.diag {
		f.limit[k] = f.tolerance * math.Abs(a.Val[p])
	}
	first := f.runTasks(a.Val)
	for _, i := range f.top {
		// After a failure only what precedes it counts: the column reported is
		// the first bad one of the elimination order, at any number of workers.
		if first.column >= 0 && int(f.first[i]) > first.column || f.team.stopped() {
			break
		}
		if fail := f.eliminate(int(i), 0, a.Val, &f.panels[len(f.tasks)], &f.team); fail.column >= 0 {
			first = fail
			break
		}
	}
	if first.column >= 0 {
		return &NotPositiveDefiniteError{Column: int(f.perm[first.column]), Pivot: first.pivot}
	}
	f.failed = false
	return nil
}

// runTasks eliminates the independent subtrees, a goroutine for each worker,
// and returns the first failure in the elimination order.
func (f *supernodal) runTasks(val []float64) failure {
	first := failure{column: -1}
	if len(f.tasks) == 0 {
		return first
	}
	f.nextTask.Store(0)
	var done sync.WaitGroup
	for w := 1; w < f.workers; w++ {
		done.Go(func() { f.takeTasks(val, w) })
	}
	f.takeTasks(val, 0)
	done.Wait()
	for _, fail := range f.failures {
		if fail.column >= 0 && (first.column < 0 || fail.column < first.column) {
			first = fail
		}
	}
	return first
}

// takeTasks is the life of worker w.
func (f *supernodal) takeTasks(val []float64, w int) {
	alone := team{ctx: f.team.ctx}
	stack := f.stackBase + w*f.stackSize
	for {
		k := int(f.nextTask.Add(1)) - 1
		if k >= len(f.tasks) || alone.stopped() {
			return
		}
		f.failures[k].column = -1
		for i := f.tasks[k].from; i < f.tasks[k].end && !alone.stopped(); i++ {
			if f.failures[k] = f.eliminate(i, stack, val, &f.panels[k], &alone); f.failures[k].column >= 0 {
				break
			}
		}
	}
}

// updateMatrix returns the place of the update matrix of supernode i.
func (f *supernodal) updateMatrix(i, stack int) matrix {
	size, at := f.below(i), f.update[i]
	if f.onStack[i] {
		at += stack
	}
	return matrix{f.arena[at : at+size*size], size}
}

// eliminate assembles the front of supernode i and eliminates its columns. The
// stacks of the worker begin at stack.
func (f *supernodal) eliminate(i, stack int, val []float64, p *panel, team *team) failure {
	width, below := f.width(i), f.below(i)
	v := f.val[f.panel[i]:f.panel[i+1]]
	clear(v)
	for _, s := range f.source[f.sourcePtr[i]:f.sourcePtr[i+1]] {
		v[s.offset] = val[s.pos]
	}
	u := f.updateMatrix(i, stack)
	clear(u.v)
	for c := f.childHead[i]; c >= 0; c = f.childNext[c] {
		place := f.place[f.rowPtr[c]:f.rowPtr[c+1]]
		p.ends = runs(p.ends, place)
		extendAdd(v, width, u, f.updateMatrix(int(c), stack), place, p.ends)
	}
	first := f.first[i]
	*p = panel{matrix: matrix{v, width}, m: width + below, k: width, limit: f.limit[first : int(first)+width], ends: p.ends}
	if col, pivot := p.factor(team); col >= 0 {
		return failure{int(first) + col, pivot}
	}
	team.rows(rowJob{kind: schurRows, panel: p, schur: u}, 0, below, below*width)
	return failure{column: -1}
}

// extendAdd adds the update matrix of a child to the front: the panel v of the
// given width and the update matrix u. place holds its rows in the front, ends those of its runs.
func extendAdd(v []float64, width int, u, child matrix, place, ends []int32) {
	split := 0 // rows of the child among the columns of this supernode
	for split < len(place) && int(place[split]) < width {
		split++
	}
	for i, r := range place {
		row := child.v[i*child.ld : i*child.ld+i+1]
		addPieces(v[int(r)*width:int(r)*width+width], place, ends, 0, min(split, i+1), 1, row, 0)
		if i >= split {
			below := int(r) - width
			addPieces(u.v[below*u.ld:below*u.ld+below+1], place, ends, split, i+1, 1, row, width)
		}
	}
}

// Solve implements Factor.
func (f *supernodal) Solve(dst, b []float64) {
	checkSolve(f.failed, f.n, dst, b)
	x := f.work
	for k, j := range f.perm {
		x[k] = b[j]
	}
	f.down(x, 0)
	f.up(x, 0)
	for k, j := range f.perm {
		dst[j] = x[k]
	}
}

// down solves with the columns of L of the supernodes from first on, up with those of Lᵀ.
func (f *supernodal) down(x []float64, first int) {
	for i := first; i < f.count(); i++ {
		f.forward(i, x)
	}
}

func (f *supernodal) up(x []float64, first int) {
	for i := f.count() - 1; i >= first; i-- {
		f.backward(i, x)
	}
}

// forward solves with the diagonal block of supernode i and updates the rows
// below it.
func (f *supernodal) forward(i int, x []float64) {
	width := f.width(i)
	v := f.val[f.panel[i]:f.panel[i+1]]
	own := x[f.first[i]:f.first[i+1]]
	for r := range own {
		row := v[r*width : r*width+r+1]
		own[r] = (own[r] - dot(row[:r], own[:r])) / row[r]
	}
	v = v[width*width:]
	for q, r := range f.belowRows(i) {
		x[r] -= dot(v[q*width:q*width+width], own)
	}
}

// backward is forward with Lᵀ.
func (f *supernodal) backward(i int, x []float64) {
	width := f.width(i)
	v := f.val[f.panel[i]:f.panel[i+1]]
	own := x[f.first[i]:f.first[i+1]]
	below := v[width*width:]
	for q, r := range f.belowRows(i) {
		subScaled(own, x[r], below[q*width:q*width+width])
	}
	for r := width - 1; r >= 0; r-- {
		row := v[r*width : r*width+r+1]
		own[r] /= row[r]
		subScaled(own[:r], own[r], row[:r])
	}
}

// dot returns xᵀy; four partial sums hide the latency of the additions.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// subScaled computes y -= alpha x.
func subScaled(y []float64, alpha float64, x []float64) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] -= alpha * v
	}
}
