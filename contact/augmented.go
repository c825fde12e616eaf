package contact

import (
	"context"
	"errors"
	"math"

	"github.com/quasistatic/quasistatic/internal/sparse"
)

// Constants of the convex Newton method; all are ratios.
const (
	// penaltyFactor is ρ over the stiffness of the contact. One update of the
	// multipliers shrinks their error by about 1/penaltyFactor; the roundoff of
	// ρu grows with it. Both are invisible between 1e3 and 1e6.
	penaltyFactor = 1e4
	// innerFactor: the multipliers are updated once the force residual is this
	// much below their change (criterion B of Rockafellar's proximal method).
	innerFactor = 0.1
	// slopeFactor bounds the slope that the line search leaves.
	slopeFactor = 0.1
	// staleFactor: a factorisation serves as long as no entry of D moved by
	// more than this fraction; the Newton step is inexact by as much.
	staleFactor = 1e-3
	// roundoffFactor times eps·(|M||v|) is what the force residual can be
	// computed to at best.
	roundoffFactor = 64
	// stepRoundoffFactor times eps·ρ(|H||v| + |w|), summed over a dozen
	// rounded terms, is the same for the change of the multipliers.
	stepRoundoffFactor = 12

	// Where faces of the feasible set meet at a sharp angle, a stiff φ is a
	// valley in which Newton zigzags with steps shorter than shortStep. The
	// penalty is then divided by relief, down to penaltyFactor/relief², and
	// multiplied again at the next update of the multipliers.
	shortStep = 0.02
	relief    = 100
	// slowUpdate: an update that leaves more than this of the change is slow.
	slowUpdate = 0.5

	// nearby: roundoff is looked at only below this residual.
	nearby = 1e-6
	eps    = 0x1p-52

	convexTolerance     = 1e-12 // default of Options.Tolerance
	convexMaxIterations = 500   // default of Options.MaxIterations
	stallLimit          = 60    // steps without progress; a hard start takes 10 to 30
	lineSearchLimit     = 40    // trials; each shortens the bracket
)

const convexName = "convex newton"

// SolveConvex solves a [Global] problem whose laws are all convex
// ([Frictionless], [Tresca]), that is
//
//	min ½vᵀMv − fᵀv + Σ_j s_j‖S_j u_T^j‖   over   u_N^j ≥ 0,   u = Hᵀv + w.
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
// result is at most the tolerance; otherwise it is an *[Error] and res holds
// the best iterate. scale is the size of forces [N] that matter, a floor under
// the scale of the relative residual; 0 if there is none.
func SolveConvex(ctx context.Context, p *Global, scale float64, o *Options, ws *GlobalWorkspace, res *Result) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if !Convex(p.Laws) {
		return errors.New("contact: SolveConvex takes Frictionless and Tresca laws only")
	}
	ws.prepare(p)
	ws.penalties(p)
	tol, limit := o.tolerance(convexTolerance), o.MaxIterations
	if limit == 0 {
		limit = convexMaxIterations
	}
	s := augmented{p: p, ws: ws, o: o, floor: scale, tol: tol, lastStep: math.Inf(1)}
	status, cause := s.run(ctx, limit)
	return s.finish(res, status, cause)
}

func (o *Options) tolerance(def float64) float64 {
	if o.Tolerance == 0 {
		return def
	}
	return o.Tolerance
}

// augmented is the state of one SolveConvex.
type augmented struct {
	p          *Global
	ws         *GlobalWorkspace
	o          *Options
	floor, tol float64

	iterations, factors int
	force               float64 // scale of the forces at the iterate
	dual, step          float64 // ‖∇φ‖ and ‖r − r̄‖, relative to force
	fresh               bool    // the factorisation belongs to the present D
	short, relieved     int     // short steps in a row; divisions of ρ by relief
	lastStep            float64 // at the previous update of the multipliers
}

// iterate is a point kept aside.
type iterate struct {
	v        []float64
	r        [][3]float64
	residual float64
}

