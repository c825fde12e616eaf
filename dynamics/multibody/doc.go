// Package multibody has rigid bodies with joints, forces and materials as one system, fixed for a
// run, and the linear algebra of their mechanisms:
//
//	M v' = f + Gᵀc,  G v' = g,  S = M⁻¹ − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹GM⁻¹.
//
//	symbol   Go name              shape   unit       reference
//	M        Block, Inverse.Mass  n×n     kg, kg m²  of one body, of a component
//	Θ, G     Equation, Row, Band  m×n     m, -       joints (2.1) of [Gavrea08]
//	c        Band.Impulse         m       N s        impulses of the joints
//	k, k̃     Force                n       N, N m     forces, with derivatives (4.3)
//	s, Φ     Coordinate, Stop     -       m, rad     motions that joints leave, limits and friction
//	μ, e     Material             -       -          of pairs of surfaces
//
// A [Model] is a [bodies.World] with a [Setup]. Bodies that joints and forces couple are a
// [Component]; an [Inverse] factors its matrix once for each change of it and applies S in O(n)
// along the [Tree] of its joints, with a border for each loop, or densely where that is not
// definite. A [Place] says where a body keeps its velocities. Velocities of a spin are in body
// axes; those of the secant scheme turn by Cayley's transform, R' = R cay(hω).
//
// # References
//
// [Gavrea08] B. I. Gavrea, M. Anitescu, F. A. Potra, Convergence of a class of semi-implicit
// time-stepping schemes for nonsmooth rigid multibody dynamics, SIAM J. Optim. 19 (2008).
//
// # Limits
//
// The thread of a [Screw] and the teeth of a [Rack] between two bodies that both turn about the axis
// are kept to third order in the turns of a step, and brought back by the projection; to the ground
// they are exact. The teeth of a [Gear] always are so kept.
//
// Joints that say the same are found by rank, with pivots below 1e-12 of the largest: what a joint
// beside others adds less than that to is left out.
package multibody
