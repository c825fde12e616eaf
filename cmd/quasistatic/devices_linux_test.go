package main

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// TestHangUp: a terminal that goes stops a run as SIGTERM does, with a checkpoint.
func TestHangUp(t *testing.T) {
	t.Parallel()
	// A test that runs under nohup ignores the signal, and what it starts would inherit that: while
	// it is caught here, its programs begin as usual.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	dir := filepath.Join(t.TempDir(), "run")
	cmd := program("run", small("play"), "--set", "steps=20000", "--set", "expect=[]", "--trace", "--no-picture", "--out", dir)
	text, err := signalWhen(cmd, syscall.SIGHUP, func(line string) bool { return strings.HasPrefix(line, "step 9") })
	if code := cmd.ProcessState.ExitCode(); code != exitFailed {
		t.Fatalf("exit %d, %v\n%.300s", code, err, text)
	}
	if s := summaryOf(t, dir); s.Status != table.Interrupted || !strings.Contains(s.Message, "of 20000") {
		t.Errorf("%s: %s", s.Status, s.Message)
	}
	if _, err := os.Stat(filepath.Join(dir, table.CheckpointFile)); err != nil {
		t.Error(err)
	}
}

// TestFullDevice: what cannot print, or write to the file asked for, says so with its name and exit
// code 1; a device is not replaced by a file.
func TestFullDevice(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	whole, _ := finished(t, "play")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	spread := t.TempDir()
	plan := write(t, `{"case": "play", "expect": false, "vary": {"steps": [12]}, "observe": ["dissipation"]}`, spread, "s.json")
	mustRun(t, "sweep", plan, "--accuracy", ".9", "--out", filepath.Join(spread, "out"), "--quiet")
	for _, args := range [][]string{{"cases"}, {"version"}, {"help"}, {"schema"}, {"check", small("play")},
		{"run", small("play"), "--out", filepath.Join(t.TempDir(), "run")},
		{"diagnose", whole}, {"diagnose", whole, "--json"}, {"study", filepath.Join(spread, "out")},
		{"export", whole, "--format", "npz", "--out", t.TempDir()}, {"init", filepath.Join(t.TempDir(), "x")}} {
		var stderr bytes.Buffer
		if code := start(append([]string{"quasistatic"}, args...), full, &stderr); code != exitFailed ||
			!strings.Contains(stderr.String(), "/dev/full: no space left") {
			t.Errorf("%v: exit %d\n%s", args, code, stderr.String())
		}
	}
	dir := t.TempDir()
	for args, name := range map[string]string{"report": "page.html", "film": "film.svg", "compare --column p.x": "c.svg"} {
		device := filepath.Join(dir, name)
		if err := os.Symlink("/dev/full", device); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := qs(append(strings.Fields(args), whole, "--out", device)...); code != exitFailed ||
			!strings.Contains(stderr, device) || !strings.Contains(stderr, "no space left") {
			t.Errorf("%s: exit %d\n%s", args, code, stderr)
		}
		if to, err := os.Readlink(device); err != nil || to != "/dev/full" {
			t.Errorf("%s: the device is replaced: %v", args, err)
		}
	}
}