// run iterates until the natural residual and the force residual pass.
func (s *augmented) run(ctx context.Context, limit int) (Status, error) {
	ws := s.ws
	ws.best.residual = math.Inf(1)
	first, stalled := true, 0
	for {
		s.evaluate()
		if s.converged() {
			return Converged, nil
		}
		if s.keepBest() {
			stalled = 0
		} else if stalled++; stalled > 2 && s.exhausted() {
			return Converged, nil
		} else if stalled > stallLimit {
			return NoProgress, nil
		}
		if s.dual <= max(innerFactor*s.step, 0.5*s.tol, s.dualRoundoff()) {
			if s.step == 0 && s.relieved == 0 {
				return s.standstill(), nil
			}
			s.updateMultipliers()
			if s.converged() {
				return Converged, nil
			}
		}
		if s.iterations == limit {
			return IterationLimit, nil
		}
		if ctx.Err() != nil {
			return Canceled, ctx.Err()
		}
		if err := s.factorise(first); err != nil {
			return NumericalFailure, err
		}
		first = false
		alpha := s.newton()
		s.iterations++
		if s.o.OnIteration != nil {
			s.o.OnIteration(Iteration{Solver: convexName, Iteration: s.iterations, Residual: max(s.dual, s.step), Step: alpha})
		}
		s.relieve(alpha)
		if alpha == 0 { // roundoff: the direction does not descend
			if s.exhausted() || s.step == 0 || s.dual > s.dualRoundoff() && s.fresh {
				return s.standstill(), nil
			}
			copy(ws.rBar, ws.r)
			ws.dFactored = ws.dFactored[:0]
		}
	}
}

// updateMultipliers takes r for r̄. The penalty grows again after relief, and
// beyond its usual value where the multipliers converge slowly: at a wedge of
// contacts that barely has reactions they are very large.
func (s *augmented) updateMultipliers() {
	copy(s.ws.rBar, s.ws.r)
	if s.relieved > 0 || s.relieved > -2 && s.step > slowUpdate*s.lastStep {
		s.relieved--
		s.ws.scalePenalties(relief)
	}
	s.lastStep = s.step
	s.evaluate()
}

// relieve lowers the penalty after two short steps in a row.
func (s *augmented) relieve(alpha float64) {
	if alpha >= shortStep {
		s.short = 0
		return
	}
	if s.short++; s.short >= 2 && s.relieved < 2 {
		s.short = 0
		s.relieved++
		s.ws.scalePenalties(1. / relief)
	}
}

// scalePenalties multiplies all ρ_j; what is factorised no longer fits.
func (ws *GlobalWorkspace) scalePenalties(factor float64) {
	for j := range ws.rho {
		ws.rho[j] *= factor
	}
	ws.dFactored = ws.dFactored[:0]
}

// standstill is the verdict where no move is left.
func (s *augmented) standstill() Status {
	if s.exhausted() {
		return Converged
	}
	return NoProgress
}

// penalties sets ρ_j = penaltyFactor times the stiffness that the rows of
// contact j see, from the diagonal of M.
func (ws *GlobalWorkspace) penalties(p *Global) {
	h, largest := p.H, 0.0
	for j := range ws.rho {
		k := 0.0
		for c := range h.Dim {
			num, den := 0.0, 0.0
			for a := h.Ptr[j]; a < h.Ptr[j+1]; a++ {
				x := h.Val[h.Dim*a+c]
				num += x * x * p.M.Val[p.M.Ptr[h.Row[a]]]
				den += x * x
			}
			if den > 0 {
				k = max(k, num/(den*den))
			}
		}
		ws.rho[j] = penaltyFactor * k
		largest = max(largest, k)
	}
	if largest == 0 {
		largest = 1
	}
	for j := range ws.rho {
		if !(ws.rho[j] > 1e-8*penaltyFactor*largest) { // no stiffness of its own: borrow
			ws.rho[j] = penaltyFactor * largest
		}
	}
}

// evaluate computes u, p, r, the Jacobians and ∇φ at v, and both residuals.
func (s *augmented) evaluate() {
	ws, p := s.ws, s.p
	s.kinematics(ws.u, ws.v, p.W)
	ws.project(p.Laws, p.H.Dim)
	p.M.MulVec(ws.grad, ws.v)
	force := max(s.floor, infNorm(ws.grad), infNorm(p.F))
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
	s.force, s.dual, s.step = force, infNorm(ws.grad)/force, step/force
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
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			c, y := h.triple(k), v[h.Row[k]]
			x[0] += c[0] * y
			x[1] += c[1] * y
			x[2] += c[2] * y
		}
		u[j] = x
	}
}

