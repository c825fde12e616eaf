package block

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// graphLU factorises J = diag(E) W + diag(B) by the graph of the bodies instead of
// that of the contacts. With K = H Tᵀ in the scaled frames, W = KᵀM⁻¹K + diag(δ),
// B' = B + Eδ and v = M⁻¹K x,
//
//	(M + K D Kᵀ) v = K B'⁻¹ f,   x = B'⁻¹ (f − E Kᵀ v),   D = B'⁻¹E,
//
// a matrix of half the order with much less fill: a body touches a dozen contacts, all
// coupled in W. It takes B' regular, which all callers see to; a step of iterative
// refinement with W makes up for a small one.
//
// Of lu and cholesky that one is made which is asked for; symmetric tells which has the factors.
type graphLU struct {
	g         form.Graph
	plan      *factor.BlockPlan
	ptr       []int // pattern of the blocks
	col       []int32
	lu        *factor.BlockLU
	cholesky  *graphCholesky
	symmetric bool

	group  []int32    // row of M → block row
	place  []int8     // row of M → row of the block
	values []mat3     // of M + K D Kᵀ by the pattern of lu
	fromM  [][2]int32 // places of the entries of M and of their mirrors
	fixed  []mat3     // of M, and ones where a block has less than three rows

	ends     []int32 // first end of each contact
	block    []int32 // of each end, a block row
	k        []mat3  // its K, row by row: rows of the block, columns of the contact
	pairs    []int32 // places of the pairs of ends, contact after contact
	pairFrom []int32
	delta    []mat3 // KᵀM⁻¹K of each contact alone

	e, d, inv []mat3 // E, D and B'⁻¹ of the factors at hand
	v         []vec3
	rhs, left []vec3
}

// rowsPerBlock are the rows of M in a block: half a rigid body, a node.
const rowsPerBlock = 3

// layGraph groups the rows of M to blocks and returns the pattern of M + K D Kᵀ in them.
func layGraph(g form.Graph) (f *graphLU, ptr []int, col []int32) {
	f = &graphLU{g: g, group: make([]int32, g.M.N), place: make([]int8, g.M.N)}
	n := f.groupRows()
	f.findEnds()
	ptr, col = f.pattern(n)
	return f, ptr, col
}

// groupRows joins rows that follow each other and belong to the same contacts to
// blocks, and returns how many.
func (f *graphLU) groupRows() int {
	h := f.g.H
	touching := make([][]int32, f.g.M.N)
	for j := range h.Contacts() {
		for _, row := range h.Row[h.Ptr[j]:h.Ptr[j+1]] {
			touching[row] = append(touching[row], int32(j))
		}
	}
	n, size := int32(-1), int8(rowsPerBlock)
	for row := range touching {
		if size == rowsPerBlock || !slices.Equal(touching[row], touching[row-1]) {
			n, size = n+1, 0
		}
		f.group[row], f.place[row] = n, size
		size++
	}
	return int(n + 1)
}

// findEnds lists the blocks that each contact touches.
func (f *graphLU) findEnds() {
	h := f.g.H
	f.ends = append(f.ends, 0)
	for j := range h.Contacts() {
		from := len(f.block)
		for _, row := range h.Row[h.Ptr[j]:h.Ptr[j+1]] {
			if b := f.group[row]; !slices.Contains(f.block[from:], b) {
				f.block = append(f.block, b)
			}
		}
		slices.Sort(f.block[from:])
		f.ends = append(f.ends, int32(len(f.block)))
	}
	f.k = make([]mat3, len(f.block))
}

// pattern returns the blocks of M + K D Kᵀ by rows, columns ascending.
func (f *graphLU) pattern(n int) (ptr []int, col []int32) {
	rows := make([][]int32, n)
	for i := range rows {
		rows[i] = append(rows[i], int32(i))
	}
	add := func(i, j int32) { rows[i] = append(rows[i], j) }
	m := f.g.M
	for j := range m.N {
		for _, i := range m.Row[m.Ptr[j]:m.Ptr[j+1]] {
			if a, b := f.group[i], f.group[j]; a != b {
				add(a, b)
				add(b, a)
			}
		}
	}
	for j := range len(f.ends) - 1 {
		for _, a := range f.endsOf(j) {
			for _, b := range f.endsOf(j) {
				if a != b {
					add(a, b)
				}
			}
		}
	}
	ptr = make([]int, n+1)
	for i, row := range rows {
		slices.Sort(row)
		col = append(col, slices.Compact(row)...)
		ptr[i+1] = len(col)
	}
	return ptr, col
}

func (f *graphLU) endsOf(j int) []int32 { return f.block[f.ends[j]:f.ends[j+1]] }

