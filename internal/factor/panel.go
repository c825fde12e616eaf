package factor

import "math"

// leaf is the width of the column blocks that are factored without blocking.
const leaf = 4

// block is the width of the column blocks that are factored a chunk of rows at a time, which stays in the cache
// through all its leaves: rows of a wide panel lie a page or more apart.
const block = 64

// chunk is the number of rows that one goroutine takes at a time. One alone takes
// them so too: a swapped BLAS then sees the same products, and gives the same
// bits, whatever the number of workers.
const chunk = strip

// panel is the part of a front that is eliminated: m rows by k columns, the
// upper k×k of it the diagonal block. limit holds, for each column, the
// largest pivot that does not count as positive.
type panel struct {
	matrix
	m, k  int
	limit []float64
	ends  []int32 // of runs, see extendAdd
}

// factor overwrites the panel by L: L Lᵀ for its diagonal block, then the rows
// below times L⁻ᵀ. It returns the first column whose pivot is not positive,
// with that pivot, or -1. Halving the columns makes all but the leaves products.
func (p *panel) factor(team *team) (int, float64) { return p.halve(0, p.k, team) }

func (p *panel) halve(lo, hi int, team *team) (int, float64) {
	if hi-lo <= block {
		if col, pivot := p.diagonal(lo, hi); col >= 0 {
			return col, pivot
		}
		team.rows(rowJob{kind: solveRows, panel: p, lo: lo, hi: hi}, hi, p.m, (hi-lo)*(hi-lo))
		return -1, 0
	}
	mid := middle(lo, hi)
	if col, pivot := p.halve(lo, mid, team); col >= 0 {
		return col, pivot
	}
	team.rows(rowJob{kind: updateRows, panel: p, lo: lo, mid: mid, hi: hi}, mid, p.m, 2*(mid-lo)*(hi-mid))
	return p.halve(mid, hi, team)
}

// middle is where the columns lo to hi are halved, by whole leaves.
func middle(lo, hi int) int { return lo + (hi-lo+leaf)/(2*leaf)*leaf }

// diagonal factors the block of the columns and rows lo to hi.
func (p *panel) diagonal(lo, hi int) (int, float64) {
	if hi-lo > leaf {
		mid := middle(lo, hi)
		if col, pivot := p.diagonal(lo, mid); col >= 0 {
			return col, pivot
		}
		p.solve(lo, mid, mid, hi)
		p.update(lo, mid, hi, mid, hi)
		return p.diagonal(mid, hi)
	}
	for i := lo; i < hi; i++ {
		row := p.v[i*p.ld+lo : i*p.ld+hi]
		for j := lo; j <= i; j++ {
			other := p.v[j*p.ld+lo : j*p.ld+hi]
			sum := row[j-lo]
			for l := range j - lo {
				sum -= row[l] * other[l]
			}
			if j < i {
				row[j-lo] = sum / other[j-lo]
				continue
			}
			if !(sum > p.limit[i]) { // so written, a NaN fails too
				return i, sum
			}
			row[i-lo] = math.Sqrt(sum)
		}
	}
	return -1, 0
}

// solve computes X = B L⁻ᵀ in the columns lo to hi of the rows from to end.
func (p *panel) solve(lo, hi, from, end int) {
	switch {
	case hi-lo > leaf:
		mid := middle(lo, hi)
		p.solve(lo, mid, from, end)
		p.update(lo, mid, hi, from, end)
		p.solve(mid, hi, from, end)
		return
	case hi-lo == leaf:
		p.solveLeaf(lo, from, end)
		return
	}
	for i := from; i < end; i++ {
		row := p.v[i*p.ld+lo : i*p.ld+hi]
		for j := range row {
			other := p.v[(lo+j)*p.ld+lo:]
			other = other[:j+1]
			sum := row[j]
			for l, v := range other[:j] {
				sum -= v * row[l]
			}
			row[j] = sum / other[j]
		}
	}
}

// solveLeaf is solve for a whole leaf, whose triangle fits the registers.
func (p *panel) solveLeaf(lo, from, end int) {
	l := func(i, j int) float64 { return p.v[(lo+i)*p.ld+lo+j] }
	l10, l20, l30, l21, l31, l32 := l(1, 0), l(2, 0), l(3, 0), l(2, 1), l(3, 1), l(3, 2)
	r0, r1, r2, r3 := 1/l(0, 0), 1/l(1, 1), 1/l(2, 2), 1/l(3, 3)
	for i := from; i < end; i++ {
		row := p.v[i*p.ld+lo : i*p.ld+lo+leaf]
		x0 := row[0] * r0
		x1 := (row[1] - l10*x0) * r1
		x2 := (row[2] - l20*x0 - l21*x1) * r2
		x3 := (row[3] - l30*x0 - l31*x1 - l32*x2) * r3
		row[0], row[1], row[2], row[3] = x0, x1, x2, x3
	}
}

// update subtracts from the columns mid to hi what the columns lo to mid, now
// final, contribute, in the rows from to end, up to the diagonal.
func (p *panel) update(lo, mid, hi, from, end int) {
	subMulTrans(p.from(from, mid), p.from(from, lo), p.from(mid, lo), end-from, hi-mid, mid-lo, from-mid)
}
