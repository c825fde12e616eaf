// Package patch is the models compliant and theta of the program: rigid bodies on elastic
// contact patches, and their rigid limit, by package dynamics. The files of the folder are
// those of package model/elastic, whose page says what each is for.
//
//	symbol       Go name         shape  unit     reference
//	q, v         trajectory.csv  nq     m, rad   packages bodies and dynamics
//	λ            forces.csv      dim·n  N        contact elements, (n, t, o)
//	v(0)         Run.v0          nv     m/s      initial or boundary values, (28) of [Pang05]
//
// # References
//
// [Song04], [Pang05] see package dynamics.
//
// # Limits
//
// Those of package dynamics.
package patch

import (
	_ "embed"

	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

//go:embed schema.json
var schemaText string

var schema = world.Schema(schemaText)

// Compliant and Theta are the models of the package; they share their definitions.
var (
	Compliant = run.Model{Name: "compliant", Title: "rigid bodies on elastic contact patches, and their rigid limit",
		Schema: schema, Build: build}
	Theta = run.Model{Name: "theta", Title: "the same by the θ-scheme; also from boundary values", Build: build}
)
