// Package contact solves discrete contact problems with friction: find motions u
// and reactions r of nc contacts with
//
//	K_j ∋ r_j ⊥ u_j + g_j(u_j) e_N ∈ K_j*     for every contact j,
//
// K_j being the reactions that the law of the contact admits (a cone for Coulomb)
// and g_j its correction (the de Saxcé term μ‖u_T‖ for Coulomb, zero for the
// convex laws), where u and r obey linear dynamics in one of four forms:
//
//	Global   M v = f + H r + G λ,  Gᵀv + b = 0,  u = Hᵀv + w      M sparse, positive semidefinite
//	Local    u = W r + q                      W = HᵀM⁻¹H dense, by blocks or an operator
//	LCP      0 <= z ⊥ M z + q >= 0            laws with flat cones, any M
//	MLCP     the same with free unknowns and equations
//
// [SolveLocal], [SolveGlobal], [SolveLCP] and [SolveMLCP] are the doors, one for each
// form. SolveLocal scales the problem and goes through a plan of stages, handing on
// what each reached; [Options].Method asks for one of them. [SolveConvex] solves
// Tresca friction on the global form with a duality gap, [SolveFixedPoint] Coulomb
// friction there. The methods are in package local, one a file, those in the velocities in
// convex; block has the scaled problem and its factors, prove shows that there is no solution,
// sensitivity differentiates one. The laws are in package law, one a file; those with moments,
// [Rolling], have contacts of four to six components.
//
//	symbol  Go name              shape        unit (displacements / velocities)
//	v       Result.V             nv           m, rad / m/s, rad/s
//	u       Result.U             dim·nc       m / m/s
//	r       Result.R             dim·nc       N / N s
//	M       Global.M             nv×nv        N/m / kg
//	H       Global.H, Jacobian   nv×dim·nc    -
//	w       Global.W             dim·nc       m / m/s; gaps of a displacement step
//	G, b    Global.G, .B         nv×nb, nb    -, m / m/s; joints, absent by default
//	λ       Result.Lambda        nb           N / N s
//	W       Local.W, Operator    dim·nc²      m/N / 1/kg
//	q       Local.Q              dim·nc       m / m/s
//	μ       Coulomb.Mu, …        1            -
//	s       Tresca.Threshold     1            N / N s
//	S       Shape                2×2          -; ‖S u_T‖ is what friction is proportional to
//	K       Law.Project          3            the law knows K by the projection onto it
//	g       Law.Correction       1
//	ρ       -                    1            N/m / kg; see [Law], [Residual]
//
// # Conventions
//
// Triples are ordered (normal, first tangent, second tangent); the normal points
// from the obstacle to the body, so u_N > 0 opens and r_N > 0 presses. r is the
// reaction on the body. Two dimensions are pairs (normal, tangent). Redundant
// contacts, more of them than degrees of freedom, singular and slightly
// unsymmetric W are the normal case.
//
// # Verdicts
//
// err is nil only if an independent check of the result passed: by the merit of
// FCLIB, by one that is the same in all units (unitFreeMerit), and by the
// residuals of motions, reactions and power in units of the data, which no iterate can
// inflate (verdict.go). The error names the number that failed with its limit, the
// [Status] says what happened, and the best iterate is there. Infeasible is said only
// with a proof: a ray that shows it, or a search that ruled out every mode.
//
// # References
//
//	[Acary14]         V. Acary et al., FCLIB: a collection of discrete 3D frictional contact
//	                  problems, 2014
//	[AcaryCadoux11]   V. Acary, F. Cadoux, C. Lemaréchal, J. Malick, A formulation of the linear
//	                  discrete Coulomb friction problem via convex optimization, 2011
//	[Alart91]         P. Alart, A. Curnier, A mixed formulation for frictional contact problems
//	                  prone to Newton like solution methods, 1991
//	[Bea55]           E. M. L. Beale, Cycling in the dual simplex algorithm, 1955
//	[CPS09]           R. Cottle, J.-S. Pang, R. Stone, The Linear Complementarity Problem, 2009
//	[DeSaxce98]       G. de Saxcé, Z.-Q. Feng, The bipotential method, 1998
//	[DLFK96]          T. De Luca, F. Facchinei, C. Kanzow, A semismooth equation approach to
//	                  nonlinear complementarity problems, 1996
//	[DoyenErn11]      D. Doyen, A. Ern, Analysis of the modified mass method for the dynamic
//	                  Signorini problem with Coulomb friction, 2011
//	[Glo01]           C. Glocker, Set-Valued Force Laws, 2001
//	[Gondzio96]       J. Gondzio, Multiple centrality corrections in a primal-dual method for
//	                  linear programming, 1996
//	[Jourdan98]       F. Jourdan, P. Alart, M. Jean, A Gauss-Seidel like algorithm to solve
//	                  frictional contact problems, 1998
//	[Kos79]           M. Kostreva, Cycling in linear complementarity problems, 1979
//	[LawsonHanson74]  C. Lawson, R. Hanson, Solving Least Squares Problems, 1974, chapter 23
//	[Mehrotra92]      S. Mehrotra, On the implementation of a primal-dual interior point method,
//	                  1992
//	[Mur88]           K. Murty, Linear Complementarity, Linear and Nonlinear Programming, 1988
//	[Nesterov83]      Y. Nesterov, A method for solving the convex programming problem with
//	                  convergence rate O(1/k²), 1983
//	[Nesterov98]      Y. Nesterov, M. Todd, Primal-dual interior-point methods for self-scaled
//	                  cones, 1998
//	[ODonoghue15]     B. O'Donoghue, E. Candès, Adaptive restart for accelerated gradient
//	                  schemes, 2015
//	[PangKumarSong05] J.-S. Pang, V. Kumar, P. Song, Convergence of time-stepping method for
//	                  initial and boundary-value frictional compliant contact problems, 2005
//	[Rockafellar76]   R. T. Rockafellar, Monotone operators and the proximal point algorithm, SIAM
//	                  Journal on Control and Optimization 14 (1976) 877-898.
//	[Ruiz01]          D. Ruiz, A scaling algorithm to equilibrate both rows and columns norms in
//	                  matrices, 2001
//	[Schmid08]        F. Schmid, Quasi-static contact problem with finitely many degrees of
//	                  freedom and dry friction, 2008
//	[SongPangKumar04] P. Song, J.-S. Pang, V. Kumar, A semi-implicit time-stepping model for
//	                  frictional compliant contact problems, 2004
//	[ST96]            D. Stewart, J. Trinkle, An implicit time-stepping scheme for rigid body
//	                  dynamics, 1996
//
// # Limits
//
// Coulomb friction is no minimisation: solutions may fail to exist or be several,
// and a solver finds one or none without telling how many there are. Convergence is
// proved for the convex laws only. Reactions of redundant contacts are one choice
// of many. LCPs without structure are hard from about forty pairs on, and then
// reported as undecided.
package contact
