// Package incremental makes the evolution a sequence of minimisations: the
// incremental problem of [Schmid08], section 4.1,
//
//	z_k ∈ argmin{ E(t_k, y) + Ψ_γ(t_{k−1}, z_{k−1}, y − z_{k−1}) : y ∈ A },   (IP_γ)
//
// over a partition 0 = t_0 < t_1 < … Each one is a convex contact problem of
// package contact, or, if E is not quadratic, a descent through such problems.
//
//	symbol      Go name                 shape  unit  reference
//	z_k         Stepper.State           3N     m     (IP_γ)
//	t_k         Stepper.Time            1      s     Definition 4.1
//	V = y−z_{k−1}  (unknown of a step)  3N     m
//	r^(j)       Stepper.Reaction        3      N     DE = H r at equilibrium
//	σ^(j)       r_N                     1      N     ∂E/∂z_{3j}
//	γ           Options.Rule.Gamma      1      N     (3.4)
//	thresholds  lagged: (σ(t_{k−1}, z_{k−1}) − γ)_+, implicit: σ at t_k
//
// # Conventions
//
// States are local coordinates (package particles); a triple of a reaction is
// ordered (t, o, n) like the coordinates, and is the force of the obstacle on
// the particle. After every step, heights of particles that carry a normal
// force are exactly 0, and particles that stick have exactly the tangential
// coordinates that they had: Ψ is discontinuous at height 0, so index sets come
// from the multiplier of the normal constraint, never from a small height.
//
// Parts of a system that exchange no force, islands, are solved by themselves, each to
// the size of its own forces; displacements are those from the start of the step.
//
// # References
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees
// of freedom and dry friction, WIAS preprint 1336, 2008.
//
// # Limits
//
// The argmin of an energy that is not convex is local: the first one downhill
// from z_{k−1}. Where (N4) fails, the rate problem may have no solution or
// several, and the step still returns a minimiser; the certificates of package
// energetic tell. Implicit thresholds are a fixed point that exists and is found
// for q/α < 1; where the iteration fails the step falls back to lagged ones and
// says so.
package incremental
