package convex

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/contact/local"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// Condensed solves [form.Global] problems that share M and H, on the unknowns
// y = Hᵀv of the contacts alone. With W = HᵀM⁻¹H and S = W⁻¹, once per run,
//
//	S y = S HᵀM⁻¹f + r,   u = y + w,   a law between u and r,
//
// and v = M⁻¹(f + Hr) afterwards: a step costs two solves with the factors of M
// and a dense problem in the contacts. S is what static condensation leaves of
// M. The columns of H must be independent (two contacts on one node of the plane
// are not); a column that is zero, the tangent of a bar, takes no part. Where active
// sets fail and globalised methods take over, these need up to 50n² bytes for n
// columns beyond what [CondensedPlan.Memory] says.
// Not safe for concurrent use.
type Condensed struct {
	m      *sparse.Sym
	h      *form.Jacobian
	factor solver
	schur  halved    // the same with many contacts, else nil
	low    []float64 // L⁻¹f by them
	column []int     // of H, that are not zero
	w      []float64 // W of these columns, dense, row by row
	small  form.Global
	ws     Workspace
	check  Workspace // vectors for the residual of the whole problem
	rhs, v []float64 // nv
	free   []float64 // HᵀM⁻¹f, dim·nc
	y      []float64 // of the columns
	delta  form.Result
	local  *local.Workspace
	dense  *form.Dense
	newton *activeSet // few contacts; nil where columns are missing
	primal *primalSet // many contacts
	held   []float64  // stiffness of the springs of CondenseHeld, by column; nil: there are none
	last   []float64  // reactions of the last solve; empty before the first
	start  []float64  // scratch
}

// NewCondensed factorises M and condenses it. With few contacts that costs one
// solve for each column of H and n³ operations for n columns; with many, if each
// column of H is one dof, the n³ alone. If M is not positive definite the error
// wraps an *[form.IndefiniteError]; when the context is done it wraps the cause.
func NewCondensed(ctx context.Context, m *sparse.Sym, h *form.Jacobian) (*Condensed, error) {
	p, err := PlanCondensed(ctx, m, h)
	if err != nil {
		return nil, err
	}
	return p.Condense(ctx, m, h)
}

// condenseMany takes S from a factorisation of m with the contacts last.
func (c *Condensed) condenseMany(ctx context.Context, plan *factor.SchurPlan, m *sparse.Sym) error {
	f, err := plan.FactorContext(ctx, m)
	if err != nil {
		return fmt.Errorf("contact: condensation: M: %w", form.Indefinite(err))
	}
	c.factor, c.schur, c.low = f, f, make([]float64, m.N)
	s, n := f.Complement(), c.h.Dim*c.h.Contacts()
	for k, spring := range c.held {
		s[k*n+k] -= spring
	}
	c.primal = newPrimalSet(c.h.Dim, c.h.Contacts(), s, c.held != nil)
	c.column, c.y, c.small.F = make([]int, n), make([]float64, n), make([]float64, n)
	small := &form.Jacobian{Dim: c.h.Dim, Rows: n, Ptr: []int{0}}
	for k := range n {
		c.column[k] = k
		unit := make([]float64, c.h.Dim)
		unit[k%c.h.Dim] = 1
		small.Row, small.Val = append(small.Row, k), append(small.Val, unit...)
		if (k+1)%c.h.Dim == 0 {
			small.Ptr = append(small.Ptr, k+1)
		}
	}
	c.small.H = small
	return nil
}

// residualVectors sizes what residual needs, without analysing M + HDHᵀ.
func (ws *Workspace) residualVectors(m *sparse.Sym, h *form.Jacobian) {
	nc := h.Contacts()
	ws.m, ws.h = m, h
	ws.grad, ws.rho = make([]float64, m.N), make([]float64, nc)
	ws.u, ws.trial, ws.p = make([][3]float64, nc), make([][3]float64, nc), make([][3]float64, nc)
}

