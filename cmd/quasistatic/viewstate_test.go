package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/table"
)

// TestViewStates: the page says how the run is: stopped, killed, running and resumed.
func TestViewStates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "play")
	c, err := open(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, begun(t, c, dir), 400)
	address := liveView(t, dir)
	says := func(state, headline string) {
		t.Helper()
		code, text := get(t, address+"/live.json")
		if code != 200 || !strings.Contains(text, `"state":"`+state+`"`) || !strings.Contains(text, headline) {
			t.Errorf("want %s, %s: %d, %.600s", state, headline, code, text)
		}
	}
	says("stopped", "Stopped before the end")
	j, err := resumed(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	j.OnStep = func(step int) {
		if step == 600 {
			says("resumed", "The run goes on after step 400")
		}
	}
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	says("finished", "Certified")
	// As kill -9 leaves it: a summary that says running, and nobody who writes.
	s, err := table.ReadSummary(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Status, s.Files = table.Running, nil
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, e := range entries {
		if err := os.Chtimes(filepath.Join(dir, e.Name()), old, old); err != nil {
			t.Fatal(err)
		}
	}
	says("killed", "quasistatic run --resume goes on")
}
