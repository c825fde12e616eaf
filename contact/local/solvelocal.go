package local

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/prove"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	localMaxIterations = 200000 // default of Options.MaxIterations; a sweep or a Newton step each

	// The scaled problem is solved to this part of the tolerance, and to less
	// if the merit in the units of the problem then fails.
	scaledFactor  = 0.3
	tightenFactor = 0.03
	tightenLimit  = 4
)

// solveLocal scales, starts, solves by the method of the options, and checks.
func solveLocal(ctx context.Context, p *form.Local, o *form.Options, ws *Workspace, res *form.Result) error {
	n := len(p.Q)
	res.Allocate(n, len(p.Laws))
	res.V, res.Ray, res.Stages = res.V[:0], res.Ray[:0], res.Stages[:0]
	res.Iterations, res.Factors, res.Solver = 0, 0, o.Method.String()
	tol := o.ToleranceOr(form.LocalTolerance)
	start := len(ws.last) == n
	if start {
		copy(res.R, ws.last)
	} else {
		clear(res.R)
	}
	ws.rho = form.Steps(ws.rho, p.W)
	if (start || !moves(p, &ws.mem, tol)) && solvedAt(p, ws, res, tol) {
		res.Status = form.Converged
		ws.last = append(ws.last[:0], res.R...)
		res.Dilation = p.Dilation(res.U, res.R, tol)
		return nil
	}
	ws.prepare(p)
	ws.most, ws.beyond = o.Memory, nil
	s := &ws.run
	*s = localRun{ws: ws, c: &ws.c, ctx: ctx, o: o, p: p, res: res, want: tol, limit: o.MaxIterations}
	if s.limit == 0 {
		s.limit = localMaxIterations
	}
	status := s.solve()
	res.Dilation = p.Dilation(res.U, res.R, tol)
	s.res, s.o, s.p, s.ctx = nil, nil, nil, nil // no hold on what is the caller's
	var cause error
	switch status {
	case form.Canceled:
		if cause = ws.beyond; cause != nil {
			status = form.NumericalFailure
		} else {
			cause = form.CauseOf(ctx)
		}
	case form.Unsolved:
		cause = takenBy(p, o.Method)
	}
	return res.Verdict(status, tol, cause)
}

// takenBy names the first contact whose law a method of interior points does not know.
func takenBy(p *form.Local, m form.Method) error {
	switch m {
	case form.MethodInterior, form.MethodCone, form.MethodPath:
	default:
		return nil
	}
	for j, law := range p.Laws {
		switch form.FormOf(law).Set {
		case form.KindCoulomb, form.KindAssociated, form.KindFrictionless, form.KindBilateral:
		default:
			if p.W.Dim() == 2 && form.FormOf(law).Set == form.KindPyramid { // a cone in the plane
				continue
			}
			return fmt.Errorf("law of contact %d: method %v takes Coulomb, Associated, Frictionless and Bilateral, not %T", j, m, law)
		}
	}
	return nil
}

// moves reports whether some contact alone shows that no reaction at all is no solution, as q would
// do: then u = q need not be judged. It may miss that by rounding, which costs no more than the
// judgment.
func moves(p *form.Local, mem *[3]vec3, tol float64) bool {
	dim := p.W.Dim()
	least := 4 * tol * num.Norm(p.Q) // of which solvedAt asks half
	for j, l := range p.Laws {
		form.Triple(&mem[0], p.Q, dim, j)
		mem[1] = vec3{}
		if form.ResidualAt(l, mem, 1) > least {
			return true
		}
	}
	return false
}

// solvedAt reports whether the start passes; most fail the first of the criteria.
func solvedAt(p *form.Local, ws *Workspace, res *form.Result, tol float64) bool {
	p.Motion(res.U, res.R)
	if m, _ := p.MeritAt(&ws.mem, res.U, nil, res.R); m > 2*tol { // 2: the working precision
		return false
	}
	p.Assess(&ws.mem, ws.rho, res, form.DataLimit(tol, ws.rho))
	return ws.passes(res, tol)
}

// solve runs the method, which stops in scaled units, until the independent check
// of the problem as it was given passes too.
func (s *localRun) solve() form.Status {
	ws := s.ws
	s.c.Restrict(ws.r, s.res.R)
	s.bestMerit = num.Inf
	if num.InfNorm(s.res.R) == 0 { // from nothing, u = q
		copy(ws.u, s.c.Q)
		s.keep(s.c.MeritAt(ws.u, ws.r))
	} else {
		s.evaluate()
	}
	if num.Bad(s.bestMerit) { // a start out of range
		clear(ws.r)
		s.evaluate()
	}
	s.tol = scaledFactor * s.want
	status := form.Unsolved
	switch {
	case s.enough && s.confirm(ws.best): // the start
		status = form.Converged
	case s.o.Method == form.MethodAuto:
		status = s.auto(s.limit)
	default:
		status = s.stage(s.o.Method.String(), methods[s.o.Method], s.limit)
	}
	if status != form.Converged {
		s.relaxed = true
		if s.passes(ws.best) { // not as good as aimed at, but what was asked for
			status = form.Converged
		}
	}
	s.res.Iterations, s.res.Factors = s.iterations, s.factors
	if status != form.Canceled && status != form.Converged && !s.o.NoCertificate {
		var proved bool
		if s.res.Ray, proved = prove.Ray(s.res.Ray, &s.c.Scaled, s.p); proved {
			return form.Infeasible // with the ray, even where a search has proved it already
		}
	}
	if status == form.Converged {
		ws.last = append(ws.last[:0], s.res.R...)
	}
	return status
}
