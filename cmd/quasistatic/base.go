package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/table"
)

// base is what the runs of all models have: a case, a folder, and the files in it
// that do not depend on the model.
type base struct {
	c       *casefile.Case
	dir     string
	files   []string // beside the case, that it names
	picture bool
	force   bool     // into a folder that is no run
	removed []string // from that

	pause  time.Duration // between checkpoints; 0: checkpointPause
	unlock func()        // gives the folder back; nil: others may write to it
	steady bool          // between steps, so that it can be saved
	mark   table.CheckpointHead
	began  time.Time
	before float64 // wall time before it was resumed [s]
	saved  time.Time

	summary table.Summary
	events  eventLog
}

func newBase(c *casefile.Case, dir string, until float64, steps int, files []string) *base {
	return &base{c: c, dir: dir, files: files, summary: table.Summary{Name: c.Name, Version: version, CaseSHA256: c.SHA256, Status: table.Running,
		Until: until, StepsPlanned: steps, Expectations: []table.Outcome{}}}
}

func (b *base) common() *base { return b }

// checkpointPause is the time between checkpoints, unless --checkpoint says
// otherwise. One costs about as much as syncing the files.
const checkpointPause = 10 * time.Second

// start starts the clocks and keeps other runs out of the folder, until release.
func (b *base) start() (err error) {
	b.began = time.Now()
	b.saved = b.began
	if b.unlock == nil {
		b.unlock, err = table.Lock(b.dir)
	}
	return err
}

// steadied notes that the run has come to its steps, see [saving].
func (b *base) steadied() {
	if !b.steady {
		b.steady = true
		saving.Add(1)
	}
}

// release gives the folder back.
func (b *base) release() {
	if b.steady {
		b.steady = false
		saving.Add(-1)
	}
	if b.unlock != nil {
		b.unlock()
		b.unlock = nil
	}
}

// wall is the time that the run has taken so far [s].
func (b *base) wall() float64 { return b.before + time.Since(b.began).Seconds() }

// due reports whether it is time for a checkpoint.
func (b *base) due() bool {
	pause := b.pause
	if pause == 0 {
		pause = checkpointPause
	}
	return time.Since(b.saved) >= pause
}

// head says to which run the checkpoints belong.
func (b *base) head() (table.CheckpointHead, error) {
	sum := sha256.New()
	sum.Write(b.c.Raw)
	for _, name := range b.files {
		f, err := os.Open(filepath.Join(filepath.Dir(b.c.File), name))
		if err != nil {
			return table.CheckpointHead{}, err
		}
		_, err = io.Copy(sum, f)
		_ = f.Close() // read only
		if err != nil {
			return table.CheckpointHead{}, err
		}
	}
	return table.CheckpointHead{Version: version, Inputs: hex.EncodeToString(sum.Sum(nil))}, nil
}

// clear prepares the folder of a new run: what an earlier one left goes, the case
// and its files come.
func (b *base) clear() error {
	var err error
	if b.mark, err = b.head(); err != nil {
		return err
	}
	b.removed, err = table.Clear(b.dir, b.force, func() error { return errors.Join(b.summary.Write(b.dir), b.forget()) })
	if err != nil {
		return err
	}
	return b.copyInput()
}

// forget takes another case out of the folder: a run that is killed before its own
// case is there must not be resumed as that one.
func (b *base) forget() error {
	name := filepath.Join(b.dir, table.CaseFile)
	text, err := os.ReadFile(name)
	if err != nil || bytes.Equal(text, b.c.Raw) {
		return nil // a folder in its place is found when the case is written
	}
	return os.Remove(name)
}

// copyInput puts the case and its files into the folder. The case comes last: a
// folder that has it can be resumed.
func (b *base) copyInput() error {
	for _, name := range b.files {
		if err := table.CopyFile(b.dir, name, filepath.Join(filepath.Dir(b.c.File), name)); err != nil {
			return err
		}
	}
	return table.WriteFile(filepath.Join(b.dir, table.CaseFile), b.c.Raw)
}

