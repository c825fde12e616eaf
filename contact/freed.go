package contact

import (
	"context"
	"fmt"
)

// freed is where a W that joints have made full comes from: the contacts of the free bodies
// and the joints as contacts of the law [Bilateral] after them, see [Global.withJoints], whose
// W is as sparse as the bodies are coupled. A chain of n links has n² blocks in
// the one and some 10 n in the other.
type freed struct {
	w     Operator  // of the jointed bodies
	q     []float64 // of the jointed bodies, as it was made
	free  *Local
	stamp uint64 // of the values of w
}

// of reports whether o still tells what w is made of.
func (o *freed) of(w Operator) bool {
	if o == nil || o.w != w {
		return false
	}
	b, ok := w.(*Blocks)
	return ok && o.stamp == stampOf(b.Val)
}

// newFreed notes where w and q of p, reduced, come from; nil if that is of no use.
func newFreed(ctx context.Context, p *Global, local *Local) (*freed, error) {
	full := float64(local.W.Contacts())
	if local.W.Contacts() < autoMany || p.H.Dim > 3 {
		return nil, nil
	}
	q, ok := p.withJoints()
	if !ok {
		return nil, nil
	}
	d, err := newDelassus(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("joints as contacts: %w", err)
	}
	if w, ok := d.Local.W.(*Blocks); !ok || float64(len(w.Col)) > freedShare*full*full {
		return nil, nil
	}
	return &freed{w: local.W, q: append([]float64(nil), local.Q...), free: d.Local, stamp: stampOf(local.W.(*Blocks).Val)}, nil
}

// Untie tells the solvers where a W that joints have made full comes from: V, of the contacts of the bodies without
// their joints, and of the joints, dim rows each, as contacts after those,
//
//	W = V_cc − V_cj V_jj⁻¹V_jc,
//
// which is as sparse as the bodies are coupled. Newton's and the interior-point methods factorise V then in place
// of W, and MethodAuto solves the problem of the free bodies first; what they find is judged by W, to which V needs to be close only. Rows that a joint lacks
// are those of a positive number on the diagonal. Untie reports whether V is taken: problems of few contacts, and a V that is
// nearly full, are solved sooner without. W and Q are not to change after it; Untie panics if V is of another shape.
func (p *Local) Untie(v *Blocks) bool {
	dim, nc := p.W.Dim(), p.W.Contacts()
	if err := v.validate(); err != nil || v.D != dim || v.Contacts() < nc {
		panic(fmt.Sprintf("contact: Untie: V of %d contacts of %d components for %d of %d: %v", v.Contacts(), v.D, nc, dim, err))
	}
	w, ok := p.W.(*Blocks)
	if full := float64(nc); !ok || nc < autoMany || dim > 3 || float64(len(v.Col)) > freedShare*full*full {
		return false
	}
	q := make([]float64, dim*v.Contacts())
	copy(q, p.Q)
	p.joints = &freed{w: w, q: q[: dim*nc : dim*nc], free: &Local{W: v, Q: q}, stamp: stampOf(w.Val)}
	return true
}

// freedShare is the part of the blocks of the full W below which the detour pays.
const freedShare = 0.5

// freedTries is the number of iterates of the free bodies that may fail on p before p itself is solved from
// the best of them: what opens at the joints by rounding moves the contacts of a long chain by more than
// the tolerance, however well the free bodies are solved.
const freedTries = 3

// pose returns the problem of the free bodies that belongs to p: what was added to Q is added
// to the motions of the contacts.
func (o *freed) pose(p *Local) *Local {
	free := &Local{W: o.free.W, Q: append([]float64(nil), o.free.Q...), Laws: append([]Law(nil), p.Laws...), graph: o.free.graph}
	for i, q := range p.Q {
		free.Q[i] += q - o.q[i]
	}
	for len(free.Laws) < o.free.W.Contacts() {
		free.Laws = append(free.Laws, Bilateral{})
	}
	return free
}

// solveFreed solves p by the free bodies and reports whether the reactions of its contacts
// pass as a solution of p itself: a W that was changed since is found out there. If they do
// not, and are better than what res.R holds, they are left there.
func (p *Local) solveFreed(ctx context.Context, o *Options, ws *LocalWorkspace, res *Result, tol float64) bool {
	if p.joints == nil || p.joints.w != p.W || o.Method != MethodAuto {
		return false
	}
	if ws.freed == nil {
		ws.freed = new(LocalWorkspace)
	}
	n, start := len(p.Q), append([]float64(nil), res.R...)
	before := p.unitFreeMerit(res.U, res.R)
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
		p.assess(&ws.mem, ws.rho, res, dataFactor*tol)
		if res.passes(tol) {
			return true
		}
		if rejected++; rejected == freedTries {
			leave()
		}
		return false
	}
	_ = SolveLocal(inside, p.joints.pose(p), o, ws.freed, &inner) // judged on p
	if ws.freed.judge = nil; len(inner.R) < n {
		return false
	}
	copy(res.R, inner.R)
	p.assess(&ws.mem, ws.rho, res, dataFactor*tol)
	res.Iterations, res.Factors, res.Solver = inner.Iterations, inner.Factors, inner.Solver
	res.Stages = append(res.Stages, inner.Stages...)
	if res.passes(tol) {
		return true
	}
	if !(res.UnitFree < before) {
		copy(res.R, start)
	}
	return false
}
