package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

const fallingText = `{"name": "drop", "model": "falling", "until": 1, "steps": 1000, "height": 10,
  "expect": [{"quantity": "speed", "value": 9.81, "tolerance": 1e-9}, {"quantity": "height", "value": 5.095, "tolerance": 0.01}]}`

// withSixth puts the sixth model on the list: its line.
func withSixth(t *testing.T) {
	t.Helper()
	before := models.List
	models.List = append(before[:len(before):len(before)], &falling.Model)
	t.Cleanup(func() { models.List = before })
}

// TestSixthModel: a model of one file and one line runs, checkpoints, resumes to the same
// bytes, is diagnosed, converges, reports and exports, and is in schema and help.
func TestSixthModel(t *testing.T) {
	withSixth(t)
	dir := t.TempDir()
	file, whole, parts := write(t, fallingText, dir, "drop.json"), filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	if text := mustRun(t, "run", "-v", file, "--out", whole, "--report"); !strings.Contains(text, "fallen") ||
		!strings.Contains(text, "certified") || !strings.Contains(text, "rest → fall") {
		t.Error(text)
	}
	c, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	j := begun(t, c, parts)
	j.Picture = true
	stopAt(t, j, 400)
	mustRun(t, "run", "--resume", parts, "--quiet", "--report")
	sameRun(t, parts, whole)
	if text := mustRun(t, "diagnose", "-v", parts); !strings.Contains(text, "z is that of the scheme") {
		t.Error(text)
	}
	row := strings.LastIndex(read(t, parts, table.TrajectoryFile), ",")
	write(t, read(t, parts, table.TrajectoryFile)[:row]+",3\n", parts, table.TrajectoryFile)
	if code, _, stderr := qs("diagnose", "-v", parts); code != exitFailed || !strings.Contains(stderr, "trajectory.csv:1002") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	var s run.Refinement
	if err := json.Unmarshal([]byte(converge(t, file, "--steps", "10", "--out", filepath.Join(dir, "study"), "--json")), &s); err != nil {
		t.Fatal(err)
	}
	if math.Abs(s.Order[3]-1) > 1e-9 || len(s.Measures["created"]) != 4 { // Euler's error is in proportion to the step
		t.Errorf("%+v", s)
	}
	for _, format := range []string{"npz", "parquet"} {
		mustRun(t, "export", whole, "--format", format, "--out", filepath.Join(dir, format))
		if format == "npz" {
			if info, err := os.Stat(filepath.Join(dir, format, "trajectory.npz")); err != nil || info.Size() < 16000 {
				t.Errorf("%v, %v", info, err)
			}
		}
	}
	for name, part := range map[string]string{"report.html": "trajectory.csv", "overview.svg": "</svg>", "summary.json": `"height": 5.09`} {
		if !strings.Contains(read(t, whole, name), part) {
			t.Errorf("%s has no %s", name, part)
		}
	}
	if text := mustRun(t, "schema"); !strings.Contains(text, `"fallingExpectation"`) ||
		!strings.Contains(text, "falling: a point that falls") {
		t.Error("the schema does not know the model")
	}
	if text := mustRun(t, "--help"); !strings.Contains(text, strconv.Itoa(len(models.List))+" models") ||
		!strings.Contains(text, "a point that falls") {
		t.Error(text)
	}
}

// TestSixthVerdict: what the model says of its accuracy is the verdict, with the number, its
// limit and what would reach it; faults of its keys have their path.
func TestSixthVerdict(t *testing.T) {
	withSixth(t)
	dir := t.TempDir()
	file := write(t, strings.Replace(fallingText, `"steps": 1000`, `"steps": 10, "accuracy": 0.05`, 1), dir, "drop.json")
	code, stdout, stderr := qs("run", "-v", file, "--out", filepath.Join(dir, "out"))
	const text = "not accurate: energy made by the scheme, of the kinetic: 0.1 is not <= 0.05 (computed); shorter steps"
	if code != exitFailed || !strings.Contains(stdout, text) || !strings.Contains(stderr, text) {
		t.Errorf("exit %d\n%s\n%s", code, stdout, stderr)
	}
	if s := summaryOf(t, filepath.Join(dir, "out")); s.Certified || s.Status != table.Done || len(s.Facts) != 3 || s.Message != text {
		t.Errorf("summary %+v", s)
	}
	file = write(t, strings.Replace(fallingText, `"height": 10`, `"hight": 10`, 1), dir, "drop.json")
	if code, _, stderr := qs("run", file); code != exitInput ||
		!strings.Contains(stderr, `$.hight: unknown key "hight", the nearest valid one is "height"`) {
		t.Errorf("exit %d\n%s", code, stderr)
	}
}

// TestFault: a panic is a fault of the program: exit code 3, one message, the stack in a
// file, what was written whole.
func TestFault(t *testing.T) {
	withSixth(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	broken := falling.Model
	broken.Build = func(context.Context, *casefile.Case) (run.Case, error) { panic("it broke") }
	models.List[len(models.List)-1] = &broken
	code, _, stderr := qs("run", write(t, fallingText, dir, "drop.json"), "--out", filepath.Join(dir, "out"))
	if code != exitFault || !strings.Contains(stderr, "a fault of the program, not of the input: it broke") ||
		!strings.Contains(stderr, "please report it") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	list, err := filepath.Glob(filepath.Join(dir, "quasistatic-fault-*.txt"))
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	if text := read(t, list[0]); !strings.Contains(text, "sixth_test.go") || !strings.Contains(text, "drop.json") {
		t.Error(text)
	}
}

// TestAccuracyFlag: --accuracy comes before the key of the case.
func TestAccuracyFlag(t *testing.T) {
	withSixth(t)
	dir := t.TempDir()
	file := write(t, fallingText, dir, "drop.json")
	if code, _, stderr := qs("run", file, "--out", filepath.Join(dir, "a"), "--accuracy", "1e-4"); code != exitFailed ||
		!strings.Contains(stderr, "0.001 is not <= 0.0001") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	for _, wrong := range []string{"0", "NaN"} {
		if code, _, stderr := qs("run", file, "--out", filepath.Join(dir, "b"), "--accuracy",
			wrong); code != exitInput || !strings.Contains(stderr, "--accuracy is") {
			t.Errorf("%s: exit %d\n%s", wrong, code, stderr)
		}
	}
}

// TestVersion: the version is printed, and stands in summaries.
func TestVersion(t *testing.T) {
	if text := mustRun(t, "version"); !strings.HasPrefix(text, "quasistatic "+run.Version()+" go") {
		t.Error(text)
	}
}
