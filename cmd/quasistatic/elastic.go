package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/trajectory"
)

// elasticJob is the run of one case of the model elastodynamic into one folder.
type elasticJob struct {
	c       *casefile.Case
	m       *casefile.Elastic
	dir     string
	picture bool
	see     func(step int) // nil: nobody watches

	writer  *trajectory.ElasticWriter
	expect  *casefile.ElasticEvaluator
	record  *report.Elastic
	summary trajectory.Summary
	stepper *elastic.Stepper
	state   []elastic.Contact
	before  []elastic.Contact
	events  eventLog
}

var _ task = (*elasticJob)(nil)

func (j *elasticJob) name() string                { return j.c.Name }
func (j *elasticJob) folder() string              { return j.dir }
func (j *elasticJob) result() *trajectory.Summary { return &j.summary }
func (j *elasticJob) follow(see func(step int))   { j.see = see }

// run computes the motion and leaves its files. The summary is filled in any
// case; the error is of the file system only.
func (j *elasticJob) run(ctx context.Context) error {
	began := time.Now()
	if err := j.open(); err != nil {
		return err
	}
	err := j.march(ctx)
	j.summary.WallSeconds = time.Since(began).Seconds()
	return errors.Join(err, j.finish())
}

// open prepares the folder.
func (j *elasticJob) open() error {
	m := j.m.Model
	j.summary = trajectory.Summary{Name: j.c.Name, Version: version, CaseSHA256: j.c.SHA256, Status: trajectory.Running,
		Until: j.m.Until, StepsPlanned: j.m.Steps, Expectations: []trajectory.Outcome{},
		Elastic: &trajectory.Elastic{Nodes: m.Mesh.NumNodes(), Contacts: len(m.Contacts), Warnings: []string{}}}
	var err error
	if j.writer, err = trajectory.CreateElastic(j.dir, m.Contacts, m.Mesh, j.m.Until, trajectory.Options{Every: j.m.Every}); err != nil {
		return err
	}
	j.expect = casefile.NewElasticEvaluator(j.m)
	if j.picture {
		j.record = report.NewElastic(m, j.m.Until)
	}
	if err := os.WriteFile(filepath.Join(j.dir, trajectory.CaseFile), j.c.Raw, 0o666); err != nil {
		return errors.Join(err, j.writer.Close())
	}
	for _, name := range j.m.Files {
		if err := trajectory.CopyFile(j.dir, name, filepath.Join(filepath.Dir(j.c.File), name)); err != nil {
			return errors.Join(err, j.writer.Close())
		}
	}
	return j.summary.Write(j.dir)
}

// march makes the steps. What stops it early is in the summary; the error is of
// the file system.
func (j *elasticJob) march(ctx context.Context) error {
	s := &j.summary
	var err error
	if j.stepper, err = elastic.New(ctx, j.m.Model, j.m.Options); err != nil {
		s.Status, s.Message = trajectory.Failed, err.Error()
		return nil
	}
	j.certify()
	s.Status = trajectory.Done
	fileErr, stopped := j.observe(0), ""
	for k := 1; k <= j.m.Steps && fileErr == nil && stopped == ""; k++ {
		err := j.stepper.Step(ctx)
		switch {
		case err == nil:
			fileErr = j.observe(k)
		case ctx.Err() != nil:
			s.Status, stopped = trajectory.Interrupted, fmt.Sprintf("stopped after step %d of %d, at t=%g of %g", k-1, j.m.Steps, j.stepper.State().T, j.m.Until)
		default:
			s.Status, stopped = trajectory.Failed, err.Error()
		}
	}
	if fileErr != nil {
		s.Status, stopped = trajectory.Failed, fileErr.Error()
	}
	if stopped == "" {
		stopped = j.identity()
	}
	s.Certified, s.Message = stopped == "", stopped
	return fileErr
}

// identityTolerance is what the energy identity (51) may lack in a step,
// relative to the energies met: the tolerance of a step times the work of its
// forces, with room for stiff bodies.
const identityTolerance = 1e-9

// identity says what is wrong with the energy identity; central differences have
// none.
func (j *elasticJob) identity() string {
	b := j.stepper.Balance()
	size := math.Abs(b.Initial) + math.Abs(b.External) + math.Abs(b.Friction) + j.stepper.Energies().Total()
	if j.m.Options.Scheme == elastic.Trapezoidal && !(b.Identity <= identityTolerance*size) {
		return fmt.Sprintf("the energy identity (51) is violated by %.3g J in a step, of energies of %.3g J", b.Identity, size)
	}
	return ""
}