// columns computes W and makes the Jacobian of the small problem: column k of
// H, if it is not zero, is unknown number len(column). It ends with the context.
func (c *Condensed) columns(ctx context.Context) error {
	dim, nc := c.h.Dim, c.h.Contacts()
	small := &form.Jacobian{Dim: dim, Ptr: []int{0}}
	for j := range nc {
		for k := range dim {
			if !c.scatterColumn(j, k) {
				continue
			}
			small.Row = append(small.Row, len(c.column))
			unit := make([]float64, dim)
			unit[k] = 1
			small.Val = append(small.Val, unit...)
			c.column = append(c.column, dim*j+k)
		}
		small.Ptr = append(small.Ptr, len(small.Row))
	}
	n := len(c.column)
	small.Rows = n
	c.small.H, c.small.F, c.y = small, make([]float64, n), make([]float64, n)
	c.w = make([]float64, n*n)
	for a, col := range c.column {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.scatterColumn(col/dim, col%dim)
		c.factor.Solve(c.v, c.rhs)
		clear(c.free)
		c.h.MulTransAdd(c.free, c.v)
		for b, other := range c.column {
			c.w[b*n+a] = c.free[other]
		}
	}
	return nil
}

// scatterColumn sets rhs to column k of contact j and reports whether it has
// an entry.
func (c *Condensed) scatterColumn(j, k int) bool {
	clear(c.rhs)
	some := false
	for e := c.h.Ptr[j]; e < c.h.Ptr[j+1]; e++ {
		x := c.h.Val[c.h.Dim*e+k]
		c.rhs[c.h.Row[e]] += x
		some = some || x != 0
	}
	return some
}

// invert sets S = W⁻¹ as the (dense) matrix of the small problem.
func (c *Condensed) invert(ctx context.Context) error {
	n := len(c.column)
	w := denseSym(n, func(i, j int) float64 { return 0.5 * (c.w[i*n+j] + c.w[j*n+i]) })
	f := factor.Analyse(w, factor.Options{}) // of a few hundred columns at most
	if err := f.RefactorContext(ctx, w); err != nil {
		npd, ok := errors.AsType[*factor.NotPositiveDefiniteError](err)
		if !ok {
			return err
		}
		return fmt.Errorf("contact: condensation: contact %d depends on others: %w", c.column[npd.Column]/c.h.Dim, err)
	}
	inverse := make([]float64, n*n)
	e := make([]float64, n)
	for j := range n {
		clear(e)
		e[j] = 1
		f.Solve(inverse[j*n:(j+1)*n], e)
	}
	c.small.M = denseSym(n, func(i, j int) float64 { return 0.5 * (inverse[i*n+j] + inverse[j*n+i]) })
	return nil
}

// denseSym stores a full lower triangle.
func denseSym(n int, at func(i, j int) float64) *sparse.Sym {
	a := &sparse.Sym{N: n, Ptr: make([]int, n+1), Row: make([]int, 0, n*(n+1)/2), Val: make([]float64, 0, n*(n+1)/2)}
	for j := range n {
		for i := j; i < n; i++ {
			a.Row, a.Val = append(a.Row, i), append(a.Val, at(i, j))
		}
		a.Ptr[j+1] = len(a.Row)
	}
	return a
}

// matrix makes the matrix of the small problem, for the globalised methods.
func (c *Condensed) matrix() {
	if c.small.M == nil {
		s, n := c.primal.s.Data, len(c.column)
		c.small.M = denseSym(n, func(i, j int) float64 { return s[i*n+j] })
	}
}

// Delassus returns W of the columns of H that are not zero, row by row, and
// the columns; W is nil where there are many. It belongs to c.
func (c *Condensed) Delassus() (w []float64, columns []int) { return c.w, c.column }

// keep makes r the next start of all methods.
func (c *Condensed) keep(r []float64) {
	c.last = append(c.last[:0], r...)
	c.again()
}

// StartFrom makes reactions that are near to those of the next problem its start in place of the last ones,
// of which there are none before the first solve: then it does nothing.
func (c *Condensed) StartFrom(r []float64) {
	if len(c.last) > 0 {
		c.keep(r)
	}
}

// again makes the last solution, or zero without one, the start of the methods of
// active sets. After a failure too, what comes next depends on it alone.
func (c *Condensed) again() {
	if c.newton != nil {
		c.newton.restart(c.last)
	}
	if c.primal != nil {
		c.primal.restart(c.last)
	}
}

