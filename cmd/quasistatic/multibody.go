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
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/trajectory"
)

// multibodyJob is the run of one case of the model rigid into one folder.
type multibodyJob struct {
	c       *casefile.Case
	m       *casefile.Multibody
	dir     string
	picture bool
	see     func(step int) // nil: nobody watches

	writer  *trajectory.MotionWriter
	expect  *casefile.MultibodyEvaluator
	record  *report.Motion
	summary trajectory.Summary
	stepper *rigid.Stepper
	state   dynamics.State
	energy  dynamics.Energy
	counts  multibodyCounts
}

// multibodyCounts sums up what the printed page says beyond the summary.
type multibodyCounts struct {
	iterations, collisions, painleve, lost int
	drift, correction, penetration, loss   float64
	scheme, projection, normal, joints     float64 // of the ledger [J]
	dependent                              []string
	variation                              [2]float64
}

var _ task = (*multibodyJob)(nil)

func (j *multibodyJob) name() string                { return j.c.Name }
func (j *multibodyJob) folder() string              { return j.dir }
func (j *multibodyJob) result() *trajectory.Summary { return &j.summary }
func (j *multibodyJob) follow(see func(step int))   { j.see = see }

// run computes the motion and leaves its files. The summary is filled in any
// case; the error is of the file system only.
func (j *multibodyJob) run(ctx context.Context) error {
	began := time.Now()
	if err := j.open(); err != nil {
		return err
	}
	err := j.march(ctx)
	j.summary.WallSeconds = time.Since(began).Seconds()
	return errors.Join(err, j.finish())
}

func (j *multibodyJob) open() error {
	w := j.m.World
	j.summary = trajectory.Summary{Name: j.c.Name, Version: version, CaseSHA256: j.c.SHA256, Status: trajectory.Running,
		Until: j.m.Until, StepsPlanned: j.m.Steps, Expectations: []trajectory.Outcome{},
		Motion: &trajectory.Motion{Bodies: w.Bodies(), Tolerance: multibodyTolerance}}
	columns := trajectory.MotionColumns{Elements: j.m.IDs, Dim: w.Dim(), Certificates: multibodyCertificates, Collisions: true}
	columns.Positions, columns.Velocities = motionCoordinates(w, j.m.IDs)
	var err error
	if j.writer, err = trajectory.CreateMotion(j.dir, columns, trajectory.Options{Every: j.m.Every}); err != nil {
		return err
	}
	j.expect = casefile.NewMultibodyEvaluator(j.m)
	if j.picture {
		mu := make([]float64, len(j.m.IDs))
		for i := range mu {
			mu[i] = j.m.Mu
		}
		j.record = report.NewMotion(w, j.m.IDs, j.m.IDs, mu, j.m.Until)
	}
	if err := os.WriteFile(filepath.Join(j.dir, trajectory.CaseFile), j.c.Raw, 0o666); err != nil {
		return errors.Join(err, j.writer.Close())
	}
	return j.summary.Write(j.dir)
}

// multibodyTolerance is the merit above which a step fails, the default of
// [rigid.Options].
const multibodyTolerance = 1e-8

