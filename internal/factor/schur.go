package factor

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/quasistatic/quasistatic/sparse"
)

// Schur is a factorisation whose last columns are given ones, so that it holds
// their Schur complement
//
//	S = A_cc − A_ci A_ii⁻¹ A_ic
//
// at the cost of one factorisation, not of one solve for each column.
type Schur struct {
	factor *supernodal
	order  []int // columns of the matrix as they are eliminated
	kept   int
	tail   []int // of each kept column in the order of the factor
	top    int   // the first supernode with one
}

// SchurPlan is the symbolic analysis for a Schur.
type SchurPlan struct {
	plan  *Plan
	a     *sparse.Sym // in the order of elimination
	place []int
	kept  int
	inner innerCounts
}

// innerCounts are the counts of the factor of A_ii.
type innerCounts struct {
	nnz   int
	flops float64
}

// NewSchur analyses and factorises a with the columns kept last, the others
// ordered to keep the factor sparse.
func NewSchur(a *sparse.Sym, kept []int) (*Schur, error) {
	p, err := PlanSchur(context.Background(), a, kept)
	if err != nil {
		return nil, err
	}
	return p.Factor(a)
}

// PlanSchur analyses the pattern of a with the columns kept last. It fails if
// they cannot be last, and with the cause when the context is done.
func PlanSchur(ctx context.Context, a *sparse.Sym, kept []int) (*SchurPlan, error) {
	place, inner, err := schurOrder(ctx, a, kept)
	if err != nil {
		return nil, err
	}
	p := &SchurPlan{kept: len(kept), place: place, inner: inner}
	b := sparse.NewBuilder(a.N)
	p.each(a, func(i, j, _ int) { b.Add(i, j) })
	p.a = b.Build()
	if p.plan, err = NewPlanContext(ctx, p.a, Options{Method: Supernodal, Ordering: Natural}); err != nil {
		return nil, err
	}
	return p, p.plan.keepsLast(a.N - len(kept))
}

// each visits the entries of a in the order of elimination.
func (p *SchurPlan) each(a *sparse.Sym, visit func(i, j, k int)) {
	for j := range a.N {
		for k := a.Ptr[j]; k < a.Ptr[j+1]; k++ {
			visit(p.place[a.Row[k]], p.place[j], k)
		}
	}
}

// Bytes returns the memory of the Schur, WorkBytes what its factorisation takes
// on top and gives back, ComplementBytes that of the Complement and, as much
// again, of its making.
func (p *SchurPlan) Bytes() int64 { return p.plan.Bytes() - p.plan.WorkBytes() - p.sources() }

// WorkBytes: see Bytes.
func (p *SchurPlan) WorkBytes() int64 {
	return p.plan.WorkBytes() + p.sources() + 16*int64(len(p.a.Row)) // and the matrix in this order
}

// ComplementBytes: see Bytes.
func (p *SchurPlan) ComplementBytes() int64 { return 8 * int64(p.kept) * int64(p.kept) }

// sources is what panelSources takes, needed for one factorisation only.
func (p *SchurPlan) sources() int64 { return 16 * int64(len(p.a.Row)) }

// NNZ returns the number of entries of the factor, Flops the operations.
func (p *SchurPlan) NNZ() int { return p.plan.NNZ() }

// Flops: see NNZ.
func (p *SchurPlan) Flops() float64 { return p.plan.Flops() }

// InnerNNZ and InnerFlops return the counts of the factor of A_ii alone.
func (p *SchurPlan) InnerNNZ() int { return p.inner.nnz }

// InnerFlops: see InnerNNZ.
func (p *SchurPlan) InnerFlops() float64 { return p.inner.flops }

// Factor factorises a matrix of the pattern that was analysed. If a pivot is not
// positive the error is a *[NotPositiveDefiniteError] with the column of a.
func (p *SchurPlan) Factor(a *sparse.Sym) (*Schur, error) {
	return p.FactorContext(context.Background(), a)
}

