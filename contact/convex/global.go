package convex

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/contact/local"
	"github.com/quasistatic/quasistatic/internal/num"
)

// globalTolerance is the default of Options.Tolerance where a [form.Global] problem is
// reduced to a [form.Local] one.
const globalTolerance = form.LocalTolerance

// SolveGlobal solves a [form.Global] problem of any laws, in one call:
//
//	convex laws              by duality, see [Solve]; M may be singular
//	M positive definite      reduced to u = W r + q, see [delassus.NewDelassus], and solved by
//	                         [local.Solve] with the method of o
//	Coulomb, M singular      as a fixed point over thresholds, see [SolveFixedPoint]
//
// A method other than [form.MethodAuto] asks for the reduction. It starts from the last
// solution in ws, or from zero; nil for o, ws or res means defaults and new ones. err
// is nil only if [Residual] of v, r and λ is at most the tolerance (default 1e-12 for
// convex laws, 1e-8 else) and, where the problem was reduced, the verdict of local.Solve
// says so too; otherwise it is an *[form.Error] and res holds the best iterate. A reduction
// costs what [delassus.NewDelassus] says; joints, dim by dim, enter it as bilateral contacts.
func SolveGlobal(ctx context.Context, p *form.Global, o *form.Options, ws *Workspace, res *form.Result) error {
	o, ws, res = num.OrNew(o), num.OrNew(ws), num.OrNew(res)
	if err := p.ValidateForces(); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Method == form.MethodAuto && law.Convex(p.Laws) {
		return Solve(ctx, p, 0, o, ws, res)
	}
	reduced, jointed := p, false
	if q, ok := delassus.WithJoints(p); ok && o.Method != form.MethodLemke {
		reduced, jointed = q, true
	}
	d, err := delassus.Reduce(ctx, reduced)
	if err != nil {
		if _, singular := errors.AsType[*form.IndefiniteError](err); !singular || o.Method != form.MethodAuto {
			return err
		}
		if fixed := SolveFixedPoint(ctx, p, 0, o, ws, res); fixed != nil {
			return fmt.Errorf("%w (the reduction to reactions failed as well: %w)", fixed, err)
		}
		return nil
	}
	if ws.local == nil {
		ws.local = new(local.Workspace)
	}
	tol := o.ToleranceOr(globalTolerance)
	judge := func(r []float64) bool {
		if !res.Passes(tol) {
			return false
		}
		v := d.Velocity(nil, r)
		if reduced.Joints() > 0 { // eliminated with v
			r = slices.Concat(r, d.Lambda(nil, r))
		}
		merit, _ := Residual(reduced, 0, v, r)
		return merit <= tol
	}
	err = local.SolveJudged(ctx, d.Local, o, ws.local, judge, res)
	if len(res.R) != len(reduced.W) {
		return err
	}
	res.V = d.Velocity(num.Grow(res.V, p.M.N), res.R)
	res.Lambda = res.Lambda[:0]
	switch n := len(p.W); {
	case jointed:
		res.Lambda = append(res.Lambda, res.R[n:]...)
		res.R, res.U, res.Residuals = res.R[:n], res.U[:n], res.Residuals[:len(p.Laws)]
	case p.Joints() > 0:
		res.Lambda = d.Lambda(res.Lambda, res.R)
	}
	return complete(p, o, res, err)
}

// complete sets u of v and checks the whole problem.
func complete(p *form.Global, o *form.Options, res *form.Result, err error) error {
	copy(res.U, p.W)
	p.H.MulTransAdd(res.U, res.V)
	tol := o.ToleranceOr(globalTolerance)
	if err != nil && (res.Status == form.Canceled || res.Status == form.Infeasible || !res.Passes(tol)) {
		return err
	}
	merit, worst := Residual(p, 0, res.V, slices.Concat(res.R, res.Lambda))
	if merit <= tol && err == nil {
		return nil
	}
	res.Status = form.NumericalFailure
	worst, cause := nameJoint(p, worst, nil)
	return &form.Error{Status: res.Status, Criterion: "residual of M v = f + H r + G λ and the laws", Merit: merit,
		Tolerance: tol, Iterations: res.Iterations, Worst: worst, Solver: res.Solver, Cause: cause}
}
