// Package assume examines the assumptions (N0)-(N4) of [Schmid08] and computes the constants that
// follow from them.
//
// [Examine] answers before a run whether there is anything to compute: with I_c, I_s,
// I_f the pressed, grazing and free particles of the start, Theorem 2.2 of
// [Schmid08] gives a Lipschitz solution up to some T_* > 0 if
//
//	α_K > q_K   for all I_c ⊂ K ⊂ I_c ∪ I_s,                                    (N4)
//	α_K = min { vᵀHv : ‖v‖ = 1, v_{3j} = 0 for j ∈ K },                           (2.2)
//	q_K = max { Σ_{j∈K} |Dσ^(j)u|‖M^(j)v^(j)‖ + σ^(j)₊‖DM^(j)[v^(j), u^(j)]‖ },   (2.3)
//
// and then ‖ż‖ <= c_lip = max_K (c_1 + c_2)/(α_K − q_K), (4.8).
//
//	symbol            Go name                 shape   unit  reference
//	α_K, q_K          Subset.Alpha, Q         1       N/m   (2.2), (2.3)
//	min_K α_K − q_K   Separation.Margin       1       N/m   (N4)
//	min_K α_K/q_K     Separation.Factor       1       -     ours: friction may grow by it
//	α_{K,e}, q_{K,e}  Extension.Separation    1       N/m   (3.1), (3.2)
//	c_1, c_2          Extension.C1, C2        1       N/s   (4.1), c_1 without the ½
//	c_lip, C_fine     Extension.CLip, CFine   1       m/s, s/N  (4.8), (4.11)
//	T_e, l_e, T_*     Extension.Te, Le, TStar 1       s, m  section 3.1, Theorem 5.2
//
// α_K is an eigenvalue. In q_K the best v is known: with M = f(z)S the maximum is
// that of sqrt(Σ(|a_j·u| + |b_j·u|)²) over u alone, a_j = ‖M_j‖Dσ_j and b_j =
// σ_j₊‖S_j‖∇f_j, a matrix norm for constant M and otherwise the largest norm of
// the matrices with rows a_j ± b_j. Large systems get two-sided bounds, certified
// by Cholesky factorisations of shifted matrices. The 2^n sets K are searched by
// branch and bound, because α_K grows with K and Q(I ∪ U, columns of I) bounds q_K
// of all K between I and I ∪ U.
//
// Not certified, and labelled so: suprema over time of signals that are not
// piecewise linear, energies that are not quadratic and friction matrices of
// unknown form away from the start. (N4) is sufficient, not necessary: it depends
// on the norm of R^{3N} and on which dofs are counted, and is blind to the sign of
// the coupling.
//
// # Files
//
// assumptions.go asks for all of them; separation.go, branch.go search the sets K, alpha.go,
// qbound.go, frictionrows.go bound α_K and q_K of one; condense.go takes out I_f;
// separatecorners.go has particles with several obstacles; extension.go, ratebounds.go,
// constants.go the constants; explain.go and assumptions_text.go the words.
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees of freedom and dry
// friction, WIAS preprint 1336, 2008.
package assume
