package contact

import (
	"context"
	"fmt"
	"math"
)

const (
	localTolerance     = 1e-8   // default of Options.Tolerance
	localMaxIterations = 200000 // default of Options.MaxIterations; a sweep or a Newton step each

	// The scaled problem is solved to this part of the tolerance, and to less
	// if the merit in the units of the problem then fails.
	scaledFactor  = 0.3
	tightenFactor = 0.03
	tightenLimit  = 4

	// runawayFactor is the residual, relative to q and u alone, above which a
	// solution is doubted.
	runawayFactor = 1e-4
)

// LocalSolver is the signature that the solvers of [Local] share.
//
// A solve starts from the last solution in ws (see [LocalWorkspace]), or from
// zero. If that solves the problem already, the solve costs one residual
// evaluation. err is nil only if [Local.Merit] and [Local.UnitFreeMerit] of
// the result are at most the tolerance; otherwise it is an *[Error] and res holds the best iterate.
// Nothing is allocated on a problem whose sizes and pattern ws has seen, but
// for the samples of an Operator that is neither [Blocks] nor [Dense]. A nil o
// means the defaults, a nil ws a new one.
type LocalSolver func(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result) error

var (
	_ LocalSolver = SolveLocal
	_ LocalSolver = GaussSeidel
	_ LocalSolver = SemismoothNewton
	_ LocalSolver = InteriorPoint
	_ LocalSolver = ADMM
	_ LocalSolver = TrescaFixedPoint
	_ LocalSolver = ConeFixedPoint
	_ LocalSolver = ProximalNewton
)

// solveLocal runs one method on p: scale, start, solve, check.
func solveLocal(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result, name string, method localMethod) error {
	if ws == nil {
		ws = new(LocalWorkspace)
	}
	if o == nil {
		o = new(Options)
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if err := o.validate(); err != nil {
		return err
	}
	n := len(p.Q)
	res.allocate(n, len(p.Laws))
	res.V, res.Ray, res.Stages = res.V[:0], res.Ray[:0], res.Stages[:0]
	res.Iterations, res.Factors, res.Solver = 0, 0, name
	tol := o.tolerance(localTolerance)
	if len(ws.last) == n {
		copy(res.R, ws.last)
	} else {
		clear(res.R)
	}
	ws.rho = steps(ws.rho, p.W)
	p.assess(&ws.mem, ws.rho, res)
	if res.passes(tol) {
		res.Status = Converged
		ws.last = append(ws.last[:0], res.R...)
		res.Dilation = p.dilation(res.U, res.R, tol)
		return nil
	}
	ws.prepare(p)
	s := &ws.run
	*s = localRun{ws: ws, c: &ws.c, ctx: ctx, o: o, p: p, res: res, want: tol, limit: o.MaxIterations}
	if s.limit == 0 {
		s.limit = localMaxIterations
	}
	status := s.solve(name, method)
	res.Dilation = p.dilation(res.U, res.R, tol)
	s.res, s.o, s.p, s.ctx = nil, nil, nil, nil // no hold on what is the caller's
	return finishLocal(res, status, tol)
}

// allocate sizes what a local solve fills, at once in a new result.
func (res *Result) allocate(n, nc int) {
	if res.R == nil && res.U == nil && res.Residuals == nil {
		all := make([]float64, 2*n+nc)
		res.R, res.U, res.Residuals = all[:n:n], all[n:2*n:2*n], all[2*n:]
	}
	res.R, res.U, res.Residuals = grow(res.R, n), grow(res.U, n), grow(res.Residuals, nc)
	if res.Stages == nil {
		res.Stages = make([]Stage, 0, 2)
	}
}

// solve runs the method until the independent check in the units of the
// problem passes too, tightening the scaled tolerance in between.
func (s *localRun) solve(name string, method localMethod) Status {
	ws := s.ws
	s.c.restrict(ws.r, s.res.R)
	s.bestMerit = inf
	s.look()
	if bad(s.bestMerit) { // a start out of range
		clear(ws.r)
		s.look()
	}
	s.tol = scaledFactor * s.want
	status := Unsolved
	for range tightenLimit {
		status = method(s, s.limit-s.iterations)
		s.check()
		if status != Converged || s.passes() {
			break
		}
		status = NoProgress // unless a tighter round succeeds
		s.tol *= tightenFactor
		copy(ws.r, ws.best)
	}
	if s.passes() {
		status = Converged
	}
	if len(s.res.Stages) == 0 {
		s.res.Stages = append(s.res.Stages, Stage{Solver: name, Status: status, Iterations: s.iterations, Merit: s.bestMerit})
	}
	s.res.Iterations, s.res.Factors = s.iterations, s.factors
	if status != Canceled && status != Converged && s.infeasible() {
		return Infeasible
	}
	if status == Converged {
		ws.last = append(ws.last[:0], s.res.R...)
	}
	return status
}

// assess evaluates res.R on p.
func (p *Local) assess(mem *[3]vec3, rho []float64, res *Result) {
	p.motion(res.U, res.R)
	res.Merit, res.Worst = p.merit(mem, res.U, res.Residuals, res.R)
	res.UnitFree = p.unitFree(mem, rho, res.U, res.R)
}

// passes reports whether both checks do.
func (res *Result) passes(tol float64) bool { return res.Merit <= tol && res.UnitFree <= tol }

// passes reports whether the best iterate, checked, is a solution.
func (s *localRun) passes() bool { return s.res.passes(s.want) && !s.runaway() }

// runaway reports whether the merit passed only because r is huge: where no
// solution exists, any residual is small relative to reactions that grow
// along the ray that shows it.
func (s *localRun) runaway() bool {
	ws := s.ws
	m := s.c.merit(ws.u, ws.best)
	ru, rr := dot3(ws.u, ws.u), dot3(ws.best, ws.best)
	return m*math.Sqrt(max(1, ru, rr)) > runawayFactor*math.Sqrt(max(1, ru))
}

func finishLocal(res *Result, status Status, tol float64) error {
	res.Status = status
	if status == Converged {
		return nil
	}
	return &Error{Status: status, Merit: max(res.Merit, res.UnitFree), Tolerance: tol, Iterations: res.Iterations, Worst: res.Worst, Solver: res.Solver}
}

// validate checks the wishes.
func (o *Options) validate() error {
	if !(o.Tolerance >= 0 && o.Tolerance < 1) {
		return fmt.Errorf("contact: Options.Tolerance is %g, want a number from 0 to 1", o.Tolerance)
	}
	if o.MaxIterations < 0 {
		return fmt.Errorf("contact: Options.MaxIterations is %d, want a number >= 0", o.MaxIterations)
	}
	return nil
}
