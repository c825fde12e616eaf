package lcp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// MLCP is the mixed linear complementarity problem
//
//	w = M x + q,   w_i = 0 with x_i free       where Equality[i],
//	               0 ≤ x_i ⊥ w_i ≥ 0           elsewhere.
//
// M may have more rows than columns: the rows from n = len(Equality) on are
// further equations w_i = 0.
type MLCP struct {
	M        []float64 // rows×n, row by row
	Q        []float64 // rows
	Equality []bool    // n
}

// BlockMLCP assembles the block form A u + C v + a = 0, 0 ≤ v ⊥ D u + B v + b ≥ 0.
// Matrices are stored row by row; A has len(a) ≥ nu rows. The unknown of the
// result is (u, v), and rows of A beyond nu come last.
func BlockMLCP(nu int, a, c, d, b, aRHS, bRHS []float64) *MLCP {
	ne, m := len(aRHS), len(bRHS)
	n := nu + m
	if ne < nu || len(a) != ne*nu || len(c) != ne*m || len(d) != m*nu || len(b) != m*m {
		panic("contact: BlockMLCP: sizes of the blocks do not agree")
	}
	p := &MLCP{M: make([]float64, 0, (ne+m)*n), Equality: make([]bool, n)}
	equation := func(i int) {
		p.M = append(append(p.M, a[i*nu:(i+1)*nu]...), c[i*m:(i+1)*m]...)
		p.Q = append(p.Q, aRHS[i])
	}
	for i := range nu {
		p.Equality[i] = true
		equation(i)
	}
	for i := range m {
		p.M = append(append(p.M, d[i*nu:(i+1)*nu]...), b[i*m:(i+1)*m]...)
		p.Q = append(p.Q, bRHS[i])
	}
	for i := nu; i < ne; i++ {
		equation(i)
	}
	return p
}

// Validate checks the sizes and that every number is finite.
func (p *MLCP) Validate() error {
	if p == nil {
		return errors.New("contact: a problem is required")
	}
	rows, n := len(p.Q), len(p.Equality)
	if rows < n || len(p.M) != rows*n {
		return fmt.Errorf("contact: MLCP: M has %d entries, Q %d, Equality %d; want M %d×%d with no fewer rows than columns", len(p.M), rows, n, rows, n)
	}
	return errors.Join(form.Finite("M", p.M), form.Finite("Q", p.Q))
}

// equation reports whether row i is an equation.
func (p *MLCP) equation(i int) bool { return i >= len(p.Equality) || p.Equality[i] }

// slack overwrites w with M x + q and returns it; a nil w allocates.
func (p *MLCP) slack(w, x []float64) []float64 {
	n := len(p.Equality)
	if w == nil {
		w = make([]float64, len(p.Q))
	}
	for i := range w {
		s := p.Q[i]
		for j, v := range p.M[i*n : i*n+n] {
			s += v * x[j]
		}
		w[i] = s
	}
	return w
}

// Residual returns the largest of |w_i|/s_w over the equations and of
// |min(x_i/s_x, w_i/s_w)| over the other rows [-], and its row, with the scales
// of [LCP.Residual].
func (p *MLCP) Residual(x []float64) (residual float64, worst int) {
	return p.residual(x, p.slack(nil, x), num.InfNorm(p.M))
}

func (p *MLCP) residual(x, w []float64, mMax float64) (residual float64, worst int) {
	sw, sx := lcpScales(num.InfNorm(p.Q), mMax)
	worst = -1
	for i, v := range w {
		e := math.Abs(v / sw)
		if !p.equation(i) {
			e = math.Abs(min(x[i]/sx, v/sw))
		}
		if !(e <= math.MaxFloat64) {
			return math.Inf(1), i
		}
		if e > residual {
			residual, worst = e, i
		}
	}
	return residual, worst
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
	k := len(ws.active)
	a, x := ws.lu.Resize(k)
	for r, i := range ws.active {
		for c, j := range ws.active {
			a[r*k+c] = p.M[i*n+j]
		}
		x[r] = -ws.w[i]
	}
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
	return &form.Error{Status: res.Status, Merit: res.Residual, Tolerance: ws.tolerance, Iterations: res.Iterations, Worst: -1, Solver: res.Solver, Cause: cause}
}
