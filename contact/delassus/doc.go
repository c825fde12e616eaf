// Package delassus reduces problems of motions and reactions to the reactions alone,
//
//	M v = f + H r + G λ,  Gᵀv + b = 0,  u = Hᵀv + w   →   u = W r + q,
//
// and finds the way back: [Reduce] by one sparse factorisation of each connected part of M,
// [NewDelassusDense] for an unsymmetric M by dense elimination.
//
//	symbol  Go name             shape     unit (displacements / velocities)
//	W       Delassus.Local.W    dim·nc²   m/N / 1/kg
//	q       Delassus.Local.Q    dim·nc    m / m/s
//	v       Delassus.Velocity   nv        m, rad / m/s, rad/s
//	λ       Delassus.Lambda     nb        N / N s
//
// # Limits
//
// M is to be positive definite and the columns of G independent: [form.IndefiniteError],
// [DependentError]. With joints W is full on what they join.
package delassus
