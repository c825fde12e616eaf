package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
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
	watch func(n *energetic.Node)

	writer  *trajectory.Writer
	expect  *casefile.Evaluator
	record  *report.Recorder
	summary trajectory.Summary
	verdict energetic.Summary
	last    *energetic.Node // observed; nil before the first
	events  eventLog
}

// run computes the evolution and leaves its files. The summary is filled in any
// case; the error is of the file system only.
func (j *job) run(ctx context.Context) error {
	began := time.Now()
	if err := j.open(); err != nil {
		return err
	}
	end, err := j.march(ctx)
	j.summary.WallSeconds = time.Since(began).Seconds()
	return errors.Join(err, j.finish(end))
}

// open prepares the folder.
func (j *job) open() error {
	sys := j.m.Psi.System
	j.summary = trajectory.Summary{Name: j.c.Name, Version: version, CaseSHA256: j.c.SHA256, Status: trajectory.Running,
		Until: j.m.Until, Particles: sys.N(), StepsPlanned: j.m.Steps, Expectations: []trajectory.Outcome{}}
	for p := range sys.N() {
		if sys.Constrained(p) {
			j.summary.Constrained++
		}
	}
	var err error
	if j.writer, err = trajectory.Create(j.dir, sys, j.m.IDs, trajectory.Options{Every: j.m.Every}); err != nil {
		return err
	}
	j.expect = casefile.NewEvaluator(j.m)
	if j.picture {
		j.record = report.NewRecorder(j.m.Psi, j.m.IDs)
	}
	j.events.ids = j.m.IDs
	if err := j.copyInput(); err != nil {
		return errors.Join(err, j.writer.Close())
	}
	return nil
}

// copyInput puts the case and its matrices into the folder.
func (j *job) copyInput() error {
	if err := os.WriteFile(filepath.Join(j.dir, trajectory.CaseFile), j.c.Raw, 0o666); err != nil {
		return err
	}
	for _, name := range j.m.Files {
		if err := trajectory.CopyFile(j.dir, name, filepath.Join(filepath.Dir(j.c.File), name)); err != nil {
			return err
		}
	}
	return j.summary.Write(j.dir)
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
	return err.Error()
}

// finish closes the files, draws the picture and writes the summary.
func (j *job) finish(end *energetic.Node) error {
	s := &j.summary
	s.Expectations = j.expect.Outcomes()
	s.Met = allMet(s.Expectations)
	err := j.writer.Close()
	if j.record != nil && end != nil {
		err = errors.Join(err, j.record.Draw(j.dir, j.c.Name))
	}
	return errors.Join(err, s.Write(j.dir))
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
