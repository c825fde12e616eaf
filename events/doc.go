// Package events computes quasi-static evolutions with dry friction in the plane from
// event to event, without a step size. Between two events nothing changes its regime,
// and the state is an affine function of the loads:
//
//	E(t, q) = ½ qᵀHq − f(t)·q + c(t),   r = Hq − f(t),   q = displacement from z_0
//	open:   r_n = 0, r_t = 0              while  g = z_n >= 0
//	stick:  q̇_t = 0, q̇_n = 0              while  a_± = μ r_n ± r_t >= 0
//	slip ±: q̇_n = 0, r_t = ∓μ r_n         while  r_n >= 0,  ±q̇_t >= 0
//
// That is (DI) of [Schmid08] for a constant D²E, written out for one tangent a contact,
// and the inequalities are (S). An event is the first time at which one of them would
// fail: slip begins or ends, a contact opens or closes. There the rates of the next
// regime solve the same conditions, differentiated: a linear complementarity problem of
// the contacts at a bound, found by principal pivots, since it has one solution where
// (N4) holds, and by enumeration where pivots cycle and few contacts are at a bound.
//
// Where the loads are piecewise linear, so is the solution: the time to each bound is a
// quotient, no tolerance decides, and the evolution is exact to rounding; in
// rational numbers ([Rational]) it is exact, and a proof. Where they are smooth, the
// state at any time is still one linear solve, and the first root of each condition is
// bracketed in samples of 1/64 of the shortest period and found to the last digits:
// computed, not proven.
//
//	symbol    Go name            shape  unit   reference
//	H         Form.H             n×n    N/m    D²E of the kept dofs
//	f(t)      Source.Load        n      N      −DE(t, z_0)
//	q         Integrator.Q           n      m      displacement from the start
//	r         Integrator.Reaction    n      N      DE(t, z): force of the obstacle
//	μ         Contact.Mu         1      -      along the tangent of the contact
//	t, n      Contact.T, N       1      -      dofs
//	D         Integrator.Dissipation 1      J      ∫ μ r_n |q̇_t| dt
//
// # The plane
//
// [NewPlane] finds for each contact with friction the tangent along which it moves, if
// there is one: the loads' and those by which its neighbours pull at it must be parallel,
// and D²E must not couple the tangent with the direction across. Then what lies across
// has no force and no motion, and the solution in the plane is one in space. Particles
// without friction keep all their coordinates.
//
// # Corners
//
// A particle with several obstacles, or with one on which it is pulled in more than one direction,
// is a [Corner] of three dofs. It rests on a support, an independent set of faces, with
//
//	r = Σ σ_c n_c + d,   σ_c = s_c·r >= 0,   d·n_c <= 0 of other faces that are touched,   |d| <= b·r = Σ μ_c σ_c
//
// and slips along the edge of two faces or along d on one. Where friction has axes and the particle
// one face, dofs are the coordinates u = S z_T/μ of its friction matrix S, in which the cone is a
// round one. Where d turns on one face, what slips there has
//
//	q̇ = λe,  e = −d/|d|,  d/dt(|d| − μσ) = 0
//
// a differential equation, integrated by extrapolated midpoint rules of order 12 [Hairer93, II.9],
// to 1e-12 of the loads a step. At the tip of the cone, where a particle lands, e is the root of a
// function of an angle: ḋ = −|ḋ|e. Friction holds until |d| = μσ, a root of a quadratic. In ratios
// of integers the walk ends there with a [TurnError].
//
// # Numbers
//
// The walk is written once, over a [Number]: float64 ([Real]), ratio of integers
// ([Rational]), and float64 with a derivative ([Dual]), which package sensitivity uses.
//
// # References
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees of
// freedom and dry friction, WIAS preprint 1336, 2008.
//
// [Hairer93] E. Hairer, S.P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd
// ed., Springer, 1993.
//
// # Limits
//
// D²E must be constant and friction constant along the way; γ is not used. Where the rate problem
// has no solution or pivots do not find it, the walk ends with an error and says so; where D²E
// restricted to what moves is singular, with a [LossError]. Along turning forces a condition that
// fails for less than a step of the integration and holds at its ends can be missed where its rate
// does not change sign.
package events
