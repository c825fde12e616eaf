// Package factor solves A x = b for a sparse, symmetric, positive definite A.
//
//	P A Pᵀ = L D Lᵀ  (simplicial),   P A Pᵀ = L Lᵀ  (supernodal)
//
// with a permutation P that keeps L sparse. Symbolic and numeric work are
// apart: [Analyse] sees the pattern once, [Factor].Refactor sees values as
// often as they change, Factor.Solve does two triangular solves.
//
// # Notation
//
//	symbol    Go name             shape     meaning                              reference
//	A         sparse.Sym          n×n       lower triangle in compressed columns
//	P         perm                n         perm[k] is the column eliminated k-th
//	L         val                 nnz       by columns; supernodal: panels by rows
//	D         diag                n         pivots of LDLᵀ
//	L₁₁, L₂₁  panel               m×k       columns of a supernode: block, rows below
//	U         arena               (m-k)²    update matrix of a front             [DR83]
//	c_j       tree.count          n         entries of column j of L             [GNP94]
//
// # The way through
//
// newGraph joins columns of equal pattern (the degrees of freedom of a node)
// to one vertex. orderMinDegree and, for large factors, orderNestedDissection
// order the vertices; the [Plan] takes the order with fewer operations Σ c_j².
// newTree finds the elimination tree and the counts. Below some 25 operations
// per entry of L the simplicial factorisation follows lists of indices; above,
// newPartition forms supernodes, newSchedule shares subtrees among goroutines
// and the multifrontal factorisation works on dense blocks, whose products are
// one register tile (AVX-512 or AVX2 with fused multiply-adds on amd64 that has them,
// portable Go elsewhere, with the same bits), or what blas64.Use has put in
// the place of gonum's BLAS, see docs/decisions/0007-dense-kernels.md.
//
// # Conventions
//
// A pivot counts as positive if it exceeds PivotTolerance·|a_jj|. Otherwise,
// and if it is not finite, Refactor returns *[NotPositiveDefiniteError] with
// the column of A; a NaN or an infinity in A ends there too, never in x. Until
// the next successful Refactor, Solve panics.
//
// Results are the same, bit for bit, at any number of workers and on each run on amd64, with and
// without AVX2 and AVX-512 (on others the compiler fuses x*y + z in the code around the kernels,
// see internal/processor). Refactor and Solve allocate nothing, but for a Refactor after Release;
// with several workers Refactor allocates some tens of bytes for each goroutine it starts,
// independent of n.
//
// # References
//
//	[ADD96]    Amestoy, Davis, Duff: An approximate minimum degree ordering algorithm. SIAM J. Matrix Anal. Appl. 17, 1996.
//	[BM08]     Boldo, Melquiond: Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd. IEEE Trans. Comput. 57, 2008.
//	[CDHR08]   Chen, Davis, Hager, Rajamanickam: Algorithm 887: CHOLMOD. ACM Trans. Math. Softw. 35, 2008.
//	[DR83]     Duff, Reid: The multifrontal solution of indefinite sparse symmetric linear equations. ACM Trans. Math. Softw. 9, 1983.
//	[George73] George: Nested dissection of a regular finite element mesh. SIAM J. Numer. Anal. 10, 1973.
//	[GNP94]    Gilbert, Ng, Peyton: An efficient algorithm to compute row and column counts for sparse Cholesky factorization. SIAM J. Matrix Anal. Appl. 15, 1994.
//	[KK98]     Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs. SIAM J. Sci. Comput. 20, 1998.
//	[Liu90]    Liu: The role of elimination trees in sparse factorization. SIAM J. Matrix Anal. Appl. 11, 1990.
//	[PRA00]    Pellegrini, Roman, Amestoy: Hybridizing nested dissection and halo approximate minimum degree. Concurrency Pract. Exp. 12, 2000.
//
// # Limits
//
// There is no pivoting and no iterative refinement: the residual is a small
// multiple of n·2⁻⁵³·‖A‖‖x‖, the error grows with the condition number, which
// is not estimated. A semidefinite matrix is not regularised: its last pivot is
// roundoff, up to n²·2⁻⁵² of the diagonal, and is refused if that is below the
// tolerance, n·2⁻⁵² by default; give a larger one where it matters. Which of the
// dependent columns is named depends on the order. Nested dissection
// has no bound on the separators it finds. Update matrices are stored as full
// squares, twice what they need; see [Plan.Bytes] before a large Factor. Indices
// are 32 bits: n < 2³¹-1, and fewer than 2³¹ entries of L in a simplicial factor.
package factor
