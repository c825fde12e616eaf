// Package halfspace is the model halfspace of the program: two elastic bodies that are
// flat but for a small gap, pressed, sheared and rolled, by package halfspace.
//
//	case → document → Case{operator, problem, controls} → Run: one convex problem a step
//
// A surface is one entity of a case: the grid makes its own elements.
//
//	symbol  Go name          shape  unit   reference
//	p       elements.csv     3·n    Pa     tractions on the upper body, (x, y, n)
//	y       elements.csv     2·n    m      slip of the step
//	ξ       trajectory.csv   6      m, rad rigid displacement of the upper body
//	f       forces.csv       6      N, N·m loads on the upper body
//
// # References
//
// Those of package halfspace.
//
// # Limits
//
// Bodies are homogeneous half-spaces; one contact window a case. Balance of energies is
// not judged while bodies roll: the moment that turns them is not part of the model.
package halfspace

import (
	_ "embed"

	"github.com/quasistatic/quasistatic/run"
)

//go:embed schema.json
var schema []byte

// Model is the model halfspace.
var Model = run.Model{Name: "halfspace", Title: "elastic half-spaces pressed, sheared and rolled, by fast transforms",
	Schema: schema, Build: build}
