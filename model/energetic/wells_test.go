package energetic

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/model/particleview"
)

// TestWellsInOneStep: a spring whose tension rises by 4 N/m and falls by 2.4 N/m, four times, to
// .08 N more each time, so that the Maxwell line of wells i and i + 1 lies at .08i + .14 N. Under a
// load F(t) = .92t and friction of .05 N global minimisers jump at F = .08i + .19 N, three times in
// the second of four steps: each jump is found, in that order, and a diagnosis finds the same and
// says the same. Of such cases some were run with one jump over all of them, and diagnosed with
// another one.
func TestWellsInOneStep(t *testing.T) {
	tension := []any{[]any{0.0, 0.0}}
	for i := range 4 {
		x, s := 0.1*float64(i), 0.08*float64(i)
		tension = append(tension, []any{x + 0.05, s + 0.2}, []any{x + 0.1, s + 0.08})
	}
	tension = append(tension, []any{1.4, 4.32})
	doc := object{"name": "wells", "model": "energetic", "until": 1.0, "steps": 4.0, "solution": "energetic",
		"friction":  object{"rough": object{"mu": 0.05}},
		"particles": []any{object{"id": "p", "at": []any{1.0, 0.0, 0.0}, "friction": "rough"}},
		"anchors":   []any{object{"id": "wall", "at": []any{0.0, 0.0, 0.0}}, object{"id": "guide", "at": []any{0.0, 0.0, 0.0}}},
		"energies": []any{object{"type": "spring", "between": []any{[]any{"p", "wall"}}, "law": "piecewise",
			"rest_length": 1.0, "tension": tension},
			object{"type": "tether", "particle": "p", "anchor": "guide", "stiffness": []any{0.0, 5.0, 5.0}},
			object{"type": "load", "particle": "p",
				"force": object{"table": []any{[]any{0.0, []any{0.0, 0.0, -1.0}}, []any{1.0, []any{0.92, 0.0, -1.0}}}}}}}
	x := tried(t, doc)
	jumps := x.Summary.Section.(*particleview.Section).Jumps
	if len(jumps) != 4 {
		t.Errorf("%d jumps, %s", len(jumps), x.Summary.Message)
	}
	for i, j := range jumps {
		// Energies of .1 J are compared to 1e-15 of a way of .13 m.
		if want := (0.08*float64(i) + 0.19) / 0.92; math.Abs(j.From-want) > 1e-9 {
			t.Errorf("jump %d at %.12g, want %.12g", i, j.From, want)
		}
	}
	if d := diagnosed(t, x, doc); d.Certified != x.Summary.Certified || d.Message != x.Summary.Message {
		t.Errorf("run: %v %s\ndiagnosed: %v %s", x.Summary.Certified, x.Summary.Message, d.Certified, d.Message)
	}
}
