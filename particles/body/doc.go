// Package body makes elastic bodies energies of package particles: the nodes of
// a mesh are particles,
//
//	E(t, x) = ∫ W(I + ∇d) − L(t)·d,   d_i = x_i − X_i, or g_i(t) where prescribed,
//
// with W linear elasticity (then E = ½dᵀAd − L·d), hyperelastic ([fem.Hyperelastic]), or the least energy with plastic
// strains, which the body remembers ([fem.VonMises], docs/decisions/0037-bodies-that-yield.md).
//
// # Notation
//
//	symbol | Go name          | shape     | unit | reference
//	X      | Body.Start       | 3·nodes   | m    | positions of the nodes
//	d      | Body.Displacement| dim·nodes | m    | of the mesh
//	A      | fem.Stiffness    | dim·nodes | N/m  | package fem
//	g(t)   | Prescribed       | 1         | m    | data, enters E(t, ·)
//	L(t)   | BodyForce, Tractions | dim·nodes | N | package fem
//	k      | Body.follow      | 1         | N/m  | see below
//
// # Conventions
//
// A plane mesh lies in the plane y = 0 of the particles: its x axis is theirs,
// its y axis their z axis, so that the default obstacle is below. A bar lies
// along x.
//
// Every particle has three coordinates, and some of them are not unknowns of
// the body: prescribed components, and the directions that the mesh does not
// have. They are decoupled followers with the energy ½k(x − X − g(t))², k being
// the mean diagonal entry of A; at a minimum they are exactly where they belong
// and hold no energy. So every node of the mesh is in the trajectory, and no
// solver knows about prescribed motion: it enters E through t alone, and its
// work is ∂tE, as the energetic formulation wants.
//
// # Limits
//
// Contact nodes may have components prescribed along tangents of their obstacle, at rest where
// there is friction, not along others ([Body.Touch]). A body that prescribed nodes
// leave free to move without strain is refused, unless the caller says that
// other energies hold it. What bodies make of each other is for the system: [particles.Relative].
package body
