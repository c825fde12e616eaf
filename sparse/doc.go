// Package sparse holds symmetric sparse matrices: masses, stiffnesses, Hessians.
//
//	A = Aᵀ,  a_ij for i >= j, in compressed columns
//
// A matrix is made in two steps: a [Builder] collects the pattern, [Sym.AddAt]
// fills in values, as often as they change.
//
// # Notation
//
//	symbol  Go name   shape  meaning
//	A       Sym       n×n    lower triangle in compressed columns, diagonal always present
//	n       Sym.N     1      order, below 2³¹-1
//
// # Limits
//
// Only symmetric matrices, only 64-bit floats. Factorisations are the business of
// the solvers that take a matrix.
package sparse
