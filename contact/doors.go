package contact

import (
	"context"

	"github.com/quasistatic/quasistatic/contact/convex"
	"github.com/quasistatic/quasistatic/contact/local"
	"github.com/quasistatic/quasistatic/contact/prove"
	"github.com/quasistatic/quasistatic/sparse"
)

// What solvers keep from one solve to the next, what they analyse and what they say of a result:
// packages local and convex, by the names under which programs know them.
type (
	LocalWorkspace  = local.Workspace
	GlobalWorkspace = convex.Workspace
	Gap             = convex.Gap
	MassPlan        = convex.MassPlan
	Condensed       = convex.Condensed
	CondensedPlan   = convex.CondensedPlan
	CondensedState  = convex.CondensedState
)

// SolveLocal solves u = W r + q with a law at each contact, see [local.Solve].
func SolveLocal(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result) error {
	return local.Solve(ctx, p, o, ws, res)
}

// SolveGlobal solves a problem in the velocities, of any laws, see [convex.SolveGlobal].
func SolveGlobal(ctx context.Context, p *Global, o *Options, ws *GlobalWorkspace, res *Result) error {
	return convex.SolveGlobal(ctx, p, o, ws, res)
}

// SolveConvex solves a problem in the velocities whose laws are convex, see [convex.Solve].
func SolveConvex(ctx context.Context, p *Global, scale float64, o *Options, ws *GlobalWorkspace, res *Result) error {
	return convex.Solve(ctx, p, scale, o, ws, res)
}

// SolveFixedPoint solves one of Coulomb's law as a fixed point, see [convex.SolveFixedPoint].
func SolveFixedPoint(ctx context.Context, p *Global, scale float64, o *Options, ws *GlobalWorkspace, res *Result) error {
	return convex.SolveFixedPoint(ctx, p, scale, o, ws, res)
}

// SolveOne solves a single contact (Proposition 1 of [Pang05]), see [local.SolveOne].
func SolveOne(r *[3]float64, dim int, w *[9]float64, b *[3]float64, mu float64) {
	local.SolveOne(r, dim, w, b, mu)
}

// NaturalResidual is the residual of one contact, see [local.NaturalResidual].
func NaturalResidual(law Law, r, u *[3]float64, rho float64) float64 {
	return local.NaturalResidual(law, r, u, rho)
}

// Certifies reports whether d proves that p has no solution, see [prove.Certifies].
func Certifies(p *Local, d []float64) bool { return prove.Certifies(p, d) }

// Residual is the independent check of a problem in the velocities, see [convex.Residual].
func Residual(p *Global, scale float64, v, r []float64) (merit float64, worst int) {
	return convex.Residual(p, scale, v, r)
}

// DualityGap is the two-sided certificate of a convex problem, see [convex.DualityGap].
func DualityGap(ctx context.Context, p *Global, v, r []float64, ws *GlobalWorkspace) Gap {
	return convex.DualityGap(ctx, p, v, r, ws)
}

// PlanMass analyses the pattern of m, see [convex.PlanMass].
func PlanMass(ctx context.Context, m *sparse.Sym) (*MassPlan, error) { return convex.PlanMass(ctx, m) }

// PlanCondensed analyses a condensation onto the contacts h, see [convex.PlanCondensed].
func PlanCondensed(ctx context.Context, m *sparse.Sym, h *Jacobian) (*CondensedPlan, error) {
	return convex.PlanCondensed(ctx, m, h)
}

// NewCondensed factorises m and condenses it onto the contacts h, see [convex.NewCondensed].
func NewCondensed(ctx context.Context, m *sparse.Sym, h *Jacobian) (*Condensed, error) {
	return convex.NewCondensed(ctx, m, h)
}