// layOut makes the memory of the factors.
func (f *graphLU) layOut(plan *factor.BlockPlan, ptr []int, col []int32) {
	f.plan, f.ptr, f.col = plan, ptr, col
	f.values, f.fixed = make([]mat3, len(col)), make([]mat3, len(col))
	find := func(a, b int32) int32 {
		k, _ := slices.BinarySearch(col[ptr[a]:ptr[a+1]], b)
		return int32(ptr[a] + k)
	}
	for j := range len(f.ends) - 1 {
		f.pairFrom = append(f.pairFrom, int32(len(f.pairs)))
		for _, a := range f.endsOf(j) {
			for _, b := range f.endsOf(j) {
				f.pairs = append(f.pairs, find(a, b))
			}
		}
	}
	n, nc := len(ptr)-1, len(f.ends)-1
	rows := make([]int8, n)
	for i, a := range f.group {
		rows[a] = max(rows[a], f.place[i]+1)
	}
	m := f.g.M
	for j := range m.N {
		for _, i := range m.Row[m.Ptr[j]:m.Ptr[j+1]] {
			f.fromM = append(f.fromM, [2]int32{find(f.group[i], f.group[j]), find(f.group[j], f.group[i])})
		}
	}
	for a, k := range rows {
		for ; k < rowsPerBlock; k++ {
			f.fixed[find(int32(a), int32(a))][4*k] = 1
		}
	}
	f.v, f.rhs, f.left = make([]vec3, n), make([]vec3, nc), make([]vec3, nc)
	f.e, f.d, f.inv = make([]mat3, nc), make([]mat3, nc), make([]mat3, nc)
	f.delta = make([]mat3, nc)
}

// Set takes the values of M, and those of H in the frames of c, and what W has beside KᵀM⁻¹K in the
// problem as it was given: the second tangent that a plane lacks.
func (f *graphLU) Set(g form.Graph, c *Scaled) {
	f.g = g
	m, h := g.M, g.H
	for j := range m.N {
		for e := m.Ptr[j]; e < m.Ptr[j+1]; e++ {
			i, at := m.Row[e], &f.fromM[e]
			f.fixed[at[0]][3*f.place[i]+f.place[j]] = m.Val[e]
			f.fixed[at[1]][3*f.place[j]+f.place[i]] = m.Val[e]
		}
	}
	clear(f.k)
	for j := range h.Contacts() {
		ends := f.endsOf(j)
		for e := h.Ptr[j]; e < h.Ptr[j+1]; e++ {
			var x vec3
			copy(x[:h.Dim], h.Val[h.Dim*e:])
			c.toScaled(j, &x)
			row := h.Row[e]
			at, _ := slices.BinarySearch(ends, f.group[row])
			k, p := &f.k[int(f.ends[j])+at], 3*f.place[row]
			k[p], k[p+1], k[p+2] = k[p]+x[0], k[p+1]+x[1], k[p+2]+x[2]
		}
		f.delta[j] = c.Blk[c.Diag[j]]
		if c.Plane {
			f.delta[j][8]--
		}
	}
}

// factor is [LU.Factor]; symmetric says that all D are symmetric and positive semidefinite.
func (f *graphLU) factor(ctx context.Context, c *Scaled, e, b []mat3, symmetric bool) {
	f.assemble(c, e, b)
	f.symmetric = symmetric && len(e) >= choleskyFrom && f.factorCholesky(ctx)
	if f.symmetric || ctx.Err() != nil {
		return
	}
	if f.lu == nil {
		f.lu = factor.NewBlockLU(f.plan, f.ptr, f.col)
	}
	f.lu.Clear()
	for k := range f.values {
		f.lu.Set(k, &f.values[k])
	}
	f.lu.Factor(ctx, invertPivot)
}

// factorCholesky reports whether the matrix is positive definite to rounding, and the context not
// done.
func (f *graphLU) factorCholesky(ctx context.Context) bool {
	if f.cholesky == nil {
		var err error
		if f.cholesky, err = newGraphCholesky(ctx, f.ptr, f.col); err != nil {
			return false
		}
	}
	return f.cholesky.refactor(ctx, f.ptr, f.col, f.values) == nil
}

// assemble sets the values of M + K D Kᵀ.
func (f *graphLU) assemble(c *Scaled, e, b []mat3) {
	copy(f.values, f.fixed)
	for j := range f.d {
		f.e[j] = num.Identity3
		if e != nil {
			f.e[j] = e[j]
		}
		own, w := b[j], &c.Blk[c.Diag[j]]
		var extra mat3
		for k := range extra {
			extra[k] = w[k] - f.delta[j][k]
		}
		if extra != (mat3{}) {
			var t mat3
			num.Mul3(&t, &f.e[j], &extra)
			for k := range own {
				own[k] += t[k]
			}
		}
		invertPivot(&f.inv[j], &own)
		num.Mul3(&f.d[j], &f.inv[j], &f.e[j])
		f.addContact(j)
	}
}

// addContact adds K D Kᵀ of a contact.
func (f *graphLU) addContact(j int) {
	if f.d[j] == (mat3{}) {
		return
	}
	from, end := f.ends[j], f.ends[j+1]
	at := f.pairFrom[j]
	for a := from; a < end; a++ {
		var kd mat3
		num.Mul3(&kd, &f.k[a], &f.d[j])
		for b := from; b < end; b++ {
			addMulTrans3(&f.values[f.pairs[at]], &kd, &f.k[b])
			at++
		}
	}
}

