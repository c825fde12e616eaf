package run_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// named returns the facts of a summary whose names begin so.
func named(s *table.Summary, begin string) (list []table.Fact) {
	for _, f := range s.Facts {
		if strings.HasPrefix(f.Name, begin) {
			list = append(list, f)
		}
	}
	return list
}

// TestVerify: Euler's steps of a fall end gTh/2 above the parabola, so that half the step
// changes the end by gTh/4, which a hundred steps pass at 1e-2 of the 4.9 m fallen, and ten
// do not; the velocity is exact.
func TestVerify(t *testing.T) {
	for _, c := range []struct {
		steps  string
		change float64
		passed bool
	}{{`"steps": 100`, 9.81 / 100 / 4, true}, {`"steps": 10`, 9.81 / 10 / 4, false}} {
		j := task(t, t.TempDir(), `"steps": 1000`, c.steps+`, "accuracy": 0.01`)
		j.Verify = true
		if err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		list := named(&j.Summary, "half the step")
		if len(list) != 2 {
			t.Fatalf("%+v", j.Summary.Facts)
		}
		// A hundred sums of numbers of 10.
		if f := list[0]; math.Abs(f.Value-c.change) > 1e-12 || f.Passed != c.passed || !strings.HasPrefix(f.Place, "step ") {
			t.Errorf("%s: %+v, want a change of %g", c.steps, f, c.change)
		}
		if f := list[1]; f.Value > 1e-12 || !f.Passed || !strings.Contains(f.Name, "speed") {
			t.Errorf("%s: %+v", c.steps, f)
		}
	}
}

// choosing is the model that falls, choosing its steps: they are equal, and twice as many
// at half the accuracy.
type choosing struct{ run.Case }

type choosingRun struct {
	run.Run
	run.Located
	until float64
}

func (r *choosingRun) Done() bool { return r.Time() >= r.until }

func (c *choosing) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r, err := c.Case.Start(ctx, from)
	if err != nil {
		return nil, err
	}
	return &choosingRun{r, r.(run.Located), c.Plan().Until}, nil
}

func (c *choosing) Refined(steps int) (run.Case, error) {
	return c.Case.(run.Refiner).Refined(steps)
}

// sharp can be run at half its accuracy, too.
type sharp struct{ choosing }

func (c *sharp) Sharper() run.Case {
	fine, err := c.Refined(2 * c.Plan().Steps)
	if err != nil {
		panic(err)
	}
	fine.Plan().Adaptive = true
	return &sharp{choosing{fine}}
}

// choosingModel is their model.
func choosingModel(sharper bool) *run.Model {
	m := falling.Model
	m.Build = func(ctx context.Context, k *casefile.Case) (run.Case, error) {
		c, err := falling.Model.Build(ctx, k)
		if err != nil {
			return nil, err
		}
		c.Plan().Adaptive = true
		if sharper {
			return &sharp{choosing{c}}, nil
		}
		return &choosing{c}, nil
	}
	return &m
}

// TestChoose: a run that chooses its steps is stopped and goes on to the same files; at
// half its accuracy it is compared at the times until·k/2¹⁰ that both have, and one that
// cannot be run so says that.
func TestChoose(t *testing.T) {
	change := []string{`"steps": 1000`, `"accuracy": 0.02, "steps": 128`}
	start := func(dir string, sharper bool) *run.Task {
		t.Helper()
		j, err := run.New(t.Context(), decoded(t, change...), choosingModel(sharper), dir)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	j := start(whole, true)
	if err := j.Run(t.Context()); err != nil || !run.Certified(&j.Summary) || j.Summary.Steps != 128 || j.Summary.StepsPlanned != 128 {
		t.Fatalf("%v, %+v", err, j.Summary)
	}
	stopped(t, start(parts, true), 50)
	again, cancel := context.WithCancel(t.Context())
	cancel()
	j = start(parts, true)
	if err := j.Resume(nil); err != nil {
		t.Fatal(err)
	}
	j.Plan().Steps = 10_000 // which are none of the steps that are chosen
	if err := j.Run(again); err != nil || !strings.Contains(run.Failure(&j.Summary), "stopped after step 50 of 128,") {
		t.Fatalf("%v: %s, want it of as many steps as there will be at this pace", err, run.Failure(&j.Summary))
	}
	j = start(parts, true)
	if err := j.Resume(nil); err != nil {
		t.Fatal(err)
	}
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, whole, parts)

	j = start(filepath.Join(dir, "verified"), true)
	j.Verify = true
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := named(&j.Summary, "half the step: change of the trajectory"); len(list) != 1 ||
		math.Abs(list[0].Value-9.81/128/4) > 1e-12 || list[0].Place != "t = 1 s" {
		t.Errorf("%+v", j.Summary.Facts)
	}
	j = start(filepath.Join(dir, "blunt"), false)
	j.Verify = true
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := named(&j.Summary, "half the step: the steps are chosen by an estimate of their own"); len(list) != 1 ||
		list[0].Passed || run.Certified(&j.Summary) {
		t.Errorf("%+v", j.Summary.Facts)
	}
}

// TestSensitivityPage: a range without an end, events beyond what is listed.
func TestSensitivityPage(t *testing.T) {
	to := 2.5
	s := &run.Sensitivity{By: "friction.dry.mu", At: 0.5,
		Quantities: []run.Derivative{{Label: "dissipation", Value: 1, Derivative: -3}}, To: &to, Above: "p sticks"}
	for k := range 30 {
		s.Events = append(s.Events, run.EventDerivative{Time: float64(k), Derivative: 0.25, Name: "p", From: "stick", To: "slip"})
	}
	var p run.Page
	s.Print(&p)
	for _, want := range []string{"friction.dry.mu, which is 0.5", "dissipation  1 ", "-3\n",
		"t=19, dt/dp=0.25  p: stick → slip", "and 10 more", "from -∞ to 2.5", "above: p sticks"} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("no %q in\n%s", want, p.String())
		}
	}
	if strings.Contains(p.String(), "t=20,") || strings.Contains(p.String(), "below") {
		t.Error(p.String())
	}
}

func (r *choosingRun) Step(ctx context.Context) error { return run.Step(ctx, r.Run) }
