// Package law has the laws of contact and friction, one a file: which reactions a
// contact can carry, and how it answers to a relative motion,
//
//	r = P_K(r − ρ(u + g(u)e_N)),   ρ > 0.
//
//	law             K                              g            answers by
//	Frictionless    r_N ≥ 0, r_T = 0               0            Signorini's condition
//	Bilateral       all                            0            a joint, u = 0
//	Coulomb         r_T ∈ μ r_N Sᵀ·ball            μ‖S u_T‖     Coulomb's friction [DeSaxce98]
//	Associated      the same                       0            its convex relaxation
//	Pyramid         r_T ∈ μ r_N Sᵀ·polygon         μ max d·Su_T the friction of linear complementarity
//	Cohesive        r_T ∈ (c + μ r_N)·ball, r_N ≥ −t  μ‖u_T‖     cohesion with a tension cut-off
//	Rolling         Coulomb, ‖m‖ ≤ μ_R r_N          μ‖u_T‖ + μ_R‖ω‖  rolling and spinning resistance
//	Compliant       that of another law            its          a spring and a damper before it
//	Tresca          r_N ≥ 0, r_T ∈ s Sᵀ·ball       0            friction of a given threshold
//
// The names are also found in package contact, which has the problems and solvers
// and the references.
//
// # A new law
//
// A law is a type with the methods of [Law] in a file of its own, and a line in the
// table of known.go by which files can name it. Every solver then takes it through
// those methods, or says that it cannot. If K is one of the [Set]s, a method
// Form() Form gives it their kernels.
package law
