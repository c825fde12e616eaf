package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// job is the run of one case of the model energetic into one folder.
type job struct {
	*base
	m *casefile.Model
	// watch sees every node after it was written, for progress bars and tests; nil: none.
	watch  func(n *energetic.Node)
	global *globalTest
	from   *checkpoint // to resume from; nil: a new run

	writer  *table.Writer
	expect  *casefile.Evaluator
	verdict energetic.Summary
	last    *energetic.Node // observed; nil before the first
	fault   error           // that ended the evolution; nil: none
}

func newJob(c *casefile.Case, m *casefile.Model, dir string) *job {
	sys := m.Psi.System
	j := &job{base: newBase(c, dir, m.Until, m.Steps, m.Files), m: m, expect: casefile.NewEvaluator(m)}
	j.summary.Particles = sys.N()
	j.predicted(m.Need, m.Limit)
	for p := range sys.N() {
		if sys.Constrained(p) {
			j.summary.Constrained++
		}
	}
	j.global = newGlobalTest(m)
	return j
}

// run computes the evolution and leaves its files. The summary is filled in any
// case; the error is of the file system only.
func (j *job) run(ctx context.Context) error {
	err := j.start()
	defer j.release()
	if err == nil {
		err = j.open()
	}
	if err != nil {
		return err
	}
	end, err := j.march(ctx)
	err = errors.Join(err, j.search(ctx))
	j.summary.WallSeconds = j.wall()
	return errors.Join(err, j.finish(ctx, end))
}

// open prepares the folder, a new one or that of the run to resume.
func (j *job) open() error {
	if j.from != nil {
		return j.reopen()
	}
	err := j.clear()
	if err == nil {
		j.writer, err = table.Create(j.dir, j.m.Psi.System, j.m.IDs, table.Options{Every: j.m.Every})
	}
	return err
}

func (j *job) observe(n *energetic.Node) error {
	j.last = n
	if err := j.writer.Observe(n); err != nil {
		return fileError{err}
	}
	j.expect.Observe(n)
	j.events.observe(n, j.m.IDs)
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

// observe lists the changes of contact at a node.
func (l *eventLog) observe(n *energetic.Node, ids []string) {
	if n.K == 0 {
		return
	}
	for p, s := range n.States {
		if s != n.Before[p] {
			l.add(n.T, ids[p], n.Before[p], s)
		}
	}
}

// finish closes the files, draws the picture and writes the summary, which makes
// the run complete. The checkpoint goes last.
func (j *job) finish(ctx context.Context, end *energetic.Node) error {
	s := &j.summary
	s.Expectations = j.expect.Outcomes()
	s.Met = allMet(s.Expectations)
	err := j.writer.Close()
	s.Files = j.writer.Sums()
	if end != nil {
		err = errors.Join(err, table.WriteBodies(j.dir, j.m.Psi.System, end))
	}
	if end != nil && err == nil {
		err = j.overview(ctx)
	}
	if j.m.Format != table.CSV && s.Status == table.Done && err == nil {
		_, err = table.Export(ctx, j.dir, j.m.Scene, j.m.Format, table.ExportOptions{})
	}
	return j.conclude(err, j.tidy)
}

// tidy also takes the CSV files away where another format was asked for.
func (j *job) tidy() error {
	var err error
	if j.m.Format != table.CSV {
		err = table.ClearFrames(j.dir)
	}
	return errors.Join(err, j.base.tidy())
}
