// Package halfspace solves contact with friction of elastic half-spaces under a
// window of rectangular elements, in tractions:
//
//	y_n = h + (C p)_n + ξ_n  >= 0  ⊥  p_n >= 0
//	y_t = (C p)_t − u⁰ + ξ_t,  |p_t| <= g,  g|y_t| + p_t·y_t = 0,   g = μ p_n + threshold
//
// [Operator] is C, a convolution by fast transforms. A step with known bounds g is
// the convex problem min ½pᵀCp + bᵀp, which Newton's method with active sets solves
// by preconditioned conjugate gradients, with total forces as exact constraints; with
// Coulomb's bounds normal and tangential problems take turns. A step is
// certified by its duality gap from one product with C that the solver has not made.
//
// # Notation
//
//	symbol  | Go name             | shape  | unit  | reference
//	h       | Problem.Gap         | n      | m     | undeformed distance
//	p       | Result.P            | 3×n    | Pa    | tractions on the upper body
//	u = C p | Result.U, Operator  | 3×n    | m     | upper relative to lower surface [Johnson85, 3.2, 3.6]
//	y       | Result.Y            | 3×n    | m     | gaps and slips of the step
//	u⁰      | Problem.Before      | 2×n    | m     | of the material now at the element, before the step
//	ξ       | Result.Move         | 6      | m, rad| rigid displacement of the upper body; approach = −ξ_n
//	f       | Result.Force        | 6      | N, N·m| resultants, moments about Problem.Pole
//	g       | Result.Bound        | n      | Pa    | friction bound
//	μ       | Problem.Coefficient | n      | -     |
//	B       | Influence.Block     | 3×3    | m/Pa  | C by difference of elements
//	A, B, D | Compliance          | 1      | m²/N  | constants of the pair of bodies
//
// # Conventions
//
// Components are x, y, n: a [Field] holds them one after the other, element (i, j)
// of the window is number i + j·NX. n points from the lower to the upper body;
// tractions act on the upper one, so that p_n > 0 presses and u_n > 0 opens. Slip is
// the motion of the upper surface relative to the lower one.
//
// # References
//
//	[GouldHribarNocedal01] N. Gould, M. Hribar, J. Nocedal, On the solution of equality constrained quadratic programming problems, 2001
//	[Johnson85]      K. L. Johnson, Contact Mechanics, 1985
//	[Kalker90]       J. J. Kalker, Three-Dimensional Elastic Bodies in Rolling Contact, 1990
//	[Persson01]      B. N. J. Persson, Theory of rubber friction and contact mechanics, 2001
//	[Persson05]      B. N. J. Persson et al., On the nature of surface roughness, 2005
//	[PolonskyKeer99] I. A. Polonsky, L. M. Keer, A numerical method for solving rough contact problems, 1999
//	[Song04]         P. Song, J.-S. Pang, V. Kumar, A semi-implicit time-stepping model for frictional compliant contact problems, 2004
//	[Vol10]          E. A. H. Vollebregt, A fast solver for normal and tangential dry contact, 2010
//	[VolLi14]        E. A. H. Vollebregt, S. Wang, FFT-based influence in contact, 2014
//	[Yastrebov17]    V. A. Yastrebov, G. Anciaux, J.-F. Molinari, The role of the roughness spectral breadth in elastic contact of rough surfaces, 2017
//	[ZhaoVolLi15]    J. Zhao, E. A. H. Vollebregt, C. Oosterlee, A fast nonlinear conjugate gradient based method for 3D concentrated frictional contact problems, 2015
//
// # Limits
//
// Surfaces are flat but for their gap, strains small. Coulomb's friction of dissimilar bodies is no
// minimisation; where coupling and friction are large the turns of the two problems may not settle,
// even where bounds follow slowly, which is an error, never a result: friction times coupling β far
// above 1, and thresholds that hold only where dissimilar bodies touch, whose bound jumps as an
// element lets go: 25 of 3,000 random scenes of TestStorm. Such a law need not have a solution:
// with the elements that bear the threshold chosen, the step is solved, and in all 25 some of them
// then let go, or others touch. In 20 these are 1 to 6, of which no choice is consistent
// (TestNoSolution); in 5 they are more. Steady rolling by ways far below an element converges
// slowly, and may end in the same error.
package halfspace