// FactorContext is Factor until the context is done.
func (p *SchurPlan) FactorContext(ctx context.Context, a *sparse.Sym) (*Schur, error) {
	f := p.plan.Factor().(*supernodal)
	p.each(a, func(i, j, k int) { p.a.Val[p.a.Index(i, j)] = a.Val[k] })
	if err := f.RefactorContext(ctx, p.a); err != nil {
		if npd, ok := errors.AsType[*NotPositiveDefiniteError](err); ok {
			npd.Column = slices.Index(p.place, npd.Column)
		}
		return nil, err
	}
	f.Release()
	f.source = nil // there is no second factorisation
	s := &Schur{factor: f, order: make([]int, a.N), kept: p.kept, tail: make([]int, p.kept), top: f.count()}
	at, first := make([]int, a.N), a.N
	for k, j := range f.perm {
		at[j] = k
		if j := int(j) - (a.N - p.kept); j >= 0 {
			s.tail[j], first = k, min(first, k)
		}
	}
	for c, j := range p.place {
		s.order[at[j]] = c
	}
	for s.top > 0 && int(f.first[s.top]) > first {
		s.top--
	}
	return s, nil
}

// keepsLast checks that no column from first on is eliminated with or before one
// below first that depends on it: a kept column with the pattern of one that is
// not kept would be.
func (p *Plan) keepsLast(first int) error {
	g, t := p.graph, p.tree
	kept := func(v int32) (all, some bool) {
		all = true
		for _, c := range g.dof[g.dofPtr[v]:g.dofPtr[v+1]] {
			if int(c) >= first {
				some = true
			} else {
				all = false
			}
		}
		return all, some
	}
	for k, v := range t.order {
		all, some := kept(v)
		if up := t.parent[k]; all && up >= 0 {
			all, _ = kept(t.order[up])
		}
		if some && !all {
			return errors.New("factor: a kept column has the pattern of one that is not kept")
		}
	}
	return nil
}

// schurOrder returns the place of each column: the columns that are not kept in
// the order of their own matrix, then the kept ones as given.
func schurOrder(ctx context.Context, a *sparse.Sym, kept []int) ([]int, innerCounts, error) {
	place := make([]int, a.N)
	for k, c := range kept {
		place[c] = a.N - len(kept) + k + 1 // plus 1: 0 is not placed yet
	}
	var inner, number []int
	number = make([]int, a.N)
	for c, p := range place {
		if p == 0 {
			number[c] = len(inner)
			inner = append(inner, c)
		}
	}
	b := sparse.NewBuilder(len(inner))
	for _, c := range inner {
		for _, r := range a.Row[a.Ptr[c]:a.Ptr[c+1]] {
			if place[r] == 0 {
				b.Add(number[r], number[c])
			}
		}
	}
	plan, err := NewPlanContext(ctx, b.Build(), Options{})
	if err != nil {
		return nil, innerCounts{}, err
	}
	perm, _ := plan.tree.columns(plan.graph)
	for k, c := range perm {
		place[inner[c]] = k + 1
	}
	for c := range place {
		place[c]--
	}
	return place, innerCounts{plan.NNZ(), plan.Flops()}, nil
}

// Solve computes dst = A⁻¹b; dst may be b.
func (s *Schur) Solve(dst, b []float64) {
	x := s.factor.work
	s.Reduce(x, b)
	s.factor.up(x, 0)
	for k, c := range s.order {
		dst[c] = x[k]
	}
}

// Reduce sets low = L⁻¹b, in the order of elimination: what Kept and Resolve need of b for solutions of
// Ax = b + Er, where E puts r on the kept columns. L is read once for any number of r. The three have no scratch of
// their own: several may call them at once.
func (s *Schur) Reduce(low, b []float64) {
	for k, c := range s.order {
		low[k] = b[c]
	}
	s.factor.down(low, 0)
}