// certify takes the numbers that do not change with time.
func (j *elasticJob) certify() {
	c, e := j.stepper.Certificate(), j.summary.Elastic
	e.CFL, e.Contraction = c.CFL, c.Contraction
	if !math.IsInf(c.CriticalFriction, 0) {
		e.CriticalMu = c.CriticalFriction
	}
	e.Warnings = append(e.Warnings, c.Warnings...)
}

// observe takes step k.
func (j *elasticJob) observe(k int) error {
	s, e, st := j.stepper, j.summary.Elastic, j.stepper.Stats()
	e.Iterations += st.Iterations
	e.Factors += st.Factors
	e.Most = max(e.Most, st.Iterations)
	e.Residual = max(e.Residual, st.Residual)
	e.Measured = max(e.Measured, st.Contraction)
	e.Balance = s.Balance()
	if math.IsInf(e.Balance.MaxFriction, 0) {
		e.Balance.MaxFriction = 0 // JSON has no infinities
	}
	e.Kinetic, e.Elastic = s.Energies().Kinetic, s.Energies().Elastic
	j.summary.Steps, j.summary.Time = k, s.State().T
	j.state, j.before = s.Contacts(j.before), j.state
	var err error
	for i, to := range j.state {
		if k > 0 && to != j.before[i] {
			node := j.m.Model.Contacts[i].Node
			if j.events.total++; len(j.events.first) < listed {
				j.events.first = append(j.events.first, fmt.Sprintf("t=%.6g node %d: %s → %s", s.State().T, node, j.before[i], to))
			}
			err = errors.Join(err, j.writer.Event(s.State().T, node, j.before[i], to))
		}
	}
	j.expect.Observe(s)
	if j.record != nil {
		j.record.Observe(s, j.state)
	}
	if j.see != nil {
		j.see(k)
	}
	return errors.Join(err, j.writer.Observe(k, k == j.m.Steps, s))
}

// finish closes the files, draws the pictures and writes the summary.
func (j *elasticJob) finish() error {
	s := &j.summary
	s.Expectations = j.expect.Outcomes()
	s.Met = allMet(s.Expectations)
	err := j.writer.Close()
	if s.Steps > 0 {
		err = errors.Join(err, j.writer.Final(j.stepper, j.m.Model.Material))
		if j.record != nil {
			err = errors.Join(err, j.record.Draw(j.dir, j.c.Name, j.stepper))
		}
	}
	return errors.Join(err, s.Write(j.dir))
}

// print prints what was computed and what its numbers are worth.
func (j *elasticJob) print(w io.Writer) error {
	var p page
	s, e := &j.summary, j.summary.Elastic
	p.title(j.c)
	p.line("computed", "t = 0 … %g s in %d steps of %g s, %d nodes, %d in contact", s.Time, s.Steps, j.m.Options.Step, e.Nodes, e.Contacts)
	if s.Steps > 0 {
		p.events(j.events.first, j.events.total)
		b := &e.Balance
		p.line("energy", "kinetic %.6g J, elastic %.6g J, at the start %.6g J in all; work of loads %.4g J", e.Kinetic, e.Elastic, b.Initial, b.External)
		p.line("balance", "identity (51) to %.2g J a step; friction took %.4g J; the contact forces did %.3g J, which tends to 0 with Δt", b.Identity, b.Dissipation, b.Contact)
		p.line("contact", "penetration <= %.2g m, residual <= %.2g, at most %d iterations a step", b.Penetration, e.Residual, e.Most)
		p.line("step", "CFL number %.3g, contraction of the fixed point <= %.3g%s", e.CFL, e.Contraction, measured(e.Measured))
		p.line("solver", "%d iterations, %d factorisations of the contact problem, %s, %.3g µs a step", e.Iterations, e.Factors, seconds(s.WallSeconds), 1e6*s.WallSeconds/float64(s.Steps))
	}
	for _, text := range e.Warnings {
		p.line("warning", "%s", text)
	}
	p.expectations(s.Expectations)
	p.verdict(s)
	p.line("files", "%s", j.dir)
	_, err := io.WriteString(w, p.String())
	return err
}

func measured(factor float64) string {
	if factor == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.3g measured)", factor)
}
