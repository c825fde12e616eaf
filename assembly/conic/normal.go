package conic

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// A normal is N = A W⁻² Aᵀ with its factors.
type normal struct {
	groups []group
	dim    []int
	scales []scaling
	sum    *sparse.Sym
	factor factor.Factor
	shift  float64 // share by which the diagonal is enlarged
	column []float64
	block  []float64
	local  []float64
	middle []float64
	rest   []float64
	step   []float64
	way    []float64
	best   []float64
	wide   []wide
}

// A wide is a cone whose columns touch so many rows that N with it would be dense: it is left out of the sum, and each
// column b of A W⁻¹ comes back by the formula of Sherman and Morrison, (N + b bᵀ)⁻¹ = N⁻¹ − z zᵀ/(1 + bᵀz) with
// z = N⁻¹ b.
type wide struct {
	group  *group
	column int
	b, z   []float64
	share  float64 // 1/(1 + bᵀz)
}

func newNormal(a *Matrix, first, dim []int, scales []scaling) *normal {
	n := &normal{shift: 1e-12, groups: groupsOf(a, first, dim), dim: dim, scales: scales,
		rest: make([]float64, a.Rows), step: make([]float64, a.Rows), way: make([]float64, a.Rows), best: make([]float64, a.Rows)}
	touched := make([]int, a.Rows)
	rows, cols := 0, 0
	for i := range n.groups {
		g := &n.groups[i]
		rows, cols = max(rows, len(g.rows)), max(cols, g.cols)
		for _, row := range g.rows {
			touched[row]++
		}
	}
	n.local, n.middle, n.column, n.block = make([]float64, rows), make([]float64, cols), make([]float64, cols), make([]float64, 0)
	builder := sparse.NewBuilder(a.Rows)
	for i := range n.groups {
		g := &n.groups[i]
		if n.leaveOut(g, touched) {
			continue
		}
		if len(g.rows)*g.cols > len(n.block) {
			n.block = make([]float64, len(g.rows)*g.cols)
		}
		for i, row := range g.rows {
			for _, col := range g.rows[:i+1] {
				builder.Add(row, col)
			}
		}
	}
	n.sum = builder.Build()
	for i := range n.groups {
		g := &n.groups[i]
		if n.wideGroup(g) {
			continue
		}
		g.places = make([]int, 0, len(g.rows)*(len(g.rows)+1)/2)
		for i, row := range g.rows {
			for _, col := range g.rows[:i+1] {
				g.places = append(g.places, n.sum.Index(row, col))
			}
		}
	}
	n.factor = factor.Analyse(n.sum, factor.Options{PivotTolerance: 1e-300})
	return n
}

// leaveOut makes wide columns of a group of many rows that all have entries of others: without, N would have a row of almost
// nothing, and z would lose its digits. Of 200 rows the factorisation of a dense block costs about what the formula does, a product
// and some solves with factors of some 100,000 entries.
func (n *normal) leaveOut(g *group, touched []int) bool {
	if len(g.rows) <= 200 {
		return false
	}
	for _, row := range g.rows {
		if touched[row] < 2 {
			return false
		}
	}
	for c := range g.cols {
		n.wide = append(n.wide, wide{group: g, column: c, b: make([]float64, len(n.rest)), z: make([]float64, len(n.rest))})
	}
	return true
}

func (n *normal) wideGroup(g *group) bool {
	for k := range n.wide {
		if n.wide[k].group == g {
			return true
		}
	}
	return false
}

// refactor sums A W⁻² Aᵀ = (A W⁻¹)(A W⁻¹)ᵀ and factorises it. Each diagonal entry is enlarged by a
// little, so that dependent rows pass; solve takes the error back.
func (n *normal) refactor() error {
	n.sum.Zero()
	for i := range n.groups {
		if g := &n.groups[i]; g.places != nil {
			n.add(g)
		}
	}
	largest := n.sum.MaxDiagonal()
	for shift := n.shift; ; shift *= 100 {
		for j := range n.sum.N {
			p := n.sum.Ptr[j]
			n.sum.Val[p] += shift * (n.sum.Val[p] + 1e-6*largest)
		}
		err := n.factor.Refactor(n.sum)
		if err == nil {
			n.widen()
		}
		if err == nil || shift > 1e-6 {
			return err
		}
	}
}

