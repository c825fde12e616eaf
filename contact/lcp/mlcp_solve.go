package lcp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
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

// MLCPResult is the answer of [SolveMLCP], filled on failure too.
type MLCPResult struct {
	Status     form.Status
	X, W       []float64 // n, rows
	Residual   float64   // [MLCP.Residual] of X
	Worst      int       // row with the largest residual, -1 if none
	Iterations int       // pivots of Lemke's method
	Nodes      int       // nodes of the branching search, 0 if it was not needed
	Solver     string
	// Farkas, if not empty, proves infeasibility: y with y_i ≥ 0 on the
	// complementary rows, (Mᵀy)_j = 0 on free and ≤ 0 on other columns, qᵀy < 0.
	Farkas []float64
}

// MLCPWorkspace is the memory of [SolveMLCP]. The zero value is ready.
type MLCPWorkspace struct {
	LCP LCPWorkspace // of the reduced problem

	reduction mlcpReduction
	lcp       LCP
	res       LCPResult
	lu        factors
	active    []int
	x, w      []float64
	mMax      float64
	tolerance float64
}

// SolveMLCP solves p by eliminating the free unknowns with complete pivoting,
// then [SolveLCP] on what is left. Where the free block is singular, the
// equations and free unknowns left over enter the LCP as pairs of inequalities
// and differences of nonnegative numbers, which is exact. The answer is
// improved by one solve with the active rows and checked against p itself.
// Verdicts are those of [SolveLCP]; ws may be nil.
func SolveMLCP(ctx context.Context, p *MLCP, o *form.Options, ws *MLCPWorkspace, res *MLCPResult) error {
	o, ws, res = num.OrNew(o), num.OrNew(ws), num.OrNew(res)
	if err := ws.begin(p, o, res); err != nil {
		return err
	}
	if ws.attempt(ctx, p, o, res, true) {
		return nil
	}
	if ctx.Err() == nil && ws.reduction.eliminated > 0 {
		// The pivots may have been unlucky: once more without elimination,
		// where a Farkas vector is one of p itself.
		if ws.attempt(ctx, p, o, res, false) {
			return nil
		}
	}
	return ws.verdict(ctx, p, res)
}

func (ws *MLCPWorkspace) begin(p *MLCP, o *form.Options, res *MLCPResult) error {
	if p == nil {
		return p.Validate()
	}
	rows, n := len(p.Q), len(p.Equality)
	*res = MLCPResult{X: num.Resized(res.X, n), W: num.Resized(res.W, rows), Farkas: res.Farkas[:0], Residual: math.Inf(1), Worst: -1}
	ws.mMax = num.InfNorm(p.M)
	if rows < n || len(p.M) != rows*n || !(ws.mMax <= math.MaxFloat64) || !(num.InfNorm(p.Q) <= math.MaxFloat64) {
		return p.Validate()
	}
	ws.tolerance = o.Tolerance
	if o.Tolerance == 0 {
		ws.tolerance = lcpTolerance
	}
	if !(ws.tolerance > 0 && ws.tolerance < 1) {
		return fmt.Errorf("contact: Options.Tolerance is %g, want a number in (0, 1)", o.Tolerance)
	}
	ws.x, ws.w = num.Resized(ws.x, n), num.Resized(ws.w, rows)
	return nil
}

// attempt solves the LCP of the reduction and takes its answer back to p.
func (ws *MLCPWorkspace) attempt(ctx context.Context, p *MLCP, o *form.Options, res *MLCPResult, eliminate bool) bool {
	r := &ws.reduction
	r.load(p, ws.mMax)
	if eliminate {
		r.eliminate()
	}
	r.leftovers()
	r.assemble(&ws.lcp)
	err := SolveLCP(ctx, &ws.lcp, o, &ws.LCP, &ws.res)
	res.Iterations += ws.res.Iterations
	res.Nodes += ws.res.Nodes
	if err != nil && len(ws.res.Z) < len(ws.lcp.Q) {
		res.Status = form.NumericalFailure // the reduced numbers are not finite
		return false
	}
	r.expand(ws.x, ws.res.Z)
	if ws.offer(p, res, ws.res.Solver) && res.Residual <= lcpExact {
		return true
	}
	if ws.solveActive(p) {
		ws.offer(p, res, ws.res.Solver)
	}
	if res.Status != form.Converged {
		res.Status = ws.res.Status
		if err == nil {
			res.Status = form.NumericalFailure // solved, but the way back lost the digits
		}
	}
	return res.Status == form.Converged
}

// offer keeps ws.x in res if it is the best so far.
func (ws *MLCPWorkspace) offer(p *MLCP, res *MLCPResult, solver string) bool {
	for i, free := range p.Equality {
		if !free {
			ws.x[i] = max(ws.x[i], 0)
		}
	}
	p.slack(ws.w, ws.x)
	residual, worst := p.residual(ws.x, ws.w, ws.mMax)
	if residual < res.Residual {
		copy(res.X, ws.x)
		copy(res.W, ws.w)
		res.Residual, res.Worst, res.Solver = residual, worst, solver
	}
	if res.Residual <= ws.tolerance {
		res.Status = form.Converged
	}
	return res.Status == form.Converged
}

// solveActive corrects ws.x by one Newton step for the equations and the rows
// with x_i > 0, for square regular systems only.
func (ws *MLCPWorkspace) solveActive(p *MLCP) bool {
	n := len(p.Equality)
	if len(p.Q) != n {
		return false
	}
	ws.active = ws.active[:0]
	for i, free := range p.Equality {
		if free || ws.x[i]*ws.mMax > ws.w[i] {
			ws.active = append(ws.active, i)
		} else {
			ws.x[i] = 0
		}
	}
	p.slack(ws.w, ws.x)
	x := principal(&ws.lu, p.M, ws.w, ws.active)
	if !ws.lu.Factor() {
		return false
	}
	ws.lu.Solve(x)
	for r, i := range ws.active {
		ws.x[i] += x[r]
	}
	return true
}

// verdict finishes a failure; infeasibility without a certificate in terms of
// p counts only if the search has shown it.
func (ws *MLCPWorkspace) verdict(ctx context.Context, p *MLCP, res *MLCPResult) error {
	var cause error
	if res.Status == form.Infeasible && len(ws.res.Farkas) > 0 {
		res.Farkas = ws.reduction.farkas(res.Farkas[:0], p, ws.res.Farkas)
		cause = errors.New("the equations and inequalities contradict each other, the Farkas vector shows it")
	} else if res.Status == form.Infeasible {
		cause = fmt.Errorf("none of the complementary bases is feasible, shown in %d nodes", res.Nodes)
	}
	if ctx.Err() != nil {
		res.Status, cause = form.Canceled, form.CauseOf(ctx)
	}
	return &form.Error{Status: res.Status, Merit: res.Residual, Tolerance: ws.tolerance, Iterations: res.Iterations,
		Worst: -1, Solver: res.Solver, Cause: cause}
}
