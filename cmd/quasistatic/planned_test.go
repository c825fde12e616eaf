package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestPlannedFollows: a run that chooses its steps and is stopped says of how many it would have
// made, which is never less than it made.
func TestPlannedFollows(t *testing.T) {
	thorough.Seconds(t)
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

// TestPlannedBesideNodes: a run that leaves nodes beside those that are given is planned with both, and so resumed.
func TestPlannedBesideNodes(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	c, err := open(small("ironing"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	task, err := newTask(c, dir)
	if err != nil {
		t.Fatal(err)
	}
	given := task.Plan().Steps
	stopAt(t, task, given*11/12)
	s := task.Summary
	left := given - int(math.Round(s.Time/s.Until*float64(given)))
	again, err := resumed(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("after step %d of %d, at", s.Steps, s.Steps+left)
	if s.Steps+left <= given || !strings.Contains(s.Message, want) || !strings.Contains(again.Resumed(), want) {
		t.Errorf("%q, %q, want %q", s.Message, again.Resumed(), want)
	}
}
