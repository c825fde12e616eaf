package main

import (
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
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/trajectory"
)

// checkpoint is the state of a job at a node: all that the rest of the run and its
// files depend on.
type checkpoint struct {
	Evolution energetic.Checkpoint
	Marks     trajectory.Marks
	Expect    casefile.Progress
	Picture   *report.Progress
	Events    int
	First     []string
	Jumps     []trajectory.Jump
	Wall      float64 // [s]
}

// checkpointPause is the time between checkpoints, unless --checkpoint says
// otherwise. One costs about as much as syncing the files.
const checkpointPause = 10 * time.Second

// due reports whether it is time for a checkpoint.
func (j *job) due() bool {
	pause := j.pause
	if pause == 0 {
		pause = checkpointPause
	}
	return time.Since(j.saved) >= pause
}

// head says to which run the job's checkpoints belong.
func (j *job) head() (trajectory.CheckpointHead, error) {
	sum := sha256.New()
	sum.Write(j.c.Raw)
	for _, name := range j.m.Files {
		f, err := os.Open(filepath.Join(filepath.Dir(j.c.File), name))
		if err != nil {
			return trajectory.CheckpointHead{}, err
		}
		_, err = io.Copy(sum, f)
		_ = f.Close() // read only
		if err != nil {
			return trajectory.CheckpointHead{}, err
		}
	}
	return trajectory.CheckpointHead{Version: version, Inputs: hex.EncodeToString(sum.Sum(nil))}, nil
}

// save writes a checkpoint of the present node, which was observed.
func (j *job) save(e *energetic.Evolution) error {
	c := checkpoint{Expect: j.expect.Save(), Events: j.events.total, First: j.events.first, Jumps: j.summary.Jumps, Wall: j.before + time.Since(j.began).Seconds()}
	e.Save(&c.Evolution)
	if j.record != nil {
		p := j.record.Save()
		c.Picture = &p
	}
	var err error
	if c.Marks, err = j.writer.Mark(); err != nil {
		return err
	}
	j.mark.Step, j.mark.Time = c.Evolution.K, c.Evolution.Step.T
	if err := trajectory.WriteCheckpoint(j.dir, j.mark, &c); err != nil {
		return err
	}
	j.saved = time.Now()
	return nil
}

// checkpoint saves the present node if it is time, or if the run is to stop: then
// it returns the error of ctx. All nodes up to the present one were observed.
func (j *job) checkpoint(ctx context.Context, e *energetic.Evolution) error {
	stop := ctx.Err()
	if stop != nil || j.due() {
		if err := j.save(e); err != nil {
			return fileError{err}
		}
	}
	return stop
}

// start begins the evolution, or goes on with it.
func (j *job) start(ctx context.Context) (*energetic.Evolution, error) {
	if j.from == nil {
		return energetic.Start(ctx, j.m.Psi, j.m.Start, j.m.Options)
	}
	return energetic.Resume(j.m.Psi, j.m.Options, &j.from.Evolution)
}

// reopen takes up the files of the run to resume.
func (j *job) reopen() error {
	if err := trajectory.ClearParts(j.dir); err != nil {
		return err
	}
	c := j.from
	j.before, j.events.total, j.events.first = c.Wall, c.Events, c.First
	j.summary.Jumps = c.Jumps
	if err := j.expect.Load(&c.Expect); err != nil {
		return err
	}
	j.record = nil // with or without pictures: as the run began
	if c.Picture != nil {
		j.record = report.NewRecorder(j.m.Psi, j.m.IDs, j.m.Until)
		if err := j.record.Load(c.Picture); err != nil {
			return err
		}
	}
	e, err := energetic.Resume(j.m.Psi, j.m.Options, &c.Evolution)
	if err != nil {
		return err
	}
	j.writer, err = trajectory.Resume(j.dir, j.m.Psi.System, j.m.IDs, trajectory.Options{Every: j.m.Every}, c.Marks, e.Node())
	return err
}

// errNothingToDo says that the run to resume is complete.
var errNothingToDo = errors.New("the run is complete, nothing is left to do")

// resumable returns the job that goes on with a run folder: from its checkpoint,
// or from the start if it was stopped before the first one.
func resumable(dir string) (*job, error) {
	f, err := openFolder("run --resume", dir)
	if err != nil {
		return nil, err
	}
	j := &job{c: f.c, m: f.m, dir: dir}
	if f.summary != nil && f.summary.Status == trajectory.Done {
		j.summary = *f.summary
		if err := j.tidy(); err != nil {
			return nil, err
		}
		return j, errNothingToDo
	}
	if j.mark, err = j.head(); err != nil {
		return nil, inputError("run --resume: %v", err)
	}
	var c checkpoint
	_, err = trajectory.ReadCheckpoint(dir, j.mark, &c)
	switch {
	case errors.Is(err, trajectory.ErrNoCheckpoint):
		return j, nil
	case err != nil:
		return nil, inputError("run --resume: %v", err)
	}
	j.from = &c
	return j, nil
}

// resumed says from where a run goes on.
func (j *job) resumed() string {
	if j.from == nil {
		return fmt.Sprintf("%s has no checkpoint yet: the run begins anew", j.dir)
	}
	return fmt.Sprintf("goes on after step %d of %d, at t=%g", j.from.Evolution.K, j.m.Steps, j.from.Evolution.Step.T)
}
