package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherBuild: a run goes on with the program that began it and with no other one, even if
// both are builds of no revision and the other one took the name of the first while that ran.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	installed, next, out := filepath.Join(dir, "installed"), filepath.Join(dir, "next"), filepath.Join(dir, "out")
	// Not by this process: what it starts for other tests meanwhile would have the files open. What
	// follows the program in a file does not run.
	if text, err := exec.Command("sh", "-c", `cp "$0" "$1" && cp "$0" "$2" && echo >>"$2"`, os.Args[0], installed,
		next).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	stops := func(installing bool, args ...string) string {
		cmd := program(args...)
		cmd.Path = installed
		cmd.Env = append(cmd.Env, patient+"=5m")
		text, err := stopWhen(cmd, func(line string) bool {
			ready := strings.HasPrefix(line, "step ") && !strings.HasPrefix(line, "step 0 ")
			if ready && installing {
				if err := os.Rename(next, installed); err != nil {
					t.Error(err)
				}
			}
			return ready
		})
		if err == nil || cmd.ProcessState.ExitCode() != exitFailed {
			t.Errorf("%v: %v\n%.3000s", args, cmd.ProcessState, text)
		}
		return string(text)
	}
	long := write(t, strings.Replace(read(t, small("play")), `"steps": 800`, `"steps": 9000000`, 1), dir, "long.json")
	stops(true, "run", long, "--out", out, "--trace", "--no-picture")
	cmd := program("run", "--resume", out)
	cmd.Path = installed
	if text, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != exitInput ||
		!strings.Contains(string(text), "is of version") {
		t.Errorf("the other build: %v\n%.3000s", cmd.ProcessState, text)
	}
	installed = os.Args[0]
	stops(false, "run", "--resume", out, "--trace", "--no-picture")
}
