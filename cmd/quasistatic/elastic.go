package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/table"
)

// elasticJob is what the model elastodynamic has of its own in a [dynamicJob].
type elasticJob struct {
	*base
	m *casefile.Elastic

	writer  *table.ElasticWriter
	expect  *casefile.ElasticEvaluator
	stepper *elastic.Stepper
	state   []elastic.Contact
	before  []elastic.Contact
}

// elasticState is an [elasticJob] at a checkpoint.
type elasticState struct {
	Stepper elastic.Checkpoint
	Expect  []casefile.LineProgress
}

func newElasticJob(c *casefile.Case, m *casefile.Elastic, dir string) *dynamicJob {
	j := &elasticJob{base: newBase(c, dir, m.Until, m.Steps, m.Files), m: m}
	j.predicted(m.Need, m.Options.Limit)
	j.summary.Elastic = &table.Elastic{Nodes: m.Model.Mesh.NumNodes(), Contacts: len(m.Model.Contacts), Warnings: []string{}}
	return &dynamicJob{base: j.base, dynamicModel: j, format: m.Format}
}

// open opens the files and the observers, new or at a checkpoint.
func (j *elasticJob) open(from *dynamicCheckpoint) error {
	m, o := j.m.Model, table.Options{Every: j.m.Every}
	j.expect = casefile.NewElasticEvaluator(j.m)
	if from == nil {
		var err error
		j.writer, err = table.CreateElastic(j.dir, m, j.m.Until, o)
		return err
	}
	c := from.Body
	if err := j.expect.Load(c.Expect); err != nil {
		return err
	}
	var err error
	j.writer, err = table.ResumeElastic(j.dir, m, j.m.Until, o, &from.Marks)
	return err
}

// save stores what is the model's own.
func (j *elasticJob) save(c *dynamicCheckpoint) error {
	s := &elasticState{Expect: j.expect.Save()}
	j.stepper.Save(&s.Stepper)
	c.Body = s
	var err error
	c.Marks, err = j.writer.Mark()
	return err
}

// begin makes the stepper and takes its certificates.
func (j *elasticJob) begin(ctx context.Context, from *dynamicCheckpoint) error {
	var err error
	if j.stepper, err = elastic.New(ctx, j.m.Model, j.m.Options); err != nil {
		return err
	}
	j.certify()
	if from == nil {
		return nil
	}
	if err := j.stepper.Load(&from.Body.Stepper); err != nil {
		return err
	}
	j.state = j.stepper.Contacts(j.state)
	return nil
}

func (j *elasticJob) advance(ctx context.Context) error { return j.stepper.Step(ctx) }
func (j *elasticJob) now() float64                      { return j.stepper.State().T }

func (j *elasticJob) sum() float64 {
	b, e := j.stepper.Balance(), j.stepper.Energies()
	return sizes(e.Kinetic, e.Elastic, b.Initial, b.External, b.Friction, b.Contact, b.Residual)
}

// identityTolerance is what the energy identity (51) may lack in a step,
// relative to the energies met: the tolerance of a step times the work of its
// forces, with room for stiff bodies.
const identityTolerance = 1e-9

// wrong says what is wrong with the energy identity; central differences have
// none.
func (j *elasticJob) wrong() string {
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
	e.CFL, e.Contraction, e.Closed = c.CFL, c.Contraction, c.Closed
	if !math.IsInf(c.CriticalFriction, 0) {
		e.CriticalMu = c.CriticalFriction
	}
	if j.m.Options.Scheme == elastic.CentralDifference {
		e.StableStep = c.StableStep
	}
	e.Unique = c.Unique
	e.Mass, e.MassFactors[0], e.MassFactors[1] = j.stepper.RigidMass()
	e.Warnings = append([]string{}, c.Warnings...)
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
	j.state, j.before = s.Contacts(j.before), j.state
	var err error
	for i, to := range j.state {
		if k > 0 && to != j.before[i] {
			node := j.m.Model.Contacts[i].Node
			j.events.add(s.State().T, fmt.Sprintf("node %d", node), j.before[i], to)
			err = errors.Join(err, j.writer.Event(s.State().T, node, j.before[i], to))
		}
	}
	j.expect.Observe(s)
	return errors.Join(err, j.writer.Observe(k, k == j.m.Steps, s))
}