// Kept sets dst to the kept entries of x, by the columns of L alone that are kept. work is scratch, as long as low.
func (s *Schur) Kept(dst, work, low, r []float64) {
	s.load(work, low, r)
	s.factor.up(work, s.top)
	for j, k := range s.tail {
		dst[j] = work[k]
	}
}

// Resolve sets dst = x; work is as for Kept.
func (s *Schur) Resolve(dst, work, low, r []float64) {
	s.load(work, low, r)
	s.factor.up(work, 0)
	for k, c := range s.order {
		dst[c] = work[k]
	}
}

// load sets x = low + L⁻¹Er.
func (s *Schur) load(x, low, r []float64) {
	clear(x)
	for j, k := range s.tail {
		x[k] = r[j]
	}
	s.factor.down(x, s.top)
	for k, v := range low {
		x[k] += v
	}
}

// NNZ returns the number of entries of the factor.
func (s *Schur) NNZ() int { return s.factor.NNZ() }

// Complement returns S, dense, row by row, in the order of kept. It is formed
// as L_cc L_ccᵀ of the factor at hand.
func (s *Schur) Complement() []float64 {
	n := s.kept
	l := s.trailing()
	full := make([]float64, n*n)
	p := &panel{matrix: matrix{l, n}, k: n}
	t := team{workers: runtime.GOMAXPROCS(0)}
	t.rows(rowJob{kind: productRows, panel: p, schur: matrix{full, n}}, 0, n, n*n)
	for i := range n {
		for j := range i + 1 {
			full[i*n+j] = -full[i*n+j]
			full[j*n+i] = full[i*n+j]
		}
	}
	return full
}

// Congruence returns W = B S⁻¹ Bᵀ, dense, row by row, symmetric to the last bit, for a
// B of n rows as long as S. With S = LLᵀ it is YYᵀ, Y = B L⁻ᵀ, by the products of
// dense blocks that a front is eliminated with: n³ operations at their speed where a
// solve for each row would read all factors again.
func (s *Schur) Congruence(ctx context.Context, b []float64, n int) ([]float64, error) {
	k := s.kept
	v := append(s.Complement(), b...)
	p := &panel{matrix: matrix{v, k}, m: k + n, k: k, limit: make([]float64, k)}
	t := &team{ctx: ctx, workers: runtime.GOMAXPROCS(0)}
	if col, pivot := p.factor(t); col >= 0 && ctx.Err() == nil {
		return nil, &NotPositiveDefiniteError{Column: col, Pivot: pivot}
	}
	w := make([]float64, n*n)
	t.rows(rowJob{kind: schurRows, panel: p, schur: matrix{w, n}}, 0, n, n*k)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for i := range n {
		for j := range i + 1 {
			w[i*n+j] = -w[i*n+j]
			w[j*n+i] = w[i*n+j]
		}
	}
	return w, nil
}

// trailing gathers the kept rows and columns of L, in the order of kept. The
// supernodes are renumbered by a postorder, which keeps relative order along
// each path to the root; f.perm tells where a column went.
func (s *Schur) trailing() []float64 {
	f, n := s.factor, s.kept
	first := len(s.order) - n
	l := make([]float64, n*n)
	for i := range f.count() {
		width := f.width(i)
		v := f.val[f.panel[i]:f.panel[i+1]]
		for c := range width {
			col := int(f.perm[int(f.first[i])+c]) - first
			if col < 0 {
				continue
			}
			store := func(at int32, value float64) {
				if row := int(f.perm[at]) - first; row >= 0 { // others are zeros that supernodes add
					l[row*n+col] = value
				}
			}
			for r := c; r < width; r++ {
				store(f.first[i]+int32(r), v[r*width+c])
			}
			for q, r := range f.belowRows(i) {
				store(r, v[(width+q)*width+c])
			}
		}
	}
	return l
}
