package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPlannedFollows: a run that chooses its steps and is stopped says of how many it would have
// made, which is never less than it made.
func TestPlannedFollows(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string]int{"grazing-adaptive": 130, "impacting-bar-by-accuracy": 100, "disc-drop": 40,
		"snap-through": 150} {
		c, err := open(small(name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "disc-drop" {
			text := strings.Replace(unexpecting(read(t, small(name))), `"steps":`, `"accuracy": 1e-3, "was":`, 1)
			if c, err = open(write(t, strings.Replace(text, `"was": 1000,`, ``, 1), t.TempDir(), "chosen.json")); err != nil {
				t.Fatal(err)
			}
		}
		task, err := newTask(c, filepath.Join(t.TempDir(), "run"))
		if err != nil {
			t.Fatal(err)
		}
		stopAt(t, task, steps)
		if s := &task.Summary; s.StepsPlanned < s.Steps || s.Steps < steps {
			t.Errorf("%s: %s", name, s.Message)
		}
	}
}
