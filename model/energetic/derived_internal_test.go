package energetic

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
)

// TestDerivedForces: a particle dragged over a floor and along a wall slips under the friction μ of
// the floor and ν of the wall: the friction force is μN + νP, its derivative by μ N, and that of
// the normal forces is 0.
func TestDerivedForces(t *testing.T) {
	const n, p = 1.5, .5 // pressed down and to the wall
	text := func(mu, k float64) string {
		return fmt.Sprintf(`{"name": "forces", "model": "energetic", "until": 2, "steps": "events",
  "friction": {"floor": {"mu": %.17g}, "wall": {"mu": 0.25}},
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "wall": {"point": [0, 0, 0], "normal": [0, 1, 0]}},
  "particles": [{"id": "p", "at": [0, 0, 0], "obstacles": ["floor", "wall"], "friction": ["floor", "wall"]}],
  "anchors": [{"id": "u", "at": {"table": [[0, [0, -0.5, -1.5]], [2, [4, -0.5, -1.5]]]}}],
  "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": %.17g}],
  "expect": [{"quantity": "friction_force", "particle": "p", "value": 0, "tolerance": 99}, {"quantity": "friction_force", "particle": "p", "axis": "x", "value": 0, "tolerance": 99}, {"quantity": "normal_force", "particle": "p", "value": 0, "tolerance": 99},
    {"quantity": "normal_force", "particle": "p", "obstacle": "wall", "value": 0, "tolerance": 99}, {"quantity": "friction_force", "particle": "p", "obstacle": "floor", "value": 0, "tolerance": 99}, {"quantity": "friction_force", "value": 0, "tolerance": 99}, {"quantity": "position", "particle": "p", "axis": "x", "value": 0, "tolerance": 99}]}`,
			mu, k)
	}
	const mu = .4
	friction := mu*n + .25*p
	for _, c := range []struct {
		name   string
		family func(x float64) string
		at     float64
		want   [7][2]float64 // values and derivatives
	}{
		{"friction", func(x float64) string { return text(x, 1) }, mu,
			[7][2]float64{{friction, n}, {-friction, -n}, {n + p, 0}, {p, 0}, {mu * n, n}, {friction, n}, {4 - friction, -n}}},
	} {
		s, err := built(t, parsed(t, c.family(c.at))).Differentiate(t.Context(), func(x float64) (run.Case, error) {
			if !(math.Abs(x-c.at) <= .07*c.at) { // no further is looked
				return nil, errors.New("want a number near to the first")
			}
			return built(t, parsed(t, c.family(x))), nil
		}, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Quantities) != len(c.want) {
			t.Fatalf("%s: %+v", c.name, s.Quantities)
		}
		for i, q := range s.Quantities {
			if math.Abs(q.Value) != math.Abs(c.want[i][0]) &&
				!(math.Abs(math.Abs(q.Value)-math.Abs(c.want[i][0])) <= 1e-12) ||
				!(math.Abs(q.Derivative*math.Copysign(1, q.Value)-c.want[i][1]*math.Copysign(1, c.want[i][0])) <= 1e-11) {
				t.Errorf("by %s: %s is %g, %g, want %g, %g", c.name, q.Label, q.Value, q.Derivative, c.want[i][0], c.want[i][1])
			}
		}
	}
}

// TestLevelsUntilLoss: a block that friction holds until the pull is μN, at t = .6 s, is lost in
// each level of a study there, also where that is amid a step.
func TestLevelsUntilLoss(t *testing.T) {
	c := built(t, parsed(t, `{"name": "pulled", "model": "energetic", "until": 1, "steps": 4, "until_loss": true, "friction": {"dry": {"mu": 0.3}},
  "particles": [{"id": "a", "at": [0, 0, 0], "friction": "dry"}],
  "energies": [{"type": "load", "particle": "a", "force": {"table": [[0, [0, 0, -10]], [1, [5, 0, -10]]]}}],
  "expect": [{"quantity": "loss_time", "value": 0.6, "tolerance": 1e-12}]}`))
	k, err := c.Convergence(4, 2)
	if err != nil {
		t.Fatal(err)
	}
	levels := make([][]byte, k.Len())
	for i := range levels {
		if levels[i], err = k.Level(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	s, err := k.Study(levels)
	if err != nil {
		t.Fatal(err)
	}
	page := run.NewPage(nil, nil)
	if s.Print(page); !strings.Contains(page.String(), "loss time at the end                 roundoff") {
		t.Errorf("%s", page.String())
	}
}

// parsed decodes a case.
func parsed(t *testing.T, text string) object {
	t.Helper()
	doc := object{}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}
