package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// errStep ends the steps of a run.
var errStep = errors.New("the step failed")

// marched is the model that falls, making its own steps: it notes a word at each, chooses
// its number of steps, and fails at one.
type marched struct {
	run.Case
	fails int
	ends  int // after so many steps, without a word; 0: at the end
}

type marchedRun struct {
	run.Run
	c *marched
}

func (c *marched) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r, err := c.Case.Start(ctx, from)
	return &marchedRun{r, c}, err
}

func (r *marchedRun) March(ctx context.Context, m *run.March) error {
	if !m.Resumed {
		if err := m.Observe(0); err != nil {
			return err
		}
	}
	for k := m.Summary.Steps + 1; k <= r.c.Plan().Steps; k++ {
		if err := m.Checkpoint(ctx); err != nil {
			return err
		}
		if r.c.ends > 0 && k > r.c.ends {
			return nil
		}
		if k == r.c.fails {
			return fmt.Errorf("step %d: %w", k, errStep)
		}
		if err := run.Step(ctx, r.Run); err != nil {
			return err
		}
		if err := errors.Join(m.Write(table.EventsFile, r.Time(), []string{"point", "step", "step"}, 0), m.Observe(k)); err != nil {
			return err
		}
	}
	return nil
}

func (r *marchedRun) Explain(err error) string { return "explained: " + err.Error() }

func (r *marchedRun) Advise(p *run.Page, err error) {
	if errors.Is(err, errStep) {
		p.Failed(r.Line(), 0.01, []string{run.Shorter(100), "another model"})
	}
}

// marchedModel is the model, with what a run takes.
func marchedModel(fails int) *run.Model {
	m := falling.Model
	m.Build = func(ctx context.Context, k *casefile.Case) (run.Case, error) {
		c, err := falling.Model.Build(context.Background(), k)
		if err == nil {
			p := c.Plan()
			p.Need.Add("states", 1000)
			p.Limit = memory.Limit{Bytes: 2000, Source: "the test"}
			if name := filepath.Join(filepath.Dir(k.File), "beside.txt"); fails == 0 {
				if _, err := os.Stat(name); err == nil {
					p.Files = []string{"beside.txt"}
				}
			}
		}
		return &marched{c, fails, 0}, err
	}
	return &m
}

// TestMarch: a run that makes its own steps stops and goes on to the same files; a file
// beside the case belongs to it.
func TestMarch(t *testing.T) {
	dir := t.TempDir()
	text := strings.NewReplacer(`"steps": 1000`, `"steps": 100, "accuracy": 0.02`).Replace(drop)
	if err := os.WriteFile(filepath.Join(dir, "beside.txt"), []byte("data"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := run.Grammar([]*run.Model{&falling.Model}).Decode(filepath.Join(dir, "drop.json"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	begin := func(name string) *run.Task {
		j, err := run.New(context.Background(), c, marchedModel(0), filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	whole := begin("whole")
	if err := whole.Run(t.Context()); err != nil || !run.Certified(&whole.Summary) || whole.Plan().Steps != 100 || whole.Line().T != 1 {
		t.Fatalf("%v %+v", err, whole.Summary)
	}
	if text, err := os.ReadFile(filepath.Join(whole.Dir, table.EventsFile)); err != nil ||
		strings.Count(string(text), "point,step,step") != 100 {
		t.Errorf("%s, %v", text, err)
	}
	stopped(t, begin("parts"), 40)
	j := begin("parts")
	unlock, err := table.Lock(j.Dir)
	if err != nil {
		t.Fatal(err)
	}
	j.Hold(unlock)
	if err := errors.Join(j.Resume(nil), j.Run(t.Context())); err != nil {
		t.Fatal(err)
	}
	same(t, filepath.Join(dir, "whole"), filepath.Join(dir, "parts"))
	if text, err := os.ReadFile(filepath.Join(dir, "parts", "beside.txt")); err != nil || string(text) != "data" {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "beside.txt"), []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	stopped(t, begin("third"), 10)
	if err := os.WriteFile(filepath.Join(dir, "beside.txt"), []byte("changed"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := begin("third").Resume(nil); err == nil || !strings.Contains(err.Error(), "of another case") {
		t.Errorf("%v, want that the file beside the case is another one", err)
	}
}

// TestFailedStep: the summary says why, the text what to change.
func TestFailedStep(t *testing.T) {
	j, err := run.New(context.Background(), decoded(t), marchedModel(30), filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := &j.Summary; s.Status != table.Failed || s.Certified || s.Message != "explained: step 30: the step failed" ||
		s.Steps != 29 || s.Memory == nil || s.Memory.Predicted != 1000 {
		t.Errorf("%+v", s)
	}
	for _, want := range []string{"FAILED        explained: step 30",
		"tried         the step from t = 0.029 to 0.039 s", "to change     shorter steps: \"steps\": 400", "another model"} {
		if !strings.Contains(j.Print(), want) {
			t.Errorf("no %q in\n%s", want, j.Print())
		}
	}
	var p run.Page
	p.Memory(&table.Memory{Predicted: 5e9, Limit: 6e9})
	p.Memory(&table.Memory{Predicted: 5e9, Limit: 6e9, Peak: 4e9})
	p.Memory(&table.Memory{Predicted: 5, Limit: 6, Peak: 4})
	if strings.Count(p.String(), "memory ") != 2 {
		t.Error(p.String())
	}
	if text, err := run.JSON(map[string]int{"a": 1}); err != nil || string(text) != "{\n  \"a\": 1\n}\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// endless is a model whose runs say that they are done after some steps of a hundred.
func endless(steps int) *run.Model {
	m := falling.Model
	m.Build = func(ctx context.Context, k *casefile.Case) (run.Case, error) {
		c, err := falling.Model.Build(ctx, k)
		return &marched{c, 0, steps}, err
	}
	return &m
}

// TestEnd: a run that says that it is done before its end is not, with a folder and without one.
func TestEnd(t *testing.T) {
	j, err := run.New(t.Context(), decoded(t), endless(30), filepath.Join(t.TempDir(), "out"))
	if err == nil {
		err = j.Run(t.Context())
	}
	want := "the run made its 30 steps and ends at t = 0.03 of 1 s"
	if s := &j.Summary; err != nil || s.Status != table.Failed || run.Certified(s) || s.Message != want {
		t.Errorf("%v, %+v", err, s)
	}
	j, err = run.New(t.Context(), decoded(t), endless(30), "")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := j.Loosely(t.Context(), nil, nil); err != nil || run.Certified(s) || s.Message != want {
		t.Errorf("%v, %+v", err, s)
	}
}

// TestLoosely: a run without files has the outcomes of one with them, also from a
// checkpoint.
func TestLoosely(t *testing.T) {
	c := decoded(t)
	var last []byte
	task := func(pause time.Duration) *run.Task {
		task, err := run.New(t.Context(), c, &falling.Model, "")
		if err != nil {
			t.Fatal(err)
		}
		task.Pause = pause
		return task
	}
	whole, err := task(1).Loosely(t.Context(), nil, func(checkpoint []byte) error {
		if last == nil {
			last = checkpoint
		}
		return nil
	})
	if err != nil || !run.Certified(whole) {
		t.Fatalf("%v, %+v", err, whole)
	}
	parts, err := task(1e9).Loosely(t.Context(), last, nil)
	if err != nil || !run.Certified(parts) || *parts.Expectations[0].Value != *whole.Expectations[0].Value {
		t.Errorf("%v, %+v", err, parts)
	}
	if _, err := task(1).Loosely(t.Context(), []byte("x"), nil); err == nil {
		t.Error("a checkpoint that is none was taken")
	}
}
