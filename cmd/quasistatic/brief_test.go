package main

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quasistatic/quasistatic/table"
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

// pad is a box that falls onto a patch without friction, in a model.
const pad = `{"name": "pad", "model": "%s", "dimension": 2, "until": 0.1, "steps": 100, "gravity": [0, -10], "accuracy": 0.5,
		"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"ice": {"mu": 0}},
		"patches": {"pad": {"stiffness": [4000, 2000], "damping": [80, 60]}},
		"bodies": [{"id": "box", "mass": 1, "position": [0, 0.001], "velocity": [1, 0]}],
		"contacts": [{"body": "box", "obstacle": "floor", "friction": "ice", "patch": "pad"}]}`

// TestWhatTouches: what bears without friction touches, in every model and on its page too, and bodies that are tied
// are said to be.
func TestWhatTouches(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"theta", "compliant"} {
		dir := t.TempDir()
		_, said, stderr := qs("run", write(t, fmt.Sprintf(pad, model), dir, "pad.json"), "--out", dir+"/out", "--report", "--no-picture")
		if !strings.Contains(said, "box on floor touches") {
			t.Errorf("%s: %s%s", model, said, stderr)
		}
		page := read(t, dir, "out", table.ReportFile)
		_, events, _ := strings.Cut(page, "<h2>Changes")
		if !strings.Contains(page, "open → touch") || strings.Contains(events, "<td>stick</td>") || strings.Contains(events, "<td>slide</td>") {
			t.Errorf("%s: the page says that what nothing rubs sticks or slides", model)
		}
	}
	if said := mustRun(t, "run", "tied-blocks", "--no-picture", "--out", t.TempDir()+"/out"); !strings.Contains(said, " is tied to ") ||
		strings.Contains(said, "no contact bears") {
		t.Error(said)
	}
}

// TestPageStays: a run over an earlier one whose page was made makes that anew, and names all that does not hold.
func TestPageStays(t *testing.T) {
	t.Parallel()
	out := t.TempDir() + "/out"
	mustRun(t, "run", "play", "--quiet", "--no-picture", "--report", "--out", out)
	qs("run", write(t, fmt.Sprintf(pad, "theta"), t.TempDir(), "pad.json"), "--set", "accuracy=1e-6", "--quiet", "--no-picture", "--out", out)
	_, words, _ := strings.Cut(read(t, out, table.ReportFile), `<div class="verdict`)
	words, _, _ = strings.Cut(words, "</div>")
	var s table.Summary
	if err := json.Unmarshal([]byte(read(t, out, table.SummaryFile)), &s); err != nil {
		t.Fatal(err)
	}
	// Of a run that was stopped the page says so; when it has gone on to its end, that.
	part := stopped(t, "play", 3).Dir
	mustRun(t, "report", part)
	mustRun(t, "run", "--resume", part, "--quiet", "--no-picture")
	if !strings.Contains(read(t, part, table.ReportFile), "Certified") {
		t.Error("the page is that of the part before the run was stopped")
	}
	missed := 0
	for _, f := range s.Facts {
		if f.Word != table.Expected && !f.Passed {
			missed++
			if !strings.Contains(html.UnescapeString(words), f.Name) {
				t.Errorf("the banner of the page does not name %q", f.Name)
			}
		}
	}
	if missed < 2 {
		t.Errorf("%d facts do not hold, want several", missed)
	}
}
