package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quasistatic/quasistatic/table"
)

// TestBuiltIn runs a case by its name, where no file of that name is.
func TestBuiltIn(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, "run", "play", "--quiet", "--no-picture")
	if _, err := os.Stat(filepath.Join("out", "play", table.ReportFile)); err == nil {
		t.Error("a report that nobody asked for")
	}
	mustRun(t, "report", filepath.Join("out", "play"))
	list := mustRun(t, "cases")
	for _, want := range []string{"play ", "grazing ", "A particle follows an oscillating spring with play"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list has no %q:\n%s", want, list)
		}
	}
	for line := range strings.Lines(list) {
		if n := utf8.RuneCountInString(line); n > 140 {
			t.Errorf("a line of %d letters: %s", n, line)
		}
	}
	if code, _, stderr := qs("cases", "play", "chain"); code != exitInput || !strings.Contains(stderr, "want at most one name") {
		t.Errorf("two names: exit %d\n%s", code, stderr)
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
