// Package rigid is the model rigid of the program: rigid bodies with joints, contacts and
// collisions, by package dynamics/rigid. The files of the folder are those of package
// model/elastic, whose page says what each is for.
//
//	symbol       Go name         shape  unit       reference
//	q, v         trajectory.csv  nq     m, rad     packages bodies and dynamics/rigid
//	v^α          Step.Alpha      nv     m/s        weighted velocity of the scheme
//	Θ, −Φ        certificates    1      m, rad     what joints are apart, depth of contacts
//
// energies.csv has the ledger of dynamics/rigid, its type Energy, in the columns of all models of
// bodies: impact is what normal forces take, and joints at a start that they do not admit (Impacts);
// residual is −Numerical, what the step length makes or takes, and the rounding of the balance.
//
// # Limits
//
// Those of package dynamics/rigid; collisions are instants.
package rigid

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

//go:embed schema.json
var schemaText string

// schema is the text with what [multibody] knows of joints in the place of its capitals.
func schema() []byte {
	var words, texts, numbers []string
	for _, k := range multibody.Kinds(0) {
		words, texts = append(words, fmt.Sprintf("%q", k)), append(texts, fmt.Sprintf("%s: %s.", k, k.Text()))
	}
	known := multibody.JointNumbers()
	for _, key := range slices.Sorted(maps.Keys(known)) {
		text, _ := json.Marshal(known[key]) // a string has no error
		numbers = append(numbers, fmt.Sprintf(`%q: {"description": %s, "type": "number"}`, key, text))
	}
	return world.Schema(strings.NewReplacer(`"KIND OF JOINT"`, strings.Join(words, ", "), "KINDS OF JOINTS", strings.Join(texts, " "),
		`"NUMBERS OF JOINTS": {}`, strings.Join(numbers, ",\n      ")).Replace(schemaText))
}

// Model is the model rigid.
var Model = run.Model{Name: "rigid", Title: "rigid bodies with joints, contacts and collisions", Schema: schema(), Build: build}
