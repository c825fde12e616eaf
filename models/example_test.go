package models_test

import (
	"context"
	"fmt"
	"os"

	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// A block is pulled by a spring; it stands until the spring pulls with μσ = 0.6 N.
const drag = `{
  "name": "drag", "model": "energetic", "until": 1, "steps": 10,
  "friction": {"dry": {"mu": 0.4}},
  "particles": [{"id": "block", "at": [0, 0, 0], "friction": "dry"}],
  "anchors": [{"id": "hook", "at": {"table": [[0, [0, 0, -0.3]], [1, [1, 0, -0.3]]]}}],
  "energies": [{"type": "tether", "particle": "block", "anchor": "hook", "stiffness": [2, 2, 5]}],
  "expect": [{"quantity": "position", "particle": "block", "axis": "x", "value": 0.7, "tolerance": 1e-9}]
}`

// A case is decoded by the grammar of all models, built by its own, and run step by step
// without files.
func Example() {
	c, err := models.Grammar().Decode("drag.json", []byte(drag))
	if err != nil {
		fmt.Println(err)
		return
	}
	built, err := models.Build(context.Background(), c)
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "drag-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	t := run.Of(c, models.Find(c), built, dir)
	if err := t.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range t.Summary.Expectations {
		fmt.Printf("%s: %.6f, met: %v, certified: %v\n", o.Label, *o.Value, o.Met, t.Summary.Certified)
	}
	// Output:
	// position x of block at the end: 0.700000, met: true, certified: true
}

func ExampleGrammar() {
	_, err := models.Grammar().Decode("drag.json", []byte("{\n  \"model\": \"energetic\",\n  \"until\": -1,\n  \"partikles\": []\n}"))
	fmt.Println(err)
	// Output:
	// drag.json:1:1: $: the key "particles" is missing
	// drag.json:3:12: $.until: found -1, want a number > 0
	// drag.json:4:16: $.partikles: unknown key "partikles", the nearest valid one is "particles"
}
