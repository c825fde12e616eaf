// Package elastic steps linearly elastic bodies in frictional contact with rigid
// obstacles and with each other through time, with the modified mass of [DoyenErn11]: seek u with
//
//	M_* ü_* ∈ −A u − ∂₂j(u, u̇_f) − ∂I_K(u_c) + L(t),   (14)
//
// by the Newmark trapezoidal rule (36)-(39) with implicit contact and friction,
// or by central differences with contact by the obstacle problem q, (18).
//
// # Notation
//
//	symbol     | Go name              | shape     | unit | reference
//	u, v, a    | Stepper.U, V, A      | dim·nodes | m, m/s, m/s² | (36)-(39)
//	A          | assembly.stiffness   | dim·nodes | N/m  | after (11)
//	M_*        | assembly.mass        | dim·nodes | kg   | (11)
//	K̃=A+4M_*/Δt² | trapezoid.matrix   | free      | N/m  | Ã of (40), mended
//	L(t)       | assembly.load        | dim·nodes | N    | after (11)
//	r=(r_N,r_T)| Stepper.Reactions    | dim·nc    | N    | r_N = λ_c, r_T = −λ_f
//	g          | Contacts.Gap         | nc        | m    | (3)
//	s(t), w(t) | assembly.carry, speed | dim      | m, m/s | obstacles that move, see carry.go
//	q(t, u_*)  | obstacle             | nc        | m    | (18)
//	Φ_n        | picard               | dim·nodes | m    | (42), Theorem 4
//	E^n        | Energies             | 1         | J    | (49)
//	r=c_pΔt/h  | Certificate.CFL      | 1         | -    | (41)
//	κ          | Certificate.Contraction | 1      | -    | of Φ_n, in place of (48): see held.theorem4
//	μ(‖v_T‖)   | Model.Slip           | nc        | -    | of the end of a step, see slipfriction.go
//	T         | assembly.relative    | dim·nodes | -    | bodies that meet, see meeting.go
//	σ         | State.Friction       | nc        | s, m | state of friction, see wear.go
//	λ, σ_h, g  | Mode, Growth         | 1         | 1/s, - | flutter of what slides, see flutter.go
//	2/ω        | Certificate.StableStep, UnstableStep | 1 | s | central differences
//
// # Conventions
//
// Vectors of the stepper hold, at contact nodes, the local components: tangents
// first, the normal last, pointing into the admissible side; at other nodes the
// global ones. [Stepper.Displacement] turns them back. Triples of reactions are
// ordered normal first, as in package contact.
//
// # Departures from the paper
//
// 4/Δt² in place of 1/(4Δt²) in Ã and L̃, and ε^n in place of ε^{n+1} there. The
// sign of (5) is taken so that friction opposes motion, and λ_c ≥ 0 along the
// outward normal, against (15). Thresholds are μ times the nodal reaction, not an
// integral of the element stress: (16) and (17) are nodal. Supports have the velocities of their
// motions, not those of (36), see trapezoid.go. During stick the
// trapezoidal rule makes a_f^{n+1} = −a_f^n and the friction force alternates
// with period 2, free of which is the mean of two steps.
//
// # References
//
//	[DoyenErn11] Doyen, Ern: Analysis of the modified mass method for the dynamic Signorini problem with Coulomb friction. SIAM J. Numer. Anal. 49, 2011.
//	[DEP11]      Doyen, Ern, Piperno: Time-integration schemes for the finite element dynamic Signorini problem. SIAM J. Sci. Comput. 33, 2011.
//	[Nguyen03]   Nguyen: Instability and friction. C. R. Mécanique 331, 2003.
//	[Demmel89]   Demmel: On floating point errors in Cholesky. LAPACK Working Note 14, 1989.
//
// # Limits
//
// A bound of norms is a Ritz value of Lanczos' method: it lies below the norm by about the square
// of Certificate.Residual. Strains and sliding are small. Nodes in contact keep their obstacle,
// which may shift and turn about its normal, with the trapezoidal rule. What faces what where bodies meet is that of the
// start, see [Stepper.Lag]; they go with the trapezoidal rule and Newton's method, as ties do. A node in contact cannot be
// prescribed. With the standard mass the contact pressure oscillates and its energy is not kept:
// that is shown, not repaired. Where the time step is so large that several solutions exist (see
// Certificate), one of them is found.
package elastic
