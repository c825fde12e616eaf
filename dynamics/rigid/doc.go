// Package rigid advances rigid bodies with joints, unilateral contacts, dry
// friction and collisions by the α-γ schemes of Gavrea, Anitescu and Potra. A
// step of length h solves
//
//	M̃(v' − v) = k̃ + Gᵀc_ν + Hr,   G v^α = 0,   v^α = (1−α)v + αv',
//	r in the friction cones, obeying Coulomb's law with u = Hᵀv^α − s₀,
//	q' = q + h((1−γ)v + γv'),
//	M̃ = M − αh(F(v) + k̃_v) − αγh²k̃_q,
//	k̃ = h((1−α)k₁(t,q,v) + αk₁(t+h,q,v)) + hF(v)v + αh²k̃_q v.
//
//	symbol        Go name                 shape   unit       reference
//	q, v          State                   nq, nv  m, m/s     world coordinates
//	v^{l,α}       Step.Alpha              nv      m/s        (4.10)
//	α, γ          Options.Alpha, Gamma    -       -          (4.4)
//	Θ, ν = G      Joint, inverse.g        m×n     m          (2.1)
//	Φ, (n, D)     bodies.Touch, mark      -       m          (2.2)
//	c_n, β        mark.r                  3       N s        (4.6)
//	M̃, k̃          inverse, mechanics.kick n×n, n  kg, N s    (4.5)
//	W = αHᵀSH     problem.w               blocks  1/kg       joints eliminated from (4.7)
//	s₀            problem.drive           3       m/s        of obstacles that move, see driven.go
//	Ḡ             mechanics.between       m×n     m          joints in the middle of the step
//	N(w)          place.spinBalance       3       N m s      spins of the secant scheme
//	c_FC          Stepper.Cone            -       -          (3.3)
//
// α = γ = 1 is the linearly implicit Euler scheme, α = γ = ½ the
// trapezoidal-like one.
//
// # The secant scheme
//
// The scheme above, [Gavrea], takes G and F at the beginning of the step: joints
// drift, their projection creates energy, and all is of first order. [Secant],
// the default, has γ = α and
//
//	M(v' − v) = k̃ + Ḡᵀc + Hr  with  R'Jω' − RJω = the moments in space,
//	Θ(q') = 0,  x' = x + hv^α,  R' = R cay(hω^α),
//
// Ḡ at the means (x + x')/2, (R + R')/2, where rotations are no rotations. All Θ
// are at most quadratic in x and the columns of R, and Cayley's transform has
// R' − R = h (R + R')/2 ω̂^α, so that Θ(q') − Θ(q) = h Ḡ v^α to the letter: the
// joints hold if and only if their forces do no work at v^α. Then
//
//	½‖v'‖²_M − ½‖v‖²_M = (k̃ + Hr)·v^α − (α − ½)‖v' − v‖²_M,
//
// which for α = ½ keeps energy, and angular momentum in space as the levers of a joint's two bodies
// meet in one point of the middle; see spin.go for spins. Gaps bend: ellipses and ellipsoids touch
// in a point that moves over them, balls roll in hollows, corners turn. ½h²Φ″ a step of penetration
// came from it, and its projection made energy. Contacts of ellipses and ellipsoids, of curved
// obstacles at rest and of balls with bodies, and for α < 1 all but those of obstacles that move,
// have
//
//	u_N = (Φ(q') − Φ(q))/h,   u_T = H_T(q + ½hv^α)·v^α,   H at q + (1−α)hv^α,
//
// so that nothing is left to project, and do no work at (v + v')/2 up to O(h²): for α = ½ what
// rolls is of second order, and keeps its energy, to rounding where the distance of two centres is
// the gap; for α > ½ so are the places q − (α − ½)hv, those of the time of v, and the energy there;
// see curve.go. Where the force times Φ″ is too stiff for the step, r_n|u_N − n·v^α| > ¼·½ω·Jω, u is
// Hᵀv^α. For α = 1 corners on planes, and on the gap grid all but ellipses, are taken at q in one
// round. Bodies without joints turn by exp(hω̂^α) in place of Cayley's transform, which is exact
// for a steady turn and spoils neither identity. The step is nonlinear; Newton's method solves it,
// a round being a step of the kind (4.7) with the rows G̃ = ∂(Ḡv^α)/∂v^α, the gradients of Θ at the
// end of the step, for the joints. It begins with the forces of the joints in the step before and,
// for α < 1, where that led; for pins three rounds do. Of other joints its matrix lacks what
// couples two bodies beyond G.
//
// # Conventions
//
// The normal of a touch points into its first body; frames (n, t, o) follow
// the normal by the least rotation, so that they are continuous in time. Impulses are
// in N s. Spins and moments in space are in body axes; F(v) = [Iω]×, which is
// skew, so that Coriolis terms do no work for α = ½. The joints are eliminated
// component by component: S = M̃⁻¹ − M̃⁻¹Gᵀ(GM̃⁻¹Gᵀ)⁻¹GM̃⁻¹, applied in O(n) by
// the tree of the mechanism, see tree.go; trees of pins in the plane that nothing touches are
// solved by pins.go, to rounding the same. What is left is a
// [contact.Local] problem: in closed form for one contact, by
// [contact.SolveLocal] on exact cones, by [contact.MethodLemke] on
// polyhedral ones, which is (4.7) after the elimination.
//
// # Beyond the paper
//
// The printed k̃ has (1−α)hF(v)v; (4.2) and (4.18) ask for hF(v)v with M̃v on the right side, which
// is used. The collision time becomes a grid point, where the paper lets its clock run ahead of the
// state ([FixedGrid]). A contact is active while it carries a force or Φ ≤ 1e-10 m: the literal set
// Φ ≤ 0 makes contacts chatter after an impact. A pair that was apart and is closed so at the end
// of a step collides there, in that step, as it does with Φ < 0, so that runs on other grids have
// v⁺ at the same times. Pairs that collide ever sooner settle, see chatter.go. A loaded contact that
// has opened enters with Φ/h + u_N ≥ 0. On the gap grid so do all that would close, also what comes
// from beyond Options.Margin in the step, see speculate.go; steps that end deep in a body are taken
// again, see penetration.go. No collision makes energy, see restitutionLimit.go. Contacts that close without a
// collision, by rolling onto a new feature, are compressed when they become active: for α < 1 the
// step alone would reflect them. So it would what stops in a configuration of Painlevé: such a step
// is taken with α = γ = 1. After the step q moves by the least amount in the mass metric to Θ = 0,
// Φ ≥ 0.
//
// # Islands
//
// Contacts that W couples are an island, a problem of its own; islands are solved on all cores, to
// the same bits on any number, and those that are equal to the last bit once. One of a thousand
// contacts that its first method does not solve is cut into halves of the step before the slow ones
// are tried. Faces in space go to all methods first, as shorter steps are no easier for them.
// Touches of a pair that coincide are one, see coincident.go. Joints make the W of an island full; where
// a dozen contacts and more are tied by them in trees without forces between the bodies, what is
// solved in a step are the contacts and joints of the free bodies, see augmented.go. There are two
// tolerances on its merit: Tolerance, which is aimed at, and Accept, beyond which a step fails.
// Aimed at is Accept in islands of more than 100 contacts, and a tenth of it in those of 12 and
// more with faces that meet in space, whose impulses are not unique, as long as bodies of the
// island move; a hundredth of it in larger ones of faces, unless on the gap grid, as a residual has
// corners of one face close one after the other, which are collisions; what comes to rest is solved
// to Tolerance, but for such faces to a tenth of it, as a merit is relative to the largest impulse.
// Where a dozen contacts and more of bodies without faces, joints and rebound move on the gap grid,
// neither is: their impulses are exact for the cones, gaps and energy of the step, and solve its
// equations to a share of what the forces of the step give, which is its own error; see looseShare
// and Step.Inexact. So are those of faces that no method solves to Accept, and what is left of such a
// step is taken on the gap grid, see criterion.go. Where a body is pressed from two sides by 1e3 times
// its mass, what the impulses do to velocities is kept beside them, see massratio.go, and states that
// no method finds by proximal points, see massratio.go. An island of bodies that contacts and joints
// tie, but no springs, comes to rest where v' = 0 solves the step to the tolerance of its contact
// problem; from then on each step checks that the impulses of the last one, of contacts and joints,
// balance its forces, that no contact has come or opened, and solves nothing. Any change wakes it.
// A spin about an axis of symmetry that slips at no contact with a force is free: it goes on at
// rest, to the bit, see freespin.go and [Rest]. Touches of bodies that have not moved are not
// looked for again.
//
// # Parts
//
// A [Stepper] is composed of parts, each a struct with the state of one concern and the methods
// that change it. A part sees those before it in this list, and no other:
//
//	motion       state, and the trial of a step
//	contactSet   touches: which take part, what is known of them, pairs that chatter
//	drives       obstacles that move
//	mechanics    masses, joints and forces: the equations of motion without contacts
//	curvature    gaps that bend within a step
//	assembly     the contact problem of a step
//	solution     how it is solved: islands, goals, limits
//	accounts     energy by its causes, and by bodies
//	sleeping     what rests, and which contacts the step will have
//	impacts      laws of collisions, and the bound on the energy of restitution
//	detection    the first collision of a step
//	projection   back to Θ = 0, Φ ≥ 0
//	coneTest     (3.1) and (3.3)
//	scheme       a part of a step, from the trial to its acceptance
//
// Options are read only; what a step changes of them for its rest is motion.mode. [Replay] judges
// the steps of another run.
//
// # References
//
// [Gavrea08] B. I. Gavrea, M. Anitescu, F. A. Potra, Convergence of a class of
// semi-implicit time-stepping schemes for nonsmooth rigid multibody dynamics,
// SIAM J. Optim. 19 (2008).
//
// # Limits
//
// A collision is seen by the gaps at both ends of a step; bodies that move by more than half their
// width are swept besides, so that none passes through another ([GapGrid] refuses such a step), and
// so are balls, and what does not turn, where they are within Options.Margin before or after. A
// slower one that turns may cut a corner of another within a step unseen. For α < ½ what joints and
// contacts are off by grows by (1−α)/α a step; Theorem 8.4 of [Gavrea08] asks for α = γ ≥ ½. Where
// slip ends, α < 1, the step is cut, see reversal.go, if at most eight contacts take part; of more,
// and in the scheme Gavrea, a step in which slip reverses leaves an error O(h) of the motion after
// it, one in which something comes to stick O(h²). Contacts of obstacles that move are linearised
// at q, and of first order for α = ½ too, as joints and Coriolis terms are in the scheme Gavrea.
// Projections make energy where the gaps of corners bend within a step of α = 1, and where the
// features in which two bodies meet are others at its end, unless few contacts take part. A step in
// which a body turns by more than about one radian may not be solved. For α > ½ angular momentum of
// tied bodies is kept to O(h) only, and a projection that moves bodies with velocities changes it
// by Σ dx × mv: up to 3 % in a run of thrown boxes without weight on the gap grid. Of a motion of
// an obstacle with more than four kinks in a step the kinks are not steps' ends; on the gap grid
// they are no impacts. c_FC is bounded from above, not computed.
package rigid
