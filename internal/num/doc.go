// Package num has the small numerics that several packages need: matrices of three rows, norms that
// do not overflow, slices that grow, systems of linear equations.
//
//	Mul3, Invert3, MulVec3, …   matrices of three rows, row by row; Invert3 by cofactors or elimination
//	Norm, InfNorm               ‖x‖₂, max |x_i|
//	Grow, Resized, OrNew        memory that is used again
//
// # Limits
//
// Invert3 calls singular what a change of 1e-16 of its rows makes so.
package num
