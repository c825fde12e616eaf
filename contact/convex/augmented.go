package convex

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// Constants of the convex Newton method; all are ratios.
// newtonOptions are the numbers of the convex Newton method.
type newtonOptions struct {
	// penaltyFactor is ρ over the stiffness of the contact. One update of the
	// multipliers shrinks their error by about 1/penaltyFactor; the roundoff of
	// ρu grows with it. Both are invisible between 1e3 and 1e6.
	penaltyFactor float64
	// innerFactor: the multipliers are updated once the force residual is this
	// much below their change (criterion B of Rockafellar's proximal method).
	innerFactor float64
	// slopeFactor bounds the slope that the line search leaves.
	slopeFactor float64
	// staleFactor: a factorisation serves as long as no entry of D moved by
	// more than this fraction; the Newton step is inexact by as much.
	staleFactor float64
	// roundoffFactor times eps·(|M||v|) is what the force residual can be
	// computed to at best.
	roundoffFactor float64
	// stepRoundoffFactor times eps·ρ(|H||v| + |w|), summed over a dozen
	// rounded terms, is the same for the change of the multipliers.
	stepRoundoffFactor float64
	// Where faces of the feasible set meet at a sharp angle, a stiff φ is a
	// valley in which Newton zigzags with steps shorter than shortStep. The
	// penalty is then divided by relief, down to penaltyFactor/relief², and
	// multiplied again at the next update of the multipliers.
	shortStep float64
	relief    float64
	// slowUpdate: an update that leaves more than this of the change is slow.
	slowUpdate float64
	// nearby: roundoff is looked at, and forgiven, only below this residual.
	nearby              float64
	convexTolerance     float64 // default of Options.Tolerance
	convexMaxIterations int     // default of Options.MaxIterations
	stallLimit          int     // steps without progress; a hard start takes 10 to 30
	lineSearchLimit     int     // trials; each shortens the bracket
}

// newtonDefault are the values of all solves.
var newtonDefault = newtonOptions{
	penaltyFactor:       1e4,
	innerFactor:         0.1,
	slopeFactor:         0.1,
	staleFactor:         1e-3,
	roundoffFactor:      64,
	stepRoundoffFactor:  12,
	shortStep:           0.02,
	relief:              100,
	slowUpdate:          0.5,
	nearby:              1e-6,
	convexTolerance:     1e-12,
	convexMaxIterations: 500,
	stallLimit:          60,
	lineSearchLimit:     40,
}

const convexName = "convex newton"

// Solve solves a [form.Global] problem whose laws are all convex
// ([law.Frictionless], [law.Tresca]), that is
//
//	min ½vᵀMv − fᵀv + Σ_j s_j‖S_j u_T^j‖   over   u_N^j ≥ 0,   u = Hᵀv + w,   Gᵀv + b = 0.
//
// Joints are contacts with K the whole line, and so handled like the others;
// rows of Gᵀ that depend on others do no harm as long as they agree.
//
// The multipliers r̄ follow the proximal point method on the dual (augmented
// Lagrangian); for each of them a semismooth Newton method minimises
//
//	φ(v) = ½vᵀMv − fᵀv + Σ_j sup{−r·u_j − ‖r − r̄_j‖²/2ρ_j : r ∈ K_j},
//	∇φ   = Mv − f − Hr,   r_j = P_{K_j}(r̄_j − ρ_j u_j),
//	∂²φ  ∋ M + H diag(ρ_j P_j') Hᵀ.
//
// With the multipliers updated at once this is the primal-dual active set
// method, which cycles; φ is convex and C¹, and a line search on its
// derivative makes every Newton step a descent, from any start. Once the
// states of the contacts are right, the update of r̄ is iterative refinement
// with a factorisation at hand.
//
// The solve starts from the last solution in ws and costs, for each Newton
// step, at most one factorisation of M + H D Hᵀ. Nothing is allocated on a
// problem whose pattern ws has seen. err is nil only if [Residual] of the
// result is at most the tolerance; otherwise it is an *[form.Error] and res holds
// the best iterate; nil for o, ws or res means
// defaults and new ones. scale is the size of forces [N] that matter, a floor under
// the scale of the relative residual; 0 if there is none.
func Solve(ctx context.Context, p *form.Global, scale float64, o *form.Options, ws *Workspace, res *form.Result) error {
	if err := p.ValidateForces(); err != nil {
		return err
	}
	if err := onlyConvex(p.Laws); err != nil {
		return err
	}
	o, ws, res = num.OrNew(o), num.OrNew(ws), num.OrNew(res)
	if err := o.Validate(); err != nil {
		return err
	}
	x := ws.withJoints(p)
	ws.prepare(x)
	analysed := ws.system(ctx, x)
	ws.penalties(x)
	ws.contacts = p.H.Contacts()
	tol, limit := o.ToleranceOr(newtonDefault.convexTolerance), o.MaxIterations
	if limit == 0 {
		limit = newtonDefault.convexMaxIterations
	}
	s := &ws.convex
	*s = augmented{p: x, given: p, ws: ws, o: *o, floor: scale, tol: tol, lastStep: math.Inf(1)}
	status, cause := form.Canceled, form.CauseOf(ctx)
	if analysed == nil {
		status, cause = s.run(ctx, limit)
	}
	err := s.finish(res, status, cause)
	if s.wanting(res, err) {
		err = s.rescue(ctx, res, err)
	}
	*s = augmented{} // no hold on what is the caller's
	return err
}

