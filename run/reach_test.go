package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// coarse is the model that falls with an accuracy that 400 steps reach, which it takes for
// 360, or that none does; and with a file beside its tables.
type coarse struct {
	run.Case
	never bool
	stuck bool // another fact fails, which no steps mend
}

// model returns it as one.
func model(never bool) *run.Model {
	m := falling.Model
	m.Build = func(ctx context.Context, k *casefile.Case) (run.Case, error) {
		c, err := falling.Model.Build(ctx, k)
		return &coarse{Case: c, never: never}, err
	}
	return &m
}

func (c *coarse) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r, err := c.Case.Start(ctx, from)
	return &coarseRun{r, c}, err
}

func (c *coarse) Refined(steps int) (run.Case, error) {
	fine, err := c.Case.(run.Refiner).Refined(steps)
	return &coarse{fine, c.never, c.stuck}, err
}

func (c *coarse) Audit(ctx context.Context, a *run.Audit) error {
	return c.Case.(run.Auditor).Audit(ctx, a)
}

type coarseRun struct {
	run.Run
	c *coarse
}

func (r *coarseRun) Coordinates() []float64 { return r.Run.(run.Measured).Coordinates() }

func (r *coarseRun) Verdict() []table.Fact {
	f := table.AtMost(table.Accurate, "length of the steps", 400/float64(r.c.Plan().Steps), 1, "", table.Computed)
	if r.c.never {
		f.Value, f.Passed = 2, false
	}
	f.Steps = 360
	if !r.c.stuck {
		return []table.Fact{f}
	}
	g := table.AtMost(table.Accurate, "places of impacts", 3, 1, "", table.Computed)
	g.Remedy = "no number of steps is known"
	return []table.Fact{f, g}
}

// Finish leaves a file, where there is a folder.
func (r *coarseRun) Finish(_ context.Context, dir string, _ *table.Summary) error {
	if dir == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, "last.txt"), []byte("the end\n"), 0o666)
}

// TestRemedies: a run that is not accurate tries the steps that it names, and more while they
// do not reach the accuracy, 1.3 times as many each time: 360, 468.
func TestRemedies(t *testing.T) {
	for _, c := range []struct {
		never bool
		want  string
	}{{false, "468 steps reach it: a run in so many is accurate"}, {true, "more than 792 steps: a run in so many is not accurate either"}} {
		j, err := run.New(t.Context(), decoded(t, `"steps": 1000`, `"steps": 40`), model(c.never), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := &j.Summary; s.Certified || !strings.Contains(s.Message, c.want) {
			t.Errorf("%q, want %q", s.Message, c.want)
		}
	}
}

// TestOtherFiles: what a run leaves beside its tables is compared with that of the run made
// again.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]string{"the end\n": "made again", "another end\n": "last.txt is another one",
		"": "last.txt is missing"} {
		dir, k := t.TempDir(), decoded(t)
		j, err := run.New(t.Context(), k, model(false), dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Run(t.Context()); err != nil || !j.Summary.Certified {
			t.Fatalf("%v, %s", err, j.Summary.Message)
		}
		j.Summary.Files = nil // their sums would say it first
		last := filepath.Join(dir, "last.txt")
		if err := os.Remove(last); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(last, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		built, err := model(false).Build(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		d, err := run.Diagnose(t.Context(), k, built, run.Source{Dir: dir, Summary: &j.Summary})
		if err != nil {
			t.Fatal(err)
		}
		if d.Result().Certified != (text == "the end\n") || !strings.Contains(d.Print(), want) {
			t.Errorf("%q: certified: %v, want %q in\n%s", text, d.Result().Certified, want, d.Print())
		}
	}
}

// TestStuck: where one fact that fails has no number of steps, none is said to be enough for
// another.
func TestStuck(t *testing.T) {
	m := falling.Model
	m.Build = func(ctx context.Context, k *casefile.Case) (run.Case, error) {
		c, err := falling.Model.Build(ctx, k)
		return &coarse{Case: c, stuck: true}, err
	}
	j, err := run.New(t.Context(), decoded(t, `"steps": 1000`, `"steps": 40`), &m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := &j.Summary
	const want = "more than 360 steps, and for the places of impacts: no number of steps is known"
	if f := s.Facts[0]; f.Passed || f.Remedy != want || f.Steps != 0 {
		t.Errorf("%+v, want %q", f, want)
	}
	if !strings.Contains(s.Message, want) {
		t.Errorf("message %q", s.Message)
	}
}

func (r *coarseRun) Step(ctx context.Context) error { return run.Step(ctx, r.Run) }
