package main

import (
	"context"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// checkpoint is the state of a job at a node: all that the rest of the run and its
// files depend on.
type checkpoint struct {
	Evolution energetic.Checkpoint
	Marks     table.Marks
	Expect    casefile.Progress
	Picture   bool // is drawn when the run ends: as it began
	Events    int
	First     []string
	Jumps     []table.Jump
	Wall      float64     // [s]
	Times     []float64   // of the nodes kept for the global search …
	States    [][]float64 // … and the nodes
}

// save writes a checkpoint of the present node, which was observed.
func (j *job) save(e *energetic.Evolution) error {
	c := checkpoint{Picture: j.picture, Expect: j.expect.Save(), Events: j.events.total, First: j.events.first, Jumps: j.summary.Jumps, Wall: j.wall(), Times: j.global.times, States: j.global.states}
	e.Save(&c.Evolution)
	var err error
	if c.Marks, err = j.writer.Mark(); err != nil {
		return err
	}
	j.mark.Files = c.Marks.Files
	return j.write(c.Evolution.K, c.Evolution.Step.T, &c)
}

// load reads the checkpoint of the folder.
func (j *job) load() error {
	var c checkpoint
	if err := j.read(&c); err != nil {
		return err
	}
	j.from = &c
	return nil
}

// checkpoint saves the present node if it is time, or if the run is to stop: then
// it returns the error of ctx. All nodes up to the present one were observed.
func (j *job) checkpoint(ctx context.Context, e *energetic.Evolution) error {
	j.steadied()
	stop := ctx.Err()
	if stop != nil || j.due() {
		if err := j.save(e); err != nil {
			return fileError{err}
		}
	}
	return stop
}

// evolution begins the evolution, or goes on with it.
func (j *job) evolution(ctx context.Context) (*energetic.Evolution, error) {
	if j.from == nil {
		return energetic.Start(ctx, j.m.Psi, j.m.Start, j.m.Options)
	}
	return energetic.Resume(j.m.Psi, j.m.Options, &j.from.Evolution)
}

// reopen takes up the files of the run to resume.
func (j *job) reopen() error {
	if err := table.ClearParts(j.dir); err != nil {
		return err
	}
	c := j.from
	j.summary.Resumed = j.mark.Step
	if err := j.summary.Write(j.dir); err != nil { // it runs again
		return err
	}
	j.before, j.events = c.Wall, eventLog{c.Events, c.First}
	j.global.times, j.global.states = c.Times, c.States
	j.summary.Jumps = c.Jumps
	if err := j.expect.Load(&c.Expect); err != nil {
		return err
	}
	j.picture = c.Picture
	var err error
	j.writer, err = table.Resume(j.dir, j.m.Psi.System, j.m.IDs, table.Options{Every: j.m.Every}, &c.Marks)
	return err
}