// addMulTrans3 computes c += a bᵀ.
func addMulTrans3(c, a, b *mat3) {
	for i := 0; i < 9; i += 3 {
		x, y, z := a[i], a[i+1], a[i+2]
		c[i] += x*b[0] + y*b[1] + z*b[2]
		c[i+1] += x*b[3] + y*b[4] + z*b[5]
		c[i+2] += x*b[6] + y*b[7] + z*b[8]
	}
}

// solve overwrites x with J⁻¹x.
func (f *graphLU) solve(c *Scaled, b []mat3, x []vec3) {
	copy(f.rhs, x)
	f.once(x)
	// Refine once: the residual by W itself.
	for j := range f.left {
		u := c.ProductAt(j, x)
		u = num.MulVec3(&f.e[j], &u)
		y := num.MulVec3(&b[j], &x[j])
		r := &f.rhs[j]
		f.left[j] = vec3{r[0] - u[0] - y[0], r[1] - u[1] - y[1], r[2] - u[2] - y[2]}
	}
	f.once(f.left)
	for j, d := range f.left {
		y := &x[j]
		y[0] += d[0]
		y[1] += d[1]
		y[2] += d[2]
	}
}

// once is solve without refinement.
func (f *graphLU) once(x []vec3) {
	clear(f.v)
	for j := range x {
		x[j] = num.MulVec3(&f.inv[j], &x[j])
		for a := f.ends[j]; a < f.ends[j+1]; a++ {
			y, v := num.MulVec3(&f.k[a], &x[j]), &f.v[f.block[a]]
			v[0] += y[0]
			v[1] += y[1]
			v[2] += y[2]
		}
	}
	switch {
	case f.symmetric:
		f.cholesky.solve(f.v)
	case f.lu != nil: // the context was not done before the first factors
		f.lu.Solve(f.v)
	}
	for j := range x {
		if f.d[j] == (mat3{}) {
			continue
		}
		var u vec3
		for a := f.ends[j]; a < f.ends[j+1]; a++ {
			k, v := &f.k[a], &f.v[f.block[a]]
			u[0] += k[0]*v[0] + k[3]*v[1] + k[6]*v[2]
			u[1] += k[1]*v[0] + k[4]*v[1] + k[7]*v[2]
			u[2] += k[2]*v[0] + k[5]*v[1] + k[8]*v[2]
		}
		num.SubMulVec3(&x[j], &f.d[j], &u)
	}
}

// graphCholesky factorises the M + K D Kᵀ of a [graphLU] where all D are symmetric and
// positive semidefinite: convex problems. That takes half of the work and, one triangle alone,
// less than half of the memory of its LU.
type graphCholesky struct {
	a      *sparse.Sym
	factor factor.Factor
	x      []float64
}

// choleskyFrom is the number of contacts from which an ordering of its own is soon paid for.
const choleskyFrom = 1000

// newGraphCholesky analyses the pattern of blocks, until the context is done.
func newGraphCholesky(ctx context.Context, ptr []int, col []int32) (*graphCholesky, error) {
	n := len(ptr) - 1
	a := &sparse.Sym{N: rowsPerBlock * n, Ptr: make([]int, 1, rowsPerBlock*n+1)}
	for i := range n {
		for q := range rowsPerBlock {
			for p := q; p < rowsPerBlock; p++ {
				a.Row = append(a.Row, rowsPerBlock*i+p)
			}
			for _, j := range col[ptr[i]:ptr[i+1]] {
				if int(j) > i {
					a.Row = append(a.Row, rowsPerBlock*int(j), rowsPerBlock*int(j)+1, rowsPerBlock*int(j)+2)
				}
			}
			a.Ptr = append(a.Ptr, len(a.Row))
		}
	}
	a.Val = make([]float64, len(a.Row))
	f, err := factor.AnalyseContext(ctx, a, factor.Options{})
	if err != nil {
		return nil, err
	}
	return &graphCholesky{a: a, factor: f, x: make([]float64, a.N)}, nil
}

// refactor takes the blocks of the pattern, of which those right of the diagonal count.
func (f *graphCholesky) refactor(ctx context.Context, ptr []int, col []int32, values []mat3) error {
	at := 0
	for i := range len(ptr) - 1 {
		from := ptr[i]
		for int(col[from]) < i {
			from++
		}
		for q := range rowsPerBlock {
			at += copy(f.a.Val[at:], values[from][rowsPerBlock*q+q:rowsPerBlock*(q+1)])
			for k := from + 1; k < ptr[i+1]; k++ {
				at += copy(f.a.Val[at:], values[k][rowsPerBlock*q:rowsPerBlock*(q+1)])
			}
		}
	}
	return f.factor.RefactorContext(ctx, f.a)
}

// solve overwrites v.
func (f *graphCholesky) solve(v []vec3) {
	for i := range v {
		copy(f.x[rowsPerBlock*i:], v[i][:])
	}
	f.factor.Solve(f.x, f.x)
	for i := range v {
		v[i] = vec3(f.x[rowsPerBlock*i:])
	}
}
