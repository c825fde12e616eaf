package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

const drop = `{"name": "drop", "model": "falling", "until": 1, "steps": 1000, "height": 10,
  "expect": [{"quantity": "speed", "value": 9.81, "tolerance": 1e-9}]}`

// decoded returns a case of the model that falls, with parts replaced.
func decoded(t *testing.T, change ...string) *casefile.Case {
	t.Helper()
	c, err := run.Grammar([]*run.Model{&falling.Model}).Decode("drop.json", []byte(strings.NewReplacer(change...).Replace(drop)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// task returns its run into a folder.
func task(t *testing.T, dir string, change ...string) *run.Task {
	t.Helper()
	j, err := run.New(context.Background(), decoded(t, change...), &falling.Model, dir)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// stopped runs a task up to a step.
func stopped(t *testing.T, j *run.Task, step int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	j.OnStep = func(k int) {
		if k == step {
			cancel()
			if !run.Saving() && k > 0 {
				t.Error("a run between steps would not be saved")
			}
		}
	}
	if err := j.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if s := &j.Summary; s.Status != table.Interrupted || run.Certified(s) || !strings.Contains(run.Failure(s), "--resume") {
		t.Fatalf("%+v", s)
	}
}

// same compares the files of two runs, but for what the clock says.
func same(t *testing.T, a, b string) {
	t.Helper()
	entries, err := os.ReadDir(a)
	if err != nil || len(entries) < 6 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		x, errA := os.ReadFile(filepath.Join(a, e.Name()))
		y, errB := os.ReadFile(filepath.Join(b, e.Name()))
		if errors.Join(errA, errB) != nil || string(x) != string(y) && e.Name() != table.SummaryFile {
			t.Errorf("%s differs, %v, %v", e.Name(), errA, errB)
		}
	}
}

// TestTask: a run whole, and one that is stopped at the start, amid and near the end, in
// two formats: the same files, the same verdict, nothing left behind.
func TestTask(t *testing.T) {
	thorough.Seconds(t)
	for _, format := range []string{"csv", "npz"} {
		change := []string{`"steps": 1000`, `"accuracy": 0.02, "steps": 100`, `"height"`,
			`"output": {"format": "` + format + `", "every": 7}, "height"`}
		dir := t.TempDir()
		whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
		j := task(t, whole, change...)
		j.Picture = true
		if err := j.Run(t.Context()); err != nil || !run.Certified(&j.Summary) || j.Summary.Steps != 100 {
			t.Fatalf("%v, %+v", err, j.Summary)
		}
		text := j.Print()
		for _, want := range []string{"drop\n", "1 change of contact", "accurate      energy made by the scheme",
			"certified     and all 1 expectation met"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		for i, step := range []int{0, 1, 50, 99} {
			j := task(t, parts, change...)
			j.Picture, j.Pause = true, 1
			if i > 0 {
				s, err := run.ReadSummary(parts, decoded(t, change...))
				if err != nil {
					t.Fatal(err)
				}
				if err := j.Resume(s); err != nil || !strings.Contains(j.Resumed(), "goes on after step ") {
					t.Fatalf("%v: %s", err, j.Resumed())
				}
			}
			stopped(t, j, step)
		}
		j = task(t, parts, change...)
		if err := errors.Join(j.Resume(nil), j.Run(t.Context())); err != nil {
			t.Fatal(err)
		}
		same(t, whole, parts)
		s, err := run.ReadSummary(parts, decoded(t, change...))
		if err != nil {
			t.Fatal(err)
		}
		if err := task(t, parts, change...).Resume(s); !errors.Is(err, run.ErrComplete) {
			t.Errorf("%v, want that nothing is left", err)
		}
		if _, err := run.ReadSummary(parts, decoded(t)); err == nil || !strings.Contains(err.Error(), "is not the case that was run") {
			t.Errorf("%v", err)
		}
	}
}

// TestOtherBuild: a checkpoint of another build is refused, with both names.
func TestOtherBuild(t *testing.T) {
	dir := t.TempDir()
	stopped(t, task(t, dir), 10)
	text, err := os.ReadFile(filepath.Join(dir, table.CheckpointFile))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"version":"`+run.Version()) {
		t.Errorf("%.200s has no version", text)
	}
	if err := table.WriteCheckpoint(dir, table.CheckpointHead{Version: "v9.9.9"}, 1); err != nil {
		t.Fatal(err)
	}
	if err := task(t, dir).Resume(nil); err == nil ||
		!strings.Contains(err.Error(), "is of version v9.9.9, this is version "+run.Version()) {
		t.Errorf("%v", err)
	}
}

// TestVerdict: what is not accurate is not certified, with the number, the limit and what
// would reach it; what is not as expected is certified, and exit code 1 all the same.
func TestVerdict(t *testing.T) {
	j := task(t, t.TempDir(), `"steps": 1000`, `"steps": 10`)
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	const want = "not accurate: energy made by the scheme, of the kinetic: 0.1 is not <= 0.01 (computed); shorter steps"
	if s := &j.Summary; s.Certified || !s.Met || s.Message != want || !strings.Contains(j.Print(), "NOT CERTIFIED "+want) {
		t.Errorf("%+v\n%s", s, j.Print())
	}
	j = task(t, t.TempDir(), "9.81", "9.8")
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := &j.Summary; !s.Certified || s.Met || run.Certified(s) ||
		run.Failure(s) != "1 of 1 expectations are not met" || !strings.Contains(j.Print(), "but not as expected") {
		t.Errorf("%+v\n%s", s, j.Print())
	}
	for _, f := range j.Summary.Facts {
		if f.Word == table.Expected && (f.Passed || math.Abs(f.Value-0.01) > 1e-12) {
			t.Errorf("%+v", f)
		}
	}
}

// TestDiagnose: files that are those of the scheme, of a run that ended early, and others.
func TestDiagnose(t *testing.T) {
	dir := t.TempDir()
	j := task(t, dir)
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	diagnose := func() (*table.Summary, string) {
		t.Helper()
		k := decoded(t)
		c, err := falling.Model.Build(context.Background(), k)
		if err != nil {
			t.Fatal(err)
		}
		s, err := run.ReadSummary(dir, k)
		if err != nil {
			t.Fatal(err)
		}
		d, err := run.Diagnose(t.Context(), k, c, run.Source{Dir: dir, Summary: s})
		if err != nil {
			t.Fatal(err)
		}
		return d.Result(), d.Print()
	}
	s, text := diagnose()
	if !s.Certified || !strings.Contains(text, "z is that of the scheme: <= ") ||
		!strings.Contains(text, "by their SHA-256") || !strings.Contains(text, "energy made by the scheme") {
		t.Errorf("%+v\n%s", s, text)
	}
	name := filepath.Join(dir, table.TrajectoryFile)
	rows, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for what, changed := range map[string]string{
		"row 1 is off":     strings.Replace(string(rows), "10\n", "10.1\n", 1),
		"the end is lost":  string(rows[:len(rows)/2]),
		"a time is missed": strings.Replace(string(rows), "\n0.5", "\n0.51", 1),
	} {
		if err := os.WriteFile(name, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if s, text := diagnose(); s.Certified || !strings.Contains(text, "FAILS: ") {
			t.Errorf("%s: %+v\n%s", what, s, text)
		}
	}
	if _, err := run.Diagnose(t.Context(), decoded(t), nil, run.Source{}); err == nil {
		t.Error("no model, no diagnosis")
	}
}

// TestRefine: Euler's method is of first order.
func TestRefine(t *testing.T) {
	c, err := falling.Model.Build(t.Context(), decoded(t))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := run.NewConvergence("drop", c, 10, 4)
	if err != nil {
		t.Fatal(err)
	}
	levels := make([][]byte, runs.Len())
	for i := range levels {
		if levels[i], err = runs.Level(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	s, err := runs.Study(levels)
	if err != nil {
		t.Fatal(err)
	}
	r := s.(*run.Refinement)
	if math.Abs(r.Order[3]-1) > 1e-9 || r.Distance[3] != 0 || len(r.Expect) != 4 {
		t.Errorf("%+v", r)
	}
	j := run.Judged{Study: s}
	for i := range levels {
		j.Verdicts = append(j.Verdicts, run.LevelVerdict{Run: runs.Name(i), Verdict: "certified", Met: i == 3})
	}
	if own, err := runs.Case(t.Context(), 2); err != nil || own.Plan().Steps != 40 || runs.Name(2) != "40 steps" || j.Verdict(3) != nil {
		t.Errorf("run 2, %s, is in %d steps, %v; the study: %v", runs.Name(2), own.Plan().Steps, err, j.Verdict(3))
	}
	if err := j.Verdict(2); err == nil || !strings.Contains(err.Error(), "40 steps, is not as expected") {
		t.Errorf("%v", err)
	}
	j.Verdicts[0].Verdict = "solved"
	if err := j.Verdict(3); err == nil || !strings.Contains(err.Error(), "1 of 4 runs are not certified; the first, 10 steps") {
		t.Errorf("%v", err)
	}
	var read struct {
		Name     string
		Verdicts []run.LevelVerdict
	}
	if text, err := run.JSON(j); err != nil || json.Unmarshal(text, &read) != nil || read.Name != "drop" || len(read.Verdicts) != 4 {
		t.Errorf("%s, %v", text, err)
	}
	var p run.Page
	j.Print(&p)
	if plots := s.Plots(); len(plots) != 1 || plots[0] == nil || !strings.Contains(p.String(), "energy made [J]") ||
		!strings.Contains(p.String(), "finest") || !strings.Contains(p.String(), "20 steps  certified, not as expected") {
		t.Errorf("%v\n%s", plots, p.String())
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runs.Level(canceled, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestFolders: a folder of something else is left alone; a file in its place is a fault.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	j := task(t, dir)
	if err := j.Run(t.Context()); err == nil {
		t.Error("a folder that is no run was taken")
	}
	if text, err := os.ReadFile(filepath.Join(dir, "notes.txt")); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if err := task(t, filepath.Join(dir, "notes.txt")).Run(t.Context()); err == nil {
		t.Error("a file was taken for a folder")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	j = task(t, filepath.Join(dir, "run"))
	if err := j.Run(ended); err != nil || j.Summary.Status != table.Interrupted {
		t.Errorf("%v, %+v", err, j.Summary)
	}
}

// TestWords: how numbers and counts are printed.
func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		run.Count(1, "step"): "1 step", run.Count(2, "step"): "2 steps", run.Seconds(0.5): "500 ms", run.Seconds(2): "2 s",
		run.States(1, 2, 3): "stick 1, slip 2, open 3", run.WithOrder(0, 1, 0): "roundoff", run.WithOrder(2, 0, 0): "2",
		run.WithOrder(2, 1, 0): "2 (1.00)",
		run.Shorter(10):        `shorter steps: "steps": 40`,
		(&run.Line{T: 1, Residual: 1e-12, Tolerance: 1e-8, States: "open 1", Extra: "x",
			Work: "2 it."}).String(): "t = 1 s  residual 1e-12 of 1e-08  x  open 1  2 it.",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if run.Finite(math.NaN()) != 0 || run.Finite(math.Inf(-1)) != -math.MaxFloat64 || run.Sizes(-1, 2) != 3 {
		t.Error("numbers that JSON cannot hold")
	}
}

// TestNotDecided: what a value may be off by leaves an expectation open: that is no miss, and the line that fails says by
// how many steps it might be decided, as a guess.
func TestNotDecided(t *testing.T) {
	value, want, tolerance, least := 1.0, 1.2, .25, 2.0
	open := table.Outcome{Label: "force", Value: &value, Want: &want, Tolerance: &tolerance, Met: true}
	open.Blur(.1)
	s := &table.Summary{Status: table.Done, Certified: true, Steps: 100, Expectations: []table.Outcome{open}}
	text := "not decided: force: 1 ± 0.1, wanted 1.2 ± 0.25; about 220 steps may decide it, a guess that was not tried"
	if got := run.Failure(s); got != text || !run.NotDecided(got) {
		t.Errorf("%s, want %s", got, text)
	}
	s.Expectations = append(s.Expectations, table.Outcome{Label: "way", Value: &value, Min: &least})
	if got := run.Failure(s); got != "1 of 2 expectations are not met, and 1 not decided" || run.NotDecided(got) {
		t.Error(got)
	}
}
