// Package sensitivity differentiates evolutions with dry friction by a number p of their
// data, through stick, slip, lift-off and landing.
//
//	q(t; p),  r = Hq − f,   d/dp of q, r, D, E, W and of the times of events
//
// The walk of package events is made in numbers with a derivative ([events.Dual]): an
// event's time is the root of a condition, so that its derivative follows from the
// condition's, and the state behind it from both. Nothing is made smaller, and no run is
// repeated; it costs about three walks.
//
//	symbol        Go name       unit          reference
//	p             -             any           a number of the case
//	∂H, ∂f, ∂μ    stencil       per unit of p differences of the data below
//	dt_e/dp       Event.Time.D  s per unit    implicit function theorem
//	[p_-, p_+]    Range         of p          same order of events
//
// The derivatives of the data H, f(t), μ, gaps and kinks are differences of eighth order,
// Σ_k c_k (a(p + kh) − a(p − kh))/h with k = 1, …, 4 and h = |p|/64. They are exact but for
// rounding, some 64·2⁻⁵³ of a/p, where the data are polynomials of p up to eighth degree,
// which stiffnesses, loads, friction, positions and times are; of normals of obstacles,
// which are normalised, they leave about (h/p)⁸ = 4e-15 of what they change.
//
// # Limits
//
// Derivatives are those inside the range of p in which events keep their order; at its ends they
// jump. The range is found by bisection of the order of events, sampled, not proven; where
// directions of slip turn, by few walks, and may be longer then. Two events at the same time that p
// separates have one-sided derivatives only.
package sensitivity
