package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// Task is the run of one case of any model into one folder.
type Task struct {
	Case    *casefile.Case
	Model   *Model
	Dir     string
	Summary table.Summary
	// Picture asks for an overview, Pause is the time between checkpoints, and See, if it
	// is not nil, is called after every step.
	Picture bool
	Pause   time.Duration
	OnStep  func(step int)
	// OnSlow is told once, by another goroutine, what a run does that has not ended after Slow.
	OnSlow func(text string)
	Slow   time.Duration
	// Verify asks for a second run at half the step, and puts what changes into the verdict.
	Verify bool
	// Force allows a folder that is no run, from which Removed then was taken.
	Force   bool
	Removed []string
	HadPage bool // the folder had a page, of an earlier run or of the beginning of this one

	built  Case
	plan   *Plan
	run    Run // nil before it began
	out    *Output
	expect *casefile.Evaluator
	fault  error   // that ended the steps; nil: none
	path   *path   // to compare with that at half the step; nil: nobody asks
	loose  *keeper // of a run without a folder; nil: it has one
	// untried: the steps that its verdict names are not tried.
	untried bool
	left    func(dir string) error // looks at what the model of such a run leaves beside the tables; nil: nobody does

	doing    atomic.Pointer[doing] // see slow.go; nil: it has not begun
	unlock   func()                // gives the folder back; nil: others may write to it
	steady   bool                  // between steps, so that it can be saved
	head     table.CheckpointHead
	from     *state // to resume from; nil: a new run
	began    time.Time
	before   float64 // wall time before it was resumed [s]
	saved    time.Time
	lastStep time.Time     // at the start of the present step
	cost     time.Duration // of the last checkpoint
}

// CheckpointPause is the time between checkpoints, unless the user says otherwise. One
// costs about as much as syncing the files.
const CheckpointPause = 10 * time.Second

// New builds a case, to be run into a folder. An error is one of [Build].
func New(ctx context.Context, c *casefile.Case, m *Model, dir string) (*Task, error) {
	built, err := Build(ctx, c, m)
	if err != nil {
		return nil, err
	}
	return Of(c, m, built, dir), nil
}

// Of makes the task of a case that was built.
func Of(c *casefile.Case, m *Model, built Case, dir string) *Task {
	p := built.Plan()
	t := &Task{Case: c, Model: m, Dir: dir, built: built, plan: p, Pause: CheckpointPause, Slow: 10 * time.Second,
		Summary: table.Summary{Name: c.Name, Version: Version(), Processor: processor.Kind(), CaseSHA256: c.SHA256,
			Status: table.Running, Until: p.Until, StepsPlanned: p.Steps, Notes: p.Notes,
			Expectations: []table.Outcome{}, Facts: []table.Fact{}}}
	if len(p.Need.Parts) > 0 {
		t.Summary.Memory = &table.Memory{Predicted: p.Need.Total(), Limit: p.Limit.Bytes, Parts: p.Need.Parts}
	}
	return t
}

// Run computes the evolution and leaves its files. The summary is filled in any case; the
// error is of the file system only.
func (t *Task) Run(ctx context.Context) error {
	t.began = time.Now()
	t.saved, t.lastStep = t.began, t.began
	var err error
	if t.unlock == nil {
		t.unlock, err = table.Lock(t.Dir)
	}
	defer t.release()
	t.HadPage = exists(filepath.Join(t.Dir, table.ReportFile))
	if err == nil {
		err = t.open()
	}
	if err != nil {
		return err
	}
	seen := t.watchSlow()
	err = t.march(ctx)
	seen()
	return t.conclude(t.finish(ctx, err))
}

// open prepares the folder, a new one or that of the run to resume.
func (t *Task) open() error {
	t.expect = casefile.NewEvaluator(t.plan.Expect, t.plan.Until)
	t.out = &Output{subject: t.plan.Subject, until: t.plan.Until}
	t.watch()
	o := table.Options{Every: t.plan.Every}
	var err error
	if t.from == nil {
		if err = t.clear(); err == nil {
			t.out.Tables, err = table.Start(t.Dir, t.plan.Layout, o)
		}
		return err
	}
	s := t.from
	t.Summary.Resumed = t.head.Step
	if err = errors.Join(table.ClearParts(t.Dir), t.Summary.Write(t.Dir)); err != nil { // it runs again
		return err
	}
	t.before, t.out.story, t.out.pending = s.Wall, s.Story, s.Events
	t.Summary.Steps, t.Summary.Time = t.head.Step, t.head.Time
	t.Picture = s.Picture
	if err = t.expect.Load(s.Expect); err == nil {
		t.out.Tables, err = table.Reopen(t.Dir, t.plan.Layout, o, &s.Files)
	}
	return err
}

