package block

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/memory"
)

// LU factorises J = diag(E) W + diag(B) in 3×3 blocks in an order of low
// fill: one row after the other (up-looking), or, where the factors are dense
// enough, by fronts. Pivots are whole diagonal blocks; a singular one is
// shifted. Memory is laid out once for a pattern.
type LU struct {
	n          int
	perm       []int32 // elimination place → contact
	place      []int32 // contact → elimination place
	lPtr, uPtr []int32
	lCol, uCol []int32
	lVal, uVal []mat3
	inv        []mat3 // inverse pivots
	work       []mat3 // one row, expanded
	y          []vec3

	fronts *frontLU // instead, if the factors are dense enough
	Graph  *graphLU // instead, if the bodies have the better graph
	b      []mat3   // of the last factorisation by the graph
	Count  float64  // products of blocks of a factorisation
	c      *Scaled
}

// frontLU are dense fronts.
type frontLU struct{ *factor.BlockLU }

// frontsFrom is the number of products of blocks per block of L from which
// dense fronts win over rows of blocks, measured on the problems of FCLIB: at
// 15, rows win by what they save on open contacts.
const frontsFrom = 20

// smallLU is the number of contacts up to which all blocks are treated as
// filled: the search for zeros would cost more than they do.
const smallLU = 8

// graphGain is the part of the products of blocks that makes up for the detour by the bodies.
const (
	graphGain = 0.5
)

// rowsBetween is the number of rows between two looks at the context: one of a thousand
// blocks with a thousand each takes some milliseconds.
const rowsBetween = 16

// Analyse orders the contacts of c and finds the pattern of the factors, until the context is done:
// then it returns the cause. Factors of more than most bytes are an error.
func (f *LU) Analyse(ctx context.Context, c *Scaled, g form.Graph, most int64) error {
	f.n, f.fronts, f.Graph = c.Nc, nil, nil
	if f.n <= smallLU {
		f.full()
		f.Count = float64(f.n*f.n*f.n) / 3
		return nil
	}
	plan, err := factor.NewBlockPlan(ctx, c.Ptr[:f.n+1], c.Col)
	if err != nil {
		return err
	}
	f.Count = plan.Products()
	if g.M != nil && f.n >= form.GraphFrom {
		lu, ptr, col := layGraph(g)
		bodies, err := factor.NewBlockPlan(ctx, ptr, col)
		if err != nil {
			return err
		}
		gain := graphGain
		if f.n >= choleskyFrom { // most factors are those of convex problems then, which take half
			gain = 1
		}
		if bodies.Products() < gain*plan.Products() {
			if err := affordable(bodies, most); err != nil {
				return err
			}
			lu.layOut(bodies, ptr, col)
			f.Graph, f.Count = lu, bodies.Products()
			return nil
		}
	}
	if err := affordable(plan, most); err != nil {
		return err
	}
	if plan.Products() > frontsFrom*float64(plan.NNZ()) {
		f.fronts = &frontLU{factor.NewBlockLU(plan, c.Ptr[:f.n+1], c.Col)}
		return nil
	}
	f.perm, f.place = plan.Permutation(), make([]int32, f.n)
	for k, i := range f.perm {
		f.place[i] = int32(k)
	}
	f.fill(c, plan.NNZ())
	return nil
}

// surelyFree is the size of factors that any machine has the memory for [bytes].
const surelyFree = 256 << 20

// panelShare: panels and update matrices take no more than this many times the blocks that are not
// zero.
const panelShare = 8

// affordable refuses factors of more than most bytes, or than what is free if that is 0.
func affordable(plan *factor.BlockPlan, most int64) error {
	const block = 2 * 9 * 8 // of L and of U [bytes]
	limit := memory.Limit{Bytes: most, Source: "the limit given"}
	switch sparse := memory.Product(int64(plan.NNZ()), block); {
	case most == 0 && sparse <= surelyFree, sparse <= most/panelShare:
		return nil
	case most == 0:
		limit = memory.Free()
	}
	var need memory.Estimate
	need.Add("factors of the contacts", plan.Bytes())
	return limit.Check(need, "")
}

