package run

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/table"
)

// Loosely makes a run that has no folder and leaves no files: one of many, of which the
// summary is kept. It goes on from a checkpoint (nil: from the start) and gives a new one
// to keep at the end of each pause, and when ctx ends it (keep nil: none). The error is
// that of keep, of a checkpoint that cannot be read, or of ctx; a case that is wrong, or a
// step that is not solved, is in the summary.
func (t *Task) Loosely(ctx context.Context, from []byte, keep func(checkpoint []byte) error) (*table.Summary, error) {
	t.loose, t.untried = &keeper{keep}, true
	if from != nil {
		if err := t.goOn(from); err != nil {
			return nil, fmt.Errorf("run: checkpoint of %s: %w", t.Case.Name, err)
		}
	}
	return t.runLoosely(ctx, table.Discard(t.plan.Layout))
}

// InMemory makes a run that has no folder and returns what would be in its tables, which may take
// as much memory as the run.
func (t *Task) InMemory(ctx context.Context) (*table.Summary, *table.Columns, error) {
	t.loose, t.Pause = &keeper{}, never
	limit := t.plan.Limit
	if limit.Bytes == 0 { // of a model that predicts nothing
		limit = memory.Free()
	}
	out, columns := table.Collect(t.plan.Layout, table.Options{Every: t.plan.Every}, limit)
	s, err := t.runLoosely(ctx, out)
	return s, columns, err
}

// runLoosely makes a run that leaves no files; its rows go to the tables given.
func (t *Task) runLoosely(ctx context.Context, out *table.Tables) (*table.Summary, error) {
	t.began = time.Now()
	t.saved, t.lastStep = t.began, t.began
	defer t.release()
	t.expect = casefile.NewEvaluator(t.plan.Expect, t.plan.Until)
	t.out = &Output{Tables: out, subject: t.plan.Subject, until: t.plan.Until}
	t.watch()
	if s := t.from; s != nil {
		t.before, t.out.story, t.out.pending = s.Wall, s.Story, s.Events
		t.Summary.Steps, t.Summary.Time = t.head.Step, t.head.Time
		if err := t.expect.Load(s.Expect); err != nil {
			_ = out.Close() // the error at hand comes first
			return nil, fmt.Errorf("run: checkpoint of %s: %w", t.Case.Name, err)
		}
	}
	err := t.march(ctx)
	if err = errors.Join(err, out.Close()); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil && t.Summary.Status == table.Interrupted {
		return nil, context.Cause(ctx)
	}
	return &t.Summary, t.sumUp(ctx)
}

// keeper takes the checkpoints of a run without a folder.
type keeper struct {
	keep func(checkpoint []byte) error // nil: nobody does
}

// looseState is a checkpoint of a run without a folder.
type looseState struct {
	Build string
	Step  int
	Time  float64
	State state
}

// put gives the state of a task away.
func (k *keeper) put(t *Task, s *state) error {
	t.saved = time.Now()
	if k.keep == nil {
		return nil
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&looseState{build(), t.head.Step, t.head.Time, *s}); err != nil {
		return err
	}
	return k.keep(b.Bytes())
}

// goOn sets the task to a checkpoint.
func (t *Task) goOn(from []byte) error {
	var s looseState
	if err := gob.NewDecoder(bytes.NewReader(from)).Decode(&s); err != nil {
		return err
	}
	if s.Build != build() {
		return fmt.Errorf("it is of version %s, this is %s", s.Build, build())
	}
	t.from = &s.State
	t.head.Step, t.head.Time = s.Step, s.Time
	return nil
}

// sumUp fills the summary of a run without a folder. What the model wants to leave goes
// to a folder that is taken away again, if somebody looks at it.
func (t *Task) sumUp(ctx context.Context) error {
	if f, ok := t.run.(Finisher); ok && t.run != nil {
		if err := t.leave(ctx, f); err != nil {
			return err
		}
	}
	t.Summary.Expectations = t.outcomes()
	return t.verdict(ctx, nil)
}

func (t *Task) leave(ctx context.Context, f Finisher) error {
	if t.left == nil {
		return f.Finish(ctx, "", &t.Summary)
	}
	dir, err := os.MkdirTemp("", "quasistatic-")
	if err != nil {
		return err
	}
	if err = f.Finish(ctx, dir, &t.Summary); err == nil {
		err = t.left(dir)
	}
	return errors.Join(err, disk.RemoveAll(dir))
}
