// Package energetic is the model energetic of the program: quasi-static evolutions of
// particles and elastic bodies, by the package of the same name at the root. The files of
// the folder are those of package model/elastic, whose page says what each is for; the
// energies of a case have files of their own.
//
//	symbol        key             Go name              unit  reference
//	E(t, z)       energies        Case.Psi.System      J     package particles
//	M^(j)         friction        Case.Psi.Matrices    -     package dissipation
//	Z_0           particles.at    Case.Z0              m     local coordinates
//	t_k = T·k/n   until, steps    Case.Time            s     uniform partition
//	γ             gamma           Options.Step.Rule    N     (3.4) of [Schmid08]
//	a(t), f(t)    anchors, force  particles.Path       m, N  signals
//
// Positions, axes and forces are global in a case; package particles turns them into the
// frames of the obstacles.
//
// # References
//
// [Schmid08] F. Schmid, Quasi-static contact problem with finitely many degrees of
// freedom and dry friction, WIAS preprint 1336, 2008.
//
// # Limits
//
// Whether E is convex is found out only where D²E is constant; (N4) is not checked by a
// build.
package energetic

import (
	_ "embed"

	"github.com/quasistatic/quasistatic/run"
)

//go:embed schema.json
var schema []byte

// Model is the model energetic.
var Model = run.Model{Name: "energetic", Title: "particles and elastic bodies that move so slowly that inertia does not count",
	Schema: schema, Build: build}
