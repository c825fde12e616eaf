package run_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// bend is a fall whose speed is told to be sin p, off by 1/steps², and in which a contact slips at
// p/10 s, and beyond p = 2 at .5 s too; another one sticks after the first step.
type bend struct {
	run.Case
	p       float64
	coarse  bool // it is accurate in 40 steps and more only
	refuses bool // it has no steps
}

func (b *bend) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r, err := b.Case.Start(ctx, from)
	return &bending{r, b}, err
}

func (b *bend) Refined(steps int) (run.Case, error) {
	if b.refuses {
		return nil, errors.New("there are no steps")
	}
	c, err := b.Case.(run.Refiner).Refined(steps)
	return &bend{Case: c, p: b.p, coarse: b.coarse}, err
}

type bending struct {
	run.Run
	b *bend
}

func (r *bending) Step(ctx context.Context) error {
	return r.Run.(interface{ Step(context.Context) error }).Step(ctx)
}

func (r *bending) Value(*casefile.Expectation) float64 {
	return math.Sin(r.b.p) + r.b.p/math.Pow(float64(r.b.Plan().Steps), 2)
}

func (r *bending) Verdict() []table.Fact {
	off := 0.0
	if r.b.coarse && r.b.Plan().Steps < 40 {
		off = 1
	}
	return []table.Fact{table.AtMost(table.Solved, "residual", 0, 1, "", table.Computed),
		table.AtMost(table.Accurate, "error", off, .5, "", table.Computed)}
}

func (r *bending) Row(k int, out *run.Output) error {
	err := r.Run.Row(k, out)
	if k == 1 {
		err = errors.Join(err, out.Event(run.Event{T: r.b.p / 10, Name: "a/b", From: "stick", To: "slip"}),
			out.Event(run.Event{T: r.Time(), Name: "c/d", From: "open", To: "stick"}),
			out.Event(run.Event{T: r.Time(), Name: "c/d", From: "open", To: "active"}))
		if r.b.p > 2 {
			err = errors.Join(err, out.Event(run.Event{T: .5, Name: "a/b", From: "slip", To: "stick"}))
		}
	}
	return err
}

// bends is the family; there is none below p = 0.
func bends(t *testing.T, change func(b *bend)) func(p float64) (*run.Task, error) {
	c, err := run.Grammar([]*run.Model{&falling.Model}).Decode("drop.json",
		[]byte(`{"name": "drop", "model": "falling", "until": 1, "steps": 10, "height": 1, "expect": [{"quantity": "speed", "value": 1, "tolerance": 1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return func(p float64) (*run.Task, error) {
		if p < 0 {
			return nil, errors.New("p is negative")
		}
		built, err := falling.Model.Build(t.Context(), c)
		if err != nil {
			return nil, err
		}
		b := &bend{Case: built, p: p}
		if change != nil {
			change(b)
		}
		return run.Of(c, &falling.Model, b, ""), nil
	}
}

// TestDifferences: derivatives are those at h = 0, to what twice the steps change; times that are
// nodes have none; the range ends where events are others, and where there is no case.
func TestDifferences(t *testing.T) {
	const at = 1.3
	s, err := run.Differences(t.Context(), bends(t, nil), at)
	if err != nil {
		t.Fatal(err)
	}
	q := s.Quantities[0]
	if off := math.Abs(q.Derivative - math.Cos(at)); off > *q.Error || *q.Error > .01 || math.Abs(q.Value-math.Sin(at)) > .01 {
		t.Errorf("%g, derivative %g ± %g, want %g and %g", q.Value, q.Derivative, *q.Error, math.Sin(at), math.Cos(at))
	}
	if len(s.Events) != 1 || math.Abs(s.Events[0].Derivative-.1) > 1e-9 || s.Nodes != 1 {
		t.Errorf("events %+v, %d at nodes", s.Events, s.Nodes)
	}
	if s.From == nil || s.To == nil || math.Abs(*s.From) > .01 || math.Abs(*s.To-2) > .01 ||
		!strings.Contains(s.Above, "slip → stick") || !strings.Contains(s.Below, "p is negative") {
		t.Errorf("range %v to %v: %q, %q", s.From, s.To, s.Below, s.Above)
	}
	var p run.Page
	s.By = "p"
	s.Print(&p)
	for _, word := range []string{"±", "which the steps do not locate", "differences of", "(bisected)", "stick → slip"} {
		if !strings.Contains(p.String(), word) {
			t.Errorf("no word of %q in\n%s", word, p.String())
		}
	}
}

// TestNotDifferentiable: what has no derivative says why.
func TestNotDifferentiable(t *testing.T) {
	for _, c := range []struct {
		at     float64
		change func(b *bend)
		want   string
	}{
		{2, nil, "another order beside 2"},
		{-1, nil, "p is negative"},
		{1, func(b *bend) { b.coarse = true }, "in 10 equal steps is not certified"},
		{1, func(b *bend) { b.refuses = true }, "there are no steps"},
	} {
		if _, err := run.Differences(t.Context(), bends(t, c.change), c.at); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("at %g: %v, want %q", c.at, err, c.want)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := run.Differences(ctx, bends(t, nil), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
