package contact

import (
	"context"

	"github.com/quasistatic/quasistatic/contact/form"
)

// freedTries is the number of iterates of the free bodies that may fail on p before p itself is
// solved from the best of them: what opens at the joints by rounding moves the contacts of a long
// chain by more than the tolerance, however well the free bodies are solved.
const freedTries = 3

// solveFreed solves p by the free bodies and reports whether the reactions of its contacts
// pass as a solution of p itself: a W that was changed since is found out there. If they do
// not, and are better than what res.R holds, they are left there.
func solveFreed(p *Local, ctx context.Context, o *Options, ws *LocalWorkspace, res *Result, tol float64) bool {
	if p.Joints == nil || p.Joints.W != p.W || o.Method != MethodAuto {
		return false
	}
	if ws.freed == nil {
		ws.freed = new(LocalWorkspace)
	}
	n, start := len(p.Q), append([]float64(nil), res.R...)
	before := p.UnitFreeMerit(res.U, res.R)
	if last := ws.freed.last; len(ws.last) != n {
		ws.freed.Forget()
	} else if len(last) > n { // the joints of the last solution, the contacts of this start
		copy(last, start)
	}
	var inner Result
	inside, leave := context.WithCancel(ctx)
	defer leave()
	rejected := 0
	ws.freed.judge = func(r []float64) bool {
		copy(res.R, r)
		p.Assess(&ws.mem, ws.rho, res, form.DataFactor*tol)
		if res.Passes(tol) {
			return true
		}
		if rejected++; rejected == freedTries {
			leave()
		}
		return false
	}
	_ = SolveLocal(inside, p.Joints.Pose(p), o, ws.freed, &inner) // judged on p
	if ws.freed.judge = nil; len(inner.R) < n {
		return false
	}
	copy(res.R, inner.R)
	p.Assess(&ws.mem, ws.rho, res, form.DataFactor*tol)
	res.Iterations, res.Factors, res.Solver = inner.Iterations, inner.Factors, inner.Solver
	res.Stages = append(res.Stages, inner.Stages...)
	if res.Passes(tol) {
		return true
	}
	if !(res.UnitFree < before) {
		copy(res.R, start)
	}
	return false
}
