package local

import (
	"context"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// solvePolyhedral solves a local problem of polyhedral laws by Lemke's method
// on its complementarity form, see [Polyhedral] and [SolveMLCP]. The verdict
// comes from the checks of the reactions; infeasibility is that of the
// complementarity problem. It starts afresh each time: ws only receives the
// solution for the next solve.
func solvePolyhedral(ctx context.Context, p *form.Local, o *form.Options, ws *Workspace, res *form.Result) error {
	lf, err := lcp.ToMLCP(p)
	if err != nil {
		return err
	}
	var sub lcp.MLCPResult
	cause := lcp.SolveMLCP(ctx, &lf.MLCP, &form.Options{MaxIterations: o.MaxIterations}, nil, &sub)
	if len(sub.X) != len(lf.Vars) {
		return cause
	}
	res.Allocate(len(p.Q), len(p.Laws))
	lf.Reactions(res.R, sub.X)
	tolerance := o.ToleranceOr(form.LocalTolerance)
	ws.rho = form.Steps(ws.rho, p.W)
	p.Assess(&ws.mem, ws.rho, res, form.DataLimit(tolerance, ws.rho))
	res.V, res.Ray = res.V[:0], res.Ray[:0]
	res.Iterations, res.Factors, res.Solver = sub.Iterations, 0, "lemke"
	res.Dilation = p.Dilation(res.U, res.R, tolerance)
	status := sub.Status
	switch {
	case res.Passes(tolerance): // the reactions count, whatever the slip variables say
		status = form.Converged
		ws.WarmStart(res.R)
	case status == form.Converged:
		status, cause = form.NumericalFailure, nil
	}
	res.Stages = append(res.Stages[:0], form.Stage{Solver: res.Solver, Status: status, Iterations: res.Iterations, Merit: res.Merit})
	return res.Verdict(status, tolerance, cause)
}