// onlyConvex names the first contact whose law is not that of a convex problem.
func onlyConvex(laws []law.Law) error {
	for j := range laws {
		if !law.Convex(laws[j : j+1]) {
			return fmt.Errorf("contact: SolveConvex takes laws of a convex minimisation (frictionless, Tresca); that of contact %d is %T",
				j, laws[j])
		}
	}
	return nil
}

// augmented is the state of one Solve.
type augmented struct {
	p          *form.Global // the joints are contacts
	given      *form.Global // as the caller stated it
	ws         *Workspace
	o          form.Options
	floor, tol float64

	iterations, factors int
	force               float64 // scale of the forces at the iterate
	dual, step          float64 // ‖∇φ‖ and ‖r − r̄‖, relative to force
	fresh               bool    // the factorisation belongs to the present D
	short, relieved     int     // short steps in a row; divisions of ρ by newtonDefault.relief
	lastStep            float64 // at the previous update of the multipliers
}

// iterate is a point kept aside.
type iterate struct {
	v        []float64
	r        [][3]float64
	residual float64
}

// run iterates until the natural residual and the force residual pass.
func (s *augmented) run(ctx context.Context, limit int) (form.Status, error) {
	ws := s.ws
	ws.best.residual = math.Inf(1)
	first, stalled := true, 0
	for {
		s.evaluate()
		if s.converged() {
			return form.Converged, nil
		}
		if s.keepBest() {
			stalled = 0
		} else if stalled++; stalled > 2 && s.exhausted() {
			return form.Converged, nil
		} else if stalled > newtonDefault.stallLimit {
			return form.NoProgress, nil
		}
		if s.dual <= max(newtonDefault.innerFactor*s.step, 0.5*s.tol, s.dualRoundoff()) {
			if s.step == 0 && s.relieved == 0 {
				return s.standstill(), nil
			}
			s.updateMultipliers()
			if s.converged() {
				return form.Converged, nil
			}
		}
		if s.iterations == limit {
			return form.IterationLimit, nil
		}
		if ctx.Err() != nil {
			return form.Canceled, form.CauseOf(ctx)
		}
		if err := s.factorise(ctx, first); ctx.Err() != nil {
			return form.Canceled, form.CauseOf(ctx)
		} else if err != nil {
			return form.NumericalFailure, err
		}
		first = false
		alpha := s.newton()
		s.iterations++
		if s.o.OnIteration != nil {
			s.o.OnIteration(form.Iteration{Solver: convexName, Iteration: s.iterations, Residual: max(s.dual, s.step), Step: alpha})
		}
		s.relieve(alpha)
		if alpha == 0 { // roundoff: the direction does not descend
			if s.exhausted() || s.step == 0 || s.dual > s.dualRoundoff() && s.fresh {
				return s.standstill(), nil
			}
			copy(ws.rBar, ws.r)
			ws.forget()
		}
	}
}

