// Package assembly says whether an assembly of rigid blocks with dry friction stands, falls, or may do
// either, depending on its history; each with a proof.
//
//	M a = f + H r,   u = Hᵀa,   0 ≤ u_N ⊥ r_N ≥ 0,   r_T = −μ r_N u_T/‖u_T‖ or ‖r_T‖ ≤ μ r_N where u_T = 0
//
// are the accelerations a from rest and the reactions r at the corners of flat interfaces, by the law
// of Coulomb: with no velocity u is Hᵀa without further terms. f are the loads, in the velocities of
// the free blocks at their centroids; K = {r : ‖r_T‖ ≤ μ r_N}, K* = {u : u_N ≥ μ‖u_T‖}.
//
//	symbol  Go name             shape     meaning
//	M       statics.mass        nv×nv     masses and inertias, a block for each free body
//	H       corner.cols         nv×dim·nc columns of the normal and the tangents of each corner
//	f       statics.total       nv        weights, loads, −H_N T for interfaces that hold a tension T
//	μ       Interface.Friction  1
//	τ       program             1         a = v/τ
//
// # Falls
//
// There is no r ∈ K with H r + f = 0. By Farkas' lemma for cones this is so if a virtual motion v has
// Hᵀv ∈ K* and f·v > 0: then f·v = −r·Hᵀv ≤ 0 for every r that balanced f. v is the ray of a conic
// program; it is checked in exact arithmetic (proof.go), at need after one that opens all contacts a
// little more. Where a state of self-stress leaves no such room, the proof is a bound: forces that
// balance would have normal forces of a sum beyond a number of weights.
//
// # Stands
//
// The only solution above is a = 0, whatever r: strong stability [PangTrinkle00]. Of any solution
//
//	aᵀM a = f·a + r·u = f·a − Σ μ r_N ‖u_T‖
//
// If normal forces alone balance, f = −H_N n with n ≥ 0, then f·a = −n·u_N ≤ 0, and a = 0: one linear
// program. Else the modes of the contacts are searched, see modes.go.
//
// # Depends
//
// There are both r ∈ K with H r + f = 0 and a solution with a ≠ 0, which was found and checked against
// the equations and the law: by the contact core without a guess, or at a leaf of the search.
//
// # Margins
//
// The load factor, tilt and friction up to which some r ∈ K balances are conic programs, and bounds
// of what Coulomb's law holds: from above, as its solutions at rest are such r. Where the assembly
// stands at a share of 1 − 1e-6 of it, the load factor is exact.
//
// # Paths
//
// Supports that move or turn slowly take the blocks with them; loads and tilts move nothing of rigid blocks up to their
// margins, and are followed from there by how far they move, rising or falling: see Follow. Each state has forces that balance in
// its geometry and the motion that goes with them, by a pair of dual programs, of Coulomb's law in a step: the program is that of the
// associated law, with the slip of the last answer added to what must open, until it is the slip of this one. What
// is shown of each state is that forces balance there, at corners that are closed to a tolerance; collapse by supports lies
// between a state that balances and one a millionth of the way beyond from which no step leads on; by loads and tilts it is where
// they are largest. That there is no other path is not shown: what stands may be pushed off it. What is
// between two states is bounded, see Between.
//
// # Histories
//
// Which of the states that balance a history leads to is that of joints which give by C r, C → 0: see Evolve.
//
// # References
//
//	[Anitescu06]       M. Anitescu, Optimization-based simulation of nonsmooth rigid multibody dynamics,
//	                   Mathematical Programming 105 (2006) 113-143
//	[CharnesCooper62]  A. Charnes, W. Cooper, Programming with linear fractional functionals,
//	                   Naval Research Logistics Quarterly 9 (1962) 181-186
//	[CocchettiRizzi20] G. Cocchetti, E. Rizzi, Static/kinetic Coulomb friction in circular arches, 2020
//	[FerrisTinLoi01]   M. Ferris, F. Tin-Loi, Limit analysis of frictional block assemblies as a
//	                   mathematical program with complementarity constraints, 2001
//	[Katzenelson65]    J. Katzenelson, An algorithm for solving nonlinear resistor networks,
//	                   Bell System Technical Journal 44 (1965) 1605-1620
//	[Liu24]            R. Liu, K. Deng, Z. Wang, C. Liu, StableLego, arXiv:2402.10711, 2024
//	[PangTrinkle00]    J.-S. Pang, J. Trinkle, Stability characterizations of rigid body contact
//	                   problems with Coulomb friction, ZAMM 80 (2000) 643-663
//
// # Limits
//
// Friction acts at the corners of interfaces; for rest that is no loss (forces at inner points are sums
// of those at corners), for motions that turn an interface it is a model. Stands is computed, by Farkas
// vectors that are checked in float64: motions below some 1e-7 of the loads are not excluded. The search
// is exponential: arches in the plane take a few nodes a joint, walls and what is in space with more than
// three interfaces that slide often end open. Histories are those of paths and of stages of building: where one finds no state, that there
// is none is not shown. On paths vertices and edges that slide off a rim are found anew, and vertices that go into
// a face; edges of blocks that meet edges first are not, and end a path where blocks overlap. Tension breaks where a corner opens,
// not where it slides.
package assembly
