package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// multibodyJob is what the model rigid has of its own in a [dynamicJob].
type multibodyJob struct {
	*base
	m *casefile.Multibody

	writer  *table.MotionWriter
	expect  *casefile.MultibodyEvaluator
	stepper *rigid.Stepper
	state   dynamics.State
	energy  dynamics.Energy
	memory  multibodyMemory
	spare   multibodyMemory
}

// multibodyState is a [multibodyJob] at a checkpoint.
type multibodyState struct {
	Stepper rigid.Checkpoint
	Expect  casefile.MultibodyProgress
	Memory  multibodyMemory
}

func newMultibodyJob(c *casefile.Case, m *casefile.Multibody, dir string) *dynamicJob {
	j := &multibodyJob{base: newBase(c, dir, m.Until, m.Steps, nil), m: m}
	j.summary.Motion = &table.Motion{Bodies: m.World.Bodies(), Tolerance: multibodyTolerance, Multibody: &table.Multibody{}}
	return &dynamicJob{base: j.base, dynamicModel: j, format: m.Format}
}

// open opens the files and the observers, new or at a checkpoint.
func (j *multibodyJob) open(from *dynamicCheckpoint) error {
	columns := multibodyColumns(j.m)
	o := table.Options{Every: j.m.Every}
	j.expect = casefile.NewMultibodyEvaluator(j.m)
	if from == nil {
		var err error
		j.writer, err = table.CreateMotion(j.dir, columns, o)
		return err
	}
	c := from.Multibody
	j.memory = c.Memory
	if err := j.expect.Load(&c.Expect); err != nil {
		return err
	}
	var err error
	j.writer, err = table.ResumeMotion(j.dir, columns, o, &from.Marks)
	return err
}

// multibodyColumns describes the files.
func multibodyColumns(m *casefile.Multibody) table.MotionColumns {
	return table.MotionColumns{World: m.World, Rigid: m.Model, IDs: m.IDs, Obstacles: m.Obstacles, Elements: m.IDs, Certificates: multibodyCertificates}
}

// save stores what is the model's own.
func (j *multibodyJob) save(c *dynamicCheckpoint) error {
	s := &multibodyState{Expect: j.expect.Save(), Memory: j.memory}
	j.stepper.Save(&s.Stepper)
	c.Multibody = s
	var err error
	c.Marks, err = j.writer.Mark()
	return err
}

// multibodyTolerance is the merit above which a step fails, the default of
// [rigid.Options].
const multibodyTolerance = 1e-8

// begin makes the stepper.
func (j *multibodyJob) begin(_ context.Context, from *dynamicCheckpoint) error {
	var err error
	j.stepper, err = rigid.NewStepper(j.m.Model, j.m.Options)
	if err == nil && from != nil {
		err = j.stepper.Load(&from.Multibody.Stepper)
	}
	return err
}

func (j *multibodyJob) advance(ctx context.Context) error { return j.stepper.Step(ctx, j.m.H()) }
func (j *multibodyJob) now() float64                      { return j.stepper.Last().T }

func (j *multibodyJob) sum() float64 {
	e := &j.stepper.Last().Energy
	return sizes(e.Kinetic, e.Potential, e.Elastic, e.Friction, e.Normal, e.Impact, e.Joints, e.Loads, e.Scheme, e.Projection, e.Residual)
}

// projected is the largest −Φ [m] and |Θ| of a certified run with projection: that
// goes to 1e-10, and a start of typed digits may have more.
const projected = 1e-8

// unstableText objects to α < ½.
func unstableText(alpha float64) string {
	return fmt.Sprintf("\"alpha\": %g: what joints and contacts are off by grows by (1−α)/α = %.4g a step; the convergence theorem asks for α >= 1/2", alpha, (1-alpha)/alpha)
}

// wrong objects to schemes that do not converge and to contacts that do work.
func (j *multibodyJob) wrong() string {
	c := j.summary.Motion.Multibody
	if a := j.m.Options.Alpha; a > 0 && a < 0.5 {
		return unstableText(a)
	}
	if off := max(c.Drift, c.Penetration); off > projected && !j.m.Options.Unstabilised {
		return fmt.Sprintf("after a step or at the start joints are apart by %.3g, bodies penetrate by %.3g m, more than %g: no place near is free, or the step is too long", c.Drift, c.Penetration, projected)
	}
	if c.Gains == 0 {
		return ""
	}
	return fmt.Sprintf("%s gained %.4g J of kinetic energy, most of it %.4g J at %s, t = %.6g s: Newton's restitution lets contacts with friction do work; \"restitution_law\": \"moreau\" does not",
		count(c.Gains, "collision"), c.Gained, c.MostGain, c.GainAt, c.GainTime)
}

// gains remembers the collision that gained most.
func (j *multibodyJob) gains(step *rigid.Step) {
	c := j.summary.Motion.Multibody
	for i := range step.Collisions {
		x := &step.Collisions[i]
		if gain := x.Gain(); gain > c.MostGain {
			c.MostGain, c.GainAt, c.GainTime = gain, j.m.IDs[x.A]+"/"+j.other(x.B, -1-x.B), x.T
		}
	}
}

