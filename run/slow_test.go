package run_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestSlow: a run that has not ended after a while says once what it does, and one that ends before
// says nothing.
func TestSlow(t *testing.T) {
	for _, slow := range []time.Duration{time.Millisecond, time.Hour} {
		var said []string
		spoke := make(chan struct{})
		j := task(t, t.TempDir())
		j.Slow = slow
		j.OnSlow = func(text string) { said = append(said, text); close(spoke) }
		j.OnStep = func(step int) {
			if step == 1 && slow < time.Hour {
				<-spoke
			}
		}
		if err := j.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if want := slow < time.Hour; want != (len(said) == 1) {
			t.Fatalf("after %s: %q", slow, said)
		}
		if len(said) == 1 && !strings.Contains(said[0], "step") {
			t.Errorf("it says %q", said[0])
		}
	}
}

// before is a model that is told to stop amid what it does before its first step.
type before struct {
	run.Case
	stop context.CancelFunc
}

func (c *before) Start(ctx context.Context, _ run.Decoder) (run.Run, error) {
	c.Plan().OnProgress(run.Progress{Pilot: 128, Time: .25, Step: .01, Why: "the wheel is off by 3 times what may be"})
	c.stop()
	return nil, ctx.Err()
}

// TestStoppedBefore: a run that is stopped before its first step says what it did.
func TestStoppedBefore(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	m := falling.Model
	m.Build = func(ctx context.Context, k *casefile.Case) (run.Case, error) {
		c, err := falling.Model.Build(ctx, k)
		return &before{c, stop}, err
	}
	j, err := run.New(context.Background(), decoded(t), &m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Run(ctx); err != nil {
		t.Fatal(err)
	}
	s := &j.Summary
	for _, want := range []string{"stopped before the first step", "128 steps of pilot runs", "at t = 0.25 of",
		"in steps of 0.01 s, because the wheel is off"} {
		if !strings.Contains(s.Message, want) {
			t.Errorf("it lacks %q: %s", want, s.Message)
		}
	}
	if s.Status != table.Interrupted {
		t.Errorf("status %v", s.Status)
	}
}
