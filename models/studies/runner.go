package studies

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
	"github.com/quasistatic/quasistatic/table"
)

// Runner makes the runs of a study. Safe for concurrent use.
type Runner struct {
	Memory int64          // the most that a run may take [byte]; 0: by its case, else all of Budget
	Budget *memory.Budget // what all runs at once may take; nil: not bounded
	Pause  time.Duration  // between checkpoints; 0: run.CheckpointPause
}

var _ study.Runner = Runner{}

// Run implements [study.Runner].
func (r Runner) Run(ctx context.Context, j *study.Job) (*study.Outcome, error) {
	if isAssembly(j.Text) {
		return assemblyOutcome(ctx, j)
	}
	c, err := models.Grammar().DecodeReserved(j.Base, j.Text)
	if err != nil {
		return refused(j.Base, err)
	}
	c.Memory, c.Observe = r.Memory, j.Observe
	if r.Budget != nil {
		c.Share = r.Budget.Limit.Bytes
	}
	if r.Pause == 0 {
		r.Pause = run.CheckpointPause
	}
	if j.Level != nil {
		return r.level(ctx, c, j.Level)
	}
	if j.Keep == study.KeepAll {
		return r.inFolder(ctx, c, j)
	}
	t, giveBack, err := r.task(ctx, c, "")
	if err != nil {
		return refused(j.Base, err)
	}
	defer giveBack()
	s, err := t.Loosely(ctx, j.From, j.Save)
	if err != nil {
		return nil, err
	}
	o := outcome(s, len(j.Observe))
	if j.Keep == study.KeepSummary {
		if s.Memory != nil {
			s.Memory.Limit = 0 // of this machine, and now
		}
		o.Files, err = s.JSON()
	}
	return o, err
}

// level makes a run of a convergence study.
func (r Runner) level(ctx context.Context, c *casefile.Case, l *study.Level) (*study.Outcome, error) {
	built, err := models.Build(ctx, c)
	if err != nil {
		return refused(c.File, err)
	}
	giveBack, err := r.Budget.Take(ctx, built.Plan().Need.Total())
	if err != nil {
		return nil, err
	}
	defer giveBack()
	o, err := judgedLevel(ctx, c, built, l)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		o = &study.Outcome{Verdict: study.Failed, Message: err.Error()}
	}
	return o, nil
}

// judgedLevel is what a run of a convergence study leaves, with the verdict of the same run by
// itself: what a study compares says nothing of what its runs are worth.
func judgedLevel(ctx context.Context, c *casefile.Case, built run.Case, l *study.Level) (*study.Outcome, error) {
	s, err := run.NewConvergence(c.Name, built, l.Steps, l.Levels.Levels)
	if err != nil {
		return nil, err
	}
	files, err := s.Level(ctx, l.Index)
	if err != nil {
		return nil, err
	}
	own, err := s.Case(ctx, l.Index)
	if err != nil {
		return nil, err
	}
	summary, err := run.Of(c, models.Find(c), own, "").Loosely(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	o := outcome(summary, 0)
	o.Files = files
	return o, nil
}

// task builds a case and waits until the memory that it will take is there.
func (r Runner) task(ctx context.Context, c *casefile.Case, dir string) (t *run.Task, giveBack func(), err error) {
	if t, err = run.New(ctx, c, models.Find(c), dir); err != nil {
		return nil, nil, err
	}
	t.Pause = r.Pause
	need := int64(0)
	if m := t.Summary.Memory; m != nil {
		need = m.Predicted
	}
	giveBack, err = r.Budget.Take(ctx, need)
	return t, giveBack, err
}

// refused takes a case that is wrong for an outcome. Where its folder is on this machine is no
// part of it: the same run has the same outcome everywhere.
func refused(base string, err error) (*study.Outcome, error) {
	if _, ok := errors.AsType[*casefile.Error](err); ok {
		message := err.Error()
		if dir := filepath.Dir(base); len(dir) > 1 { // else there is none in messages, or all is below it
			message = strings.ReplaceAll(message, dir+string(filepath.Separator), "")
		}
		return &study.Outcome{Verdict: study.Refused, Message: message}, nil
	}
	return nil, err
}

// outcome is what a table keeps of a summary whose last expectations are observed.
func outcome(s *table.Summary, observed int) *study.Outcome {
	o := &study.Outcome{Verdict: study.Failed, Met: s.Met, Message: s.Message, Steps: s.Steps}
	switch why := run.Failure(s); {
	case s.Status == table.Done && s.Certified:
		if o.Verdict = study.Certified; run.NotDecided(why) {
			o.Message = why
		}
	case s.Status == table.Done:
		o.Verdict = study.Solved
	}
	for i := range s.Expectations[len(s.Expectations)-observed:] {
		o.Observed = append(o.Observed, s.Expectations[len(s.Expectations)-observed+i].Value)
	}
	return o
}

// inFolder makes a run in a folder of its own, which is kept as a whole.
func (r Runner) inFolder(ctx context.Context, c *casefile.Case, j *study.Job) (*study.Outcome, error) {
	scratch, err := os.MkdirTemp("", "quasistatic-")
	if err != nil {
		return nil, err
	}
	o, err := r.inScratch(ctx, c, j, filepath.Join(scratch, "run"))
	return o, errors.Join(err, disk.RemoveAll(scratch))
}

func (r Runner) inScratch(ctx context.Context, c *casefile.Case, j *study.Job, dir string) (*study.Outcome, error) {
	t, giveBack, err := r.task(ctx, c, dir)
	if err != nil {
		return refused(j.Base, err)
	}
	defer giveBack()
	if j.From != nil {
		if err := study.Unfold(dir, j.From); err != nil {
			return nil, err
		}
		s, err := run.ReadSummary(dir, c)
		if err == nil {
			err = t.Resume(s)
		}
		if err != nil {
			return nil, err
		}
	}
	keep := r.keeper(dir, j)
	t.OnStep = func(int) { keep(false) }
	if err := t.Run(ctx); err != nil {
		return nil, err
	}
	if t.Summary.Status == table.Interrupted {
		return nil, errors.Join(context.Cause(ctx), keep(true))
	}
	o := outcome(&t.Summary, len(j.Observe))
	o.Files, err = study.Fold(dir)
	return o, err
}

// keeper returns what gives the folder away as a checkpoint, now and then. That a
// checkpoint is not kept is no fault: an older one is.
func (r Runner) keeper(dir string, j *study.Job) func(now bool) error {
	last := time.Now()
	return func(now bool) error {
		if j.Save == nil || !now && time.Since(last) < 2*r.Pause {
			return nil
		}
		last = time.Now()
		folder, err := study.Fold(dir, table.CheckpointFile)
		if err == nil {
			err = j.Save(folder)
		}
		return err
	}
}