// observe takes step k, 0 being the start.
func (j *multibodyJob) observe(k int) error {
	step, m := j.stepper.Last(), j.summary.Motion
	e := &step.Energy
	j.state = dynamics.State{T: step.T, Q: step.Q, V: step.V, Ptr: []int{0}}
	j.energy = dynamics.Energy{Kinetic: e.Kinetic, Potential: e.Potential, Friction: e.Friction,
		Impact: e.Impact + e.Normal + e.Joints + e.Scheme + e.Projection, Loads: e.Loads, Residual: e.Residual}
	m.Solves, m.Stalled = m.Solves+step.Solves, m.Stalled+step.Stalled
	m.Residual = max(m.Residual, step.Residual)
	m.Open, m.Stick, m.Slide = m.Open+step.Open, m.Stick+step.Stick, m.Slide+step.Slip
	m.Energy, m.Balance = j.energy, max(m.Balance, math.Abs(e.Residual))
	m.Multibody.Add(step)
	j.gains(step)
	j.bodyForces()
	err := j.leave(step)
	j.expect.Observe(step)
	return errors.Join(err, j.writer.Observe(k, &j.state, &j.energy))
}

// bodyForces sums the contact forces of each body for the files: normal ones, and tangential
// ones in the frames of the contacts in which it is the first body.
func (j *multibodyJob) bodyForces() {
	dim, forces := j.m.World.Dim(), j.writer.Forces()
	j.stepper.Contacts(func(p *rigid.Present) {
		for d := range dim {
			forces[dim*p.A+d] += p.Force[d]
		}
		if p.B >= 0 {
			forces[dim*p.B] += p.Force[0]
		}
	})
}

// finish closes the files and draws the pictures.
func (j *multibodyJob) finish() error {
	err := j.writer.Close()
	j.summary.Files = j.writer.Sums()
	return err
}

func (j *multibodyJob) layout() *table.Layout {
	c := multibodyColumns(j.m)
	return c.Layout()
}

func (j *multibodyJob) outcomes() []table.Outcome { return j.expect.Outcomes() }

// tell prints what a run computed and what its numbers are worth.
func (j *multibodyJob) tell(p *page) {
	s, m, c := &j.summary, j.summary.Motion, j.summary.Motion.Multibody
	p.line("computed", "t = 0 … %.9g s in %d steps of %g s, %s in %d dimensions; %s", s.Time, s.Steps, j.m.H(), bodiesText(m.Bodies), j.m.World.Dim(), j.schemeText())
	if s.Steps > 0 {
		p.line("contact", "contact steps: %d stick, %d slip, %d open; %s, %.4g J lost in them", m.Stick, m.Slide, m.Open, count(c.Collisions, "collision"), c.Loss)
		p.events(j.events.first, m.Events)
		p.line("forces", "residual <= %.2g of %.2g allowed", m.Residual, m.Tolerance)
		if m.Stalled > 0 {
			p.line("", "%d of %d contact problems stalled short of the usual 1e-11", m.Stalled, m.Solves)
		}
		p.line("geometry", "joints apart <= %.2g (corrected by <= %.2g a step), penetration <= %.2g m", c.Drift, c.Correction, c.Penetration)
		for _, name := range c.Dependent {
			p.line("", "%s has rows that say nothing new: its forces are not unique", name)
		}
		if c.Painleve > 0 {
			p.line("Painlevé", "%s in his configurations: sliding contacts that a push pulls together, where no bounded force may exist; the impulses do", count(c.Painleve, "step"))
		}
		p.cone(j, c)
		e := &m.Energy
		p.line("energy", "kinetic %.4g J, potential %.4g J; work of loads %.4g J", e.Kinetic, e.Potential, e.Loads)
		p.line("", "dissipated: friction %.4g J, impacts and normal forces %.4g J, joints %.4g J", e.Friction, c.Normal, c.Joints)
		p.line("balance", "closes to %.2g J (rounding); lost to the step length %.3g J, to projections %.3g J, both O(h)", m.Balance, c.Scheme, c.Projection)
		p.line("variation", "of v %.6g, of v^α %.6g", c.Variation, c.WeightedVariation)
		p.line("solver", "%d contact problems, %d iterations, %s", m.Solves, c.Iterations, j.perStep())
	}
}

// cone says in how many steps the friction cone was pointed.
func (p *page) cone(j *multibodyJob, c *table.Multibody) {
	if !j.m.Options.Pointedness {
		return
	}
	if lost := c.ConeLost + c.ConeUnknown; lost == 0 {
		p.line("cone", "pointed in all steps (3.1): impulses are bounded, c_FC <= %.4g in (3.3)", c.ConeBound)
		return
	}
	if c.ConeLost > 0 {
		p.line("cone", "not pointed (3.1) in %s: impulses that are not zero cancel, so that forces are not unique", count(c.ConeLost, "step"))
	}
	if c.ConeUnknown > 0 {
		p.line("cone", "undecided in %s", count(c.ConeUnknown, "step"))
	}
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