// Solve solves p, whose M and H must be those of c, by [Solve] if all laws
// are convex and by [SolveFixedPoint] otherwise; where the fixed point over the
// thresholds does not converge, [local.Solve] goes on. err is nil only if
// [Residual] of the whole problem passes; scale, o and res are as for Solve.
func (c *Condensed) Solve(ctx context.Context, p *form.Global, scale float64, o *form.Options, res *form.Result) error {
	if !c.Of(p) {
		panic("contact: Condensed.Solve: M and H are not those of NewCondensed")
	}
	o, res = num.OrNew(o), num.OrNew(res)
	c.small.W, c.small.Laws = p.W, p.Laws
	if c.schur != nil {
		c.schur.Reduce(c.low, p.F)
	}
	if c.primal != nil && c.solvePrimal(ctx, p, scale, o) || c.held != nil {
		return c.finish(p, scale, o, res, form.CauseOf(ctx))
	}
	if ctx.Err() != nil {
		c.delta.Status = form.Canceled
		return c.finish(p, scale, o, res, form.CauseOf(ctx))
	}
	c.factor.Solve(c.v, p.F)
	clear(c.free)
	c.h.MulTransAdd(c.free, c.v)
	for k, col := range c.column {
		c.y[k] = c.free[col]
	}
	err := c.solveSmall(ctx, scale, o)
	return c.finish(p, scale, o, res, err)
}

// solveSmall tries the active sets first, which are one dense system as long as
// no state changes, and the globalised methods where those cycle.
func (c *Condensed) solveSmall(ctx context.Context, scale float64, o *form.Options) error {
	if c.solveActiveSet(scale, o) {
		return nil
	}
	c.matrix()
	c.small.M.MulVec(c.small.F, c.y)
	c.start = num.Grow(c.start, len(c.free))
	clear(c.start)
	copy(c.start, c.last)
	c.ws.WarmStart(&c.small, c.y, c.start)
	if law.Convex(c.small.Laws) {
		return Solve(ctx, &c.small, scale, o, &c.ws, &c.delta)
	}
	err := SolveFixedPoint(ctx, &c.small, scale, o, &c.ws, &c.delta)
	if err == nil || c.delta.Status == form.Canceled || c.w == nil {
		return err
	}
	return c.solveLocal(ctx, o)
}

// solveActiveSet reports whether active sets solved the problem into delta.
func (c *Condensed) solveActiveSet(scale float64, o *form.Options) bool {
	s := c.newton
	if s == nil || !s.setLaws(c.small.Laws) {
		return false
	}
	for i, w := range c.small.W {
		s.q[i] = c.free[i] + w
	}
	iterations, ok := s.solve(o.ToleranceOr(newtonDefault.convexTolerance), scale)
	c.delta.Iterations, c.delta.Factors, c.delta.Solver = iterations, s.factors, activeSetName
	if !ok {
		return false
	}
	c.delta.Status = form.Converged
	c.delta.R = append(c.delta.R[:0], s.r...)
	return true
}

// solvePrimal reports whether active sets in y solved the problem into delta.
// They start from the last reactions and the displacements that those cause.
func (c *Condensed) solvePrimal(ctx context.Context, p *form.Global, scale float64, o *form.Options) bool {
	s := c.primal
	if !s.setLaws(p.Laws) {
		return false
	}
	c.schur.Kept(c.y, c.v, c.low, c.pull(p, s.r, nil))
	copy(c.rhs[:len(s.r)], s.r) // a second try starts from the same
	iterations, factors := 0, 0
	for _, penalty := range [...]float64{usualPenalty, cautiousPenalty} {
		s.penalties(penalty)
		s.start(c.y, c.rhs[:len(s.r)], p.W, c.held)
		n, ok := s.solve(ctx, o.ToleranceOr(newtonDefault.convexTolerance), scale)
		iterations, factors = iterations+n, factors+s.factors
		if ok {
			c.delta.Status = form.Converged
			break
		}
		c.delta.Status = form.NoProgress
	}
	s.penalties(usualPenalty)
	c.delta.Iterations, c.delta.Factors, c.delta.Solver = iterations, factors, primalSetName
	if c.delta.Status != form.Converged {
		return false
	}
	c.delta.R = append(c.delta.R[:0], s.r...)
	return true
}

// solveLocal solves u = W r + q, without the columns that are zero.
func (c *Condensed) solveLocal(ctx context.Context, o *form.Options) error {
	n := c.h.Dim * c.h.Contacts()
	if c.dense == nil {
		c.dense, c.local = &form.Dense{D: c.h.Dim, N: n, Val: make([]float64, n*n)}, new(local.Workspace)
		for a, i := range c.column {
			for b, j := range c.column {
				c.dense.Val[i*n+j] = c.w[a*len(c.column)+b]
			}
		}
	}
	q := slices.Clone(c.free)
	for i, w := range c.small.W {
		q[i] += w
	}
	c.local.WarmStart(c.last)
	tol := form.Options{Tolerance: max(o.Tolerance, 1e-13), OnIteration: o.OnIteration} // the least that the local merit resolves
	before := c.delta.Factors
	err := local.Solve(ctx, &form.Local{W: c.dense, Q: q, Laws: c.small.Laws}, &tol, c.local, &c.delta)
	c.delta.Factors += before
	return err
}