// standstill is the verdict where no move is left.
func (s *augmented) standstill() form.Status {
	if s.exhausted() {
		return form.Converged
	}
	return form.NoProgress
}

// evaluate computes u, p, r, the Jacobians and ∇φ at v, and both residuals.
func (s *augmented) evaluate() {
	ws, p := s.ws, s.p
	s.kinematics(ws.u, ws.v, p.W)
	ws.project(p.Laws, p.H.Dim)
	p.M.MulVec(ws.grad, ws.v)
	force := max(s.floor, num.InfNorm(ws.grad), num.InfNorm(p.F))
	for i, f := range p.F {
		ws.grad[i] -= f
	}
	s.subtractReactions()
	step := 0.0
	for j := range ws.r {
		r, q := &ws.r[j], &ws.rBar[j]
		force = max(force, math.Abs(r[0]), math.Abs(r[1]), math.Abs(r[2]))
		step = max(step, math.Abs(r[0]-q[0]), math.Abs(r[1]-q[1]), math.Abs(r[2]-q[2]))
	}
	if force == 0 {
		force = 1 // no force at all: v = 0 solves it
	}
	s.force, s.dual, s.step = force, num.InfNorm(ws.grad)/force, step/force
	s.fresh = false
}

// kinematics sets u = Hᵀv + w; w may be nil.
func (s *augmented) kinematics(u [][3]float64, v, w []float64) {
	h := s.p.H
	for j := range u {
		var x [3]float64
		if w != nil {
			copy(x[:h.Dim], w[h.Dim*j:])
		}
		if h.Dim == 3 { // without the copies of triple
			rows, c := h.Row[h.Ptr[j]:h.Ptr[j+1]], h.Val[3*h.Ptr[j]:]
			for _, row := range rows {
				y := v[row]
				x[0] += c[0] * y
				x[1] += c[1] * y
				x[2] += c[2] * y
				c = c[3:]
			}
			u[j] = x
			continue
		}
		rows, c := h.Row[h.Ptr[j]:h.Ptr[j+1]], h.Val[2*h.Ptr[j]:]
		for _, row := range rows {
			y := v[row]
			x[0] += c[0] * y
			x[1] += c[1] * y
			c = c[2:]
		}
		u[j] = x
	}
}

// project sets p = r̄ − ρu, r = P_K(p) and the Jacobians. In the plane the
// Jacobian of the missing direction is left out, lest its changes ask for a new
// factorisation.
func (ws *Workspace) project(laws []law.Law, dim int) {
	for j, law := range laws {
		u, q, rho := &ws.u[j], &ws.rBar[j], ws.rho[j]
		ws.p[j] = [3]float64{q[0] - rho*u[0], q[1] - rho*u[1], q[2] - rho*u[2]}
		law.Project(&ws.r[j], &ws.jac[j], &ws.p[j])
		if dim == 2 {
			ws.jac[j][8] = 0
		}
	}
}

// subtractReactions subtracts H r from the gradient.
func (s *augmented) subtractReactions() {
	h, g := s.p.H, s.ws.grad
	for j := range s.ws.r {
		r := s.ws.r[j]
		if r == ([3]float64{}) {
			continue
		}
		rows, c := h.Row[h.Ptr[j]:h.Ptr[j+1]], h.Val[h.Dim*h.Ptr[j]:]
		if h.Dim == 3 { // without the copies of triple
			for _, row := range rows {
				g[row] -= c[0]*r[0] + c[1]*r[1] + c[2]*r[2]
				c = c[3:]
			}
			continue
		}
		for _, row := range rows {
			g[row] -= c[0]*r[0] + c[1]*r[1]
			c = c[2:]
		}
	}
}

// converged: r reproduces itself under r ↦ P_K(r − ρu), and forces balance.
func (s *augmented) converged() bool { return s.relieved <= 0 && s.step <= s.tol && s.dual <= s.tol }