// full lays out dense factors in the given order, in three pieces of memory.
func (f *LU) full() {
	n := f.n
	m := n * (n - 1) / 2
	ints, mats := make([]int32, 4*n+2+2*m), make([]mat3, 2*n+2*m)
	take := func(k int) []int32 { x := ints[:k:k]; ints = ints[k:]; return x }
	f.perm, f.place, f.lPtr, f.uPtr = take(n), take(n), take(n+1), take(n+1)
	f.lCol, f.uCol = take(m)[:0], take(m)[:0]
	for i := range n {
		f.perm[i], f.place[i] = int32(i), int32(i)
		for k := range i {
			f.lCol = append(f.lCol, int32(k))
		}
		for k := i + 1; k < n; k++ {
			f.uCol = append(f.uCol, int32(k))
		}
		f.lPtr[i+1], f.uPtr[i+1] = int32(len(f.lCol)), int32(len(f.uCol))
	}
	f.work, f.inv = mats[:n:n], mats[n:2*n:2*n]
	f.lVal, f.uVal = mats[2*n:2*n+m:2*n+m], mats[2*n+m:]
	f.y = make([]vec3, n)
}

// fill finds the pattern of the factors of a sparse W, of about so many entries each.
func (f *LU) fill(c *Scaled, entries int) {
	n := f.n
	f.work, f.inv, f.y = make([]mat3, n), make([]mat3, n), make([]vec3, n)
	// Row i of the symmetrised pattern in elimination order, lower part; the
	// rows of L follow from the elimination tree.
	ptr, lower := f.symmetrised(c)
	ints := make([]int32, 4*n+2)
	parent, mark := ints[:n], ints[n:2*n]
	f.lPtr, f.uPtr = ints[2*n:3*n+1:3*n+1], ints[3*n+1:]
	f.lCol = make([]int32, 0, entries)
	for i := range n {
		parent[i], mark[i] = -1, int32(i)
		for _, k := range lower[ptr[i]:ptr[i+1]] {
			for ; mark[k] != int32(i); k = parent[k] {
				mark[k] = int32(i)
				f.lCol = append(f.lCol, k)
				f.uPtr[k+1]++
				if parent[k] < 0 {
					parent[k] = int32(i)
				}
			}
		}
		slices.Sort(f.lCol[f.lPtr[i]:])
		f.lPtr[i+1] = int32(len(f.lCol))
	}
	for i := range n {
		f.uPtr[i+1] += f.uPtr[i]
	}
	f.uCol = make([]int32, len(f.lCol))
	next := parent // which has done its duty
	copy(next, f.uPtr)
	for i := range n { // U has the transposed pattern, ascending in each row
		for _, k := range f.lCol[f.lPtr[i]:f.lPtr[i+1]] {
			f.uCol[next[k]] = int32(i)
			next[k]++
		}
	}
	f.lVal, f.uVal = make([]mat3, len(f.lCol)), make([]mat3, len(f.uCol))
}

// symmetrised is the lower part of the pattern of W + Wᵀ in elimination order, row by row.
func (f *LU) symmetrised(c *Scaled) (ptr, lower []int32) {
	ptr = make([]int32, c.Nc+1)
	each := func(do func(row, column int32)) {
		for i := range c.Nc {
			for _, j := range c.Col[c.Ptr[i]:c.Ptr[i+1]] {
				if a, b := f.place[i], f.place[j]; a != b {
					do(max(a, b), min(a, b))
				}
			}
		}
	}
	each(func(row, _ int32) { ptr[row+1]++ })
	for i := range c.Nc {
		ptr[i+1] += ptr[i]
	}
	lower = make([]int32, ptr[c.Nc])
	next := slices.Clone(ptr)
	each(func(row, column int32) {
		lower[next[row]] = column
		next[row]++
	})
	return ptr, lower
}

// Factor computes the factors of diag(e) W + diag(b). A nil e means the
// identity. Rows with e_i = 0 are those of contacts at rest in the air; they
// cost nothing. Once the context is done the factors are of no use: who asked looks at it.
func (f *LU) Factor(ctx context.Context, c *Scaled, e, b []mat3) {
	f.FactorOf(ctx, c, e, b, false)
}

// FactorOf is factor; convex says that b = 1 and that all e are symmetric and positive
// semidefinite. The determinant is positive then, and not for [LU.Negative].
func (f *LU) FactorOf(ctx context.Context, c *Scaled, e, b []mat3, convex bool) {
	if f.Graph != nil {
		f.b, f.c = b, c
		f.Graph.factor(ctx, c, e, b, convex)
		return
	}
	if f.fronts != nil {
		f.factorFronts(ctx, c, e, b)
		return
	}
	for i := range f.n {
		if i%rowsBetween == 0 && ctx.Err() != nil {
			clear(f.work) // it is zero between rows
			return
		}
		f.scatter(c, i, e, b)
		f.eliminate(i)
		f.pivot(i)
	}
}