// finish goes back to v and checks the whole problem.
func (c *Condensed) finish(p *form.Global, scale float64, o *form.Options, res *form.Result, err error) error {
	if len(c.delta.R) != len(p.W) { // data out of range are refused without an answer
		c.delta.R = num.Grow(c.delta.R, len(p.W))
		clear(c.delta.R)
	}
	res.V = num.Grow(res.V, p.M.N)
	if c.schur != nil {
		c.schur.Resolve(res.V, c.v, c.low, c.pull(p, c.delta.R, c.primal.y))
	} else {
		copy(c.rhs, p.F)
		c.h.MulAdd(c.rhs, c.delta.R)
		c.factor.Solve(res.V, c.rhs)
	}
	res.R = append(res.R[:0], c.delta.R...)
	res.U = append(res.U[:0], p.W...)
	c.h.MulTransAdd(res.U, res.V)
	res.Iterations, res.Factors, res.Solver = c.delta.Iterations, c.delta.Factors, c.delta.Solver
	c.check.penalties(p)
	res.Merit, res.Worst = residual(p, scale, &c.check, res)
	res.Status = c.delta.Status
	tol := max(o.ToleranceOr(newtonDefault.convexTolerance), condensedTolerance, c.rounding(p, scale, res))
	if res.Merit <= tol {
		res.Status = form.Converged
		c.keep(res.R)
		return nil
	}
	c.again()
	if c.held != nil { // what comes next is as if there had been no attempt: it was left to others
		c.primal.forget()
	}
	if res.Status == form.Converged {
		res.Status = form.NumericalFailure
	}
	return &form.Error{Status: res.Status, Merit: res.Merit, Tolerance: tol, Iterations: res.Iterations,
		Worst: res.Worst, Solver: res.Solver, Cause: err}
}

// condensedTolerance is the residual of the whole problem that two solves with
// M and the inversion of W leave, for condition numbers up to about 1e5.
const condensedTolerance = 1e-10

// rounding is what [Residual] has of the rounding of û = Hᵀv + w + g(u)e_N alone, as a backward
// error: c ε ρ_j (‖w_j‖∞ + ‖û_j‖∞)/F, at most [form.RoundingMost]. It exceeds condensedTolerance
// where light forces act on what slides far in a step.
func (c *Condensed) rounding(p *form.Global, scale float64, res *form.Result) float64 {
	most := 0.0
	for j := range p.Laws {
		size := num.InfNorm(p.W[p.H.Dim*j:][:p.H.Dim]) + num.InfNorm(c.check.u[j][:])
		most = max(most, c.check.rho[j]/newtonDefault.penaltyFactor*size)
	}
	if most == 0 {
		return 0
	}
	return min(form.RoundingFactor*num.Eps*most/max(num.InfNorm(p.F), num.InfNorm(res.R), scale), form.RoundingMost)
}

func newCondensed(m *sparse.Sym, h *form.Jacobian) *Condensed {
	c := &Condensed{m: m, h: h, rhs: make([]float64, m.N), v: make([]float64, m.N),
		free: make([]float64, h.Dim*h.Contacts())}
	c.check.residualVectors(m, h)
	return c
}

// Condense factorises and condenses m for contacts h, which have the patterns that
// were analysed.
func (p *CondensedPlan) Condense(ctx context.Context, m *sparse.Sym, h *form.Jacobian) (*Condensed, error) {
	c := newCondensed(m, h)
	if p.many != nil {
		if err := c.condenseMany(ctx, p.many, m); err != nil {
			return nil, err
		}
		return c, nil
	}
	factor := p.few.Factor()
	if err := factor.RefactorContext(ctx, m); err != nil {
		return nil, fmt.Errorf("contact: condensation: M: %w", form.Indefinite(err))
	}
	factor.Release()
	c.factor = factor
	if err := c.columns(ctx); err != nil {
		return nil, err
	}
	if err := c.invert(ctx); err != nil {
		return nil, err
	}
	if len(c.column) == len(c.free) {
		c.newton = newActiveSet(h.Dim, h.Contacts(), c.w)
	}
	return c, nil
}
