// Package particles holds the elastic systems of N particles of which the
// energetic formulation speaks: the state z, the flat obstacles of each particle,
// the stored energy as a sum of terms with analytic derivatives, and the index
// sets of contact.
//
//	E(t, z) = Σ_e E_e(t, x(z)),   x^(j) = p_j + R_j z^(j),   z^(j)₃ >= 0
//
// # Notation
//
//	symbol       | Go name             | shape | unit  | reference
//	N            | System.N            | 1     | -     | [Schmid08] section 2
//	z            | z                   | 3N    | m     | section 2
//	x            | x                   | 3N    | m     | global positions, ours
//	p, R=[t o n] | Frame               | 3,3×3 | m, -  | ours
//	A^(j)        | HalfSpace           | -     | -     | (N0)
//	E, ∂tE       | System.Value        | 1     | J,J/s | (N1)
//	DE, ∂tDE     | System.Gradient     | 3N    | N,N/s | (N1), (4.1)
//	H = D²E      | System.Hessian      | 3N×3N | N/m   | (2.2)
//	σ^(j)        | System.NormalForce  | 1     | N     | section 2, before (2.1)
//	σ_c          | System.PressParticle | 1     | N     | of contacts of particles with several obstacles
//	I_c I_f I_s  | System.IndexSets    | N     | -     | section 2, before (2.2)
//	a(t), f(t)   | Path                | 3     | m, N  | anchors and loads, ours
//
// # Conventions
//
// Vectors are flat and particle-major. A degree of freedom is the number 3j+c of
// the component c = 0, 1, 2 of particle j = 0, …, N−1. In local coordinates the
// components are t, o, n in this order, as in the paper, whose z_{3j} is
// z[3j+2] here. The normal n points away from the obstacle into the admissible
// side; the paper's ν is −n. σ > 0 presses.
//
// Energies are written in global coordinates x; System turns them into the local
// ones. Where frames are the identity nothing is computed for that, and where
// only the point differs, only x = p + z. Rates (∂tE, ∂tDE) are right
// derivatives; Breaks lists the times at which they jump.
//
// Units are SI.
//
// # Energies
//
//	Tethers   ½ (x−a(t))ᵀK(x−a(t)) + ¼β|x−a|⁴     particle to a moving anchor
//	Bonds     ½ dᵀKd, d = (x_i−X_i) − (x_j−X_j)    linearised spring
//	Springs   φ(|x_i−x_j|)                         geometrically nonlinear
//	Loads     −f(t)·x                              force
//	Gravity   −Σ m g·x                             weight
//	Quadratic ½ dᵀAd − f(t)ᵀd                      condensed or measured stiffness
//	Surface   ½ (d−D(t))ᵀC⁻¹(d−D(t))                elastic half-spaces under a grid of patches
//
// Pair potentials (LennardJones, Morse, cut off by Cut) are laws of Springs; AllPairs
// lists the pairs. C of a Surface has the closed forms of Love for uniform patches,
// or the point-load table of [Song], Appendix A, with two misprints mended: the
// mean displacement of a loaded square is 0.95(1−ν²)/ρ₀, without the printed π,
// and ξ_to has the factor ν. C_nt = −C_tn = (1+ν)(1−2ν)/(2πE)·ξ/r² of one elastic
// body on a rigid one vanishes between similar bodies and for ν = ½ only.
//
// One value holds many items, so that a net costs no interface call for a bond.
// A user adds a term by the four methods of Energy; package
// particles/energytest checks its derivatives.
//
// # References
//
// [Johnson85] K. L. Johnson, Contact Mechanics, Cambridge 1985: 3.2, 3.6 (influence of
// normal and tangential point forces and uniform patches).
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees
// of freedom and dry friction, WIAS Preprint 1336, Berlin 2008.
//
// [Song] P. Song, J.-S. Pang, V. Kumar, A semi-implicit time-stepping model for
// frictional compliant contact problems, 2004: Appendix A, influence matrix of a
// contact patch.
//
// # Limits
//
// Obstacles are rigid, or other particles ([Relative]), linearised at the start. A particle on one that is curved or moves has its coordinates, see Chart, if
// it is the only one; with several it has the coordinates of one that is flat and at rest, or
// global ones, and of the others, which may be curved or move, see System.WithExtras, eight count
// at a time. Nothing here checks that E is convex or bounded below: (N4) is for package energetic,
// an indefinite D²E for the factorisation. Values are plain sums in a fixed order: with m terms of
// one sign the relative error is at most about m·1e-16, and worse by cancellation where large terms
// of both signs meet.
package particles
