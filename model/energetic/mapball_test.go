package energetic

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
)

// TestMapOverBall: over-the-ball with μ = .2 + .2s along the way of the anchor, which a table of
// two directions gives exactly: with the anchor at the distance ρ and the angle φ from the centre
// the particle is at the θ with ρ sin(φ − θ) = μ(sin θ)(1 − ρ cos(φ − θ)). On a ball in any
// direction, and on a cylinder.
func TestMapOverBall(t *testing.T) {
	at := func(time float64) float64 { // sin θ
		rho, phi := math.Hypot(time, 0.7), math.Atan2(time, 0.7)
		lo, hi := 0., phi
		for range 60 {
			m := (lo + hi) / 2
			if rho*math.Sin(phi-m) > (0.2+0.2*math.Sin(m))*(1-rho*math.Cos(phi-m)) {
				lo = m
			} else {
				hi = m
			}
		}
		return math.Sin(lo)
	}
	table := func(c, s float64) any {
		var rows []any
		xs, ys := []any{-0.3, 0.0, 0.3, 2.0}, []any{-0.4, 0.0, 0.3, 2.0}
		for _, y := range ys {
			var row []any
			for _, x := range xs {
				row = append(row, 0.2+0.2*(c*x.(float64)+s*y.(float64)))
			}
			rows = append(rows, row)
		}
		return map[string]any{"worn": map[string]any{"map": map[string]any{"x": xs, "y": ys, "mu": rows}}}
	}
	ball := map[string]any{"type": "sphere", "center": []any{0.0, 0.0, -1.0}, "radius": 1.0}
	roll := map[string]any{"type": "cylinder", "point": []any{0.0, 0.0, -1.0}, "axis": []any{0.0, 1.0, 0.0}, "radius": 1.0}
	for _, c := range []struct {
		name     string
		obstacle any
		cos, sin float64
	}{{"ball", ball, 1, 0}, {"ball, askew", ball, 0.6, 0.8}, {"cylinder", roll, 1, 0}} {
		var expect []any
		for _, time := range []float64{0.3, 0.5} {
			expect = append(expect, map[string]any{"quantity": "position", "particle": "p", "axis": "x", "time": time,
				"value": c.cos * at(time), "tolerance": 1e-12})
		}
		s, _, _ := ran(t, "over-the-ball", map[string]any{
			"until": 0.5, "steps": 50.0, "obstacles": map[string]any{"ball": c.obstacle}, "friction": table(c.cos, c.sin),
			"particles": []any{map[string]any{"id": "p", "at": []any{0.0, 0.0, 0.0}, "obstacle": "ball", "friction": "worn"}},
			"anchors": []any{map[string]any{"id": "a",
				"at": map[string]any{"table": []any{[]any{0.0, []any{0.0, 0.0, -0.3}}, []any{1.0, []any{c.cos, c.sin, -0.3}}}}}},
			"expect": expect,
		})
		if !s.Certified {
			t.Errorf("%s: not certified: %v", c.name, s.Facts)
		}
	}
	text, err := json.Marshal(changed(t, "round-the-ball",
		map[string]any{"friction": map[string]any{"dry": table(1, 0).(map[string]any)["worn"]}}))
	if err != nil {
		t.Fatal(err)
	}
	k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", text)
	if err == nil {
		_, err = build(t.Context(), k)
	}
	if err == nil || !strings.Contains(err.Error(), "want no map") {
		t.Errorf("beside another obstacle: %v, want a fault", err)
	}
}
