// Package rigid advances rigid bodies with joints, unilateral contacts, dry friction and collisions
// by the α-γ schemes of Gavrea, Anitescu and Potra. A step of length h solves
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
// α = γ = 1 is the linearly implicit Euler scheme, α = γ = ½ the trapezoidal-like one.
//
// # The secant scheme
//
// The scheme above, [Gavrea], takes G and F at the beginning of the step: joints drift, their
// projection creates energy, and all is of first order. [Secant], the default, has γ = α and
//
//	M(v' − v) = k̃ + Ḡᵀc + Hr  with  R'Jω' − RJω = the moments in space,
//	Θ(q') = 0,  x' = x + hv^α,  R' = R cay(hω^α),
//
// Ḡ at the means (x + x')/2, (R + R')/2, where rotations are no rotations. All Θ are at most
// quadratic in x and the columns of R, and Cayley's transform has R' − R = h (R + R')/2 ω̂^α, so
// that Θ(q') − Θ(q) = h Ḡ v^α to the letter: the joints hold if and only if their forces do no work
// at v^α. Then
//
//	½‖v'‖²_M − ½‖v‖²_M = (k̃ + Hr)·v^α − (α − ½)‖v' − v‖²_M,
//
// which for α = ½ keeps energy, and angular momentum in space as the levers of a joint's two bodies
// meet in one point of the middle; see multibody/spin.go for spins, and curvature.go for the same
// of gaps. For α = 1 corners on planes, and on the gap grid all but ellipses, are taken at q in one
// round. Bodies without joints turn by exp(hω̂^α) in place of Cayley's transform, which is exact
// for a steady turn and spoils neither identity. The step is nonlinear; Newton's method solves it,
// a round being a step of the kind (4.7) with the rows G̃ = ∂(Ḡv^α)/∂v^α, the gradients of Θ at the
// end of the step, for the joints. It begins with the forces of the joints in the step before and,
// for α < 1, where that led; for pins three rounds do. Of other joints its matrix lacks what
// couples two bodies beyond G.
//
// # Conventions
//
// The normal of a touch points into its first body; frames (n, t, o) follow the normal by the least
// rotation, so that they are continuous in time. Impulses are in N s. Spins and moments in space
// are in body axes; F(v) = [Iω]×, which is skew, so that Coriolis terms do no work for α = ½. The
// joints are eliminated component by component: S = M̃⁻¹ − M̃⁻¹Gᵀ(GM̃⁻¹Gᵀ)⁻¹GM̃⁻¹, applied in O(n)
// by the tree of the mechanism; trees of pins in the plane that nothing touches are solved by
// pins.go. What is left is a [contact.Local] problem: in closed form for one contact, on exact
// cones or by [contact.MethodLemke] on polyhedral ones, which is (4.7) after the elimination.
//
// # Beyond the paper
//
// The printed k̃ has (1−α)hF(v)v; (4.2) and (4.18) ask for hF(v)v with M̃v on the right side, which
// is used. The collision time becomes a grid point, where the paper lets its clock run ahead of the
// state ([FixedGrid]). A contact is active while it carries a force or Φ ≤ 1e-10 m: with the
// literal set Φ ≤ 0 contacts chatter after an impact. A pair that was apart and is closed so at the
// end of a step collides in that step. A loaded contact that has opened enters with Φ/h + u_N ≥ 0,
// and on the gap grid so does all that would close. Contacts that close without a collision, by
// rolling onto a new feature, are compressed when they become active: for α < 1 the step alone
// would reflect them. So it would what stops in a configuration of Painlevé: such a step is taken
// with α = γ = 1, see [Mode]. After the step q moves by the least amount in the mass metric to Θ =
// 0, Φ ≥ 0.
//
//	curvature.go      gaps that curve within a step
//	speculative.go    contacts from beyond Options.Margin, on the gap grid
//	penetration.go    steps that end deep in a body are taken again
//	chatter.go        pairs that collide ever sooner
//	coincident.go     touches of a pair in one place
//	energylimit.go    no collision makes energy
//	reversal.go       steps are cut where slip ends
//	carried.go        what sticks to an obstacle that turns
//	freespin.go       spins that no friction takes
//	slipfriction.go   friction that depends on the speed of slip
//	release.go        steps are cut where slip begins
//	overload.go       …, by loads that depend on time
//	putback.go        velocities are put back onto the contacts before a step lets go of one
//	grain.go          anisotropic friction
//	pressure.go       even pressure under faces
//	facefriction.go   what their points miss of its friction
//	resistance.go     moments that oppose rolling and spinning, adhesion
//	stops.go          limits, friction and motors of joints: touches with rows of joints, see multibody/stop.go
//
// # Islands
//
// Contacts that W couples are an island, a problem of its own; islands are solved on all cores, to
// the same bits on any number, and those that are equal to the last bit once. criterion.go says
// when one counts as solved. One of a thousand contacts that its first method does not solve is cut
// into halves of the step before the slow ones are tried. Where a dozen contacts and more are tied
// by joints in trees without forces between the bodies, the problem of the free bodies takes the
// place of W, see augmented.go; where masses are a thousand times apart the change of velocities is
// kept beside the impulses, see massratio.go. An island of bodies that contacts and joints tie, but
// no springs, sleeps where v' = 0 solves the step to the tolerance of its contact problem; from
// then on each step checks that the impulses of the last one balance its forces, that no contact
// has come or opened, and solves nothing. Any change wakes it.
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
//	curvature    gaps that curve within a step
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
// [Gavrea08] B. I. Gavrea, M. Anitescu, F. A. Potra, Convergence of a class of semi-implicit
// time-stepping schemes for nonsmooth rigid multibody dynamics, SIAM J. Optim. 19 (2008).
//
// # Limits
//
// A collision is seen by the gaps at both ends of a step; bodies that move by more than half their
// width are swept besides, so that none passes through another ([GapGrid] refuses such a step), and
// so are balls, and what does not turn, within Options.Margin. A slower one that turns may cut a
// corner of another within a step unseen. For α < ½ what joints and contacts are off by grows by
// (1−α)/α a step; Theorem 8.4 of [Gavrea08] asks for α = γ ≥ ½. Of more than eight contacts, and in
// the scheme Gavrea, a step in which slip reverses leaves an error O(h) of the motion after it, one
// in which something comes to stick, or begins to slip under a load of time, O(h²). Contacts of obstacles that move are linearised at q, and
// of first order for α = ½ too, as joints and Coriolis terms are in the scheme Gavrea. Projections
// make energy where the gaps of corners curve within a step of α = 1, and where the features in
// which two bodies meet are others at its end. A step in which a body turns by more than about one
// radian may not be solved. For α > ½ angular momentum of tied bodies is kept to O(h) only, and a
// projection that moves bodies with velocities changes it by Σ dx × mv. Of a motion of an obstacle
// with more than four kinks in a step the kinks are not steps' ends; on the gap grid they are no
// impacts. Friction over the speed of slip is, in collisions, that of the slip before them.
// Moments act in the compression of a collision, not in its rebound; a step in which a spin that they
// oppose reverses is off by O(h), and islands that have them are solved dense. A face holds as long as
// some share of its pulls does. What swings with ω is damped by ω²h/2 a second for α = 1, in all twins: a motion that is unstable and
// grows more slowly may be certified at rest, as a flat top of 300 rad/s was that rolls. Where the laws
// leave forces open that change the motion or what friction takes, a run is one of many, and says so
// ([Stepper.Indeterminacy]). c_FC is bounded from above, not computed.
package rigid