// project sets p = r̄ − ρu, r = P_K(p) and the Jacobians. In the plane the
// Jacobian of the missing direction is left out, lest its changes ask for a new
// factorisation.
func (ws *GlobalWorkspace) project(laws []Law, dim int) {
	for j, law := range laws {
		u, q, rho := &ws.u[j], &ws.rBar[j], ws.rho[j]
		ws.p[j] = [3]float64{q[0] - rho*u[0], q[1] - rho*u[1], q[2] - rho*u[2]}
		law.Project(&ws.r[j], &ws.jac[j], &ws.p[j])
		if dim == 2 {
			ws.jac[j][5], ws.jac[j][7], ws.jac[j][8] = 0, 0, 0
		}
	}
}

// subtractReactions subtracts H r from the gradient.
func (s *augmented) subtractReactions() {
	h, g := s.p.H, s.ws.grad
	for j := range s.ws.r {
		r := s.ws.r[j]
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			c := h.triple(k)
			g[h.Row[k]] -= c[0]*r[0] + c[1]*r[1] + c[2]*r[2]
		}
	}
}

// converged: r reproduces itself under r ↦ P_K(r − ρu), and forces balance.
func (s *augmented) converged() bool { return s.relieved <= 0 && s.step <= s.tol && s.dual <= s.tol }

// exhausted: both residuals are what floating point can resolve, or less.
func (s *augmented) exhausted() bool {
	step := s.stepRoundoff()
	return s.relieved <= 0 && s.step <= max(s.tol, step) && s.dual <= max(s.tol, step+s.dualRoundoff())
}

// dualRoundoff returns the relative size of the errors in ∇φ, at most: those
// of the sums Mv.
func (s *augmented) dualRoundoff() float64 {
	if s.dual > nearby {
		return 0
	}
	m, y := s.p.M, s.ws.work
	clear(y)
	for c := range m.N {
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			i, a := m.Row[k], math.Abs(m.Val[k])
			y[i] += a * math.Abs(s.ws.v[c])
			if i != c {
				y[c] += a * math.Abs(s.ws.v[i])
			}
		}
	}
	return roundoffFactor * eps * max(infNorm(y)/s.force, 1)
}

// stepRoundoff is the same for the change of the reactions: ρ times the errors
// in u = Hᵀv + w, at the contacts that carry something.
func (s *augmented) stepRoundoff() float64 {
	if s.step > nearby {
		return 0
	}
	h, worst := s.p.H, 0.0
	for j, r := range s.ws.r {
		if r == [3]float64{} {
			continue
		}
		size := math.Abs(s.p.W[h.Dim*j])
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			c := h.triple(k)
			size += math.Abs(s.ws.v[h.Row[k]]) * max(math.Abs(c[0]), math.Abs(c[1]), math.Abs(c[2]))
		}
		worst = max(worst, s.ws.rho[j]*size)
	}
	return stepRoundoffFactor * eps * worst / s.force
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

// factorise makes the factorisation fit M and D: exactly at the first step of
// a solve, within staleFactor later. A singular matrix gets a proximal term;
// only a negative direction of M is an error.
func (s *augmented) factorise(exact bool) error {
	ws := s.ws
	if ws.factored(s.p, exact) {
		return nil
	}
	ws.assemble(s.p)
	ws.mFactored = append(ws.mFactored[:0], s.p.M.Val...)
	ws.dFactored = append(ws.dFactored[:0], ws.jac...)
	s.factors++
	s.fresh = true
	err := ws.factor.Refactor(ws.a)
	for _, shift := range [...]float64{1e-12, 1e-8} { // of the largest diagonal entry
		if err == nil {
			return nil
		}
		ws.shift(shift)
		s.factors++
		err = ws.factor.Refactor(ws.a)
	}
	if err != nil {
		ws.dFactored = ws.dFactored[:0]
	}
	return err
}

// shift adds a multiple of the largest diagonal entry to the diagonal.
func (ws *GlobalWorkspace) shift(factor float64) {
	a, largest := ws.a, 0.0
	for c := range a.N {
		largest = max(largest, a.Val[a.Ptr[c]])
	}
	for c := range a.N {
		a.Val[a.Ptr[c]] += factor * largest
	}
}

// factored reports whether the present factorisation serves for M and D.
func (ws *GlobalWorkspace) factored(p *Global, exact bool) bool {
	if len(ws.dFactored) != len(ws.jac) || len(ws.mFactored) != len(p.M.Val) {
		return false
	}
	for k, x := range p.M.Val {
		if x != ws.mFactored[k] {
			return false
		}
	}
	for j := range ws.jac {
		if ws.jac[j] == ws.dFactored[j] {
			continue
		}
		if exact {
			return false
		}
		for k, x := range ws.jac[j] {
			if y := ws.dFactored[j][k]; math.Abs(x-y) > staleFactor*max(math.Abs(y), math.Abs(x)) {
				return false
			}
		}
	}
	return true
}

