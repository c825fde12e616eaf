package casefile_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
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

func ExampleDecode() {
	c, err := casefile.Decode("drag.json", []byte(drag))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := c.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	evolution, err := energetic.Start(ctx, m.Psi, m.Start, m.Options)
	expect := casefile.NewEvaluator(m)
	for k := 1; k <= m.Steps && err == nil; k++ {
		if err = evolution.Step(ctx, m.Time(k)); err == nil {
			expect.Observe(evolution.Node())
		}
	}
	for _, o := range expect.Outcomes() {
		fmt.Printf("%s: %.6f, met: %v, certified: %v\n", o.Label, *o.Value, o.Met, evolution.Summary().Certified)
	}
	// Output:
	// position x of block at the end: 0.700000, met: true, certified: true
}

func ExampleError() {
	_, err := casefile.Decode("drag.json", []byte("{\n  \"model\": \"energetic\",\n  \"until\": -1,\n  \"partikles\": []\n}"))
	fmt.Println(err)
	// Output:
	// drag.json:1:1: $: the key "particles" is missing
	// drag.json:3:12: $.until: found -1, want a number > 0
	// drag.json:4:16: $.partikles: unknown key "partikles", the nearest valid one is "particles"
}