// exhausted: both residuals are what floating point can resolve, or less.
func (s *augmented) exhausted() bool {
	if max(s.dual, s.step) > newtonDefault.nearby {
		return false
	}
	step := s.stepRoundoff()
	return s.relieved <= 0 && s.step <= max(s.tol, step) && s.dual <= max(s.tol, step+s.dualRoundoff())
}

// keepBest stores the iterate if it is the best so far and reports whether it
// improved by a fifth, the sign of progress.
func (s *augmented) keepBest() bool {
	b, residual := &s.ws.best, max(s.dual, s.step)
	if !(residual < b.residual) {
		return false
	}
	progress := residual < 0.8*b.residual
	copy(b.v, s.ws.v)
	copy(b.r, s.ws.r)
	b.residual = residual
	return progress
}

// finish writes the result, checks it independently and keeps the solution as
// the next start.
func (s *augmented) finish(res *form.Result, status form.Status, cause error) error {
	ws := s.ws
	if status != form.Converged && ws.best.residual < math.Inf(1) {
		copy(ws.v, ws.best.v)
		copy(ws.r, ws.best.r)
	}
	copy(ws.rBar, ws.r)
	tol := max(s.tol, min(s.dualRoundoff()+s.stepRoundoff(), newtonDefault.nearby))
	s.publish(res)
	ws.resolution = 4 * tol
	if status == form.Converged && !(res.Merit <= 4*tol) { // the check's norm differs by small factors
		status = form.NumericalFailure
	}
	return s.verdict(res, status, cause)
}

// publish writes v and r and what the independent check says of them.
func (s *augmented) publish(res *form.Result) {
	ws, dim := s.ws, s.p.H.Dim
	res.V = append(res.V[:0], ws.v...)
	res.R = num.Grow(res.R, dim*len(ws.r))
	form.Stack(res.R, ws.r, dim)
	res.U = append(res.U[:0], s.p.W...)
	s.p.H.MulTransAdd(res.U, res.V)
	res.Iterations, res.Factors, res.Solver = s.iterations, s.factors, convexName
	if s.relieved != 0 { // what is factorised belongs to other penalties
		ws.penalties(s.p)
		ws.forget()
		s.relieved = 0
	}
	res.Merit, res.Worst = residual(s.p, s.floor, ws, res)
	s.parts(res)
	splitJoints(res, s.given)
}

// parts sets the residuals of motions, forces and power in units of the data: the
// largest of f, of the forces that would close the gaps, and of the floor. ws.grad
// holds what the balance lacks, by residual.
func (s *augmented) parts(res *form.Result) {
	ws, dim := s.ws, s.p.H.Dim
	force := max(s.floor, num.InfNorm(s.p.F))
	for j := range s.p.Laws {
		force = max(force, ws.rho[j]/newtonDefault.penaltyFactor*math.Abs(s.p.W[dim*j]))
	}
	if force == 0 {
		force = 1
	}
	res.Primal, res.Dual, res.Gap = 0, num.InfNorm(ws.grad)/force, 0
	for j, law := range s.p.Laws {
		u, r, x := &ws.u[j], &ws.trial[j], &ws.p[j]
		*u, *r = vec3{}, vec3{}
		copy(u[:dim], res.U[dim*j:])
		copy(r[:dim], res.R[dim*j:])
		law.Project(x, nil, r)
		k := ws.rho[j] / newtonDefault.penaltyFactor
		open := max(-u[0], 0)
		if law == (joint{}) {
			open = math.Abs(u[0])
		}
		res.Primal = max(res.Primal, k*open/force)
		res.Dual = max(res.Dual, max(math.Abs(x[0]-r[0]), math.Abs(x[1]-r[1]), math.Abs(x[2]-r[2]))/force)
		res.Gap = max(res.Gap, k*math.Abs(num.Dot3(r, u)+law.Support(u))/(force*force))
	}
}

// verdict is nil for what converged.
func (s *augmented) verdict(res *form.Result, status form.Status, cause error) error {
	if res.Status = status; status == form.Converged {
		return nil
	}
	worst, cause := nameJoint(s.given, res.Worst, form.Indefinite(cause))
	return &form.Error{Status: status, Merit: res.Merit, Tolerance: s.tol, Iterations: s.iterations, Worst: worst,
		Solver: convexName, Cause: cause}
}