// scaledRow sets dst to row i of the columns of a group times W⁻¹.
func (n *normal) scaledRow(dst []float64, g *group, i int) {
	m, at := len(g.rows), 0
	for k := g.first; k < g.end; k++ {
		d := n.dim[k]
		part := dst[at : at+d]
		for c := range part {
			part[c] = g.dense[(at+c)*m+i]
		}
		n.scales[k].applyInverse(part, part)
		at += d
	}
}

func (n *normal) add(g *group) {
	m, d := len(g.rows), g.cols
	block := n.block[:m*d]
	for i := range m {
		n.scaledRow(block[i*d:i*d+d], g, i)
	}
	p := 0
	for i := range m {
		row := block[i*d : i*d+d]
		for j := 0; j <= i; j++ {
			n.sum.Val[g.places[p]] += dot(row, block[j*d:j*d+d])
			p++
		}
	}
}

// product sets dst = N y.
func (n *normal) product(dst, y []float64) {
	clear(dst)
	for i := range n.groups {
		g := &n.groups[i]
		local, x := g.gather(n.local, y), n.middle[:g.cols]
		g.transposed(x, local)
		at := 0
		for k := g.first; k < g.end; k++ {
			part := x[at : at+n.dim[k]]
			n.scales[k].applyInverse(part, part)
			n.scales[k].applyInverse(part, part)
			at += n.dim[k]
		}
		g.addProduct(dst, x, n.local)
	}
}

// mulVec sets dst = A x.
func (n *normal) mulVec(dst, x []float64) {
	clear(dst)
	for i := range n.groups {
		g := &n.groups[i]
		g.addProduct(dst, x[g.at:g.at+g.cols], n.local)
	}
}

// mulTransVec sets dst = Aᵀy.
func (n *normal) mulTransVec(dst, y []float64) {
	for i := range n.groups {
		g := &n.groups[i]
		g.transposed(dst[g.at:g.at+g.cols], g.gather(n.local, y))
	}
}

// solve sets dst = N⁻¹ b by conjugate gradients; the factors of
// the shifted N are the preconditioner. Eigenvalues of the quotient are 1, but for the few that are
// not above the shift: a few steps do. What is best is kept, as where N is singular the rest may grow; where it does so
// from the first step on, that step is it: the least squares of the shifted N.
func (n *normal) solve(dst, b []float64) {
	clear(dst)
	copy(n.rest, b)
	target := 1e-8 * largest(b) // what x misses then is taken back by correct, and s has none of it
	best, power := math.Inf(1), 0.
	for k := range 12 { // more than the small eigenvalues that were met
		size := largest(n.rest)
		if size < best || k == 1 {
			best = size
			copy(n.best, dst)
		}
		if !(size > target) || !(size < 1e3*best) {
			break
		}
		n.precondition(n.step, n.rest)
		next := dot(n.rest, n.step)
		if !(next > 0) {
			break
		}
		for i := range n.way {
			if k == 0 {
				n.way[i] = n.step[i]
			} else {
				n.way[i] = n.step[i] + next/power*n.way[i]
			}
		}
		power = next
		n.product(n.step, n.way)
		curve := dot(n.way, n.step)
		if !(curve > 0) {
			break
		}
		addTo(dst, n.way, power/curve)
		addTo(n.rest, n.step, -power/curve)
	}
	copy(dst, n.best)
}

// widen finds b = A W⁻¹ of the wide columns, one after another, and what their formulas need.
func (n *normal) widen() {
	for k := range n.wide {
		w := &n.wide[k]
		for i, row := range w.group.rows {
			n.scaledRow(n.column[:w.group.cols], w.group, i)
			w.b[row] = n.column[w.column]
		}
		n.through(w.z, w.b, n.wide[:k])
		w.share = 1 / (1 + dot(w.b, w.z))
	}
}

// precondition sets dst to the product of b with the inverse of all that is summed, up to the shift.
func (n *normal) precondition(dst, b []float64) { n.through(dst, b, n.wide) }

func (n *normal) through(dst, b []float64, all []wide) {
	n.factor.Solve(dst, b)
	for k := range all {
		addTo(dst, all[k].z, -all[k].share*dot(all[k].z, b))
	}
}
