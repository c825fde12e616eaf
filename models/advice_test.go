package models

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestLevers: advice names the settings of the scheme beside the number of steps. Of small runs it
// was tried, and the run so is accurate, or it says that it is a guess: dominoes named a number of
// steps that failed, and no word of α = ½, which passed.
func TestLevers(t *testing.T) {
	const pendulum = `"dimension": 2, "until": 1, "steps": %s, "gravity": [0, -9.81], "bodies": [{"id": "bob", "mass": 1, "inertia": 0.1, "position": [1, 0]}],
		"joints": [{"type": "revolute", "body": "bob", "at": [0, 0]}]`
	rod := func(steps string) string { return strings.Replace(pendulum, "%s", steps, 1) }
	const thrown = `"theta": %s, "dimension": 2, "until": 1, "steps": 40, "gravity": [0, -10], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.3}},
		"patches": {"pad": {"stiffness": [1e3, 1e3], "damping": [10, 10]}}, "bodies": [{"id": "b", "mass": 1, "position": [0, 0], "velocity": [2, 0], "load": [{"sine": {"amplitude": 5, "frequency": 1}}, 0]}],
		"contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "pad"}]`
	for _, c := range []struct {
		name, text string
		model      *run.Model
		want, not  string
	}{
		{"small", rod("50"), &rigid.Model, `"alpha": 0.5 reaches it: a run so, in the same steps, is accurate`, "not tried"},
		{"another grid", rod("50") + `, "grid": "gaps"`, &rigid.Model, `"alpha": 0.5 with "grid": "collisions" reaches it`, "not tried"},
		{"large", rod("8000") + `, "accuracy": 1e-5`, &rigid.Model, `or, not tried, "alpha": 0.5, or "grid": "gaps"`, "reaches it"},
		{"theta", strings.Replace(thrown, "%s", "0.9", 1), &patch.Theta, `"theta": 0.5`, "not tried"},
	} {
		x := trial.Run(t, fmt.Sprintf(`{"model": %q, %s}`, c.model.Name, c.text), c.model, &patch.Compliant)
		m := x.Summary.Message
		if x.Summary.Certified || !strings.Contains(m, c.want) || strings.Contains(m, c.not) {
			t.Errorf("%s: %q", c.name, m)
		}
	}
	// The promise is kept.
	if x := trial.Run(t, `{"model": "rigid", "alpha": 0.5, `+rod("50")+`}`, &rigid.Model); !x.Summary.Certified {
		t.Errorf("α = ½: %s", x.Summary.Message)
	}
}