// finish closes the files and draws the pictures.
func (j *elasticJob) finish() error {
	err := j.writer.Close()
	j.summary.Files = j.writer.Sums()
	if j.summary.Steps == 0 {
		return err
	}
	err = errors.Join(err, j.writer.Final(j.stepper, j.m.Model.Material))
	return err
}

func (j *elasticJob) layout() *table.Layout {
	return table.ElasticLayout(j.m.Model)
}

func (j *elasticJob) outcomes() []table.Outcome { return j.expect.Outcomes() }

// tell prints what was computed and what its numbers are worth.
func (j *elasticJob) tell(p *page) {
	s, e := &j.summary, j.summary.Elastic
	p.line("computed", "t = 0 … %.10g s in %d steps of %g s, %d nodes, %d in contact", s.Time, s.Steps, j.m.Options.Step, e.Nodes, e.Contacts)
	if s.Steps > 0 {
		p.events(j.events.first, j.events.total)
		b := &e.Balance
		p.line("energy", "kinetic %.6g J, elastic %.6g J, at the start %.6g J in all; work of loads %.4g J", e.Kinetic, e.Elastic, b.Initial, b.External)
		p.line("balance", "identity (51) to %.2g J a step; friction took %.4g J; the contact forces did %.3g J, which tends to 0 with Δt", b.Identity, b.Dissipation, b.Contact)
		p.line("contact", "penetration <= %.2g m, residual <= %.2g, at most %d iterations a step", b.Penetration, e.Residual, e.Most)
		p.elasticStep(e, j.m)
		p.line("solver", "%d iterations, %d factorisations of the contact problem, %s", e.Iterations, e.Factors, j.perStep())
	}
	for _, text := range e.Warnings {
		p.line("warning", "%s", text)
	}
}

// elasticStep prints what the step is worth: stability, uniqueness, and the mass
// that it moves.
func (p *page) elasticStep(e *table.Elastic, m *casefile.Elastic) {
	p.line("mass", "%s", massText(e, m.Model.Inertia))
	switch {
	case e.StableStep > 0:
		p.line("step", "CFL number %.3g; stable by proof up to %.4g s", e.CFL, e.StableStep)
	case m.Friction() == 0:
		p.line("step", "CFL number %.3g; no friction: each step is a convex problem, with one solution", e.CFL)
	default:
		text := "not proven to be unique"
		if e.Unique {
			text = "so that each step has one solution (Theorem 4)"
		}
		if m.Model.Inertia == elastic.Standard {
			p.line("step", "CFL number %.3g; Theorem 4 is about the modified mass: steps are %s", e.CFL, text)
			return
		}
		p.line("step", "CFL number %.3g; the fixed point contracts by <= %.3g%s, %s", e.CFL, e.Contraction, measured(e.Measured), text)
	}
}

// massText tells how much of the mass of its rigid motions the body keeps.
func massText(e *table.Elastic, i elastic.Inertia) string {
	if i == elastic.Standard {
		return "the standard one: the pressure of contacts oscillates"
	}
	var parts []string
	for _, m := range e.Mass {
		parts = append(parts, fmt.Sprintf("%s %.4g %%", m.Mode, 100*m.Used/m.Standard))
	}
	text := "modified, none along the normals of contact nodes; kept: "
	if i == elastic.Redistributed {
		text = fmt.Sprintf("modified and redistributed, nodes have %.3g to %.3g times theirs along the normal; kept: ", e.MassFactors[0], e.MassFactors[1])
	}
	return text + strings.Join(parts, ", ")
}

func measured(factor float64) string {
	if factor == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.3g measured)", factor)
}
