// Package friction has coefficients of dry friction that depend on the speed of slip,
//
//	r_T = −μ(‖u_T‖) r_N u_T/‖u_T‖,  ‖r_T‖ ≤ μ(0) r_N where u_T = 0.
//
//	symbol  Go name       unit  reference
//	μ(v)    Law.Mu        -     -
//	L       Law.Weakening s/m   bound of −dμ/dv
//	μ_s     Static        -     of what sticks, μ(0)
//	μ_k     Kinetic       -     of what slides; fast, in [Armstrong94]
//	v_s     Speed         m/s   Stribeck's speed, [Armstrong94]
//	δ       Exponent      -     [Armstrong94]
//	θ, L    Ageing        s, m  state and its length, see there
//	s       Weakening     m     what a contact has slipped
//
// # How far a step has one solution
//
// In a step u = W r + b with normal impulses r_N that are given, take two solutions and let Δ be
// their difference. s = u/‖u‖ has
//
//	Δu·Δ(μ(‖u‖)s) ≥ Δ‖u‖ Δμ(‖u‖) ≥ −L ‖Δu‖²,
//
// so that Δu·W_TT⁻¹Δu = −Σ r_N Δu·Δ(μs) ≤ Σ r_N L ‖Δu‖², and there is one solution only where
//
//	λ_max(D^½ W_TT D^½) < 1,  D = diag(r_N L).
//
// For one contact that is r_N L W_TT < 1, and sharp: h N L/m < 1 for a block of mass m. Rows of
// sums of r_N L [Norm](W_ij) bound the eigenvalue. Impulses are in proportion to h, and so is it: the
// largest step is h over it. Where μ rises with speed L is zero, and any step has one solution.
//
// With a state θ, which ages in the step, μ(v) is that of the middle of the step, in closed form: it
// falls with v through θ, by b (−∂lnΘ/∂v) − a/v at most, and the bound above holds as it stands. So it
// does over what has slipped, of which the middle of a step has h v/2 more: h²N|dμ/ds|/2m < 1 for a block.
//
// # References
//
// [Armstrong94] B. Armstrong-Hélouvry, P. Dupont, C. Canudas de Wit, A survey of models, analysis
// tools and compensation methods for the control of machines with friction, Automatica 30 (1994).
//
// # Limits
//
// The jump from μ_s to μ_k of [Jump] is no slope: which of the two holds is a matter of what the
// contact did before. Normal impulses that depend on friction are not part of the bound.
package friction

// Law is a coefficient over the speed of slip.
type Law interface {
	// Mu returns μ at a speed ‖u_T‖ ≥ 0 [m/s]; at 0 it bounds what sticks.
	Mu(speed float64) float64
	// Weakening returns the largest −dμ/dv of the speeds between two, 0 where μ only rises [s/m].
	// A jump at 0 is not part of it.
	Weakening(from, to float64) float64
	// Bounds returns the least and the largest μ.
	Bounds() (least, most float64)
	// Validate returns what is wrong with the numbers.
	Validate() error
}
