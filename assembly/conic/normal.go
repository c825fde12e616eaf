package conic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// A normal is N = A W⁻² Aᵀ with its factors: a dense block for each cone, of the rows that its
// columns touch.
type normal struct {
	sum    *sparse.Sym
	factor factor.Factor
	rows   [][]int     // of each cone
	dense  [][]float64 // columns of the cone in these rows, one after another
	places [][]int     // of the lower triangle of the block in sum.Val
	column []float64
	shift  float64 // share by which the diagonal is enlarged
	block  []float64
	rest   []float64
	step   []float64
	way    []float64
	best   []float64
	wide   []wide
}

// A wide is a half-line whose column touches so many rows that N with it would be dense: it is left out of the sum,
// and comes back by the formula of Sherman and Morrison, (N + b bᵀ)⁻¹ = N⁻¹ − z zᵀ/(1 + bᵀz) with z = N⁻¹ b. Round
// cones stay: at their boundary N without them has a row of almost nothing, and z loses its digits.
type wide struct {
	cone  int
	b, z  []float64
	share float64 // 1/(1 + bᵀz)
}

// manyRows is from where on a column is wide: 1,000 rows are 8 MB of N and a third of a second of its factorisation.
const manyRows = 1000

func newNormal(a *Matrix, first, dim []int) *normal {
	n := &normal{shift: 1e-12, rest: make([]float64, a.Rows), step: make([]float64, a.Rows),
		way: make([]float64, a.Rows), best: make([]float64, a.Rows)}
	builder := sparse.NewBuilder(a.Rows)
	widest, largest := 0, 0
	for k, d := range dim {
		var rows []int
		for j := first[k]; j < first[k]+d; j++ {
			rows = append(rows, a.Row[a.Ptr[j]:a.Ptr[j+1]]...)
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
		isWide := d == 1 && len(rows) > manyRows
		if isWide {
			n.wide = append(n.wide, wide{cone: k, b: make([]float64, a.Rows), z: make([]float64, a.Rows)})
		}
		dense := make([]float64, len(rows)*d)
		for c := range d {
			for p := a.Ptr[first[k]+c]; p < a.Ptr[first[k]+c+1]; p++ {
				at, _ := slices.BinarySearch(rows, a.Row[p])
				dense[c*len(rows)+at] += a.Val[p]
			}
		}
		for i, row := range rows {
			if isWide {
				builder.Add(row, row)
				continue
			}
			for _, col := range rows[:i+1] {
				builder.Add(row, col)
			}
		}
		n.rows, n.dense = append(n.rows, rows), append(n.dense, dense)
		widest, largest = max(widest, d), max(largest, len(rows)*d)
	}
	n.sum = builder.Build()
	for k, rows := range n.rows {
		if dim[k] == 1 && len(rows) > manyRows {
			n.places = append(n.places, nil)
			continue
		}
		places := make([]int, 0, len(rows)*(len(rows)+1)/2)
		for i, row := range rows {
			for _, col := range rows[:i+1] {
				places = append(places, n.sum.Index(row, col))
			}
		}
		n.places = append(n.places, places)
	}
	n.column, n.block = make([]float64, widest), make([]float64, largest)
	n.factor = factor.Analyse(n.sum, factor.Options{PivotTolerance: 1e-300})
	return n
}

// refactor sums A W⁻² Aᵀ = (A W⁻¹)(A W⁻¹)ᵀ and factorises it. Each diagonal entry is enlarged by a
// little, so that dependent rows pass; solve takes the error back.
func (n *normal) refactor(scales []scaling) error {
	n.sum.Zero()
	for k := range scales {
		if n.places[k] != nil || len(n.rows[k]) == 0 {
			n.add(k, &scales[k])
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
			n.widen(scales)
		}
		if err == nil || shift > 1e-6 {
			return err
		}
	}
}

func (n *normal) add(k int, g *scaling) {
	rows, d := n.rows[k], len(g.w)
	m := len(rows)
	block := n.block[:m*d]
	for i := range m {
		for c := range d {
			n.column[c] = n.dense[k][c*m+i]
		}
		g.applyInverse(block[i*d:i*d+d], n.column[:d])
	}
	p := 0
	for i := range m {
		for j := 0; j <= i; j++ {
			n.sum.Val[n.places[k][p]] += dot(block[i*d:i*d+d], block[j*d:j*d+d])
			p++
		}
	}
}

// solve sets dst = N⁻¹ b by conjugate gradients with the product with N that is given; the factors of
// the shifted N are the preconditioner. Eigenvalues of the quotient are 1, but for the few that are
// not above the shift: a few steps do. What is best is kept, as where N is singular the rest may grow.
func (n *normal) solve(dst, b []float64, product func(dst, y []float64)) {
	clear(dst)
	copy(n.rest, b)
	target := 1e-12 * largest(b) // what x misses then is taken back by correct
	best, power := math.Inf(1), 0.
	for k := range 12 { // more than the small eigenvalues that were met
		size := largest(n.rest)
		if size < best {
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
		product(n.step, n.way)
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
func (n *normal) widen(scales []scaling) {
	for k := range n.wide {
		w := &n.wide[k]
		for i, row := range n.rows[w.cone] {
			w.b[row] = n.dense[w.cone][i] / scales[w.cone].eta
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
