package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/quasistatic/quasistatic/table"
)

// dynamicJob is the run of one case of a dynamic model into one folder.
type dynamicJob struct {
	*base
	dynamicModel
	format table.Format
	from   *dynamicCheckpoint // to resume from; nil: a new run
	see    func(step int)     // nil: nobody watches
	fault  error              // that ended the steps; nil: none
}

// dynamicModel is what differs from model to model.
type dynamicModel interface {
	stepping
	recording
	telling
}

// stepping advances the state.
type stepping interface {
	// begin makes the stepper, at t = 0 or at a checkpoint.
	begin(ctx context.Context, from *dynamicCheckpoint) error
	advance(ctx context.Context) error
	now() float64 // time of the present state [s]
	// sum is the size of all that the energy balance adds up [J].
	sum() float64
	// wrong says what is wrong with a run whose steps are all solved; "": nothing.
	wrong() string
}

// recording leaves the files. Errors are of the file system.
type recording interface {
	// open opens the files and the observers, new or at a checkpoint.
	open(from *dynamicCheckpoint) error
	// observe takes step k, 0 being the start.
	observe(k int) error
	save(c *dynamicCheckpoint) error
	// finish closes the files and draws the pictures.
	finish() error
	layout() *table.Layout
	outcomes() []table.Outcome
}

// telling prints what was computed, and what to do after a failed step.
type telling interface {
	tell(p *page)
	advise(p *page, fault error)
	said() *stepLine // about the last step
}

// dynamicCheckpoint is the state of a job after a step: all that the rest of the
// run and its files depend on, that of its model in one of the last three.
type dynamicCheckpoint struct {
	Marks   table.Marks
	Motion  *table.Motion
	Elastic *table.Elastic
	Events  int
	First   []string
	Wall    float64 // [s]
	Picture bool    // is drawn when the run ends: as it began

	Patches   *motionState
	Multibody *multibodyState
	Body      *elasticState
}

var _ task = (*dynamicJob)(nil)

func (j *dynamicJob) follow(see func(step int)) { j.see = see }

// load reads the checkpoint of the folder.
func (j *dynamicJob) load() error {
	var c dynamicCheckpoint
	if err := j.read(&c); err != nil {
		return err
	}
	j.from = &c
	return nil
}

// run computes the motion and leaves its files. The summary is filled in any
// case; the error is of the file system only.
func (j *dynamicJob) run(ctx context.Context) error {
	err := j.start()
	defer j.release()
	if err == nil {
		err = j.prepare()
	}
	if err != nil {
		return err
	}
	err = j.march(ctx)
	s := &j.summary
	if s.Status == table.Done {
		s.Message = j.wrong()
		s.Certified = s.Message == ""
	}
	s.WallSeconds = j.wall()
	s.Expectations = j.outcomes()
	s.Met = allMet(s.Expectations)
	err = errors.Join(err, j.finish())
	if s.Steps > 0 && err == nil {
		err = j.overview(ctx)
	}
	if err == nil && s.Status == table.Done && j.format != table.CSV {
		_, err = j.files().Export(ctx, j.format, table.ExportOptions{})
	}
	return j.conclude(err, j.tidy)
}

func (j *dynamicJob) files() *table.Folder { return table.NewFolder(j.dir, j.layout()) }

// tidy also takes the CSV files away where another format was asked for.
func (j *dynamicJob) tidy() error {
	var err error
	if j.format != table.CSV {
		err = j.files().ClearMoved()
	}
	return errors.Join(err, j.base.tidy())
}

// prepare prepares the folder, a new one or that of the run to resume.
func (j *dynamicJob) prepare() error {
	c := j.from
	if c == nil {
		if err := j.clear(); err != nil {
			return err
		}
		return j.open(nil)
	}
	if err := table.ClearParts(j.dir); err != nil {
		return err
	}
	s := &j.summary
	s.Resumed = j.mark.Step
	if err := s.Write(j.dir); err != nil { // it runs again
		return err
	}
	j.picture = c.Picture
	j.before, j.events = c.Wall, eventLog{c.Events, c.First}
	s.Motion, s.Elastic, s.Steps, s.Time = c.Motion, c.Elastic, j.mark.Step, j.mark.Time
	return j.open(c)
}

// march makes the steps. What stops it early is in the summary; the error is of
// the file system.
func (j *dynamicJob) march(ctx context.Context) error {
	err := j.begin(ctx, j.from)
	if err != nil && ctx.Err() != nil {
		err = errBeforeFirst
	}
	if err == nil && j.from == nil {
		err = j.look(0)
	}
	for k := j.summary.Steps + 1; k <= j.summary.StepsPlanned && err == nil; k++ {
		if err = j.checkpoint(ctx); err == nil {
			// A step that was begun is ended, for a checkpoint is between two.
			err = j.advance(context.WithoutCancel(ctx))
		}
		if err == nil {
			err = j.look(k)
		}
	}
	return j.stop(ctx, err, func(err error) string {
		j.fault = err
		return err.Error()
	})
}

// errEnergies ends a run whose squares overflow while its state does not.
var errEnergies = errors.New("the energies are not finite: masses, forces or velocities are out of range; change the units")

// look takes step k.
func (j *dynamicJob) look(k int) error {
	if e := j.sum(); !(e <= math.MaxFloat64) {
		return fmt.Errorf("step %d, t = %.9g s: %w", k, j.now(), errEnergies)
	}
	j.summary.Steps, j.summary.Time = k, j.now()
	if err := j.observe(k); err != nil {
		return files(err)
	}
	if j.see != nil {
		j.see(k)
	}
	return nil
}

// checkpoint saves the present state if it is time, or if the run is to stop: then
// it returns the error of ctx.
func (j *dynamicJob) checkpoint(ctx context.Context) error {
	j.steadied()
	stop := ctx.Err()
	if stop == nil && !j.due() {
		return nil
	}
	s := &j.summary
	c := dynamicCheckpoint{Picture: j.picture, Motion: s.Motion, Elastic: s.Elastic, Events: j.events.total, First: j.events.first, Wall: j.wall()}
	err := j.save(&c)
	if err == nil {
		j.mark.Files = c.Marks.Files
		err = j.write(s.Steps, s.Time, &c)
	}
	if err != nil {
		return files(err)
	}
	return stop
}

// print prints what was computed and what its numbers are worth.
func (j *dynamicJob) print(w io.Writer) error {
	var p page
	p.title(j.c)
	j.tell(&p)
	p.memory(j.summary.Memory)
	p.expectations(j.summary.Expectations)
	p.verdict(&j.summary)
	if j.fault != nil {
		j.advise(&p, j.fault)
	}
	p.line("files", "%s", j.dir)
	_, err := io.WriteString(w, p.String())
	return err
}

// perStep is the wall time of a step [µs].
func (b *base) perStep() string {
	return fmt.Sprintf("%s, %.3g µs a step", seconds(b.summary.WallSeconds), 1e6*b.summary.WallSeconds/float64(max(1, b.summary.Steps)))
}
