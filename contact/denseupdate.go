package contact

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// denseUpdate factorises A = M + E for a dense M that stays the same while E, the
// sum of H D Hᵀ over the contacts, changes: elastic surfaces. With C = M⁻¹, computed
// once, and E = B Bᵀ of rank R,
//
//	A⁻¹ = C − C B (I + BᵀCB)⁻¹ BᵀC,
//
// a Refactor costs R³/3 instead of n³/3 operations, and contacts that are open do
// not count. M may fall into components that do not couple (the directions of
// similar bodies); equal components are inverted once.
type denseUpdate struct {
	ws     *GlobalWorkspace
	comps  []component
	owner  []int // component of a coordinate
	place  []int // its row there
	blocks []updateBlock

	inverted []float64 // M's values that are inverted
	inverses int
	plain    factor.Factor // serves once M has changed too often

	columns []updateColumn // of B
	s       *sparse.Sym    // I + BᵀCB
	factor  factor.Factor
	y, w    []float64
}

// component is a part of M that couples with no other.
type component struct {
	dofs []int
	c    blas64.Symmetric
	x, y []float64
}

// updateBlock is a diagonal block of E: coordinates that a contact couples.
type updateBlock struct {
	dofs []int
	at   [][2]int // positions in A.Val and M.Val (−1: none) of the lower triangle, rows first
}

// updateColumn is a column of B.
type updateColumn struct {
	dofs []int
	val  []float64
	mask uint64 // components touched
}

const (
	// denseUpdateOrder is the largest component from which dense updates pay.
	denseUpdateOrder = 400
	// denseShare is the least part of a component that must be filled.
	denseShare = 0.9
	// largestBlock bounds the coordinates that a contact couples.
	largestBlock = 6
	// inversionLimit: a matrix that changes more often is factorised as a whole.
	inversionLimit = 3
	// negligibleUpdate: an entry of E below this fraction of M's is the roundoff of
	// their sum.
	negligibleUpdate = 0x1p-50
)

// newDenseUpdate returns the factor for the pattern of ws.a, or nil where M is not
// dense.
func newDenseUpdate(ws *GlobalWorkspace, p *Global) *denseUpdate {
	f := &denseUpdate{ws: ws, y: make([]float64, p.M.N)}
	if p.M.N < denseUpdateOrder || !f.components(p.M) || !f.couplings(p) {
		return nil
	}
	return f
}

// components finds the parts of M and reports whether they are large and dense.
func (f *denseUpdate) components(m *sparse.Sym) bool {
	root := forest.New(m.N)
	for c := range m.N {
		for _, r := range m.Row[m.Ptr[c]:m.Ptr[c+1]] {
			root.Join(r, c)
		}
	}
	f.owner, f.place = make([]int, m.N), make([]int, m.N)
	number := make(map[int]int)
	for d := range m.N {
		k, ok := number[root.Root(d)]
		if !ok {
			k = len(f.comps)
			number[root.Root(d)] = k
			f.comps = append(f.comps, component{})
		}
		f.owner[d], f.place[d] = k, len(f.comps[k].dofs)
		f.comps[k].dofs = append(f.comps[k].dofs, d)
	}
	full, largest := 0.0, 0
	for k := range f.comps {
		n := len(f.comps[k].dofs)
		full += float64(n) * float64(n+1) / 2
		largest = max(largest, n)
		f.comps[k].x, f.comps[k].y = make([]float64, n), make([]float64, n)
	}
	return len(f.comps) <= 64 && largest >= denseUpdateOrder && float64(len(m.Row)) >= denseShare*full
}

