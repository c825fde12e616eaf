// Package lcp solves linear complementarity problems and mixed ones,
//
//	[LCP]   w = M z + q,  0 ≤ z ⊥ w ≥ 0
//	[MLCP]  the same with free unknowns and equations
//
// by Lemke's method with a lexicographic ratio test on scaled data, Newton's method on Fischer and
// Burmeister's function from where that ends in a ray, and a branching search that either finds a
// solution or proves that there is none. [ToLCP] and [ToMLCP] pose contact problems of polyhedral
// laws that way, see [ST96].
//
//	symbol  Go name           shape   unit
//	M       LCP.M             n×n     any
//	q       LCP.Q             n       that of M z
//	z, w    LCPResult.Z, .W   n
//	y       LCPResult.Farkas  n       proves that there is no solution: y ≥ 0, Mᵀy ≤ 0, qᵀy < 0
//
// # References
//
//	[Bea55]   E. M. L. Beale, Cycling in the dual simplex algorithm, 1955
//	[CPS09]   R. Cottle, J.-S. Pang, R. Stone, The Linear Complementarity Problem, 2009
//	[DLFK96]  T. De Luca, F. Facchinei, C. Kanzow, A semismooth equation approach to nonlinear complementarity problems, 1996
//	[Kos79]   M. Kostreva, Cycling in linear complementarity problems, 1979
//	[Mur88]   K. Murty, Linear Complementarity, Linear and Nonlinear Programming, 1988
//	[ST96]    D. Stewart, J. Trinkle, An implicit time-stepping scheme for rigid body dynamics, 1996
//
// # Limits
//
// Problems without structure are hard from about forty pairs on, and then reported as undecided.
package lcp
