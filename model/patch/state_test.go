package patch_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestFrictionWithState: rate-and-state friction and friction over what has slipped, on patches, by closed forms; the
// files say the same as the run, and a run that was stopped ends as the other.
func TestFrictionWithState(t *testing.T) {
	thorough.Seconds(t)
	const rock = `"rate_state": {"mu0": 0.4, "a": 0.02, "b": 0.01, "v0": 0.001, "length": 0.0001}`
	at := func(quantity string, time, value, tolerance float64) string {
		return fmt.Sprintf(`{"quantity": %q, "body": "b", "axis": "x", "time": %g, "value": %.15g, "tolerance": %g}`,
			quantity, time, value, tolerance)
	}
	// Steady sliding, μ₀ + (a − b) ln(v/v₀), goes from v₀ to 4v₀, of what friction and load leave in a relaxation of
	// L/v₀ b/a: ten of them.
	steady := fmt.Sprintf(`"until": 1, "bodies": [{"id": "b", "mass": 1, "position": [0, 0], "velocity": [0.001, 0], "load": [%.15g, 0]}], "expect": [%s]`,
		10*(.4+.01*math.Log(4)), at("velocity", 1, 4e-3, 4e-6))
	// What slips by s meets 5 − 20 s N, and is pushed by 5.5: s = .025 (cosh √20 t − 1), until .1 m.
	weakens := func(until float64) string {
		return fmt.Sprintf(`"until": %g, "bodies": [{"id": "b", "mass": 1, "position": [0, 0], "load": [5.5, 0]}], "expect": [%s]`,
			until, at("position", until, .025*(math.Cosh(math.Sqrt(20)*until)-1), 5e-4))
	}
	// At rest friction is that of v₀/1000 and of θ = L/v₀ + t, and holds a load of 8 t N as long as it can.
	rest := func(t float64) float64 {
		return 10*.02*math.Asinh(.5e-3*math.Exp((.4+.01*math.Log(10*(.1+t)))/.02)) - 8*t
	}
	low, high := 0.0, 1.0
	for range 60 {
		if mid := (low + high) / 2; rest(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	ages := fmt.Sprintf(`"until": 0.6, "bodies": [{"id": "b", "mass": 1, "position": [0, 0], "load": [{"table": [[0, 0], [1, 8]]}, 0]}], "expect": [{"quantity": "first_slip", "body": "b", "element": 1, "value": %.12g, "tolerance": 2e-3}]`,
		low)
	for _, model := range []string{`"theta", "theta": 0.5`, `"theta"`, `"compliant"`} {
		for name, c := range map[string][2]string{"steady": {rock, steady},
			"weakens": {`"slip": [[0, 0.5], [0.1, 0.3]]`, weakens(.5)}, "ages": {rock, ages}} {
			for _, steps := range []string{"", `"steps": 1200,`} {
				t.Run(name+" "+model+" "+steps, func(t *testing.T) {
					x := trial.Run(t, `{"name": "s", "model": `+model+`, `+steps+
						` "dimension": 2, "gravity": [0, -10], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
						"friction": {"dry": {`+c[0]+
						`}}, "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "rigid"}], `+
						c[1]+`}`, &patch.Theta, &patch.Compliant)
					x.Passed(t)
					if s := x.Diagnose(t); !run.Certified(s) {
						t.Error(run.Failure(s))
					}
				})
			}
		}
	}
}

// TestStateForgets: a point with friction that ages is lifted off a belt and falls back: what bears no force has no
// state, and what was slipped is lost with the contact.
func TestStateForgets(t *testing.T) {
	for _, law := range []string{`"rate_state": {"mu0": 0.4, "a": 0.01, "b": 0.015, "v0": 0.001, "length": 0.0001}`,
		`"slip": [[0, 0.5], [0.1, 0.3]]`} {
		x := trial.Run(t, `{"name": "up", "model": "theta", "theta": 0.5, "until": 2, "steps": 400, "accuracy": 0.1, "accept": ["dissipation"], "dimension": 2, "gravity": [0, -10],
			"obstacles": {"belt": {"point": [0, 0], "normal": [0, 1], "motion": {"translation": [{"table": [[0, 0], [10, 1]]}, 0]}}},
			"friction": {"r": {`+law+`}}, "contacts": [{"body": "b", "obstacle": "belt", "friction": "r", "patch": "rigid"}],
			"bodies": [{"id": "b", "mass": 1, "position": [0, 0], "load": [0, {"table": [[0, 0], [0.5, 30], [1, 0]]}]}]}`,
			&patch.Theta, &patch.Compliant)
		if d := x.Diagnose(t); x.Summary.Status != "done" || d.Certified != x.Summary.Certified {
			t.Errorf("%s: %s, certified %v, diagnose %v: %s", law, x.Summary.Status, x.Summary.Certified, d.Certified, d.Message)
		}
	}
}

// TestLongestStepBySpeed: where friction falls with speed, the longest step that has one solution is told, and one a
// little shorter has one. Here it is m/(N |dμ/dv|) = 1/(10 · .8) s; a patch with springs jumps in any, with a
// damper below N |dμ/dv|, 8 N s/m at rest.
func TestLongestStepBySpeed(t *testing.T) {
	const text = `{"name": "s", "model": "theta", "theta": 0.5, "steps": %d, "until": 1.5, "accuracy": 0.9, "dimension": 2,
		"gravity": [0, -10], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
		"friction": {"dry": {"static": 0.6, "kinetic": 0.2, "speed": 0.5, "exponent": 1}}, "patches": {"pad": {"stiffness": [1e5, 1e5], "damping": [1e3, 1]}, "stiff": {"stiffness": [1e5, 1e5], "damping": [1e3, 20]}},
		"contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": %q}],
		"bodies": [{"id": "b", "mass": 1, "position": [0, 0], "velocity": [3, 0]}]}`
	for _, c := range []struct {
		steps        int
		patch, mends string
	}{{4, "rigid", "steps below 0.125 s"}, {13, "rigid", ""},
		{4, "pad", "a damper of the patch above λ_n |dμ/ds| = 8 N s/m"}, {100, "stiff", ""}} {
		x := trial.Run(t, fmt.Sprintf(text, c.steps, c.patch), &patch.Theta, &patch.Compliant)
		k := slices.IndexFunc(x.Summary.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, "fall of friction") })
		if k < 0 || !strings.Contains(x.Summary.Facts[k].Remedy, c.mends) || x.Summary.Facts[k].Passed != (c.mends == "") {
			t.Errorf("%d steps on %s: %+v", c.steps, c.patch, x.Summary.Facts)
		}
	}
}
