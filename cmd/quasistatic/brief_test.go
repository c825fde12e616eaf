package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTwelveLines: what a run of any case prints has twelve lines of a hundred columns at most: what
// happened, the verdict, the expectations, where the files are.
func TestTwelveLines(t *testing.T) {
	t.Parallel()
	for _, name := range affordable() {
		dir, r := ended(name)
		lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
		if len(lines) > 12 || len(lines) < 5 {
			t.Errorf("%s: %d lines\n%s", name, len(lines), r.stdout)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > 100 && !strings.Contains(line, dir) {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
		has(t, name, r.stdout, name+" — ", "  computed ", "  happened ", "  as expected ", "  files ")
		if verdict := map[bool]string{true: "  certified ",
			false: "  NOT CERTIFIED "}[r.code == exitDone]; !strings.Contains(r.stdout, verdict) {
			t.Errorf("%s: no%s\n%s", name, verdict, r.stdout)
		}
		for _, jargon := range []string{"c_FC", "v^α", "(N4)", "(3.1)", "FAILS"} {
			if strings.Contains(r.stdout, jargon) {
				t.Errorf("%s: %q is said without a word of what it means\n%s", name, jargon, r.stdout)
			}
		}
	}
}

// TestSaidOnce: a failure is said once to who reads both streams, with its numbers, and a missed
// expectation with its own.
func TestSaidOnce(t *testing.T) {
	t.Parallel()
	out := t.TempDir() + "/out"
	text, err := program("run", small("conveyor"), "--set", "steps=7", "--set", "expect[0].value=3", "--no-picture",
		"--out", out).CombinedOutput()
	if err == nil || strings.Count(string(text), "not accurate: ") > 1 || strings.Count(string(text), "\n") > 12 {
		t.Errorf("%v\n%s", err, text)
	}
	has(t, "conveyor", string(text), "MISSED        velocity x of block at t=0.25: ", ", wanted 3 ± 1e-09")
	text, err = program("run", small("conveyor"), "--set", "expect[0].value=3", "--quiet", "--no-picture", "--out", out).CombinedOutput()
	if err == nil || string(text) != "quasistatic: conveyor: 1 of 6 expectations are not met\n" {
		t.Errorf("%v: %s", err, text)
	}
}
