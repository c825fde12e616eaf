package study

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// tower is a runner of convergence studies, whose level fails may not be made.
type tower struct{ fails int }

func (r tower) Run(_ context.Context, j *Job) (*Outcome, error) {
	if j.Level == nil || j.Level.Index == r.fails {
		return &Outcome{Verdict: Failed, Message: "the tower falls"}, nil
	}
	return &Outcome{Verdict: Certified, Files: fmt.Appendf(nil, "%s in %d<<%d of %d", j.Text, j.Level.Steps,
		j.Level.Index, j.Level.Levels.Levels)}, nil
}

// TestLevels: the runs of a convergence study come in their order from all engines; one
// that fails ends it, and leaves nothing on a server.
func TestLevels(t *testing.T) {
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	plan := NewLevels("tower", []byte(`{}`), Levels{Steps: 5, Levels: 3, Runs: 4})
	for name, engine := range map[string]Engine{"pool": Pool{Workers: 3}, "broker": &Broker{Connection: server.Connect(), Workers: 2}} {
		list, err := MakeLevels(t.Context(), &Work{Plan: plan, Dir: t.TempDir(), Runner: tower{fails: -1}}, engine)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, r := range list {
			if want := fmt.Sprintf("{} in 5<<%d of 3", i); string(r.Files) != want {
				t.Errorf("%s: level %d left %q, want %q", name, i, r.Files, want)
			}
		}
		if _, err := MakeLevels(t.Context(), &Work{Plan: plan, Dir: t.TempDir(), Runner: tower{fails: 1}},
			engine); err == nil || !strings.Contains(err.Error(), "the tower falls") {
			t.Errorf("%s: a failed run: %v", name, err)
		}
	}
	for name := range stream(t, server).StreamNames(t.Context()).Name() {
		t.Errorf("the server still has %s", name)
	}
}
