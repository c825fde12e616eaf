package convex

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// Residual is the independent check of a [form.Global] solution (v, r). It returns
// the larger of the relative force residual and the natural map,
//
//	‖Mv − f − Hr‖∞ / F,   max_j ‖r_j − P_{K_j}(r_j − ρ_j(u_j + g(u_j)e_N))‖∞ / F,
//
// with u = Hᵀv + w, F = max(‖Mv‖∞, ‖f‖∞, ‖r‖∞, scale) and ρ_j the stiffness that
// contact j sees on the diagonal of M, so that the number does not depend on
// units: a residual of 1e-12 means forces to 1e-12 F and gaps to 1e-12 F/ρ_j;
// and the contact with the largest residual, -1 if there is none. With joints, r
// is followed by λ (nb), the force residual has Gλ, the violation Gᵀv + b counts
// as |ρ(Gᵀv + b)|/F, and nc+k stands for joint k.
func Residual(p *form.Global, scale float64, v, r []float64) (merit float64, worst int) {
	ws := new(Workspace)
	r = mergeJoints(p, r)
	p = ws.withJoints(p)
	ws.prepare(p)
	ws.penalties(p)
	res := &form.Result{V: v, R: r, U: append([]float64(nil), p.W...)}
	p.H.MulTransAdd(res.U, v)
	return residual(p, scale, ws, res)
}

func residual(p *form.Global, scale float64, ws *Workspace, res *form.Result) (merit float64, worst int) {
	e := ws.grad
	p.M.MulVec(e, res.V)
	force := max(num.InfNorm(e), num.InfNorm(p.F), num.InfNorm(res.R), scale)
	if force == 0 {
		force = 1
	}
	for i := range e {
		e[i] = -e[i] + p.F[i]
	}
	p.H.MulAdd(e, res.R)
	form.Unstack(ws.u, res.U, p.H.Dim)
	form.Unstack(ws.trial, res.R, p.H.Dim)
	merit, worst = num.InfNorm(e), -1
	for j, law := range p.Laws {
		u, r, q := &ws.u[j], &ws.trial[j], &ws.p[j]
		form.Stretch(law, u, r)
		u[0] += law.Correction(u)
		for k := range 3 {
			q[k] = r[k] - ws.rho[j]/newtonDefault.penaltyFactor*u[k]
		}
		law.Project(q, nil, q)
		m := max(math.Abs(r[0]-q[0]), math.Abs(r[1]-q[1]), math.Abs(r[2]-q[2]))
		if m > merit || m != m {
			merit, worst = m, j
		}
	}
	return merit / force, worst
}

// Gap is a two-sided certificate of a convex problem: no admissible v has an
// energy lower than that of the v given by more than Total.
type Gap struct {
	Complementarity float64 // Σ_j s‖S u_T‖ + r·u [J], zero for an exact pair
	Force           float64 // ½ eᵀM⁻¹e with e = f + Hr − Mv [J]; +Inf if M is singular and e ≠ 0
	Violation       float64 // max_j −u_N, |Gᵀv + b| [m]: how far v itself is from admissible
}

// Total is the primal value at v minus the dual value at r.
func (g Gap) Total() float64 { return g.Complementarity + g.Force }

// DualityGap evaluates primal minus dual of the problem of [Solve] at
// any v and any admissible r. With e = f + Hr − Mv,
//
//	P(v) − D(r) = Σ_j (s_j‖S_j u_T‖ + r_j·u_j) + ½ eᵀM⁻¹e.
//
// With joints, r is followed by λ, e has Gλ, and the sum λ·(Gᵀv + b).
// It factorises M once, and again only when the values of M change, until the context is
// done: then Force is +Inf. What [Workspace.UseCondensed] gives has factors already.
func DualityGap(ctx context.Context, p *form.Global, v, r []float64, ws *Workspace) Gap {
	ws = num.OrNew(ws)
	if r = mergeJoints(p, r); p.Joints() > 0 {
		p = ws.withJoints(p)
	}
	ws.prepare(p)
	e, u, t := ws.grad, ws.u, ws.trial
	p.M.MulVec(e, v)
	for i := range e {
		e[i] = p.F[i] - e[i]
	}
	p.H.MulAdd(e, r)
	s := augmented{p: p, ws: ws}
	s.kinematics(u, v, p.W)
	form.Unstack(t, r, p.H.Dim)
	var g Gap
	for j, law := range p.Laws {
		g.Complementarity += law.Support(&u[j]) + t[j][0]*u[j][0] + t[j][1]*u[j][1] + t[j][2]*u[j][2]
		g.Violation = max(g.Violation, -u[j][0])
		if law == (joint{}) {
			g.Violation = max(g.Violation, u[j][0])
		}
	}
	g.Force = ws.compliance(ctx, p.M, e)
	return g
}

// compliance returns ½ eᵀM⁻¹e; +Inf without the factors of M.
func (ws *Workspace) compliance(ctx context.Context, m *sparse.Sym, e []float64) float64 {
	if num.InfNorm(e) == 0 {
		return 0
	}
	if c := ws.condensedOf(ctx, m); c != nil {
		if c.held != nil {
			return math.Inf(1)
		}
		if c.schur != nil { // ½ ‖L⁻¹e‖², for which L is read once
			c.schur.Reduce(ws.work, e)
			norm := num.Norm(ws.work)
			return 0.5 * norm * norm
		}
		return ws.halfWork(c.factor, e)
	}
	if ws.mass == nil {
		if ws.analyseMass(ctx, m) != nil {
			return math.Inf(1)
		}
		ws.massVal = nil
	}
	if !slices.Equal(ws.massVal, m.Val) {
		first := ws.massVal == nil
		ws.massVal = append(ws.massVal[:0], m.Val...)
		if ws.massFail = ws.mass.RefactorContext(ctx, m); ctx.Err() != nil {
			ws.massVal = nil
		}
		if first { // an M that never changes is factorised once
			ws.mass.Release()
		}
	}
	if ws.massFail != nil {
		return math.Inf(1)
	}
	return ws.halfWork(ws.mass, e)
}

// halfWork returns ½ eᵀM⁻¹e by factors of M.
func (ws *Workspace) halfWork(factors solver, e []float64) (sum float64) {
	factors.Solve(ws.work, e)
	for i, x := range ws.work {
		sum += 0.5 * e[i] * x
	}
	return sum
}
