// Package dynamics steps mechanical systems with unilateral contact and dry
// friction through time,
//
//	M(q) v̇ = f(t, q, v) + W(q)ᵀ λ,   q̇ = G(q) v,
//	0 ≤ λ_n ⊥ Ψ_n(q) + δ_n ≥ 0,   λ_T ∈ argmin{s_T·λ̃ : λ̃ ∈ F(μ λ_n)},
//	λ = K δ + C δ̇,   s = W v + δ̇,
//
// with compliant contact patches, or rigid ones (δ = 0), by one contact problem
// a step, which package contact solves. The user's side is [System]; rigid
// bodies come with package bodies below this one.
//
// # The step
//
// All schemes are one. With q^θ = θq + (1−θ)q' and v^θ likewise, the step from
// (q, v, δ) to (q', v', δ') is, (3)-(7) of [Song04] and (16) of [Pang05],
//
//	M(q)(v' − v) = h f + h W(q)ᵀ λ,   q' = q + h G(q) v^θ,
//	λ = K δ' + C(δ' − δ)/h,   s = W(q) v^θ + (δ' − δ)/h,
//	0 ≤ λ_n ⊥ (Ψ_n(q) + δ_n)/h + s_n ≥ 0   (gap form; velocity form: s_n alone)
//
// and eliminating all but λ leaves the local contact problem
//
//	s = A λ + b,   A = h(1−θ) W M⁻¹ Wᵀ + (hK + C)⁻¹.
//
//	scheme                        Options                          f taken at
//	semi-implicit, (13) [Song04]  {}                               (t, q, v)
//	the paper's velocity form     {VelocityForm: true}             (t, q, v)
//	rigid, (14) [Song04]          {} with patches of [NewRigid]    (t, q, v)
//	θ, (16) [Pang05]              {ImplicitForce: true, Theta: θ}  (t+h, q^θ, v^θ)
//
// A single element is solved in closed form (the secular equation of the
// quadratic program in Proposition 1 of [Pang05]); polyhedral laws on springs
// by Lemke's method on the LCP (18) of [Song04], which Theorem 3 there proves
// to succeed; everything else by [contact.SolveLocal]. Each answer is checked
// by the natural residual of its law, whoever found it.
//
// # Notation
//
//	symbol   Go                      shape        unit     reference
//	q, v     State.Q, State.V        nq, nv       m, m/s   (1), (2)
//	M(q)     Mass                    blocks       kg       (1)
//	f        System.Force            nv           N        (1)
//	G(q)v    Kinematics.Rate         nq           m/s      (2)
//	Ψ_n      Contacts.Element        elements     m        (12) [Pang05]
//	W        Contacts.Row            dim a row    -        below (9)
//	λ        State.Lambda            dim·elements N        (6)
//	δ        State.Delta             dim·elements m        (6)
//	s        State.Slip              dim·elements m/s      section 2.3
//	s₀       Driven                  dim·elements m/s      of obstacles that move; s = W v − s₀ + δ̇
//	K, C     Patch                   dim·n square N/m, N s/m  (6), Appendix A
//	Ξ        influence               dim·n square m/N      Appendix A
//	E        hK + C                  dim·n square N s/m    (10)
//	ε, ν, ρ0 HalfSpace               -            m²/N, -, m  Appendix A
//	μ̄        Smallness.MuBar         -            -        Lemma 4 [Pang05]
//	M_v, N, b Boundary               nv rows      -        (13) [Pang05]
//	ψ_x      Existence.Psi           -            1/s      (24) [Pang05]
//
// Numbers without a paper are those of [Song04].
//
// # Conventions
//
// The normal points into the body, gaps and speeds of separation are positive
// when open. Triples are ordered (n, t, o), pairs (n, t). Forces are in N, not
// impulses. θ weights the old value, θ = 0 is implicit. Deformations δ_n are
// positive under pressure. Angles turn counter-clockwise: the third row of
// JΨ_tᵀ of the ellipse is −p_y (a misprint of [Song04], with those of the
// appendix at [HalfSpace] and of (18) at its solver).
//
// # References
//
//	[Song04] P. Song, J.-S. Pang, V. Kumar, A semi-implicit time-stepping model
//	for frictional compliant contact problems, Int. J. Numer. Meth. Engng 60
//	(2004) 2231-2261.
//	[Pang05] J.-S. Pang, V. Kumar, P. Song, Convergence of time-stepping method
//	for initial and boundary-value frictional compliant contact problems, SIAM
//	J. Numer. Anal. 43 (2005) 2200-2226.
//
// # Limits
//
// All schemes are of first order, also θ = ½, which has the smaller constant. With θ = 0 the velocities of
// what sticks to something that speeds up are its means over steps, ha/2 behind; the verdict counts that.
// Forces are unique if μ < μ̄ ([Stepper.Smallness]); beyond, a step returns one
// solution of perhaps several. Patches are flat at their scale and are
// re-meshed around the contact point in each step: what rolls away is not
// remembered. A pair that a step brings from afar to penetration is parted in
// the next one. Rigid patches lose all normal speed in an impact; their
// problem may have no solution where constraints contradict the motion, which
// is an error, and redundant rigid contacts share forces arbitrarily. The
// shooting method for boundary values finds a solution near one of its starts;
// not finding one proves nothing. Theorem 8's (28) is evaluated with a measured
// ψ_x, a lower bound of the constant.
package dynamics
