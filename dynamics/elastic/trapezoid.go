package elastic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/sparse"
)

// trapezoid is the Newmark step (36)-(39) as one contact problem in u^{n+1}:
// with K̃ = A + 4/Δt² M_*, after eliminating v and a,
//
//	K̃ u^{n+1} = L(t_{n+1}) + 4/Δt² M_*(u + Δt v + Δt²/4 a) + H r,
//	u_N^{n+1} + g ≥ 0,   slip u_T^{n+1} − u_T^n − Δt/2 v_T^n = Δt/2 v_T^{n+1}.
//
// Prescribed dofs have the displacement u_s and the velocity v_s of their motion. By (36) alone, v^{n+1} =
// 2/Δt (u^{n+1} − u^n) − v^n, what v_s is off by would stay, with the sign turned at each step: where the rate of a
// motion jumps by Δv it would go on between v − Δv and v + Δv at any Δt. Of (38), a^{n+1} = 2/Δt (v^{n+1} − v^n) − a^n,
// nothing changes, so that momentum is balanced in each step, with M_* Δv of a jump in the step that it begins: in the
// rows of free dofs
//
//	4/Δt² M_*(u_s^{n+1} − h_s),   h_s = u_s^{n+1} − Δt/2 (v_s^{n+1} − v_s^n) + Δt²/4 a_s^n,
//
// in place of u + Δt v + Δt²/4 a.
type trapezoid struct {
	a        *assembly
	dt       float64
	matrix   *sparse.Sym // K̃ of the free dofs
	coupling *fem.Coupling
	problem  contact.Global
	solver   *contact.Condensed
	need     memory.Estimate

	res     contact.Result
	full    []float64 // right-hand side of all dofs
	history []float64
	motion  []float64    // prescribed displacements …
	rate    []float64    // … and velocities
	rho     []float64    // of each contact, see hold [N/m]
	holds   []bool       // contacts that stick at the end of the step
	speeds  [][3]float64 // of the obstacles at the end of the step, tangents first [m/s]
	slip    slipping
}

// newTrapezoid factorises K̃, unless that and what was taken before are beyond the limit.
func newTrapezoid(ctx context.Context, a *assembly, dt float64, limit memory.Limit, taken memory.Estimate) (*trapezoid, error) {
	t := &trapezoid{a: a, dt: dt, full: make([]float64, a.stiffness.N), history: make([]float64, a.stiffness.N),
		motion: make([]float64, len(a.fixed)), rate: make([]float64, len(a.fixed))}
	t.matrix, t.coupling = a.split.Restrict(combine(1, a.stiffness, 4/(dt*dt), a.mass))
	h := a.jacobian()
	laws := make([]contact.Law, h.Contacts())
	for k := range laws {
		laws[k] = contact.Coulomb{Mu: a.model.mu(k)}
		if a.model.mu(k) == 0 {
			laws[k] = contact.Frictionless{}
		}
	}
	t.problem = contact.Global{M: t.matrix, F: make([]float64, t.matrix.N), H: h, W: make([]float64, h.Dim*len(laws)), Laws: laws}
	t.rho, t.holds = t.stiffnesses(), make([]bool, len(a.normal))
	t.speeds = make([][3]float64, len(a.normal))
	plan, err := contact.PlanCondensed(ctx, t.matrix, h)
	if err != nil {
		return nil, err
	}
	mass, err := contact.PlanMass(ctx, t.matrix)
	if err != nil {
		return nil, err
	}
	if t.need = a.need(mass, plan); limit.Bytes > 0 {
		taken.Join(t.need)
		if err := limit.Check(taken, "take a coarser mesh"); err != nil {
			return nil, err
		}
	}
	if t.solver, err = plan.Condense(ctx, t.matrix, h); err == nil {
		t.openSlip()
	}
	if npd, ok := errors.AsType[*factor.NotPositiveDefiniteError](err); ok {
		return nil, fmt.Errorf("elastic: A + 4/Δt² M is not positive definite at node %d: %w",
			a.split.Free[min(npd.Column, len(a.split.Free)-1)]/a.dim, err)
	}
	return t, err
}

// rightHandSide sets full = L + 4/Δt² M_*(u + Δt v + Δt²/4 a), with h_s of the prescribed dofs, their motion
// at time end, and the right-hand side of the free ones.
func (t *trapezoid) rightHandSide(now *State, end float64) {
	a, dt := t.a, t.dt
	for i, u := range now.U {
		t.history[i] = u + dt*now.V[i] + 0.25*dt*dt*now.A[i]
	}
	for k, i := range a.split.Fixed {
		t.motion[k], t.rate[k] = a.fixed[k].At(end), a.rate(k, end)
		t.history[i] = t.motion[k] - 0.5*dt*(t.rate[k]-now.V[i]) + 0.25*dt*dt*now.A[i]
	}
	a.mass.MulVec(t.full, t.history)
	a.load(t.history, end)
	for i, l := range t.history {
		t.full[i] = l + 4/(dt*dt)*t.full[i]
	}
	a.split.Gather(t.problem.F, t.full)
	t.coupling.SubMul(t.problem.F, t.motion)
}