// finish closes the files, looks at the run as a whole, and fills the summary.
func (t *Task) finish(ctx context.Context, err error) error {
	s := &t.Summary
	err = errors.Join(err, t.out.Close())
	s.Files = t.out.Sums()
	if f, ok := t.run.(Finisher); ok && t.run != nil {
		err = errors.Join(err, f.Finish(ctx, t.Dir, s))
	}
	s.WallSeconds = t.wall()
	s.Expectations = t.outcomes()
	err = t.verdict(ctx, err)
	if err == nil {
		err = t.overview(ctx)
	}
	if err == nil && s.Status == table.Done && t.plan.Format != table.CSV {
		_, err = Folder(t.plan, t.Dir).Export(ctx, t.plan.Format, table.ExportOptions{})
	}
	return err
}

// conclude writes the summary, which makes the run complete, unless a file is missing;
// then what a complete run needs no more goes away.
func (t *Task) conclude(err error) error {
	s := &t.Summary
	if err != nil {
		s.Fail(table.Failed, err.Error())
	}
	s.Resumed = 0 // of a run that goes on only: the same summary as if it had not been stopped
	if s.Memory != nil {
		s.Memory.Peak = memory.Peak()
	}
	if err == nil {
		s.Files, err = Folder(t.plan, t.Dir).Sums(s.Files...)
	}
	if err = errors.Join(err, s.Write(t.Dir)); err != nil || s.Status != table.Done {
		return err
	}
	return t.tidy()
}

// tidy takes away what a complete run needs no more. A resumed run whose summary says that
// it is complete may have been killed just before, or amid.
func (t *Task) tidy() error {
	var err error
	if t.plan.Format != table.CSV {
		err = Folder(t.plan, t.Dir).ClearMoved()
	}
	return errors.Join(err, table.ClearParts(t.Dir), table.ClearCheckpoint(t.Dir))
}

// overview draws the pictures of the run from its files. What cannot be drawn is a warning:
// a picture is no result. The error is of the file system.
func (t *Task) overview(ctx context.Context) error {
	s := &t.Summary
	if s.Steps == 0 || !t.Picture {
		return nil
	}
	warnings, err := draw(ctx, t.built, t.Dir, t.Dir, t.Case.Name)
	s.Warnings = append(s.Warnings, warnings...)
	return err
}

// draw draws the overview of the run in a folder into another one, and returns what could not be
// drawn.
func draw(ctx context.Context, c Case, dir, to, name string) (warnings []string, err error) {
	r := Reader(c, dir)
	defer r.Close() // read only
	// Of a run that was stopped too.
	if _, err := r.Read(context.WithoutCancel(ctx)); err != nil {
		return []string{fmt.Sprintf("the overview is not drawn: %v", err)}, nil
	}
	return r.Overview(to, name)
}

// Folder reads the files of a run.
func Folder(p *Plan, dir string) *table.Folder {
	return table.NewFolder(dir, p.Layout, p.Files...)
}

// Export writes the files of a run in another format, and returns how many rows there were.
func Export(ctx context.Context, p *Plan, dir string, format table.Format, o table.ExportOptions) (rows int, err error) {
	return Folder(p, dir).Export(ctx, format, o)
}

// Reader reads the files of a run for its page: that of the model, or plots of the tables.
func Reader(c Case, dir string) report.Reader {
	files := Folder(c.Plan(), dir)
	var r report.Reader
	if v, ok := c.(Viewer); ok {
		r = v.Reader(dir)
	} else {
		r = report.NewTables(files)
	}
	return report.WithReferences(r, files, references(c.Plan()))
}

// Plan returns that of the case.
func (t *Task) Plan() *Plan { return t.plan }

// Line is about the last step; within See.
func (t *Task) Line() *Line { return t.run.Line() }

// wall is the time that the run has taken so far [s].
func (t *Task) wall() float64 { return t.before + time.Since(t.began).Seconds() }
