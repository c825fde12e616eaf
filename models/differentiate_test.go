package models_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// TestDifferences: derivatives by runs beside a case are those of closed forms, through an impact and
// where slip ends, with the range in which events keep their order, and are refused at its ends.
func TestDifferences(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	const e, drop, g = .7, 1.0, 10.0
	bounces := `"gravity": [0, -10], "friction": {"f": {"mu": 0.1, "restitution": 0.7}}, "until": 1, "bodies": [{"id": "b", "mass": 1, "shape": {"type": "disc", "radius": 0.1}, "position": [0, 1.1], "velocity": [1, 0]}]`
	rolls := `"gravity": [0, -10], "friction": {"f": {"mu": 0.2}}, "until": 2, "bodies": [{"id": "b", "mass": 1, "shape": {"type": "disc", "radius": 0.3}, "position": [0, 0.3], "velocity": [3, 0], "spin": 10}]`
	pushed := `"gravity": [0, -10], "friction": {"f": {"mu": 0.4}}, "until": 1, "bodies": [{"id": "b", "mass": 1, "position": [0, 0], "load": [4, 0]}]`
	left := 1 - math.Sqrt(2*drop/g) // after the impact
	for _, c := range []struct {
		name, text, of, by string
		value, derivative  float64
		from, to           float64 // of the range; 0, ∞: it has no such end
		refused            string
	}{
		{name: "restitution", text: bounces, of: "position body=b axis=y", by: "friction.f.restitution",
			value: .1 + e*math.Sqrt(2*g*drop)*left - g*left*left/2, derivative: math.Sqrt(2*g*drop) * left,
			from: g * left / 2 / math.Sqrt(2*g*drop), to: 1}, // below it comes down again, above there is no such case
		{name: "drop", text: bounces, of: "position body=b axis=y", by: "bodies[0].position[1]",
			value:      .1 + e*math.Sqrt(2*g*drop)*left - g*left*left/2,
			derivative: e*g*left/math.Sqrt(2*g*drop) - e + g*left/math.Sqrt(2*g*drop)},
		// Slip of v + rω = 6 m/s falls by 3μg and ends at s = 2/μg: x = 3s − μgs²/2 + 1(2 − s) = 2 + 2/μg.
		{name: "rolls", text: rolls, of: "position body=b axis=x", by: "friction.f.mu", value: 2 + 2/(.2*g),
			derivative: -2 / (.2 * .2 * g)},
		{name: "on the edge", text: pushed, of: "position body=b axis=x", by: "friction.f.mu", refused: "another order beside 0.4"},
		{name: "no such case", text: pushed, of: "position body=b axis=x", by: "dimension", refused: "there is no such case"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, err := models.Grammar().Decode("case.json",
				[]byte(`{"name": "beside", "model": "rigid", "dimension": 2, "material": "f", "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, `+
					c.text+`}`))
			if err != nil {
				t.Fatal(err)
			}
			line, err := casefile.QuantityLine(c.of)
			if err != nil {
				t.Fatal(err)
			}
			k.Observe = []json.RawMessage{line}
			s, err := models.Differentiate(t.Context(), k, c.by)
			if c.refused != "" {
				if x, ok := errors.AsType[*run.NotDifferentiable](err); !ok || !strings.Contains(x.Reason, c.refused) {
					t.Errorf("%v, want %q", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			q := s.Quantities[0]
			if math.Abs(q.Value-c.value) > 1e-6 || math.Abs(q.Derivative-c.derivative) > max(1e-6, *q.Error) || *q.Error > 1e-3 {
				t.Errorf("%g with the derivative %g ± %g, want %g and %g", q.Value, q.Derivative, *q.Error, c.value, c.derivative)
			}
			if c.name == "rolls" && (s.Nodes == 0 || len(s.Events) > 0) {
				t.Errorf("the time at which slip ends is that of a node: %+v", s.Events)
			}
			if c.to > 0 && (s.From == nil || s.To == nil || math.Abs(*s.From-c.from) > 2e-3 || math.Abs(*s.To-c.to) > 2e-3) {
				t.Errorf("from %v to %v, want %g to %g", s.From, s.To, c.from, c.to)
			}
		})
	}
}

// TestDifferencesOfSlip: friction over slip has no walk, and its derivatives are those of runs beside
// it, with μ₀ the friction of what has not slipped: forth x = (2u − 1.5μ₀)/(2 − 3.75(μ₀ − .2)), of which
// dx/dμ₀ = −.24 at u = .5 m. At t = 1.72 s it begins to slide back, whatever it does before: the error
// is half of what the derivatives on both sides differ by.
func TestDifferencesOfSlip(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	k, err := models.OpenWalk(t.Context(), func(sets ...string) (*casefile.Case, error) { return models.OpenCase("wearing-in", sets, 0) })
	if err != nil {
		t.Fatal(err)
	}
	s, err := models.Differentiate(t.Context(), k, "friction.fresh.slip[0][1]")
	if err != nil {
		t.Fatal(err)
	}
	if q := s.Quantities[0]; math.Abs(q.Derivative+.24) > 1e-9 || *q.Error > 1e-9 {
		t.Errorf("%s: derivative %g ± %g, want -.24", q.Label, q.Derivative, *q.Error)
	}
	if q := s.Quantities[1]; math.Abs(q.Derivative+.24) > 1.0001**q.Error || *q.Error > .5 {
		t.Errorf("%s: derivative %g ± %g, which should reach to the -.24 of what still sticks", q.Label, q.Derivative, *q.Error)
	}
}
