package run

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// March takes the steps of a run that makes its own.
type March struct {
	*Task
	// Resumed: the present state has its row already.
	Resumed bool
}

// Observe takes the state after step k. Of a run that chooses its steps the number that is planned
// follows.
func (m *March) Observe(k int) error {
	err := m.observe(k)
	if m.plan.Adaptive || k > m.plan.Steps {
		m.foretell()
	}
	return err
}

// Ahead says how many of the planned steps lie ahead of the present state, where a run has states beside theirs.
func (m *March) Ahead(steps int) { m.Summary.StepsPlanned = m.Summary.Steps + steps }

// Evaluate takes what is expected of the present state, whose row was written, anew: it may be
// known since that the run ends with it.
func (m *March) Evaluate() { m.expect.Observe(m.run.Time(), m.run.Value) }

// choose makes steps until done says that the last one was made, and then is the number of
// steps of the run.
func (m *March) choose(ctx context.Context, done func() bool) error {
	if !m.Resumed {
		if err := m.observe(0); err != nil {
			return err
		}
	}
	m.foretell()
	for k := m.Summary.Steps + 1; !done(); k++ {
		if err := m.checkpoint(ctx); err != nil {
			return err
		}
		if err := Step(context.WithoutCancel(ctx), m.run); err != nil {
			return err
		}
		if err := m.observe(k); err != nil {
			return err
		}
		m.foretell()
	}
	m.plan.Steps = m.Summary.Steps
	m.Summary.StepsPlanned = m.plan.Steps
	return nil
}

// foretell plans the steps of the run at the pace of those that were made.
func (m *March) foretell() {
	if k, t := m.Summary.Steps, m.Summary.Time; k > 0 && t > 0 {
		m.Summary.StepsPlanned = k + int(min(1e15, float64(k)*max(0, m.plan.Until/t-1)))
	}
}

// Write writes a row of a table at once.
func (m *March) Write(file string, t float64, words []string, values ...float64) error {
	if err := m.out.Write(file, t, words, values...); err != nil {
		return fileError{err}
	}
	return nil
}

// Checkpoint saves the present state, whose row was written, if it is time or if the run
// is to stop: then it returns the error of ctx.
func (m *March) Checkpoint(ctx context.Context) error { return m.checkpoint(ctx) }

// state is a task at a checkpoint: all that the rest of the run and its files depend on.
type state struct {
	Files  table.Mark
	Expect casefile.Progress
	Story  Story
	Events []Event // that wait for their times
	Wall   float64 // [s]
	Steps  int     // planned, as it went
	Name   string  // of the run, which its case need not have
	// Picture: one is drawn when the run ends, as it began.
	Picture bool
	Run     []byte // what the model saves
}

// ErrBeforeFirst says that a run was stopped before there was a state to go on from.
var ErrBeforeFirst = errors.New("stopped before the first step")

// errEnergies ends a run whose squares overflow while its state does not.
var errEnergies = errors.New("the energies are not finite: masses, forces or velocities are out of range; change the units")

// march makes the steps. What stops it early is in the summary; the error is of the file
// system.
func (t *Task) march(ctx context.Context) error {
	err := t.begin(ctx)
	marcher, marches := t.run.(Marcher)
	chooser, chooses := t.run.(Chooser)
	if chooses = chooses && t.plan.Adaptive; err == nil && (marches || chooses) {
		if m := (&March{t, t.from != nil}); marches {
			if err = marcher.March(ctx, m); err == nil {
				t.Summary.StepsPlanned = t.plan.Steps // a run may choose them
			} else if !t.plan.Adaptive {
				t.Summary.StepsPlanned = max(t.Summary.StepsPlanned, t.plan.Steps)
			}
		} else {
			err = m.choose(ctx, chooser.Done)
		}
		return t.stop(ctx, err)
	}
	if err == nil && t.from == nil {
		err = t.observe(0)
	}
	for k := t.Summary.Steps + 1; k <= t.plan.Steps && err == nil; k++ {
		if err = t.checkpoint(ctx); err == nil {
			// A step that was begun is ended, for a checkpoint is between two.
			err = Step(context.WithoutCancel(ctx), t.run)
		}
		if err == nil {
			err = t.observe(k)
		}
	}
	return t.stop(ctx, err)
}

// begin starts the run, or goes on with it.
func (t *Task) begin(ctx context.Context) error {
	var from Decoder
	if t.from != nil {
		from = gob.NewDecoder(bytes.NewReader(t.from.Run))
	}
	r, err := t.built.Start(ctx, from)
	if r != nil {
		t.run = r
		Connect(t.expect, r)
		if x, ok := r.(Compared); ok {
			x.Beside(func(share float64) { t.expect.Compare(r.Time(), share, r.Value) })
		}
		t.Summary.StepsPlanned = t.plan.Steps // a run may choose them
	}
	if err != nil && ctx.Err() != nil {
		err = ErrBeforeFirst
	}
	return err
}

// Connect tells an evaluator, before the first step, what a run knows of its values.
func Connect(e *casefile.Evaluator, r Run) {
	if x, ok := r.(Averager); ok {
		e.Average(x.Averaged)
	}
	if x, ok := r.(Rated); ok {
		e.Rates(x.Rate)
	}
}

// Evaluate takes the last step of a run, and what is known within it.
func Evaluate(e *casefile.Evaluator, r Run) {
	if x, ok := r.(Inner); ok {
		x.Within(e.Within)
	}
	e.Observe(r.Time(), r.Value)
}