// couplings collects the diagonal blocks of E and reports whether they are small.
func (f *denseUpdate) couplings(p *Global) bool {
	root, touched := forest.New(p.M.N), make([]bool, p.M.N)
	pairs(p.H, func(i, k int, coupled bool) {
		if coupled {
			root.Join(i, k)
			touched[i], touched[k] = true, true
		}
	})
	number := make(map[int]int)
	for d, t := range touched {
		if !t {
			continue
		}
		k, ok := number[root.Root(d)]
		if !ok {
			k = len(f.blocks)
			number[root.Root(d)] = k
			f.blocks = append(f.blocks, updateBlock{})
		}
		f.blocks[k].dofs = append(f.blocks[k].dofs, d)
	}
	for k := range f.blocks {
		b := &f.blocks[k]
		if len(b.dofs) > largestBlock {
			return false
		}
		for i, r := range b.dofs {
			for _, c := range b.dofs[:i+1] {
				b.at = append(b.at, [2]int{f.ws.a.Index(r, c), p.M.Index(r, c)})
			}
		}
	}
	return true
}

// RefactorContext implements [factorisation]; an update is too small to be interrupted.
func (f *denseUpdate) RefactorContext(ctx context.Context, a *sparse.Sym) error {
	if f.plain != nil {
		return f.plain.RefactorContext(ctx, a)
	}
	if m := f.ws.m; !slices.Equal(f.inverted, m.Val) {
		f.inverses++
		if f.inverses > inversionLimit || f.invert(m) != nil {
			f.inverted = nil
			plain, err := factor.AnalyseContext(ctx, f.ws.a, factor.Options{})
			if err != nil {
				return err
			}
			f.plain = plain
			return f.plain.RefactorContext(ctx, a)
		}
	}
	f.columns = f.columns[:0]
	for k := range f.blocks {
		f.split(&f.blocks[k], a)
	}
	f.w = num.Grow(f.w, len(f.columns))
	if len(f.columns) == 0 {
		f.s = nil
		return nil
	}
	if f.assemble() {
		f.factor = factor.Analyse(f.s, factor.Options{})
	}
	return f.factor.Refactor(f.s)
}

var errNotInvertible = errors.New("contact: the matrix has no inverse to working precision")

// invert computes C by components.
func (f *denseUpdate) invert(m *sparse.Sym) error {
	dense := make([]*mat.SymDense, len(f.comps))
	for k := range f.comps {
		n := len(f.comps[k].dofs)
		dense[k] = mat.NewSymDense(n, nil)
	}
	for c := range m.N {
		raw := dense[f.owner[c]].RawSymmetric()
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			i, j := f.place[m.Row[k]], f.place[c]
			raw.Data[min(i, j)*raw.Stride+max(i, j)] = m.Val[k]
		}
	}
	source := make([]*mat.SymDense, 0, len(dense))
	for k, d := range dense {
		same := slices.IndexFunc(source, func(s *mat.SymDense) bool { return equalSym(s, d) })
		source = append(source, d)
		if same >= 0 {
			f.comps[k].c = f.comps[same].c
			continue
		}
		var chol mat.Cholesky
		inverse := mat.NewSymDense(len(f.comps[k].dofs), nil)
		if !chol.Factorize(d) || chol.InverseTo(inverse) != nil {
			return errNotInvertible
		}
		f.comps[k].c = inverse.RawSymmetric()
	}
	f.inverted = append(f.inverted[:0], m.Val...)
	return nil
}

func equalSym(a, b *mat.SymDense) bool {
	return slices.Equal(a.RawSymmetric().Data, b.RawSymmetric().Data)
}

// split appends the columns of B of a block: pivoted Cholesky of its E.
func (f *denseUpdate) split(b *updateBlock, a *sparse.Sym) {
	n := len(b.dofs)
	var e [largestBlock][largestBlock]float64
	next, zero := 0, true
	for i := range n {
		for j := range i + 1 {
			at := b.at[next]
			next++
			v, m := 0.0, 0.0
			if at[1] >= 0 {
				m = f.ws.m.Val[at[1]]
			}
			if at[0] >= 0 {
				v = a.Val[at[0]] - m
			}
			if math.Abs(v) <= negligibleUpdate*math.Abs(m) {
				v = 0
			}
			e[i][j], e[j][i] = v, v
			zero = zero && v == 0
		}
	}
	if zero {
		return
	}
	largest := 0.0
	for range n {
		p := 0
		for i := range n {
			if e[i][i] > e[p][p] {
				p = i
			}
		}
		d := e[p][p]
		largest = max(largest, d)
		if d <= 1e-14*largest || d <= 0 { // roundoff of the rows before
			return
		}
		f.columns = append(f.columns, f.column(b, &e, p, n))
	}
}

