package energetic

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/table"
)

// TestAmidAStep: places, forces and dissipation at times amid steps are those of the closed form, though the
// particle begins to slide in between: the play z = min(max(z, u − r), u + r) of random tables u, r = 1 N / 2 N/m.
// So is the pull of a bar that yields (E = 100, H = 25), and walks say the same as steps.
func TestAmidAStep(t *testing.T) {
	const steps, stiffness, reach = 8, 2., 0.5
	r := rand.New(rand.NewPCG(19, 1))
	for scene := range 6 {
		u, rows := [steps + 1]float64{}, [][]any{{0, []float64{0, 0, -1}}}
		for k := 1; k <= steps; k++ {
			u[k] = 4*r.Float64() - 2
			rows = append(rows, []any{k, []float64{u[k], 0, -1}})
		}
		var lines []any
		z, spent := 0.0, 0.0
		for k := range steps {
			s := 0.1 + 0.8*r.Float64()
			now := u[k] + s*(u[k+1]-u[k])
			at := min(max(z, now-reach), now+reach)
			for quantity, value := range map[string]float64{"position": at, "friction_force": -stiffness * (now - at),
				"dissipation": spent + math.Abs(at-z)} {
				line := map[string]any{"quantity": quantity, "time": float64(k) + s, "value": value, "tolerance": 1e-9}
				if quantity != "dissipation" {
					line["particle"], line["axis"] = "p", "x"
				}
				lines = append(lines, line)
			}
			next := min(max(z, u[k+1]-reach), u[k+1]+reach)
			z, spent = next, spent+math.Abs(next-z)
		}
		text, _ := json.Marshal(map[string]any{"u": rows})
		summary, diagnosed, _ := ran(t, "play", map[string]any{
			"until": steps, "steps": []any{steps, "events"}[scene%2], "threshold": nil, "friction": value(`{"dry": {"mu": 0.5}}`),
			"anchors": []any{map[string]any{"id": "u", "at": map[string]any{"table": rows}}}, "expect": lines,
			"energies": value(`[{"type": "tether", "particle": "p", "anchor": "u", "stiffness": 2}]`),
		})
		for _, s := range []*table.Summary{summary, diagnosed} {
			for _, o := range s.Expectations {
				if !o.Met {
					t.Errorf("%s: %s is %s, want %v", text, o.Label, o.Found(), *o.Want)
				}
			}
		}
	}
	const bar = `{"model": "energetic", "until": 1, "steps": 4, "name": "bar", "energies": [{"type": "body", "id": "b",
		"young": 100, "poisson": 0, "plasticity": {"yield": 1, "hardening": 25}, "mesh": {"block": {"size": [1, 1, 1],
		"cells": [1, 1, 1], "element": "Q1"}, "accuracy": "given"}, "prescribed": [{"group": "left", "axis": "x", "motion": 0},
		{"group": "front", "axis": "y", "motion": 0}, {"group": "bottom", "axis": "z", "motion": 0},
		{"group": "right", "axis": "x", "motion": {"table": [[0, 0], [1, 0.025]]}}]}], "expect": [%s]}`
	lines := ""
	for _, at := range []float64{0.3, 0.45, 0.6, 0.9} { // stresses 100 ε until .01, and 20 (ε − .01) more
		strain := 0.025 * at
		lines += fmt.Sprintf(`, {"quantity": "reaction", "body": "b", "group": "right", "axis": "x",
			"time": %g, "value": %g, "tolerance": 1e-6}`, at, min(100*strain, 1+20*(strain-0.01)))
	}
	x := trial.Run(t, fmt.Sprintf(bar, lines[2:]), &Model)
	for _, o := range append(x.Summary.Expectations, x.Diagnose(t).Expectations...) {
		if !o.Met {
			t.Errorf("%s is %s, want %v", o.Label, o.Found(), *o.Want)
		}
	}
}
