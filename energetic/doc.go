// Package energetic runs evolutions and certifies them against the energetic
// formulation of [Schmid08], Problem 2.1: at every time
//
//	E(t, z(t)) <= E(t, y) + Ψ(t, z(t), y − z(t))   for all y ∈ A,                (S)
//	E(t, z(t)) + ∫_0^t Ψ(s, z, ż) ds = E(0, z(0)) + ∫_0^t ∂_sE(s, z) ds.         (E)
//
//	symbol                  Go name                  shape  unit  reference
//	sup_y[E(z)−E(y)−Ψ]      Certificate.Gap          1      J     (S); 0 is stable
//	residual of (E)         Certificate.Balance      1      J     (E), of the interpolant
//	residual of (DI)        Certificate.Force        1      N     (DI)
//	upper estimate          Certificate.Upper        1      J     Lemma 4.12, per step
//	lower estimate          Certificate.Lower        1      J     Lemma 4.11, per step
//	‖ż‖                     Certificate.Lipschitz    1      m/s   (4.7)
//	(N0), (N3)              Start                    -      -     section 2
//	(S), (DI), (E), all t   Measure, Residuals       -      N, J  docs/theory.md
//	the twin                twin                     -      -     docs/theory.md
//	partition by accuracy   ChoosePartition          -      s     -
//
// # Conventions
//
// The trajectory between nodes is the piecewise linear interpolant of Definition
// 4.1; all integrals are of it, with the true Ψ and not the regularised one. A
// particle dissipates on a step only if it touches at both ends, for between
// them its height is otherwise positive.
//
// The scheme solves its own thresholds exactly and those of (S) up to their
// change over a step. So two gaps are reported: StepGap, which must be zero to
// roundoff or the step was not solved, and Gap, the discretisation error in
// (S), which is zero too for implicit thresholds, and for lagged ones where γ
// exceeds ThresholdChange.
//
// A node is solved if StepGap is zero to roundoff. An evolution is accurate if the
// polygon fulfils (S), (DI) and (E) at all times within Options.Accuracy, each island
// of the system by itself and relative to its own forces and energies: that is what
// Measures tell, with how each is known. Certified means both.
//
// (N0)-(N4) are examined by package energetic/assume; states far from the present one, which (S)
// asks about where E is not convex, are those of energetic/global.
//
// # References
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees
// of freedom and dry friction, WIAS preprint 1336, 2008.
//
// # Limits
//
// Where E(t, ·) is not quadratic the gaps are those of descent from z and of the
// local quadratic model; they are marked (Gap.Exact is false) and prove nothing
// globally. Suprema between nodes are then over samples, but where all terms of E bound how their
// forces bend, see particles.WayBounded.
//
// Jumps are computed, not proven. Contact between elastic bodies is part of the admissible set where
// their coordinates say so ([particles.Relative]); that others lie in each other is told, at the nodes.
package energetic
