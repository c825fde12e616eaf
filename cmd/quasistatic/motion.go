package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/trajectory"
)

// motionJob is the run of one case of the models compliant and theta into one
// folder.
type motionJob struct {
	c       *casefile.Case
	m       *casefile.Motion
	dir     string
	picture bool
	see     func(step int) // nil: nobody watches

	writer   *trajectory.MotionWriter
	expect   *casefile.MotionEvaluator
	record   *report.Motion
	summary  trajectory.Summary
	stepper  *dynamics.Stepper
	elements map[element]int // columns in the files
	names    []string        // of the elements with a column
	states   map[element]dynamics.ContactState
	events   eventLog
	look     pushes
}

// element names an element over the whole run.
type element struct{ key, number int }

func (j *motionJob) name() string                { return j.c.Name }
func (j *motionJob) folder() string              { return j.dir }
func (j *motionJob) result() *trajectory.Summary { return &j.summary }
func (j *motionJob) follow(see func(step int))   { j.see = see }

// run computes the motion and leaves its files. The summary is filled in any
// case; the error is of the file system only.
func (j *motionJob) run(ctx context.Context) error {
	began := time.Now()
	if err := j.open(); err != nil {
		return err
	}
	err := j.march(ctx)
	j.summary.WallSeconds = time.Since(began).Seconds()
	return errors.Join(err, j.finish())
}

// open prepares the folder.
func (j *motionJob) open() error {
	w := j.m.World
	j.summary = trajectory.Summary{Name: j.c.Name, Version: version, CaseSHA256: j.c.SHA256, Status: trajectory.Running,
		Until: j.m.Until, StepsPlanned: j.m.Steps, Expectations: []trajectory.Outcome{},
		Motion: &trajectory.Motion{Bodies: w.Bodies(), Tolerance: contactTolerance}}
	var mu []float64
	j.names, mu, j.elements = elementColumns(j.m)
	j.states = map[element]dynamics.ContactState{}
	columns := trajectory.MotionColumns{Elements: j.names, Dim: w.Dim(), Certificates: motionCertificates}
	columns.Positions, columns.Velocities = j.coordinates()
	var err error
	if j.writer, err = trajectory.CreateMotion(j.dir, columns, trajectory.Options{Every: j.m.Every}); err != nil {
		return err
	}
	j.look = newPushes(j.m)
	j.expect = casefile.NewMotionEvaluator(j.m)
	if j.picture {
		j.record = report.NewMotion(w, j.m.IDs, j.names, mu, j.m.Until)
	}
	if err := os.WriteFile(filepath.Join(j.dir, trajectory.CaseFile), j.c.Raw, 0o666); err != nil {
		return errors.Join(err, j.writer.Close())
	}
	return j.summary.Write(j.dir)
}

// elementColumns names the contact elements that have columns in the files, with μ of
// each and its place.
func elementColumns(m *casefile.Motion) (names []string, mu []float64, place map[element]int) {
	place = map[element]int{}
	for i := range m.Contacts {
		c := &m.Contacts[i]
		for f := range c.Features {
			for e := range c.Elements {
				place[element{c.Key + f, e}] = len(names)
				name := c.Name
				if n := c.Features * c.Elements; n > 1 {
					name = fmt.Sprintf("%s.%d", c.Name, f*c.Elements+e+1)
				}
				names, mu = append(names, name), append(mu, c.Mu)
			}
		}
	}
	return names, mu, place
}

// coordinates names the columns of q and v.
func (j *motionJob) coordinates() (q, v []string) {
	return motionCoordinates(j.m.World, j.m.IDs)
}

func motionCoordinates(w *bodies.World, ids []string) (q, v []string) {
	for i, id := range ids {
		for _, axis := range []string{"x", "y", "z"}[:w.Dim()] {
			q, v = append(q, id+"."+axis), append(v, id+".v"+axis)
		}
		switch {
		case !w.Spins(i):
		case w.Dim() == 2:
			q, v = append(q, id+".angle"), append(v, id+".spin")
		default:
			q = append(q, id+".qw", id+".qx", id+".qy", id+".qz")
			v = append(v, id+".wx", id+".wy", id+".wz")
		}
	}
	return q, v
}

// contactTolerance is the relative residual that every contact problem keeps.
const contactTolerance = 1e-8

// march makes the steps. What stops it early is in the summary; the error is of
// the file system.
func (j *motionJob) march(ctx context.Context) error {
	s := &j.summary
	v0, stopped := j.startVelocity(ctx)
	if stopped == "" {
		o := j.m.Options
		o.Tolerance = contactTolerance
		var err error
		if j.stepper, err = dynamics.NewStepper(j.m.World, j.m.Q0, v0, o); err != nil {
			s.Status, stopped = trajectory.Failed, err.Error()
		}
	}
	if stopped != "" {
		s.Message = stopped
		return nil
	}
	s.Status = trajectory.Done
	fileErr := j.start()
	for k := 1; k <= j.m.Steps && fileErr == nil && stopped == ""; k++ {
		err := ctx.Err()
		if err == nil {
			err = j.stepper.Step(ctx, j.m.H())
		}
		switch {
		case err == nil:
			fileErr = j.observe(k)
		case ctx.Err() != nil:
			s.Status, stopped = trajectory.Interrupted, fmt.Sprintf("stopped after step %d of %d, at t=%g of %g", k-1, j.m.Steps, j.stepper.State().T, j.m.Until)
		default:
			s.Status, stopped = trajectory.Failed, err.Error()
		}
	}
	s.Certified = stopped == "" && fileErr == nil
	if fileErr != nil {
		s.Status, stopped = trajectory.Failed, fileErr.Error()
	}
	s.Message = stopped
	return fileErr
}

