package energetic

import (
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// TestGloballyBesideWall: a particle in the corner of a floor and a wall that goes down by 1 m/s
// from t = 1 on is drawn along both, at last with v = .75 m/s: friction of the wall, μ(v, 0, −1)/r
// with r = 1.25 and μ = .6, presses the floor by 1 + μ/r = 1.48 N, and the anchor is ahead by μ(v/r
// + 1.48) = 1.248 m. At rest both would hold 1.2 N only, as if the particle were to move on: it is
// the motion of the step that presses. What is left of the beginning is e^{−4/.169} m.
func TestGloballyBesideWall(t *testing.T) {
	at := func(x float64) []any { return []any{x, -1.0, -1.0} }
	s, d, _ := ran(t, "corner", map[string]any{
		"until": 5.0, "steps": 100.0, "threshold": "implicit", "solution": "energetic",
		"obstacles": map[string]any{"floor": map[string]any{"point": []any{0.0, 0.0, 0.0},
			"normal": []any{0.0, 0.0, 1.0}}, "wall": map[string]any{"point": []any{0.0, 0.0, 0.0}, "normal": []any{0.0, 1.0, 0.0},
			"motion": map[string]any{"translation": map[string]any{"table": []any{[]any{0.0, []any{0.0, 0.0, 0.0}},
				[]any{1.0, []any{0.0, 0.0, 0.0}}, []any{5.0, []any{0.0, 0.0, -4.0}}}}}}},
		"friction": map[string]any{"dry": map[string]any{"mu": 0.6}},
		"anchors": []any{map[string]any{"id": "a",
			"at": map[string]any{"table": []any{[]any{0.0, at(0)}, []any{1.0, at(2.2)}, []any{5.0, at(5.2)}}}}},
		"energies": []any{map[string]any{"type": "tether", "particle": "p", "anchor": "a", "stiffness": 1.0}},
		"expect": []any{
			map[string]any{"quantity": "position", "particle": "p", "axis": "x", "time": 1.0, "value": 1.0, "tolerance": 1e-9},
			map[string]any{"quantity": "position", "particle": "p", "axis": "x", "value": 5.2 - 1.248, "tolerance": 1e-8},
			map[string]any{"quantity": "normal_force", "particle": "p", "obstacle": "floor", "value": 1.48, "tolerance": 1e-8},
		},
	})
	for _, x := range []*table.Summary{s, d} {
		if !x.Certified {
			t.Errorf("not certified: %v", x.Facts)
		}
	}
}
