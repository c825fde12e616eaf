// Package proof bounds how far an evolution is from the exact one, and writes what another
// program needs to check it. Both are for quadratic energies, E = ½ zᵀAz − ℓ(t)·z.
//
//	Var_{A⁻¹}(r; [0, t]) + ‖r(t)‖_{A⁻¹} >= ‖z(t) − z̃(t)‖_A
//
//	symbol   Go name        shape   unit  reference
//	z        Tube.Observe   3N      m     the polygon of a run
//	z̃                       3N      m     the exact solution from the same start
//	r        Tube.last      3N      N     z is exact for the loads ℓ + r
//	c_j      Tube.reach     N       m/√J  |e_j| <= c_j ‖e‖_A
//	         Tube.Of        N       m     the bound of a particle, at all nodes
//
// A [Tube] exists where no normal force depends on how particles slide, so that the thresholds of
// friction are functions of time. docs/theory.md derives the bound ("The tube"), and says why there
// is none elsewhere.
//
// A proof file ([File]) holds the nodes of a polygon in ratios of integers, the reactions of
// obstacles in corners, and what is claimed. scripts/peers/check_proof.py checks it from the case
// and the trajectory: (S) for all times, (E), and the tube.
//
// # References
//
// [Moreau77] J. J. Moreau, Evolution problem associated with a moving convex set in a Hilbert
// space, J. Differential Equations 26, 1977.
//
// [Ballard99] P. Ballard, A counter-example to uniqueness in quasi-static elastic contact problems
// with small friction, Int. J. Eng. Sci. 37, 1999.
//
// # Limits
//
// The bound adds up what each step leaves, and forgets nothing: of a steady cycle it grows with the
// number of cycles. Inside steps the polygon is compared as a path. The numbers are of float64,
// with an allowance for rounding; the checker's are exact.
package proof