// offsets sets w of the step that ends at a time: gaps, and the slip of a node that does not move
// in the step.
func (t *trapezoid) offsets(now *State, end float64) {
	dim := t.problem.H.Dim
	for k, n := range t.a.normal {
		t.problem.W[dim*k], t.speeds[k] = t.a.gapAt(k, end), t.a.speed(k, end)
		for c := range t.a.dim - 1 {
			i := n - t.a.dim + 1 + c
			t.problem.W[dim*k+1+c] = -now.U[i] - 0.5*t.dt*(now.V[i]+t.speeds[k][c])
		}
	}
}

// step solves for the next state.
func (t *trapezoid) step(ctx context.Context, s *Stepper, next *State) error {
	t.rightHandSide(&s.now, next.T)
	t.offsets(&s.now, next.T)
	err := t.solve(ctx, s)
	s.stats = Stats{Iterations: t.res.Iterations, Factors: t.res.Factors, Residual: t.res.Merit, Solver: t.res.Solver}
	if err != nil {
		return err
	}
	copy(next.R, t.res.R)
	for k := range t.a.normal {
		if r := next.R[t.problem.H.Dim*k:][:t.problem.H.Dim]; r[0] <= 0 {
			t.a.clip(k, r)
		}
	}
	t.accept(&s.now, next, t.res.V)
	t.a.wear(t.dt, &s.now, next)
	return nil
}

// accept takes the free displacements of the solution and finds which contacts
// hold, makes closed and holding ones exact, and updates velocity and acceleration:
//
//	v^{n+1} = 2/Δt (u^{n+1} − u^n) − v^n,   a^{n+1} = 4/Δt² (u^{n+1} − u^n − Δt v^n) − a^n,
//
// but for prescribed dofs.
func (t *trapezoid) accept(now, next *State, free []float64) {
	a, dt := t.a, t.dt
	a.split.Scatter(next.U, free)
	for k, i := range a.split.Fixed {
		next.U[i] = t.motion[k]
	}
	t.hold(now, next)
	t.snap(now, next)
	for i, u := range next.U {
		du := u - now.U[i]
		next.V[i] = 2/dt*du - now.V[i]
		next.A[i] = 4/(dt*dt)*(du-dt*now.V[i]) - now.A[i]
	}
	for k, i := range a.split.Fixed {
		next.V[i], next.A[i] = t.rate[k], 2/dt*(t.rate[k]-now.V[i])-now.A[i]
	}
	if a.model.Inertia != Standard {
		for _, n := range a.massless {
			next.V[n], next.A[n] = 0, 0
		}
	}
	for k, n := range a.normal {
		if t.holds[k] {
			copy(next.V[n-a.dim+1:n], t.speeds[k][:])
		}
	}
}

// sticking: at the limit, the tolerance of a solve leaves a friction force within a
// few 1e-13 of it.
const sticking = 1 - 1e-9

// hold stores in holds which contacts stick: those whose trial force lies inside the
// disc of friction,
//
//	‖r_T − ρ s‖ < μ r_N,   s = u_T^{n+1} − u_T^n − Δt/2 (v_T^n + w_T^{n+1}),
//
// which r_T = P(r_T − ρs), the law of friction, asks of s = 0 for any ρ > 0. With ρ of
// the size of the stiffness of the node, the slip that is called none is below 2μ r_N/ρ:
// what the error of a solve makes of a small r_N cannot freeze a node that slides,
// which the comparison of r_T with μ r_N alone did.
func (t *trapezoid) hold(now, next *State) {
	dim := t.problem.H.Dim
	for k, n := range t.a.normal {
		r := next.R[dim*k : dim*k+dim]
		trial := 0.0 // no number is below a limit of 0: an open contact holds nothing
		for c := 1; c < t.a.dim; c++ {
			i := n - t.a.dim + c
			trial = math.Hypot(trial, r[c]-t.rho[k]*(next.U[i]-now.U[i]-0.5*t.dt*(now.V[i]+t.speeds[k][c-1])))
		}
		t.holds[k] = trial < sticking*t.slip.mu[k]*r[0]
	}
}

// stiffnesses returns ρ of each contact: the largest diagonal entry of K̃ at its tangents.
func (t *trapezoid) stiffnesses() []float64 {
	rho := make([]float64, len(t.a.normal))
	for k, n := range t.a.normal {
		for c := n - t.a.dim + 1; c < n; c++ {
			rho[k] = max(rho[k], t.matrix.Val[t.matrix.Ptr[t.a.split.Index[c]]])
		}
	}
	return rho
}

// clip takes from the friction of contact k what is beyond μ r_N: the fixed point finds it
// with the reactions of its last iterate, r_N anew.
func (a *assembly) clip(k int, r []float64) {
	size, limit := 0.0, a.model.mu(k)*max(r[0], 0)
	for _, x := range r[1:] {
		size = math.Hypot(size, x)
	}
	if size <= limit {
		return
	}
	for c := range r[1:] {
		r[1+c] *= limit / size
	}
}

// snap sets u_N = −g where there is a normal reaction, and the slip to zero where
// friction holds: what it removes is below the tolerance of the solve.
func (t *trapezoid) snap(now, next *State) {
	dim := t.problem.H.Dim
	for k, n := range t.a.normal {
		if next.R[dim*k] > 0 {
			next.U[n] = -t.a.gapAt(k, next.T)
		}
		if t.holds[k] {
			for c, w := range t.speeds[k][:t.a.dim-1] {
				i := n - t.a.dim + 1 + c
				next.U[i] = now.U[i] + 0.5*t.dt*(now.V[i]+w)
			}
		}
	}
}