// column takes column p of e, scaled, and subtracts its dyad.
func (f *denseUpdate) column(b *updateBlock, e *[largestBlock][largestBlock]float64, p, n int) updateColumn {
	var col updateColumn
	s := 1 / math.Sqrt(e[p][p])
	var x [largestBlock]float64
	for i := range n {
		if x[i] = s * e[i][p]; x[i] != 0 {
			col.dofs, col.val = append(col.dofs, b.dofs[i]), append(col.val, x[i])
			col.mask |= 1 << f.owner[b.dofs[i]]
		}
	}
	for i := range n {
		for j := range n {
			e[i][j] -= x[i] * x[j]
		}
	}
	for i := range n { // what is left of them is roundoff, which the next pivot would divide by its root
		e[i][p], e[p][i] = 0, 0
	}
	return col
}

// assemble sets S = I + BᵀCB and reports whether its pattern is new.
func (f *denseUpdate) assemble() bool {
	n := len(f.columns)
	old := f.s
	s := &sparse.Sym{N: n, Ptr: make([]int, 1, n+1)}
	if old != nil {
		s.Row, s.Val = make([]int, 0, len(old.Row)), make([]float64, 0, len(old.Val))
	}
	for p := range f.columns {
		for q := p; q < n; q++ {
			if f.columns[p].mask&f.columns[q].mask != 0 {
				s.Row, s.Val = append(s.Row, q), append(s.Val, f.product(&f.columns[p], &f.columns[q]))
			}
		}
		s.Val[s.Ptr[p]]++
		s.Ptr = append(s.Ptr, len(s.Row))
	}
	f.s = s
	return old == nil || !slices.Equal(old.Ptr, s.Ptr) || !slices.Equal(old.Row, s.Row)
}

// product returns bᵀCc of two columns.
func (f *denseUpdate) product(b, c *updateColumn) float64 {
	sum := 0.0
	for i, p := range b.dofs {
		for k, q := range c.dofs {
			if f.owner[p] != f.owner[q] {
				continue
			}
			r, s := f.place[p], f.place[q]
			m := &f.comps[f.owner[p]].c
			sum += b.val[i] * c.val[k] * m.Data[min(r, s)*m.Stride+max(r, s)]
		}
	}
	return sum
}

// Solve implements [factorisation].
func (f *denseUpdate) Solve(dst, b []float64) {
	if f.plain != nil {
		f.plain.Solve(dst, b)
		return
	}
	if len(f.columns) == 0 {
		f.apply(dst, b)
		return
	}
	f.apply(f.y, b)
	for p := range f.columns {
		col, sum := &f.columns[p], 0.0
		for k, d := range col.dofs {
			sum += col.val[k] * f.y[d]
		}
		f.w[p] = sum
	}
	f.factor.Solve(f.w, f.w)
	copy(f.y, b)
	for p, w := range f.w {
		col := &f.columns[p]
		for k, d := range col.dofs {
			f.y[d] -= w * col.val[k]
		}
	}
	f.apply(dst, f.y)
}

// apply computes dst = C x; dst may be x.
func (f *denseUpdate) apply(dst, x []float64) {
	for k := range f.comps {
		c := &f.comps[k]
		for i, d := range c.dofs {
			c.x[i] = x[d]
		}
		n := len(c.dofs)
		blas64.Symv(1, c.c, blas64.Vector{N: n, Inc: 1, Data: c.x}, 0, blas64.Vector{N: n, Inc: 1, Data: c.y})
		for i, d := range c.dofs {
			dst[d] = c.y[i]
		}
	}
}

// Release implements [factorisation]; all of the memory is used again.
func (f *denseUpdate) Release() {}