// newton takes one step along −(M + HDHᵀ)⁻¹∇φ and returns its length, 0 if the
// direction does not descend.
func (s *augmented) newton() float64 {
	ws := s.ws
	ws.factor.Solve(ws.dir, ws.grad)
	slope := 0.0
	for i, g := range ws.grad {
		ws.dir[i] = -ws.dir[i]
		slope += g * ws.dir[i]
	}
	if !(slope < 0) {
		return 0
	}
	s.kinematics(ws.du, ws.dir, nil)
	s.p.M.MulVec(ws.mdir, ws.dir)
	curvature := 0.0
	for i, d := range ws.dir {
		curvature += d * ws.mdir[i]
	}
	alpha := s.search(slope, curvature)
	for i, d := range ws.dir {
		ws.v[i] += alpha * d
	}
	return alpha
}

// search returns a step length that lowers φ. Its derivative along the
// direction is increasing, so where it is still negative φ has only fallen.
func (s *augmented) search(slope, curvature float64) float64 {
	end := s.slopeAt(1, slope, curvature)
	if end <= 0 {
		return 1
	}
	if end <= -slopeFactor*slope && s.slopeAt(0.5, slope, curvature) <= slopeFactor*slope {
		return 1 // what rises in the second half is less than what fell in the first
	}
	lo, hi, slo, shi := 0.0, 1.0, slope, end
	for range lineSearchLimit { // regula falsi, Illinois variant
		x := (lo*shi - hi*slo) / (shi - slo)
		if !(x > lo && x < hi) {
			x = 0.5 * (lo + hi)
		}
		sx := s.slopeAt(x, slope, curvature)
		if sx <= 0 {
			lo, slo = x, sx
			shi *= 0.5
			if sx >= 0.5*slope {
				break
			}
		} else {
			hi, shi = x, sx
			slo *= 0.5
		}
	}
	return lo
}

// slopeAt returns dφ(v + αd)/dα from its value at α = 0 and dᵀMd.
func (s *augmented) slopeAt(alpha, slope, curvature float64) float64 {
	ws := s.ws
	sum := slope + alpha*curvature
	for j, law := range s.p.Laws {
		p, d, rho := &ws.p[j], &ws.du[j], alpha*ws.rho[j]
		ws.trial[j] = [3]float64{p[0] - rho*d[0], p[1] - rho*d[1], p[2] - rho*d[2]}
		law.Project(&ws.trial[j], nil, &ws.trial[j])
		r, x := &ws.r[j], &ws.trial[j]
		sum -= (x[0]-r[0])*d[0] + (x[1]-r[1])*d[1] + (x[2]-r[2])*d[2]
	}
	return sum
}

// finish writes the result, checks it independently and keeps the solution as
// the next start.
func (s *augmented) finish(res *Result, status Status, cause error) error {
	ws, dim := s.ws, s.p.H.Dim
	if status != Converged && ws.best.residual < math.Inf(1) {
		copy(ws.v, ws.best.v)
		copy(ws.r, ws.best.r)
	}
	copy(ws.rBar, ws.r)
	res.V = append(res.V[:0], ws.v...)
	res.R = resize(res.R, dim*len(ws.r))
	stack(res.R, ws.r, dim)
	res.U = append(res.U[:0], s.p.W...)
	s.p.H.MulTransAdd(res.U, res.V)
	res.Iterations, res.Factors, res.Solver = s.iterations, s.factors, convexName
	tol := max(s.tol, s.dualRoundoff()+s.stepRoundoff())
	ws.penalties(s.p) // the full ones, whatever the iteration used
	res.Merit, res.Worst = residual(s.p, s.floor, ws, res)
	if status == Converged && !(res.Merit <= 4*tol) { // the check's norm differs by small factors
		status = NumericalFailure
	}
	res.Status = status
	if status == Converged {
		return nil
	}
	if npd, ok := errors.AsType[*sparse.NotPositiveDefiniteError](cause); ok {
		cause = &IndefiniteError{Row: npd.Column}
	}
	return &Error{Status: status, Merit: res.Merit, Tolerance: s.tol, Iterations: s.iterations, Worst: res.Worst, Solver: convexName, Cause: cause}
}

func infNorm(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		if a := math.Abs(v); a > m || a != a {
			m = a
		}
	}
	return m
}

func resize(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}
