package energetic_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
)

// TestGluedPoint: a point glued to the ground by 1 N/m that takes ½ J to break, pulled by a spring
// of 2 N/m whose end goes to D(t) = t and back, at times that are given. "local": the bond holds
// until it stores ½ J itself, at u = ⅔D = 1 m, D = 1.5 m. "energetic": it breaks where ½D²·⅔ = ½, D
// = √1.5 m. It never heals, and takes ½ J in all.
func TestGluedPoint(t *testing.T) {
	for _, solution := range []string{"energetic", "viscous"} {
		broken := map[string]float64{"energetic": 1, "viscous": 0}[solution] // at D = 1.25 m
		at := 1.25 * 2 / 3
		if broken == 1 {
			at = 1.25
		}
		x := trial.Run(t, fmt.Sprintf(`{"name": "glued", "model": "energetic", "until": 4, "solution": %q, "accuracy": 0.2,
  "times": [0, 0.25, 0.5, 0.75, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 2, 2.5, 3, 3.5, 4],
  "particles": [{"id": "p", "at": [0, 0, 0], "obstacle": "none"}],
  "anchors": [{"id": "grip", "at": {"table": [[0, [1, 0, 0]], [2, [3, 0, 0]], [4, [1, 0, 0]]]}}, {"id": "ground", "at": [0, 0, 0]}],
  "energies": [{"type": "bond", "between": ["p", "grip"], "stiffness": 2}, {"type": "adhesive", "id": "glue", "between": ["p", "ground"], "stiffness": 1, "energy": 0.5}],
  "expect": [{"quantity": "damage", "particle": "glue", "time": 1, "value": 0, "tolerance": 1e-12}, {"quantity": "position", "particle": "p", "axis": "x", "time": 1, "value": %.17g, "tolerance": 1e-12},
    {"quantity": "damage", "particle": "glue", "time": 1.25, "value": %g, "tolerance": 1e-12}, {"quantity": "position", "particle": "p", "axis": "x", "time": 1.25, "value": %.17g, "tolerance": 1e-12},
    {"quantity": "damage", "particle": "glue", "value": 1, "tolerance": 1e-12}, {"quantity": "position", "particle": "p", "axis": "x", "value": 0, "tolerance": 1e-12}]}`,
			solution, 2./3, broken, at), &energetic.Model)
		s := x.Summary
		for _, o := range s.Expectations {
			if o.Value == nil || !o.Met {
				t.Errorf("%s: %s: %+v", solution, o.Label, o)
			}
		}
		if s.Status != "done" || s.Steps != 15 {
			t.Errorf("%s: %s after %d steps: %s", solution, s.Status, s.Steps, run.Failure(s))
		}
		jumps := s.Section.(*particleview.Section).Jumps
		want := map[string]float64{"energetic": math.Sqrt(1.5), "viscous": 1.5}[solution]
		if len(jumps) != 1 || !(math.Abs((jumps[0].From+jumps[0].To)/2-want) <= .07) { // half of the longest step there
			t.Errorf("%s: jumps %+v, want one at %g", solution, jumps, want)
		}
	}
}

// TestTimesIncrease: times that are given increase, and end where the case does.
func TestTimesIncrease(t *testing.T) {
	for times, place := range map[string]string{"[0.5, 0.25, 1]": "times[1]", "[0, 0, 1]": "times[1]",
		"[0.25, 0.5]": "times[1]", "[0.25, 2]": "times[1]"} {
		c, err := run.Grammar([]*run.Model{&energetic.Model}).Decode("case.json",
			fmt.Appendf(nil, `{"name": "x", "model": "energetic", "until": 1, "times": %s, "friction": {"dry": {"mu": 0.3}},
  "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}], "anchors": [{"id": "a", "at": [0, 0, -1]}], "energies": [{"type": "tether", "particle": "p", "anchor": "a", "stiffness": 1}]}`,
				times))
		if err == nil {
			_, err = energetic.Model.Build(t.Context(), c)
		}
		if err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%s: %v", times, err)
		}
	}
}

// TestLevels: with smaller γ a particle that is dragged at an even speed ends nearer to where
// Coulomb's law leaves it, by ten times each: μN/k behind the anchor, and up to (μ/k)γ less.
func TestLevels(t *testing.T) {
	x := trial.Run(t, `{"name": "levels", "model": "energetic", "until": 1, "steps": 40, "accuracy": 1, "gamma": {"start": 0.1, "factor": 0.1, "count": 3}, "threshold": "implicit", "friction": {"steel": {"mu": 0.5}},
  "particles": [{"id": "p", "at": [0, 0, 0], "friction": "steel"}], "anchors": [{"id": "u", "at": {"table": [[0, [0, 0, -1]], [1, [2, 0, -1]]]}}],
  "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": 2}],
  "expect": [{"quantity": "position", "particle": "p", "axis": "x", "value": 1.5, "tolerance": 1e-3}]}`, &energetic.Model)
	levels := x.Summary.Section.(*particleview.Section).Levels
	if len(levels) != 3 || !x.Summary.Expectations[0].Met {
		t.Fatalf("%+v, %+v", levels, x.Summary.Expectations)
	}
	for i, l := range levels {
		if want := math.Pow(.1, float64(i+1)); !(math.Abs(l.Gamma-want) <= 1e-15) || l.Steps < 40 {
			t.Errorf("level %d: %+v", i, l)
		}
	}
	if a, b := levels[1].Difference, levels[2].Difference; !(b < .2*a) || !(a > 0) {
		t.Errorf("the levels are %g and %g apart", a, b)
	}
}