// observe takes step k.
func (t *Task) observe(k int) error {
	now := t.run.Time()
	if e := t.run.Energy(); !(e <= math.MaxFloat64) {
		return fmt.Errorf("step %d, t = %.9g s: %w", k, now, errEnergies)
	}
	if t.out.step = now - t.Summary.Time; t.out.dater == nil {
		t.out.dater, _ = t.run.(Dater)
	}
	if err := t.run.Row(k, t.out); err != nil {
		return fileError{err}
	}
	if err := t.out.date(false); err != nil {
		return fileError{err}
	}
	t.Summary.Steps, t.Summary.Time = k, now
	t.made(k, now)
	Evaluate(t.expect, t.run)
	if m, moves := t.run.(Mover); moves {
		t.out.story.move(now, m.Kinetic(), t.run.Energy())
	}
	if t.path != nil {
		t.path.take(k, t.run)
	}
	if t.OnStep != nil {
		t.OnStep(k)
	}
	return nil
}

// checkpoint saves the present state if it is time, or if the run is to stop: then it
// returns the error of ctx.
func (t *Task) checkpoint(ctx context.Context) error {
	if !t.steady {
		t.steady = true
		saving.Add(1)
	}
	stop := ctx.Err()
	if stop == nil && !t.due() {
		return nil
	}
	began := time.Now()
	if err := t.save(); err != nil {
		return fileError{err}
	}
	t.lastStep = time.Now()
	t.cost = t.lastStep.Sub(began)
	return stop
}

// longStep is how long a step may take and still be ended by a program that was told to
// stop, which has a second for it.
const longStep = 300 * time.Millisecond

// due: the pause is over, or the step before was so long that the next one may be cut off,
// and long enough to make up for what a checkpoint costs.
func (t *Task) due() bool {
	now := time.Now()
	took := now.Sub(t.lastStep)
	t.lastStep = now
	return now.Sub(t.saved) >= t.Pause || took > max(longStep, 10*t.cost)
}

// save replaces the checkpoint of the folder.
func (t *Task) save() error {
	s := state{Expect: t.expect.Save(), Story: t.out.story, Events: t.out.pending, Wall: t.wall(), Steps: t.Summary.StepsPlanned,
		Name: t.Summary.Name, Picture: t.Picture}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(t.run.Save()); err != nil {
		return err
	}
	s.Run = b.Bytes()
	t.head.Step, t.head.Time = t.Summary.Steps, t.Summary.Time
	if t.loose != nil {
		return t.loose.put(t, &s)
	}
	var err error
	if s.Files, err = t.out.Mark(); err != nil {
		return err
	}
	t.head.Files = s.Files.Files
	t.head.Version = build() // not before: it may read the whole program
	if err := table.WriteCheckpoint(t.Dir, t.head, &s); err != nil {
		return err
	}
	t.saved = time.Now()
	return nil
}

// stop turns what ended the steps into the status of the summary. The error returned is of
// the file system.
func (t *Task) stop(ctx context.Context, err error) error {
	s := &t.Summary
	if last := t.out.date(true); last != nil { // of a run that goes on later, too: the file tells what is known
		err = errors.Join(err, fileError{last})
	}
	var files fileError
	switch {
	case err == nil && !t.reached():
		s.Fail(table.Failed, fmt.Sprintf("the run made its %d steps and ends at t = %.10g of %g s", s.Steps, s.Time, s.Until))
	case err == nil:
		s.Status = table.Done
		return nil
	case errors.As(err, &files):
		s.Fail(table.Failed, files.Error())
	case errors.Is(err, ErrBeforeFirst):
		s.Fail(table.Interrupted, joined(err.Error(), t.doing.Load().String()))
	case ctx.Err() != nil:
		s.Fail(table.Interrupted, fmt.Sprintf("stopped after step %d of %d, at t=%.10g of %g%s; quasistatic run --resume %s goes on",
			s.Steps, s.StepsPlanned, s.Time, s.Until, t.doing.Load().because(), t.Dir))
	default:
		t.fault = err
		text := err.Error()
		if a, ok := t.run.(Adviser); ok && t.run != nil {
			text = a.Explain(err)
		}
		s.Fail(table.Failed, text)
	}
	return files.error
}

// atEnd is how near to its end a run has come that made all its steps, relative: a tenth of the
// last step where there are as many as any run makes ([casefile.MostSteps]).
const atEnd = 1e-9

// reached reports whether the run has come to its end. NaN is no end.
func (t *Task) reached() bool {
	end := t.Summary.Until
	if e, ok := t.run.(Ender); ok {
		end = e.End()
	}
	return math.Abs(t.Summary.Time-end) <= atEnd*t.Summary.Until
}

// saving is the number of runs between two of whose steps a checkpoint is worth making.
var saving atomic.Int32

// Saving reports whether a run would save its state if it was told to stop.
func Saving() bool { return saving.Load() > 0 }

// release gives the folder back.
func (t *Task) release() {
	if t.steady {
		t.steady = false
		saving.Add(-1)
	}
	if t.unlock != nil {
		t.unlock()
		t.unlock = nil
	}
}

// fileError is a fault of the files of a run, not of its evolution.
type fileError struct{ error }

func (e fileError) Unwrap() error { return e.error }
