package lcp

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

// mlcpReduction takes a mixed problem to an LCP. It is a tableau of the rows
// [M | q], on which the free unknowns are eliminated one by one.
type mlcpReduction struct {
	n, rows    int
	t          []float64 // rows×(n+1)
	rowScale   []float64 // rows; powers of two, so that scaling is exact
	colScale   []float64 // n
	done       []bool    // rows used as pivots
	gone       []bool    // columns eliminated
	pivotRow   []int     // in order of elimination
	pivotCol   []int
	comp       []int // complementary indices
	eq, free   []int // equations and free unknowns left over
	isEquation []bool
	isFree     []bool
	eliminated int
}

// mlcpRank is the pivot, relative to entries of order 1, below which the free
// block counts as singular. A wrong decision costs accuracy only: what is left
// over goes into the LCP exactly.
const mlcpRank = 1e-9

func (r *mlcpReduction) load(p *MLCP, mMax float64) {
	r.rows, r.n = len(p.Q), len(p.Equality)
	r.t = num.Resized(r.t, r.rows*(r.n+1))
	r.rowScale, r.colScale = num.Resized(r.rowScale, r.rows), num.Resized(r.colScale, r.n)
	r.done, r.gone = num.Resized(r.done, r.rows), num.Resized(r.gone, r.n)
	r.isEquation, r.isFree = num.Resized(r.isEquation, r.rows), num.Resized(r.isFree, r.n)
	r.pivotRow, r.pivotCol, r.comp = r.pivotRow[:0], r.pivotCol[:0], r.comp[:0]
	r.eliminated = 0
	copy(r.isFree, p.Equality)
	for i := range r.rows {
		r.isEquation[i] = p.equation(i)
		if !r.isEquation[i] {
			r.comp = append(r.comp, i)
		}
	}
	r.scale(p)
	for i := range r.rows {
		row := r.row(i)
		for j := range r.n {
			row[j] = p.M[i*r.n+j] * r.rowScale[i] * r.colScale[j]
		}
		row[r.n] = p.Q[i] * r.rowScale[i]
	}
}

// scale brings the largest entry of every equation and of every free column
// near 1. The complementary rows keep a common unit; [SolveLCP] scales them.
func (r *mlcpReduction) scale(p *MLCP) {
	common := inversePower(num.InfNorm(p.M))
	for i := range r.rows {
		r.rowScale[i] = common
		if r.isEquation[i] {
			r.rowScale[i] = inversePower(num.InfNorm(p.M[i*r.n : i*r.n+r.n]))
		}
	}
	for j := range r.n {
		r.colScale[j] = 1
		if !r.isFree[j] {
			continue
		}
		largest := 0.0
		for i := range r.rows {
			largest = max(largest, math.Abs(p.M[i*r.n+j])*r.rowScale[i])
		}
		r.colScale[j] = inversePower(largest)
	}
}

func (r *mlcpReduction) row(i int) []float64 {
	return r.t[i*(r.n+1) : (i+1)*(r.n+1)]
}

// eliminate solves equations for free unknowns by Gauss-Jordan elimination
// with complete pivoting, as far as the rank allows.
func (r *mlcpReduction) eliminate() {
	for {
		pr, pc := r.largestPivot()
		if pr < 0 {
			return
		}
		pivot := r.row(pr)
		inv := 1 / pivot[pc]
		for j := range pivot {
			pivot[j] *= inv
		}
		pivot[pc] = 1
		for i := range r.rows {
			row := r.row(i)
			f := row[pc]
			if i == pr || f == 0 {
				continue
			}
			for j, v := range pivot {
				row[j] -= f * v
			}
			row[pc] = 0
		}
		r.done[pr], r.gone[pc] = true, true
		r.pivotRow, r.pivotCol = append(r.pivotRow, pr), append(r.pivotCol, pc)
		r.eliminated++
	}
}

