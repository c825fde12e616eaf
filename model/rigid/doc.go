// Package rigid is the model rigid of the program: rigid bodies with joints, contacts and
// collisions, by package dynamics/rigid. The files of the folder are those of package
// model/elastic, whose page says what each is for.
//
//	symbol       Go name         shape  unit       reference
//	q, v         trajectory.csv  nq     m, rad     packages bodies and dynamics/rigid
//	v^α          Step.Alpha      nv     m/s        weighted velocity of the scheme
//	Θ, −Φ        certificates    1      m, rad     what joints are apart, depth of contacts
//
// # Limits
//
// Those of package dynamics/rigid; collisions are instants.
package rigid

import (
	_ "embed"

	"github.com/quasistatic/quasistatic/run"
)

//go:embed schema.json
var schema []byte

// Model is the model rigid.
var Model = run.Model{Name: "rigid", Title: "rigid bodies with joints, contacts and collisions", Schema: schema, Build: build}