func (j *multibodyJob) march(ctx context.Context) error {
	s := &j.summary
	var err error
	if j.stepper, err = rigid.NewStepper(j.m.Model, j.m.Options); err != nil {
		s.Status, s.Message = trajectory.Failed, err.Error()
		return nil
	}
	s.Status = trajectory.Done
	fileErr, stopped := j.observe(0), ""
	for k := 1; k <= j.m.Steps && fileErr == nil && stopped == ""; k++ {
		if err = ctx.Err(); err == nil {
			err = j.stepper.Step(ctx, j.m.H())
		}
		switch {
		case err == nil:
			fileErr = j.observe(k)
		case ctx.Err() != nil:
			s.Status, stopped = trajectory.Interrupted, fmt.Sprintf("stopped after step %d of %d", k-1, j.m.Steps)
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

// observe takes step k, 0 being the start.
func (j *multibodyJob) observe(k int) error {
	step, m, c := j.stepper.Last(), j.summary.Motion, &j.counts
	e := &step.Energy
	j.state = dynamics.State{T: step.T, Q: step.Q, V: step.V, Ptr: []int{0}}
	j.energy = dynamics.Energy{Kinetic: e.Kinetic, Potential: e.Potential, Friction: e.Friction,
		Impact: e.Impact + e.Normal + e.Joints + e.Scheme + e.Projection, Loads: e.Loads, Residual: e.Residual}
	m.Solves, m.Stalled = m.Solves+step.Solves, m.Stalled+step.Stalled
	m.Residual = max(m.Residual, step.Residual)
	m.Open, m.Stick, m.Slide = m.Open+step.Open, m.Stick+step.Stick, m.Slide+step.Slip
	m.Events += len(step.Collisions)
	m.Energy, m.Balance = j.energy, max(m.Balance, math.Abs(e.Residual))
	j.summary.Steps, j.summary.Time = k, step.T
	c.count(step)
	forces := j.bodyForces()
	err := j.leave(step)
	j.expect.Observe(step)
	if j.record != nil {
		j.record.Observe(&dynamics.Step{State: &j.state}, &j.energy, forces)
	}
	if j.see != nil && k > 0 {
		j.see(k)
	}
	return errors.Join(err, j.writer.Observe(k, &j.state, &j.energy))
}

// bodyForces sums the contact forces of each body: normal ones, and tangential
// ones in the frames of the contacts in which it is the first body.
func (j *multibodyJob) bodyForces() []float64 {
	dim, forces := j.m.World.Dim(), j.writer.Forces()
	j.stepper.Touches(func(t *bodies.Touch, f [3]float64) {
		for d := range dim {
			forces[dim*t.A+d] += f[d]
		}
		if t.B >= 0 {
			forces[dim*t.B] += f[0]
		}
	})
	return forces
}

func (c *multibodyCounts) count(step *rigid.Step) {
	c.iterations += step.Iterations
	c.collisions += len(step.Collisions)
	for i := range step.Collisions {
		c.loss += step.Collisions[i].Loss
	}
	if step.Painleve > 0 {
		c.painleve++
	}
	if step.Pointed == rigid.ConeLost {
		c.lost++
	}
	c.drift, c.correction, c.penetration = max(c.drift, step.Drift), max(c.correction, step.Correction), max(c.penetration, step.Penetration)
	if len(step.Dependent) > 0 {
		c.dependent = step.Dependent
	}
	c.variation = step.Variation
	e := &step.Energy
	c.scheme, c.projection, c.normal, c.joints = e.Scheme, e.Projection, e.Impact+e.Normal, e.Joints
}

func (j *multibodyJob) finish() error {
	s := &j.summary
	s.Expectations = j.expect.Outcomes()
	s.Met = allMet(s.Expectations)
	err := j.writer.Close()
	if j.record != nil && s.Steps > 0 {
		err = errors.Join(err, j.record.Draw(j.dir, j.c.Name))
	}
	return errors.Join(err, s.Write(j.dir))
}

// print prints what a run computed and what its numbers are worth.
func (j *multibodyJob) print(w io.Writer) error {
	var p page
	s, m, c := &j.summary, j.summary.Motion, &j.counts
	p.title(j.c)
	p.line("computed", "t = 0 … %g s in %d steps of %g s, %s in %d dimensions; %s", s.Time, s.Steps, j.m.H(), bodiesText(m.Bodies), j.m.World.Dim(), j.schemeText())
	if s.Steps > 0 {
		p.line("contact", "contact steps: %d stick, %d slip, %d open; %d collisions, %.4g J lost in them", m.Stick, m.Slide, m.Open, c.collisions, c.loss)
		p.line("forces", "residual <= %.2g of %.2g allowed", m.Residual, m.Tolerance)
		if m.Stalled > 0 {
			p.line("", "%d of %d contact problems stalled short of the usual 1e-11", m.Stalled, m.Solves)
		}
		p.line("geometry", "joints apart <= %.2g (corrected by <= %.2g a step), penetration <= %.2g m", c.drift, c.correction, c.penetration)
		for _, name := range c.dependent {
			p.line("", "%s has rows that say nothing new: its forces are not unique", name)
		}
		if c.painleve > 0 {
			p.line("", "%d steps in configurations of Painlevé: sliding contacts that a push pulls together", c.painleve)
		}
		if c.lost > 0 {
			p.line("", "%d steps with a friction cone that is not pointed (3.1): impulses are not bounded", c.lost)
		}
		e := &m.Energy
		p.line("energy", "kinetic %.4g J, potential %.4g J; work of loads %.4g J", e.Kinetic, e.Potential, e.Loads)
		p.line("", "dissipated: friction %.4g J, impacts and normal forces %.4g J, joints %.4g J", e.Friction, c.normal, c.joints)
		p.line("balance", "closes to %.2g J (rounding); lost to the step length %.3g J, to projections %.3g J, both O(h)", m.Balance, c.scheme, c.projection)
		p.line("variation", "of v %.6g, of v^α %.6g", c.variation[0], c.variation[1])
		p.line("solver", "%d contact problems, %d iterations, %s, %.3g µs a step", m.Solves, c.iterations, seconds(s.WallSeconds), 1e6*s.WallSeconds/float64(s.Steps))
	}
	p.expectations(s.Expectations)
	p.verdict(s)
	p.line("files", "%s", j.dir)
	_, err := io.WriteString(w, p.String())
	return err
}

func (j *multibodyJob) schemeText() string {
	o := &j.m.Options
	alpha := o.Alpha
	if alpha == 0 {
		alpha = 1
	}
	gamma := o.Gamma
	if !o.ExplicitGamma {
		gamma = alpha
	}
	text := fmt.Sprintf("α = %g, γ = %g", alpha, gamma)
	if o.Unstabilised {
		text += ", not stabilised"
	}
	return text
}
