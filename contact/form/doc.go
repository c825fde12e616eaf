// Package form has the forms of discrete contact problems, what a solve is asked and answers, and
// the verdict on an answer, which shares no code with a solver but the projections of the laws:
//
//	[Global]   M v = f + H r + G λ,  Gᵀv + b = 0,  u = Hᵀv + w
//	[Local]    u = W r + q
//
// with a law between u and r at each contact. Package contact has the doors and knows these types
// by its own names; what else is exported here serves the solvers below it.
//
//	symbol  Go name              shape        unit (displacements / velocities)
//	W       Local.W, [Operator]  dim·nc²      m/N / 1/kg
//	q       Local.Q              dim·nc       m / m/s
//	r, u    Result.R, .U         dim·nc       N, m / N s, m/s
//	ρ       [Steps]              nc           N/m / kg
//
// # Conventions
//
// Triples are ordered (normal, first tangent, second tangent), pairs likewise; contacts with
// moments have four to six components, see [Moments].
//
// # Limits
//
// The verdict is a backward error: it says that the answer solves a nearby problem, not how far the
// nearest solution is.
package form
