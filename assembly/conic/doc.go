// Package conic solves linear programs over products of second-order cones:
//
//	min cᵀx   A x = b,  x ∈ K          max bᵀy   s = c − Aᵀy ∈ K,     K = K_1 × … × K_m
//
// with K_k = {x : x_0 ≥ ‖(x_1, …)‖}, a half-line where it has one component. The answer is optimal,
// with x, y and s of a gap that is told, or it is a ray: y with bᵀy = 1 and −Aᵀy ∈ K, which
// shows that no x is admissible (Farkas), or x with A x = 0, x ∈ K, cᵀx = −1, which shows that no y is.
//
//	symbol  Go name        shape  meaning
//	A       Problem.A      m×n    by columns
//	b, c    Problem.B, .C  m, n
//	K       Problem.Cones         dimensions of the cones, in the order of x
//	W       scaling        n×n    of Nesterov and Todd: W x = W⁻¹ s = λ
//	N       normal.sum     m×m    A W⁻² Aᵀ, sparse
//
// The method is that of the homogeneous and self-dual model with predictor and corrector: it starts
// anywhere, or near to where a problem like it was (Options.From), and finds either kind of answer. A step
// costs one sparse factorisation of N, whose pattern is analysed once; cones that touch hundreds of rows are left
// out of it, and come back by the formula of Sherman and Morrison. Rows are brought to one size before, and back
// after. Steps end early where an answer is at hand that is exact up to rounding: a ray inside the cones, or,
// where c is 0, an x inside them that is the nearest to the iterate with A x = b.
//
// # References
//
//	[AndersenRoosTerlaky03] E. Andersen, C. Roos, T. Terlaky, On implementing a primal-dual
//	                        interior-point method for conic quadratic optimization, 2003
//	[Nesterov98]            Y. Nesterov, M. Todd, Primal-dual interior-point methods for
//	                        self-scaled cones, 1998
//
// # Limits
//
// Problems that are infeasible without a ray, as round cones allow, end undecided. N has the
// condition number of W²: answers have some nine digits, fewer where no solution is strict.
package conic