func (r *mlcpReduction) largestPivot() (pr, pc int) {
	best := mlcpRank
	pr, pc = -1, -1
	for i := range r.rows {
		if !r.isEquation[i] || r.done[i] {
			continue
		}
		for j, v := range r.row(i)[:r.n] {
			if r.isFree[j] && !r.gone[j] && math.Abs(v) > best {
				best, pr, pc = math.Abs(v), i, j
			}
		}
	}
	return pr, pc
}

// leftovers lists the equations and free unknowns that elimination has left,
// without those that are zero: 0 = 0 and an unknown that appears nowhere.
func (r *mlcpReduction) leftovers() {
	r.eq, r.free = r.eq[:0], r.free[:0]
	for i := range r.rows {
		if r.isEquation[i] && !r.done[i] && num.InfNorm(r.row(i)) > 0 {
			r.eq = append(r.eq, i)
		}
	}
	for j := range r.n {
		if !r.isFree[j] || r.gone[j] {
			continue
		}
		for i := range r.rows {
			if !r.done[i] && r.row(i)[j] != 0 {
				r.free = append(r.free, j)
				break
			}
		}
	}
}

// assemble writes the LCP in (v, s⁺, s⁻) with the rows (w, F, −F): an equation
// F = 0 is F ≥ 0 and −F ≥ 0, a free unknown is s⁺ − s⁻. Equations and unknowns
// are paired as they come; where one kind is fewer, zeros fill up.
func (r *mlcpReduction) assemble(p *LCP) {
	m, k := len(r.comp), max(len(r.eq), len(r.free))
	n := m + 2*k
	p.M, p.Q = num.Resized(p.M, n*n), num.Resized(p.Q, n)
	for a, i := range r.comp {
		r.assembleRow(p.M[a*n:], i, 1)
		p.Q[a] = r.row(i)[r.n]
	}
	for a, i := range r.eq {
		plus, minus := m+a, m+k+a
		r.assembleRow(p.M[plus*n:], i, 1)
		r.assembleRow(p.M[minus*n:], i, -1)
		p.Q[plus], p.Q[minus] = r.row(i)[r.n], -r.row(i)[r.n]
	}
}

func (r *mlcpReduction) assembleRow(dst []float64, i int, sign float64) {
	m, k := len(r.comp), max(len(r.eq), len(r.free))
	row := r.row(i)
	for b, j := range r.comp {
		dst[b] = sign * row[j]
	}
	for b, j := range r.free {
		dst[m+b], dst[m+k+b] = sign*row[j], -sign*row[j]
	}
}

// expand overwrites x with the unknowns of the mixed problem.
func (r *mlcpReduction) expand(x, z []float64) {
	m, k := len(r.comp), max(len(r.eq), len(r.free))
	clear(x)
	for a, j := range r.comp {
		x[j] = z[a]
	}
	for b, j := range r.free {
		x[j] = z[m+b] - z[m+k+b]
	}
	for e, i := range r.pivotRow {
		row := r.row(i)
		s := row[r.n]
		for j, v := range row[:r.n] {
			if !r.gone[j] {
				s += v * x[j]
			}
		}
		x[r.pivotCol[e]] = 0 - s // no −0
	}
	for j := range x {
		x[j] *= r.colScale[j]
	}
}

// farkas turns the Farkas vector of the LCP into one of p; nil if equations
// were eliminated, whose multipliers are then not known.
func (r *mlcpReduction) farkas(dst []float64, p *MLCP, y []float64) []float64 {
	if r.eliminated > 0 {
		return dst[:0]
	}
	m, k := len(r.comp), max(len(r.eq), len(r.free))
	dst = append(dst[:0], make([]float64, len(p.Q))...)
	for a, i := range r.comp {
		dst[i] = y[a] * r.rowScale[i]
	}
	for a, i := range r.eq {
		dst[i] = (y[m+a] - y[m+k+a]) * r.rowScale[i]
	}
	return dst
}
