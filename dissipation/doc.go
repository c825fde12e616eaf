// Package dissipation gives the dry friction of N particles on their obstacles
// as a functional: the Coulomb functional of [Schmid08], (2.1),
//
//	Ψ(t, z, v) = Σ_j { σ^(j)(t, z)_+ ‖M^(j)(z^(j)) v^(j)‖  if z_{3j} = 0,   0  if z_{3j} > 0 },
//
// and its regularisations Ψ_γ, (3.4)-(3.5), and Ψ_{K,γ}, which replace σ_+ by a
// smaller threshold.
//
//	symbol        Go name             shape  unit  reference
//	z             z                   3N     m     section 2, local coordinates
//	v             v                   3N     m     displacement or velocity
//	σ^(j)         grad[3j+2]          1      N     ∂E/∂z_{3j}, pressing is positive
//	M^(j)         Matrix              2×2    -     (N2), tangential part
//	m_j(t)        Factor          1      -     M may change with time, ours
//	DM^(j)        Matrix.At's deriv   2×2×2  1/m   (2.3)
//	γ             Rule.Gamma          1      N     (3.4)
//	(σ−γ)_+ etc.  Rule.Threshold      1      N     (3.4)-(3.5)
//	I_c, I_f, I_s particles.IndexSet  N      -     section 2
//
// # Conventions
//
// M(z)ν = 0, (N2), so M acts on tangents: ‖M v‖ = ‖S v_T‖ with the 2×2 matrix S
// over the frame (t, o) of the particle's obstacle. A contact is z_{3j} = 0 to
// the bit: Ψ is discontinuous there, and a height of 1e-12 has no friction.
//
// A particle with several obstacles has a term for each contact, with the normal forces
// of [particles.System.PressParticle]; [Corner] is the balance of its forces.
//
// # References
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees
// of freedom and dry friction, WIAS preprint 1336, 2008.
//
// # Limits
//
// S must be once continuously differentiable in z. Nothing here checks (N4): that
// friction is small enough for solutions to exist and be unique is the business
// of package energetic.
package dissipation
