// Package study makes many runs of one case: grids, samples, refined boundaries.
//
//	runs = vary₁ × vary₂ × … × sample,   run i = case with the values at the paths replaced
//
// A [Spec] says which; a [Plan] is the list, never held in memory as a whole: run i is
// computed from i. Each run has an id, the hash of its expanded case, so that what is
// known is not computed again. An [Engine] makes the runs that are missing, a ledger
// keeps one record for each, a [Table] shows them in the order of the plan, whatever the
// order in which they ended.
//
// # Notation
//
//	symbol      Go name            shape  meaning                                    reference
//	n           Plan.Len           1      runs
//	x_i         Plan.Parameters    k      values at the paths in run i
//	u           unitSample         N×k    points of [0, 1)^k                         [Halton60], [MBC79]
//	F⁻¹         Distribution       1      quantile function: x = F⁻¹(u)
//	y_i         Record.Observed    m      quantities observed in run i
//	S_j, T_j    Indices            k      first-order and total Sobol indices of y   [Saltelli10]
//	A, B, A_Bj  Plan, saltelli     N×k    the N(k+2) points behind them              [Saltelli10]
//
// # Conventions
//
// The last axis varies fastest, as the digits of a number; samples vary faster than
// axes. Records are idempotent: the same id twice is the same record. Nothing in a table
// depends on clocks, on the number of workers or on the order in which they ended.
//
// # References
//
//	[Halton60]    Halton: On the efficiency of certain quasi-random sequences of points. Numer. Math. 2, 1960.
//	[HF96]        Hyndman, Fan: Sample quantiles in statistical packages. Am. Stat. 50, 1996.
//	[Jansen99]    Jansen: Analysis of variance designs for model output. Comput. Phys. Commun. 117, 1999.
//	[MBC79]       McKay, Beckman, Conover: A comparison of three methods for selecting values of input variables. Technometrics 21, 1979.
//	[Saltelli10]  Saltelli et al.: Variance based sensitivity analysis of model output. Comput. Phys. Commun. 181, 2010.
//
// # Limits
//
// Halton points lose their evenness in more than some twenty dimensions. Sobol indices
// are estimates whose errors fall as 1/√N; small ones may come out negative. A run that
// failed has no observed values and is left out of statistics, which say how many were.
package study