// scatter expands row i of the matrix into work.
func (f *LU) scatter(c *Scaled, i int, e, b []mat3) {
	row := f.perm[i]
	if e == nil {
		for k := c.Ptr[row]; k < c.Ptr[row+1]; k++ {
			f.work[f.place[c.Col[k]]] = c.Blk[k]
		}
	} else if e[row] != (mat3{}) {
		for k := c.Ptr[row]; k < c.Ptr[row+1]; k++ {
			num.Mul3(&f.work[f.place[c.Col[k]]], &e[row], &c.Blk[k])
		}
	}
	d := &f.work[i]
	for k, v := range b[row] {
		d[k] += v
	}
}

// eliminate subtracts the rows above from row i, and stores its part of L.
func (f *LU) eliminate(i int) {
	for p := f.lPtr[i]; p < f.lPtr[i+1]; p++ {
		k := f.lCol[p]
		w, l := &f.work[k], &f.lVal[p]
		if *w == (mat3{}) {
			*l = mat3{}
			continue
		}
		num.Mul3(l, w, &f.inv[k])
		*w = mat3{}
		cols, vals := f.uCol[f.uPtr[k]:f.uPtr[k+1]], f.uVal[f.uPtr[k]:f.uPtr[k+1]]
		factor.SubProducts(f.work, cols, l, vals)
	}
}

// pivot inverts the diagonal block and stores row i of U.
func (f *LU) pivot(i int) {
	d := &f.work[i]
	invertPivot(&f.inv[i], d)
	*d = mat3{}
	for q := f.uPtr[i]; q < f.uPtr[i+1]; q++ {
		w := &f.work[f.uCol[q]]
		f.uVal[q], *w = *w, mat3{}
	}
}

// invertPivot sets dst = d⁻¹; it shifts a singular d until that works.
func invertPivot(dst, d *mat3) {
	for shift := 1e-12; !num.Invert3(dst, d) && shift < 1e3; shift *= 1e3 {
		d[0] += shift
		d[4] += shift
		d[8] += shift
	}
}

// factorFronts is factor by dense fronts.
func (f *LU) factorFronts(ctx context.Context, c *Scaled, e, b []mat3) {
	f.fronts.Clear()
	var v mat3
	for i := range f.n {
		for k := c.Ptr[i]; k < c.Ptr[i+1]; k++ {
			if v = c.Blk[k]; e != nil {
				num.Mul3(&v, &e[i], &c.Blk[k])
			}
			if k == c.Diag[i] {
				for l := range v {
					v[l] += b[i][l]
				}
			}
			f.fronts.Set(k, &v)
		}
	}
	f.fronts.Factor(ctx, invertPivot)
}

// Solve overwrites x with J⁻¹ x.
func (f *LU) Solve(x []vec3) {
	if f.Graph != nil {
		f.Graph.solve(f.c, f.b, x)
		return
	}
	if f.fronts != nil {
		f.fronts.Solve(x)
		return
	}
	for i := range f.n {
		s := x[f.perm[i]]
		for p := f.lPtr[i]; p < f.lPtr[i+1]; p++ {
			num.SubMulVec3(&s, &f.lVal[p], &f.y[f.lCol[p]])
		}
		f.y[i] = s
	}
	for i := f.n - 1; i >= 0; i-- {
		s := f.y[i]
		for q := f.uPtr[i]; q < f.uPtr[i+1]; q++ {
			num.SubMulVec3(&s, &f.uVal[q], &f.y[f.uCol[q]])
		}
		f.y[i] = num.MulVec3(&f.inv[i], &s)
		x[f.perm[i]] = f.y[i]
	}
}

// Negative reports whether the determinant of J is, as far as its sign can be told.
func (f *LU) Negative() bool {
	switch {
	case f.Graph != nil: // det J det M = det B' det(M + K D Kᵀ)
		return f.Graph.lu != nil && factor.OddNegative(f.Graph.inv) != f.Graph.lu.Negative()
	case f.fronts != nil:
		return f.fronts.Negative()
	}
	return factor.OddNegative(f.inv)
}
