// Package sensitivity differentiates solutions of contact problems u = W r + q: [Linearise] at a
// solution gives
//
//	(I − P′ + P′ρ W) δr = −P′ρ δq + ∂P/∂μ δμ,   δu = W δr + δq,
//
// the linearised natural map, whose solution is the derivative where no contact stands at an edge
// between its states ([Sensitivity.Edges] names those that do); [Sensitivity.Backward] gives
// gradients.
//
//	symbol  Go name               shape   unit
//	δq, δμ  Change.Q, .Bound      dim·nc, nc   m or m/s; that of the bound
//	δr, δu  Sensitivity.Forward   dim·nc  that of r and u
//	∂/∂q    Gradient.Q            dim·nc
//
// # Limits
//
// Redundant contacts have motions with derivatives and reactions without ([Sensitivity.Redundant]);
// laws that are known by their methods alone have none of their parameters.
package sensitivity