// startVelocity returns v(0): that of the case, or the solution of its boundary
// values.
func (j *motionJob) startVelocity(ctx context.Context) (v0 []float64, stopped string) {
	t := j.m.Boundary
	if t == nil {
		return j.m.V0, ""
	}
	r, err := dynamics.SolveBoundary(ctx, j.m.World, &dynamics.State{Q: j.m.Q0, V: j.m.V0}, &t.Boundary, t.Options)
	if r != nil {
		e := r.Existence
		j.summary.Motion.Boundary = &trajectory.BoundaryValue{Residual: finite(r.Residual), Tolerance: max(t.Options.Tolerance, 1e-10), Method: r.Method,
			Integrations: r.Integrations, V0: r.V0, Solutions: r.Solutions, Rate: finite(r.Rate),
			Applies: e.Applies, Rank: e.Rank, Psi: e.Psi, Left: finite(e.Left), Right: e.Right, Holds: e.Holds}
		j.expect.V0, j.expect.Residual = r.V0, r.Residual
	}
	switch {
	case err == nil:
		return r.V0, ""
	case ctx.Err() != nil:
		j.summary.Status = trajectory.Interrupted
		return nil, "stopped while solving for the boundary values"
	}
	j.summary.Status = trajectory.Failed
	return nil, err.Error()
}

// finite replaces what JSON cannot hold.
func finite(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case math.IsInf(x, 0):
		return math.Copysign(math.MaxFloat64, x)
	}
	return x
}

// start writes the state at t = 0.
func (j *motionJob) start() error {
	ledger := j.stepper.Ledger()
	j.writer.Forces()
	j.expect.Start(j.stepper)
	if j.record != nil {
		j.record.Observe(&dynamics.Step{State: j.stepper.State()}, &ledger, j.writer.Forces())
	}
	return j.writer.Observe(0, j.stepper.State(), &ledger)
}

// observe takes step k.
func (j *motionJob) observe(k int) error {
	step, ledger := j.stepper.Last(), j.stepper.Ledger()
	m := j.summary.Motion
	m.Solves += step.Solves
	m.Pivots += step.Pivots
	m.Residual, m.Rounds = max(m.Residual, step.Residual), max(m.Rounds, step.Rounds)
	m.Open, m.Stick, m.Slide = m.Open+step.Open, m.Stick+step.Stick, m.Slide+step.Slide
	m.Energy, m.Balance = ledger, max(m.Balance, math.Abs(ledger.Residual))
	j.summary.Steps, j.summary.Time = k, step.State.T

	dim := j.m.World.Dim()
	forces := j.writer.Forces()
	var err error
	casefile.EachElement(dim, step, func(key, number int, state dynamics.ContactState, lambda, _ []float64) {
		id := element{key, number}
		if c, ok := j.elements[id]; ok {
			copy(forces[dim*c:], lambda)
		}
		if before := j.states[id]; before != state && (k > 1 || state == dynamics.Slide) {
			m.Events++
			err = errors.Join(err, j.event(step.State.T, id, before, state))
		}
		j.states[id] = state
	})
	j.look.push(j.writer, step)
	j.expect.Observe(step, &ledger)
	if j.record != nil {
		j.record.Observe(step, &ledger, forces)
	}
	if j.see != nil {
		j.see(k)
	}
	return errors.Join(err, j.writer.Observe(k, step.State, &ledger))
}

// event records a change of state.
func (j *motionJob) event(t float64, id element, from, to dynamics.ContactState) error {
	name := ""
	if c, ok := j.elements[id]; ok {
		name = j.names[c]
	} else {
		a, b := j.m.World.KeyOf(id.key)
		name = fmt.Sprintf("%s/%s.%d", j.m.IDs[a], j.m.IDs[b], id.number+1)
	}
	if j.events.total++; len(j.events.first) < listed {
		j.events.first = append(j.events.first, fmt.Sprintf("t=%.6g %s: %s → %s", t, name, from, to))
	}
	return j.writer.Event(t, name, from, to)
}

// finish closes the files, draws the pictures and writes the summary.
func (j *motionJob) finish() error {
	s := &j.summary
	if s.Steps > 0 {
		small := j.stepper.Smallness()
		s.Motion.ForceRate = small.ForceRate
		s.Motion.Mu, s.Motion.MuBar = j.stepper.SmallnessNow()
		s.Motion.MuBar = finite(s.Motion.MuBar)
	}
	s.Expectations = j.expect.Outcomes()
	s.Met = allMet(s.Expectations)
	err := j.writer.Close()
	if j.record != nil && s.Steps > 0 {
		err = errors.Join(err, j.record.Draw(j.dir, j.c.Name))
	}
	return errors.Join(err, s.Write(j.dir))
}
