package energetic

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestEvaluator feeds made-up nodes at t = 0, 1, 2 of a case on a slope of 3:4:5.
func TestEvaluator(t *testing.T) {
	text := `{
	  "model": "energetic", "until": 2, "steps": 2,
	  "obstacles": {"ramp": {"point": [0, 0, 0], "normal": [-3, 0, 4]}},
	  "particles": [{"id": "a", "at": [0.8, 0, 0.6], "obstacle": "ramp"}],
	  "expect": [
	    {"quantity": "position", "particle": "a", "axis": "x", "time": 0.5, "value": 1.2, "tolerance": 3},
	    {"quantity": "displacement", "particle": "a", "axis": "z", "time": 1, "value": 0.6, "tolerance": 1e-12},
	    {"quantity": "normal_force", "particle": "a", "value": 0, "tolerance": 0},
	    {"quantity": "normal_force", "particle": "a", "time": 0, "value": 7, "tolerance": 0},
	    {"quantity": "friction_force", "particle": "a", "time": 1, "value": 5, "tolerance": 1e-12},
	    {"quantity": "friction_force", "particle": "a", "axis": "z", "time": 1, "value": 1.8, "tolerance": 1e-12},
	    {"quantity": "energy", "time": 1.25, "value": 12.5, "tolerance": 11},
	    {"quantity": "dissipation", "min": 0, "max": 3},
	    {"quantity": "work", "max": 2},
	    {"quantity": "balance_residual", "max": 0.5},
	    {"quantity": "stability_gap", "min": 1},
	    {"quantity": "lipschitz", "value": 4, "tolerance": 0},
	    {"quantity": "events", "time": 1.5, "value": 1, "tolerance": 0},
	    {"quantity": "events", "value": 2, "tolerance": 0},
	    {"quantity": "energy", "time": 2, "value": 20.1, "tolerance": 0.05}
	  ]}`
	m := caseOf(t, "ramp.json", text)
	e := casefile.NewEvaluator(m.plan.Expect, m.plan.Until)
	r, out := &Run{c: m, global: &globalTest{}}, &run.Output{Tables: table.Discard(m.plan.Layout)}
	state := func(s ...incremental.ContactState) []incremental.ContactState { return s }
	nodes := []energetic.Node{
		{K: 0, T: 0, Z: []float64{1, 0, 0}, Grad: []float64{0, 0, 7}, States: state(incremental.Stick), Before: state(incremental.Stick),
			Certificate: energetic.Certificate{Energy: 5}},
		{K: 1, T: 1, Z: []float64{2, 0, 0}, Grad: []float64{3, 4, 9}, States: state(incremental.Slip), Before: state(incremental.Stick),
			Certificate: energetic.Certificate{Energy: 10, Dissipation: 1, Work: 3, Balance: -0.75, Lipschitz: 4,
				Gap: incremental.Gap{Upper: 2}}},
		{K: 2, T: 2, Z: []float64{2, 0, 1}, Grad: []float64{0, 0, 1e-17}, States: state(incremental.Free), Before: state(incremental.Slip),
			Certificate: energetic.Certificate{Energy: 20, Dissipation: 3, Work: 3, Balance: 0.25, Lipschitz: 1,
				Gap: incremental.Gap{Upper: 1}}},
	}
	if o := e.Outcomes(true); o[0].Value != nil || o[0].Met || o[7].Value != nil || o[7].Met {
		t.Errorf("before the start: %+v", o)
	}
	for i := range nodes {
		r.last = &nodes[i]
		if err := r.Row(i, out); err != nil {
			t.Fatal(err)
		}
		e.Observe(r.last.T, r.Value)
	}
	unmet := map[int]float64{8: 3, 9: 0.75, 10: 0, 14: 20} // by design, with the values reported
	for i, o := range e.Outcomes(true) {
		value, wrong := unmet[i]
		if o.Met == wrong {
			t.Errorf("line %d: %s = %v, met %v", i, o.Label, *o.Value, o.Met)
		}
		if wrong && math.Abs(*o.Value-value) > 1e-12 {
			t.Errorf("line %d: %s = %g, want %g", i, o.Label, *o.Value, value)
		}
	}
	if l := m.plan.Expect[0].Label(); l != "position x of a at t=0.5" {
		t.Errorf("label %q", l)
	}
	if l := m.plan.Expect[5].Label(); !strings.HasPrefix(l, "friction force z of a") {
		t.Errorf("label %q", l)
	}
}

// TestEventTime: the first change after a time, of a walk and of a run in steps of 1/100 s, and of
// their files. The spring k = 2 N/m is pulled to and fro and friction holds 1 N: the particle
// slides at t = .5, sticks where the spring's end turns, t = 1, slides back when the force has
// changed by 2 N, t = 2, and sticks at t = 3.
func TestEventTime(t *testing.T) {
	for _, x := range []struct {
		steps     any
		tolerance float64
	}{{"events", 1e-12}, {400, .0100001}} {
		var lines []any
		for _, e := range [][2]float64{{0, .5}, {.6, 1}, {1.5, 2}, {2.5, 3}} {
			lines = append(lines, map[string]any{"quantity": "event_time", "particle": "p", "from": e[0], "value": e[1],
				"tolerance": x.tolerance})
		}
		summary, diagnosed, _ := ran(t, "play", map[string]any{
			"until": 4, "steps": x.steps, "threshold": nil, "friction": value(`{"dry": {"mu": 0.5}}`), "expect": lines,
			"anchors":  value(`[{"id": "u", "at": {"table": [[0, [0, 0, -1]], [1, [1, 0, -1]], [3, [-1, 0, -1]], [4, [0, 0, -1]]]}}]`),
			"energies": value(`[{"type": "tether", "particle": "p", "anchor": "u", "stiffness": 2}]`),
		})
		for _, s := range []*table.Summary{summary, diagnosed} {
			for _, o := range s.Expectations {
				if !o.Met {
					t.Errorf("steps %v: %s is %v, want %v", x.steps, o.Label, *o.Value, *o.Want)
				}
			}
		}
	}
}
