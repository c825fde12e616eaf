package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/table"
)

// ErrComplete says that the run to resume is complete.
var ErrComplete = errors.New("the run is complete, nothing is left to do")

// ReadSummary returns the summary of a run folder, after a check that it is of the case;
// nil without one: the run was killed before it wrote it.
func ReadSummary(dir string, c *casefile.Case) (*table.Summary, error) {
	s, err := table.ReadSummary(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if s.CaseSHA256 != c.SHA256 {
		return nil, fmt.Errorf("%s is not the case that was run: its SHA-256 is %.12s…, that in the summary %.12s…",
			c.File, c.SHA256, s.CaseSHA256)
	}
	return s, nil
}

// Resume takes up the run in the folder of a task, which it keeps for itself from here on:
// from its checkpoint, or from the start if it was stopped before the first one. With
// [ErrComplete] the task has the summary of the run, and gives the folder back.
func (t *Task) Resume(s *table.Summary) error {
	if s != nil && s.Status == table.Done {
		t.Summary = *s
		if _, err := Folder(t.plan, t.Dir).Verify(context.Background()); err != nil {
			return err
		}
		return errors.Join(ErrComplete, t.tidy())
	}
	var err error
	if t.head, err = t.identity(); err != nil {
		return err
	}
	t.head.Version = build()
	var x state
	head, err := table.ReadCheckpoint(t.Dir, t.head, &x)
	if errors.Is(err, table.ErrNoCheckpoint) {
		return nil
	}
	if err != nil {
		return err
	}
	t.head, t.from = head, &x
	t.Case.Name, t.Summary.Name, t.Summary.StepsPlanned = x.Name, x.Name, x.Steps
	return nil
}

// Hold gives a task the lock of its folder, taken before anything in it was read.
func (t *Task) Hold(unlock func()) { t.unlock = unlock }

// Resumed says from where a run goes on.
func (t *Task) Resumed() string {
	if t.from == nil {
		return fmt.Sprintf("%s has no checkpoint yet: the run begins anew", t.Dir)
	}
	if t.plan.Adaptive { // how many there will be is seen as it goes on
		return fmt.Sprintf("goes on after step %d, at t=%.10g of %g", t.head.Step, t.head.Time, t.Summary.Until)
	}
	return fmt.Sprintf("goes on after step %d of %d, at t=%.10g", t.head.Step, t.Summary.StepsPlanned, t.head.Time)
}

// Foreseen says what of the verdict is known to fail before the run.
func (t *Task) Foreseen() []string { return t.plan.Failing() }

// identity says to which run the checkpoints belong.
func (t *Task) identity() (table.CheckpointHead, error) {
	sum := sha256.New()
	sum.Write(t.Case.Raw)
	for _, name := range t.plan.Files {
		f, err := regular.Open(t.beside(name))
		if err != nil {
			return table.CheckpointHead{}, err
		}
		_, err = io.Copy(sum, f)
		_ = f.Close() // read only
		if err != nil {
			return table.CheckpointHead{}, err
		}
	}
	return table.CheckpointHead{Inputs: hex.EncodeToString(sum.Sum(nil))}, nil
}

// beside is the name of a file that the case names.
func (t *Task) beside(name string) string { return filepath.Join(filepath.Dir(t.Case.File), name) }

// clear prepares the folder of a new run: what an earlier one left goes, the case and its
// files come, the case last: a folder that has it can be resumed.
func (t *Task) clear() error {
	var err error
	if t.head, err = t.identity(); err != nil {
		return err
	}
	t.Removed, err = table.Clear(t.Dir, t.Force, func() error { return errors.Join(t.Summary.Write(t.Dir), t.Forget()) })
	if err != nil {
		return err
	}
	for _, name := range t.plan.Files {
		if err := table.CopyFile(t.Dir, name, t.beside(name)); err != nil {
			return err
		}
	}
	return table.WriteCase(t.Dir, t.Case.Raw)
}

// Forget takes another case out of the folder: a run that is killed before its own case is
// there must not be resumed as that one.
func (t *Task) Forget() error {
	name := filepath.Join(t.Dir, table.CaseFile)
	text, err := regular.ReadFile(name)
	if err != nil || bytes.Equal(text, t.Case.Raw) {
		return nil // a folder in its place is found when the case is written
	}
	return os.Remove(name)
}
