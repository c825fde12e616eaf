package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
)

// TestBuiltIn runs a case by its name, where no file of that name is.
func TestBuiltIn(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, "run", "play", "--quiet", "--no-picture")
	if _, err := os.Stat(filepath.Join("out", "play", reportFile)); err == nil {
		t.Error("a report that nobody asked for")
	}
	mustRun(t, "report", filepath.Join("out", "play"))
	list := mustRun(t, "cases")
	for _, want := range []string{"play ", "grazing ", "A particle follows an oscillating spring with play"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list has no %q:\n%s", want, list)
		}
	}
	if mustRun(t, "cases", "play") != read(t, "out", "play", "case.json") {
		t.Error("the case printed is not the one that ran")
	}
	for _, args := range [][]string{{"run", "plya"}, {"cases", "plya"}} {
		if code, _, stderr := qs(args...); code != exitInput || !strings.Contains(stderr, `did you mean "play"?`) {
			t.Errorf("%v: exit %d\n%s", args, code, stderr)
		}
	}
	if err := os.Mkdir("play", 0o777); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "run", "play", "--quiet", "--no-picture")
}

func TestVerbose(t *testing.T) {
	code, _, stderr := qs("run", "play", "-v", "--no-picture", "--out", t.TempDir())
	if code != exitDone || strings.Count(stderr, "residual") != 801 || !strings.Contains(stderr, "stick 1, slip 0, open 0") {
		t.Errorf("exit %d\n%.400s", code, stderr)
	}
}

// TestTrouble prints the report of a step that failed.
func TestTrouble(t *testing.T) {
	c, m, err := load(small("grazing"))
	if err != nil {
		t.Fatal(err)
	}
	j := newJob(c, m, t.TempDir())
	stopAt(t, j, 1000)
	j.fault = &incremental.StepError{Time: 1.002, Newton: 12, Residual: 3e-9, Tolerance: 1e-10}
	var p page
	p.trouble(j)
	for _, want := range []string{"from t = ", "to 1.002 s", "12 steps of Newton's method", "residual 3e-09, wanted 1e-10", "particle p", "free → grazing",
		`"steps": 8000`, `"threshold": "lagged"`, `"tolerance": 1e-07`, "quasistatic check"} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("no %q in\n%s", want, p.String())
		}
	}
}
