package elastic

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/sparse"
)

// picard is the fixed point of Theorem 4. One iteration v_* = Φ_n(v̂_*) is
//
//  1. v̂_c = q^{n+1}(v̂_*), an obstacle problem, with its reactions λ_c;
//  2. Ã_* v_* ∈ L̃ − A_*c v̂_c − ∂₂j with the thresholds μλ_c: a strictly convex
//     problem with Tresca friction, (42),
//
// with Ã = A + 4/Δt² M_*. It contracts like (Δt/h)², (48).
type picard struct {
	t        *trapezoid
	obstacle *obstacle
	split    *fem.Split // of the free dofs into V_* and the contact normals
	coupling *fem.Coupling
	problem  contact.Global
	tresca   []contact.Tresca
	solver   *contact.Condensed
	res      contact.Result
	hat      []float64 // v̂, all dofs
	free, uc []float64
	lambda   []float64
}

func newPicard(ctx context.Context, a *assembly, t *trapezoid, o *obstacle) (*picard, error) {
	p := &picard{t: t, obstacle: o, hat: make([]float64, a.stiffness.N), lambda: make([]float64, len(a.normal)),
		uc: make([]float64, len(a.normal))}
	normals := make([]int, len(a.normal))
	for k, n := range a.normal {
		normals[k] = a.split.Index[n]
	}
	p.split = fem.NewSplit(t.matrix.N, normals)
	var m *sparse.Sym
	m, p.coupling = p.split.Restrict(t.matrix)
	h := &contact.Jacobian{Dim: max(a.dim, 2), Rows: m.N, Ptr: []int{0}}
	laws := make([]contact.Law, len(a.normal))
	p.tresca = make([]contact.Tresca, len(a.normal))
	for k, n := range a.normal {
		for c := range a.dim - 1 {
			e := make([]float64, h.Dim)
			e[c+1] = 1
			h.Row, h.Val = append(h.Row, p.split.Index[a.split.Index[n-a.dim+1+c]]), append(h.Val, e...)
		}
		h.Ptr = append(h.Ptr, len(h.Row))
		laws[k] = &p.tresca[k]
	}
	p.problem = contact.Global{M: m, F: make([]float64, m.N), H: h, W: make([]float64, h.Dim*len(laws)), Laws: laws}
	p.free = make([]float64, t.matrix.N)
	var err error
	p.solver, err = contact.NewCondensed(ctx, m, h)
	return p, err
}

// rounding: a fixed point that contracts slowly stalls in the rounding of its two problems, of
// displacements that are solved for with condition numbers up to 1e5. After ten iterations without
// progress a change below that is accepted. What it is worth, the energy identity tells.
const rounding = 1e-11

// step iterates from v̂ = u^n + Δt v^n.
func (p *picard) step(ctx context.Context, s *Stepper, next *State) error {
	p.t.rightHandSide(&s.now, next.T)
	p.t.offsets(&s.now, next.T)
	for k := range p.lambda {
		dim := p.problem.H.Dim
		copy(p.problem.W[dim*k+1:dim*k+dim], p.t.problem.W[dim*k+1:dim*k+dim])
		p.problem.W[dim*k] = 1 // the normal takes no part
	}
	for i, u := range s.now.U {
		p.hat[i] = u + s.opt.Step*s.now.V[i]
	}
	for k, i := range s.a.split.Fixed {
		p.hat[i] = p.t.motion[k]
	}
	last, best, stalled := 0.0, math.Inf(1), 0
	for iteration := 1; iteration <= s.opt.MaxIterations; iteration++ {
		change, err := p.iterate(ctx, s, next.T)
		if err != nil {
			return fmt.Errorf("fixed point, iteration %d: %w", iteration, err)
		}
		size := infNorm(p.hat)
		if stalled++; change < best {
			best, stalled = change, 0
		}
		stalls := stalled > 0 && change <= rounding*size
		if last > 0 && change > 0 && !stalls {
			s.stats.Contraction = change / last
		}
		last = change
		s.stats.Iterations, s.stats.Residual, s.stats.Solver = iteration, p.res.Merit, "fixed point of Theorem 4"
		if change <= s.opt.Tolerance*size || stalls && stalled >= 10 {
			return p.finish(ctx, s, next)
		}
	}
	return fmt.Errorf("fixed point: change %.3g after %d iterations, contraction %.3g: the step is too large against the mesh, or μ",
		last, s.opt.MaxIterations, s.stats.Contraction)
}

// iterate replaces v̂ by Φ_n(v̂) and returns the largest change in V_*.
func (p *picard) iterate(ctx context.Context, s *Stepper, end float64) (float64, error) {
	if err := p.obstacle.solve(ctx, p.hat, p.lambda, end, s.scale); err != nil {
		return 0, err
	}
	for k, n := range p.t.a.normal {
		p.tresca[k].Threshold = p.t.a.model.mu(k) * p.lambda[k]
		p.uc[p.order(k)] = p.hat[n]
	}
	p.split.Gather(p.problem.F, p.t.problem.F)
	p.coupling.SubMul(p.problem.F, p.uc)
	opt := contact.Options{Tolerance: 1e-14}
	if err := p.solver.Solve(ctx, &p.problem, s.scale, &opt, &p.res); err != nil {
		return 0, err
	}
	change := 0.0
	for k, i := range p.split.Free {
		dof := p.t.a.split.Free[i]
		change = max(change, math.Abs(p.res.V[k]-p.hat[dof]))
		p.hat[dof] = p.res.V[k]
	}
	return change, nil
}

// order returns the place of contact k among the prescribed dofs of split.
func (p *picard) order(k int) int {
	return -1 - p.split.Index[p.t.a.split.Index[p.t.a.normal[k]]]
}

// finish completes the state with u_c = q(u_*).
func (p *picard) finish(ctx context.Context, s *Stepper, next *State) error {
	if err := p.obstacle.solve(ctx, p.hat, p.lambda, next.T, s.scale); err != nil {
		return err
	}
	dim := p.problem.H.Dim
	for k := range p.lambda {
		r := next.R[dim*k : dim*k+dim]
		r[0] = p.lambda[k]
		copy(r[1:], p.res.R[dim*k+1:dim*k+dim])
		s.a.clip(k, r)
	}
	s.a.split.Gather(p.free, p.hat)
	p.t.accept(&s.now, next, p.free)
	return nil
}
