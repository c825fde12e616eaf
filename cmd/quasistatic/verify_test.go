package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// TestVerify: a case whose steps are exact does not change at half of them, of any model
// the change is in the verdict, and one that is too large is not accurate.
func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]int{"play": exitDone, "braking-point": exitDone, "disc-drop": exitDone, "block-impact": exitFailed} {
		out := filepath.Join(dir, name)
		args := []string{"run", name, "--verify", "--no-picture", "--quiet", "--out", out}
		if want == exitFailed {
			args = append(args, "--accuracy", "0.01") // the case asks for less
		}
		code, _, stderr := qs(args...)
		if code != want {
			t.Errorf("%s: exit %d: %s", name, code, stderr)
		}
		facts := 0
		for _, f := range summaryOf(t, out).Facts {
			if f.Word != table.Accurate || !strings.HasPrefix(f.Name, "half the step") {
				continue
			}
			facts++
			// The play operator is exact at its nodes, up to rounding of 400 sums.
			if name == "play" && !strings.Contains(f.Name, "lipschitz") && f.Value > 1e-13 {
				t.Errorf("play: %s is %g", f.Name, f.Value)
			}
		}
		if facts < 2 {
			t.Errorf("%s: %d facts about half the step", name, facts)
		}
	}
	// A walk from event to event has no step to halve.
	if code, _, stderr := qs("run", "prandtl", "--verify", "--no-picture", "--quiet", "--out",
		filepath.Join(dir, "prandtl")); code != exitDone {
		t.Errorf("prandtl: exit %d: %s", code, stderr)
	}
	if code, _, stderr := qs("run", "play", "--accuracy", "1e-4", "--no-picture", "--quiet", "--out",
		filepath.Join(dir, "sharp")); code != exitFailed || !strings.Contains(stderr, "not accurate") {
		t.Errorf("play at 1e-4: exit %d: %s", code, stderr)
	}
	if code, _, stderr := qs("run", "play", "--accuracy", "-1"); code != exitInput || !strings.Contains(stderr, "above 0") {
		t.Errorf("accuracy −1: exit %d: %s", code, stderr)
	}
}
