package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestStorm throws 20,000 inputs at the program, with QUASISTATIC_LONG; .ci/run a few.
func TestStorm(t *testing.T) {
	thorough.Only(t, "minutes")
	program := filepath.Join(t.TempDir(), "quasistatic")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "../../cmd/quasistatic").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, []string{"-program", program, "-cases", "../../cases", "-count", "20000", "-keep",
		filepath.Join(t.TempDir(), "kept")}); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
}

// TestJudge: the judge sees what it is there to see.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	d := &driver{codes: map[int]int{}, ran: map[string]map[int]int{}, scratch: dir, program: "/bin/sh"}
	for script, bad := range map[string]bool{
		"exit 0": false, "echo fault >&2; exit 2": false, "exit 3": true, "exit 1": true, "kill -9 $$": true,
		"echo 'panic: x\n\ngoroutine 1 [running]' >&2; exit 2": true,
		"printf '\\033[31m' >&2; exit 2":                       true,
		"echo 't,x\n0,NaN' > " + dir + "/a.csv":                true,
	} {
		if err := os.RemoveAll(filepath.Join(dir, "a.csv")); err != nil {
			t.Fatal(err)
		}
		if fault := d.try(context.Background(), []string{"-c", script}, dir); (fault != "") != bad {
			t.Errorf("%s: %q", script, fault)
		}
	}
}

// TestManySteps: what asks for much is told from what hangs.
func TestManySteps(t *testing.T) {
	for text, want := range map[string]bool{`{"steps": 1000}`: false, `{"steps":[ 200000]}`: true,
		`{"linspace": [0, 1, 3]}`: false, `{"logspace":[1,2,3000]}`: true, `{"count": 2e3}`: true, `{}`: false} {
		if got := manySteps([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
