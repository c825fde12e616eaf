// Package elastic is the model elastodynamic of the program: elastic bodies that hit and
// slide, by package dynamics/elastic.
//
//	case → document → Case{Model, Options} → Run: Newmark steps with the modified mass
//
// A folder of a model has: schema.json, its part of the case format; document.go, what it
// makes of a case; quantities.go, what a case can expect; tables.go, the files of a run;
// bodies.go and meetings.go, several bodies, and what they are worth where they meet; run.go, the run, its verdict, what is printed, and its convergence study; check.go, what
// is examined before; audit.go, what diagnose looks at.
//
//	symbol       Go name        shape  unit  reference
//	u, v         Run.nodes      dim·n  m     nodes of the mesh, packages fem and dynamics/elastic
//	r            forces.csv     nc     N     reactions of the contact nodes, (n, t, o)
//	(51), (27)   certificates   1      J     of [DoyenErn11]
//
// # References
//
// [DoyenErn11] see package dynamics/elastic.
//
// # Limits
//
// Obstacles are half-spaces, at rest or moving in parallel to themselves or turning about their
// normals; pictures draw them where they are at the start. Bodies that meet have elements of one kind and one coefficient of
// friction; what faces what is that of the start.
package elastic

import (
	_ "embed"

	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

//go:embed schema.json
var schemaText string

var schema = []byte(world.SlipSchema(schemaText))

// Model is the model elastodynamic.
var Model = run.Model{Name: "elastodynamic", Title: "elastic bodies that hit and slide, with the modified mass",
	Schema: schema, Build: build}