// write replaces the checkpoint of the folder.
func (b *base) write(step int, t float64, state any) error {
	b.mark.Step, b.mark.Time = step, t
	if err := table.WriteCheckpoint(b.dir, b.mark, state); err != nil {
		return err
	}
	b.saved = time.Now()
	return nil
}

// read reads the checkpoint of the folder. It fails with
// table.ErrNoCheckpoint if there is none.
func (b *base) read(state any) error {
	var err error
	if b.mark, err = b.head(); err != nil {
		return err
	}
	head, err := table.ReadCheckpoint(b.dir, b.mark, state)
	if err == nil {
		b.mark = head
	}
	return err
}

// resumed says from where a run goes on.
func (b *base) resumed() string {
	if b.mark.Bytes == 0 {
		return fmt.Sprintf("%s has no checkpoint yet: the run begins anew", b.dir)
	}
	return fmt.Sprintf("goes on after step %d of %d, at t=%.10g", b.mark.Step, b.summary.StepsPlanned, b.mark.Time)
}

// errBeforeFirst says that a run was stopped before there was a state to go on from.
var errBeforeFirst = errors.New("stopped before the first step")

// stop turns what ended the steps into the status of the summary. The error
// returned is of the file system; the verdict of a run that is done stays.
func (b *base) stop(ctx context.Context, err error, explain func(error) string) error {
	s := &b.summary
	var files fileError
	switch {
	case err == nil:
		s.Status = table.Done
		return nil
	case errors.As(err, &files):
		s.Status, s.Message = table.Failed, files.Error()
	case errors.Is(err, errBeforeFirst):
		s.Status, s.Message = table.Interrupted, err.Error()
	case ctx.Err() != nil:
		s.Status, s.Message = table.Interrupted, fmt.Sprintf("stopped after step %d of %d, at t=%.10g of %g; quasistatic run --resume %s goes on", s.Steps, s.StepsPlanned, s.Time, s.Until, b.dir)
	default:
		s.Status, s.Message = table.Failed, explain(err)
	}
	s.Certified = false
	return files.error
}

// conclude writes the summary, which makes the run complete, unless a file is
// missing; then what a complete run needs no more goes away.
func (b *base) conclude(err error, tidy func() error) error {
	s := &b.summary
	if err != nil {
		s.Status, s.Certified, s.Message = table.Failed, false, err.Error()
	}
	s.Resumed = 0 // of a run that goes on only: the same summary as if it had not been stopped
	if s.Memory != nil {
		s.Memory.Peak = memory.Peak()
	}
	if err == nil {
		s.Files, err = table.OtherSums(b.dir, s.Files)
	}
	if err = errors.Join(err, s.Write(b.dir)); err != nil || s.Status != table.Done {
		return err
	}
	return tidy()
}

// tidy takes away what a complete run needs no more. A resumed run whose summary
// says that it is complete may have been killed just before, or amid.
func (b *base) tidy() error {
	return errors.Join(table.ClearParts(b.dir), table.ClearCheckpoint(b.dir))
}

// fileError is a fault of the files of a run, not of its evolution.
type fileError struct{ error }

func (e fileError) Unwrap() error { return e.error }

// files marks a fault as one of the files.
func files(err error) error {
	if err == nil {
		return nil
	}
	return fileError{err}
}

func allMet(outcomes []table.Outcome) bool {
	for i := range outcomes {
		if !outcomes[i].Met {
			return false
		}
	}
	return true
}

// eventLog keeps the first changes of contact for the printed summary.
type eventLog struct {
	total int
	first []string
}

// listed is the number of events that are printed.
const listed = 8

// add counts a change.
func (l *eventLog) add(t float64, what string, from, to fmt.Stringer) {
	if l.total++; len(l.first) < listed {
		l.first = append(l.first, fmt.Sprintf("t=%.6g %s: %s → %s", t, what, from, to))
	}
}
