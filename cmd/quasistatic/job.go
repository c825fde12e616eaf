package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/trajectory"
)

// job is the run of one case into one folder.
type job struct {
	c       *casefile.Case
	m       *casefile.Model
	dir     string
	picture bool
	// watch sees every node after it was written, for progress bars and tests; nil: none.
	watch  func(n *energetic.Node)
	global *globalTest

	pause  time.Duration // between checkpoints; 0: checkpointPause
	mark   trajectory.CheckpointHead
	from   *checkpoint // to resume from; nil: a new run
	began  time.Time
	before float64 // wall time before it was resumed [s]
	saved  time.Time

	writer  *trajectory.Writer
	expect  *casefile.Evaluator
	record  *report.Recorder
	summary trajectory.Summary
	verdict energetic.Summary
	last    *energetic.Node // observed; nil before the first
	fault   error           // that ended the evolution; nil: none
	events  eventLog
}

// run computes the evolution and leaves its files. The summary is filled in any
// case; the error is of the file system only.
func (j *job) run(ctx context.Context) error {
	began := time.Now()
	j.began, j.saved = began, began
	if err := j.open(); err != nil {
		return err
	}
	end, err := j.march(ctx)
	err = errors.Join(err, j.search(ctx))
	j.summary.WallSeconds = j.before + time.Since(began).Seconds()
	return errors.Join(err, j.finish(ctx, end))
}

// open prepares the folder, a new one or that of the run to resume.
func (j *job) open() error {
	sys := j.m.Psi.System
	j.summary = trajectory.Summary{Name: j.c.Name, Version: version, CaseSHA256: j.c.SHA256, Status: trajectory.Running,
		Until: j.m.Until, Particles: sys.N(), StepsPlanned: j.m.Steps, Expectations: []trajectory.Outcome{}}
	for p := range sys.N() {
		if sys.Constrained(p) {
			j.summary.Constrained++
		}
	}
	j.expect = casefile.NewEvaluator(j.m)
	if j.picture {
		j.record = report.NewRecorder(j.m.Psi, j.m.IDs, j.m.Until)
	}
	j.events.ids = j.m.IDs
	j.global = newGlobalTest(j)
	if j.from != nil {
		return j.reopen()
	}
	return j.create()
}

// create makes the files of a new run.
func (j *job) create() error {
	var err error
	if j.mark, err = j.head(); err != nil {
		return err
	}
	if err := trajectory.Clear(j.dir); err != nil {
		return err
	}
	if err := j.copyInput(); err != nil {
		return err
	}
	j.writer, err = trajectory.Create(j.dir, j.m.Psi.System, j.m.IDs, trajectory.Options{Every: j.m.Every})
	return err
}

// copyInput puts the case and its matrices into the folder. The case comes last:
// a folder that has it can be resumed.
func (j *job) copyInput() error {
	for _, name := range j.m.Files {
		if err := trajectory.CopyFile(j.dir, name, filepath.Join(filepath.Dir(j.c.File), name)); err != nil {
			return err
		}
	}
	if err := j.summary.Write(j.dir); err != nil {
		return err
	}
	return trajectory.WriteAtomic(filepath.Join(j.dir, trajectory.CaseFile), func(w io.Writer) error {
		_, err := w.Write(j.c.Raw)
		return err
	})
}

func (j *job) observe(n *energetic.Node) error {
	j.last = n
	if err := j.writer.Observe(n); err != nil {
		return fileError{err}
	}
	j.expect.Observe(n)
	j.events.observe(n)
	if j.record != nil {
		j.record.Observe(n)
	}
	j.global.observe(n)
	if j.watch != nil {
		j.watch(n)
	}
	return nil
}

// explain names the particle of an unstable start.
func (j *job) explain(err error) string {
	var unstable *energetic.UnstableError
	if errors.As(err, &unstable) {
		return fmt.Sprintf("the start is not in equilibrium, (N3): particle %q is pushed by %.6g N more than friction and obstacle hold, and a better state has %.6g J less; start elsewhere, or let it settle first by \"equilibrate\": true",
			j.m.IDs[unstable.Worst], unstable.Force, unstable.Gap)
	}
	if step, ok := errors.AsType[*incremental.StepError](err); ok && step.Particle >= 0 {
		return fmt.Sprintf("%v (%q); try smaller steps or a larger gamma, and quasistatic check for (N4)", err, j.m.IDs[step.Particle])
	}
	return err.Error()
}

// finish closes the files, draws the picture and writes the summary, which makes
// the run complete. The checkpoint goes last.
func (j *job) finish(ctx context.Context, end *energetic.Node) error {
	s := &j.summary
	s.Expectations = j.expect.Outcomes()
	s.Met = allMet(s.Expectations)
	err := j.writer.Close()
	if j.record != nil && end != nil {
		err = errors.Join(err, j.record.Draw(j.dir, j.c.Name), report.DrawSurfaces(j.dir, j.c.Name, j.m.Psi, end))
	}
	if j.m.Format != trajectory.CSV && s.Status == trajectory.Done && err == nil {
		_, err = trajectory.Export(ctx, j.dir, j.m.Scene, j.m.Format, trajectory.ExportOptions{})
	}
	if err != nil { // the folder lacks files: it is not a complete run
		s.Status, s.Certified, s.Message = trajectory.Failed, false, err.Error()
	}
	if err = errors.Join(err, s.Write(j.dir)); err != nil || s.Status != trajectory.Done {
		return err
	}
	return j.tidy()
}

// tidy takes away what a complete run needs no more. A resumed run whose summary
// says that it is complete may have been killed just before, or amid.
func (j *job) tidy() error {
	err := trajectory.ClearParts(j.dir)
	if j.m.Format != trajectory.CSV {
		err = errors.Join(err, trajectory.ClearFrames(j.dir))
	}
	return errors.Join(err, trajectory.ClearCheckpoint(j.dir))
}

func allMet(outcomes []trajectory.Outcome) bool {
	for i := range outcomes {
		if !outcomes[i].Met {
			return false
		}
	}
	return true
}

// eventLog keeps the first changes of contact for the printed summary.
type eventLog struct {
	ids   []string
	total int
	first []string
}

// listed is the number of events that are printed.
const listed = 8

func (l *eventLog) observe(n *energetic.Node) {
	if n.K == 0 {
		return
	}
	for p, s := range n.States {
		if s == n.Before[p] {
			continue
		}
		if l.total++; len(l.first) < listed {
			l.first = append(l.first, fmt.Sprintf("t=%.6g %s: %s → %s", n.T, l.ids[p], n.Before[p], s))
		}
	}
}
