// Package casefile reads case files and makes models of them: JSON in SI units that
// says what is simulated and what a correct run shows,
//
//	case.json → Decode → Case → Build → Model{Ψ, Z_0, t_0 < … < t_n, options, expectations}.
//
//	symbol        key             Go name              unit  reference
//	E(t, z)       energies        Model.Psi.System     J     package particles
//	M^(j)         friction        Model.Psi.Matrices   -     package dissipation
//	Z_0           particles.at    Model.Start          m     local coordinates
//	t_k = T·k/n   until, steps    Model.Time           s     uniform partition
//	γ             gamma           Options.Step.Rule    N     (3.4) of [Schmid08]
//	a(t), f(t)    anchors, force  particles.Path       m, N  signals
//	quantity      expect          Expectation          -     compared by Evaluator
//
// # Conventions
//
// The grammar is the JSON Schema that Schema returns; it is the reference of the
// keys, with units and defaults. What a schema cannot say is checked by Build: ids,
// names, symmetric matrices, times that increase, starts outside obstacles, energies
// that are convex. Files are untrusted: whatever they hold, the answer is a model or
// an *Error, which lists the Faults with line, column and Path, what was found and
// what is expected. A key that would have no effect is a fault.
//
// Positions, axes and forces are global in a case; package particles turns them
// into the frames of the obstacles.
//
// # References
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees of
// freedom and dry friction, WIAS preprint 1336, 2008.
//
// # Limits
//
// Whether E is convex is found out only where D²E is constant; (N4) is not checked
// here. At most ten Faults are listed, and a fault of the grammar hides those of the
// building.
package casefile
