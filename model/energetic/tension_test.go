package energetic_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/run"
)

// TestTensions: of two blocks of 10 N with μ = .3 on a floor the first is drawn by a spring of 50 N/m
// whose end goes 1 m, the second by a bond of 100 N/m, against a tether of ½ N/m. As both slide
//
//	50(1 − u) = 3 + T,  T = 100(u − v) = 3 + v/2,
//
// and while the first sticks the spring has all of the way of its end.
func TestTensions(t *testing.T) {
	thorough.Seconds(t)
	const text = `{"name": "pulled", "model": "energetic", "until": 1, "steps": 40, "friction": {"dry": {"mu": 0.3}},
  "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}, {"id": "q", "at": [-1, 0, 0], "friction": "dry"}],
  "anchors": [{"id": "hook", "at": [{"table": [[0, 1], [1, 2]]}, 0, 0]}, {"id": "below", "at": [-1, 0, -0.5]}],
  "energies": [{"type": "spring", "between": ["hook", "p"], "stiffness": 50, "rest_length": 1}, {"type": "bond", "between": ["p", "q"], "stiffness": 100},
    {"type": "load", "particle": ["p", "q"], "force": [0, 0, -10]}, {"type": "tether", "particle": ["q"], "anchor": "below", "stiffness": [0.5, 0, 0]}], `
	trial.Run(t, text+`"expect": [
    {"quantity": "spring_tension", "particle": "p", "other": "hook", "time": 0.05, "value": 2.5, "tolerance": 1e-9},
    {"quantity": "spring_tension", "particle": "p", "other": "hook", "axis": "z", "value": 0, "tolerance": 1e-9},
    {"quantity": "spring_tension", "particle": "p", "other": "q", "axis": "x", "value": -3.41871921, "tolerance": 1e-7},
    {"quantity": "spring_tension", "particle": "q", "other": "p", "axis": "x", "value": 3.41871921, "tolerance": 1e-7},
    {"quantity": "spring_tension", "particle": "q", "other": "p", "value": 3.41871921, "tolerance": 1e-7},
    {"quantity": "spring_tension", "particle": "q", "other": "below", "axis": "x", "value": -0.41871921, "tolerance": 1e-7}]}`,
		&energetic.Model).Passed(t)
	for _, c := range [][2]string{
		{`{"quantity": "spring_tension", "particle": "p", "value": 0, "tolerance": 1}`, `the key "other" is missing`},
		{`{"quantity": "spring_tension", "particle": "p", "other": "below", "value": 0, "tolerance": 1}`, `joins "p" and "below"`},
		{`{"quantity": "spring_tension", "particle": "p", "other": "hok", "value": 0, "tolerance": 1}`, "hook"},
		{`{"quantity": "spring_tension", "particle": "p", "other": "q{n-1}", "value": 0, "tolerance": 1}`, "within a \"repeat\""},
		{`{"quantity": "position", "particle": "p", "axis": "x", "other": "q", "value": 0, "tolerance": 1}`, "no effect on position"},
	} {
		k, err := run.Grammar([]*run.Model{&energetic.Model}).Decode("case.json", []byte(text+`"expect": [`+c[0]+`]}`))
		if err == nil {
			_, err = energetic.Model.Build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", c[0], err, c[1])
		}
	}
}
