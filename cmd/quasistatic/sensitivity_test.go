package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
)

// TestSensitivity: derivatives of built-in cases against closed forms. Play:
// D(1) = 4μN U − 5(μN)²/k with N = 1.5, U = 1, k = 2; Klarbring: D = μ∫(1 − x/2)dx = μ.
func TestSensitivity(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for _, c := range []struct {
		args []string
		want [][2]float64 // value and derivative of each quantity
		to   float64      // end of the range
	}{
		// Play slips where sin 2πt = μN/k = .3, again after t = .4 where it is 1 - 2μN/k = .4;
		// Klarbring at t = μ.
		{[]string{"play", "--of", "dissipation time=1", "--of", "event_time particle=p", "--of",
			"event_time particle=p from=0.4", "--by", "friction.dry.mu"},
			[][2]float64{{1.5, 1.5}, {math.Asin(.3) / (2 * math.Pi), .75 / (2 * math.Pi * math.Sqrt(.91))},
				{.5 - math.Asin(.4)/(2*math.Pi), 1.5 / (2 * math.Pi * math.Sqrt(.84))}}, 2. / 3},
		{[]string{"play", "--of", `{"quantity": "dissipation", "time": 1}`, "--by", "energies[0].stiffness[0]"},
			[][2]float64{{1.5, .45}}, math.Inf(1)},
		{[]string{"klarbring", "--of", "dissipation", "--of", "event_time particle=p", "--by", "friction.rough.mu"},
			[][2]float64{{1.5, 1}, {1.5, 1}}, 2},
		{[]string{"klarbring", "--of", "position particle=p axis=x time=1.8", "--by", "friction.rough.mu"}, [][2]float64{{1.2, -1.6}}, 1.8},
		// x = (t − μ)/(1 − μ/2): −1/(1 − μ/2) + (t − μ)/2/(1 − μ/2)² = −4 + 2.4, as long as it
		// starts before t = 1.8.
		{[]string{"chain", "--of", "position particle=c8 axis=x", "--by", "friction.dry.mu"}, [][2]float64{{-5, -45}}, 4. / 9},
	} {
		code, stdout, stderr := qs(append([]string{"sensitivity", "--json"}, c.args...)...)
		if code != exitDone {
			t.Fatalf("%v: exit %d: %s", c.args, code, stderr)
		}
		var list []run.Sensitivity
		if err := json.Unmarshal([]byte(stdout), &list); err != nil {
			t.Fatal(err)
		}
		if len(list[0].Quantities) != len(c.want) {
			t.Fatalf("%v: %d quantities", c.args, len(list[0].Quantities))
		}
		for i, q := range list[0].Quantities {
			if value, slope := c.want[i][0], c.want[i][1]; math.Abs(q.Value-value) > 1e-12*max(1, math.Abs(value)) ||
				math.Abs(q.Derivative-slope) > 1e-12*max(1, math.Abs(slope)) {
				t.Errorf("%v: %.15g, derivative %.15g, want %v", c.args, q.Value, q.Derivative, c.want[i])
			}
		}
		to := math.Inf(1)
		if list[0].To != nil {
			to = *list[0].To
		}
		if to != c.to && !(math.Abs(to-c.to) <= 1e-8) {
			t.Errorf("%v: in order up to %.12g, want %.12g", c.args, to, c.to)
		}
	}
	for _, args := range [][]string{
		{"play", "--of", "dissipation"},
		{"play", "--by", "friction.dry"},
		{"play", "--by", "friction.wet.mu"},
		{"play", "--of", "heat", "--by", "friction.dry.mu"},
		{"play", "--of", "position particle=p axis", "--by", "friction.dry.mu"},
		{"anisotropic", "--of", "dissipation", "--by", "until"}, // expects what comes after a shorter run
	} {
		if code, _, stderr := qs(append([]string{"sensitivity"}, args...)...); code != exitInput || stderr == "" {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
	askew := filepath.Join(t.TempDir(), "askew.json") // pulled first along x, then along y: a walk with turning slip
	if err := os.WriteFile(askew, []byte(`{"name": "askew", "model": "energetic", "until": 2, "steps": "events", "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
		"friction": {"dry": {"mu": 0.3}}, "particles": [{"id": "p", "at": [0, 0, 0], "obstacle": "floor", "friction": "dry"}],
		"anchors": [{"id": "a", "at": {"table": [[0, [0, 0, -1]], [1, [1, 0, -1]], [2, [1, 1, -1]]]}}],
		"energies": [{"type": "tether", "particle": "p", "anchor": "a", "stiffness": 1}],
		"expect": [{"time": 2, "particle": "p", "quantity": "position", "axis": "x", "value": 0, "tolerance": 100}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	// A tractrix from t = 1 on, x = 1 − μ/cosh(1/μ); the way there begins at t = μ.
	code, stdout, stderr := qs("sensitivity", "--json", askew, "--by", "friction.dry.mu")
	var list []run.Sensitivity
	if err := json.Unmarshal([]byte(stdout), &list); code != exitDone || err != nil {
		t.Fatalf("askew: exit %d, %v: %s", code, err, stderr)
	}
	sech, th := 1/math.Cosh(1/.3), math.Tanh(1/.3)
	if q := list[0].Quantities[0]; math.Abs(q.Value-1+.3*sech) > 1e-12 ||
		math.Abs(q.Derivative+sech+sech*th/.3) > 1e-12 || !list[0].AtLeast || list[0].From == nil ||
		*list[0].From > .05 || math.Abs(*list[0].To-1) > 1e-8 {
		t.Errorf("askew: %+v", list[0])
	}
	if code, stdout, _ := qs("sensitivity", askew, "--by", "friction.dry.mu"); code != exitDone ||
		!strings.Contains(stdout, "at least from 0.0") ||
		!strings.Contains(stdout, "below: not looked at: a walk takes many times the steps") {
		t.Errorf("askew: exit %d: %s", code, stdout)
	}
	// A block falls 1 m, and gives back .8 of its speed of √20 m/s at √.2 s.
	fall := write(t, `{"name": "fall", "model": "rigid", "dimension": 2, "until": 0.6, "gravity": [0, -10], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
		"friction": {"f": {"mu": 0, "restitution": 0.8}}, "material": "f", "bodies": [{"id": "b", "mass": 1, "position": [0, 1]}]}`,
		t.TempDir(), "fall.json")
	code, stdout, stderr = qs("sensitivity", fall, "--of", "velocity body=b axis=y", "--by", "friction.f.restitution")
	if code != exitDone || !strings.Contains(stdout, "4.47213595 ±") || !strings.Contains(stdout, "runs in the same steps") {
		t.Errorf("fall: exit %d: %s%s", code, stdout, stderr)
	}
}
