package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/table"
)

// motionJob is what the models compliant and theta have of their own in a
// [dynamicJob].
type motionJob struct {
	*base
	m *casefile.Motion

	writer   *table.MotionWriter
	expect   *casefile.MotionEvaluator
	stepper  *dynamics.Stepper
	elements map[element]int // columns in the files
	names    []string        // of the elements with a column …
	mu       []float64       // … and their friction
	states   map[element]dynamics.ContactState
	look     pushes
	began    []float64 // q at the start of the step
}

// element names an element over the whole run.
type element struct{ Key, Number int }

// motionState is a [motionJob] at a checkpoint.
type motionState struct {
	Stepper  dynamics.Checkpoint
	Expect   casefile.MotionProgress
	Elements []element
	States   []dynamics.ContactState
}

func newMotionJob(c *casefile.Case, m *casefile.Motion, dir string) *dynamicJob {
	j := &motionJob{base: newBase(c, dir, m.Until, m.Steps, nil), m: m, states: map[element]dynamics.ContactState{}}
	j.summary.Motion = &table.Motion{Bodies: m.World.Bodies(), Tolerance: contactTolerance}
	j.names, j.mu, j.elements = elementColumns(m)
	return &dynamicJob{base: j.base, dynamicModel: j, format: m.Format}
}

// open opens the files and the observers, new or at a checkpoint.
func (j *motionJob) open(from *dynamicCheckpoint) error {
	columns := motionColumns(j.m)
	o := table.Options{Every: j.m.Every}
	j.look = newPushes(j.m)
	j.expect = casefile.NewMotionEvaluator(j.m)
	if from == nil {
		var err error
		j.writer, err = table.CreateMotion(j.dir, columns, o)
		return err
	}
	c := from.Patches
	for i, e := range c.Elements {
		j.states[e] = c.States[i]
	}
	if err := j.expect.Load(&c.Expect); err != nil {
		return err
	}
	var err error
	j.writer, err = table.ResumeMotion(j.dir, columns, o, &from.Marks)
	return err
}

// save stores what is the model's own.
func (j *motionJob) save(c *dynamicCheckpoint) error {
	s := &motionState{Expect: j.expect.Save()}
	j.stepper.Save(&s.Stepper)
	for e, state := range j.states {
		s.Elements, s.States = append(s.Elements, e), append(s.States, state)
	}
	c.Patches = s
	var err error
	c.Marks, err = j.writer.Mark()
	return err
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

// motionColumns describes the files.
func motionColumns(m *casefile.Motion) table.MotionColumns {
	names, _, _ := elementColumns(m)
	return table.MotionColumns{World: m.World, IDs: m.IDs, Obstacles: m.Obstacles, Elements: names, Pairs: m.World.EveryPair(), Certificates: motionCertificates}
}

// contactTolerance is the relative residual that every contact problem keeps.
const contactTolerance = 1e-8

// begin makes the stepper; at t = 0 it solves for boundary values first.
func (j *motionJob) begin(ctx context.Context, from *dynamicCheckpoint) error {
	v0 := j.m.V0
	if from == nil && j.m.Boundary != nil {
		var err error
		if v0, err = j.startVelocity(ctx); err != nil {
			return err
		}
	}
	o := j.m.Options
	o.Tolerance = contactTolerance
	var err error
	j.stepper, err = dynamics.NewStepper(j.m.World, j.m.Q0, v0, o)
	if err == nil && from != nil {
		err = j.stepper.Load(&from.Patches.Stepper)
		j.began = append(j.began[:0], j.stepper.State().Q...)
	}
	return err
}

func (j *motionJob) advance(ctx context.Context) error { return j.stepper.Step(ctx, j.m.H()) }
func (j *motionJob) now() float64                      { return j.stepper.State().T }
func (j *motionJob) wrong() string                     { return "" }

func (j *motionJob) sum() float64 {
	e := j.stepper.Ledger()
	return sizes(e.Kinetic, e.Potential, e.Stored, e.Viscous, e.Friction, e.Impact, e.Loads, e.Residual)
}

// sizes sums absolute values; not finite, if one of them is not.
func sizes(list ...float64) (sum float64) {
	for _, x := range list {
		sum += math.Abs(x)
	}
	return sum
}

// startVelocity returns the v(0) that solves the boundary values.
func (j *motionJob) startVelocity(ctx context.Context) ([]float64, error) {
	t := j.m.Boundary
	r, err := dynamics.SolveBoundary(ctx, j.m.World, &dynamics.State{Q: j.m.Q0, V: j.m.V0}, &t.Boundary, t.Options)
	if r == nil {
		return nil, err
	}
	e := r.Existence
	j.summary.Motion.Boundary = &table.BoundaryValue{Residual: finite(r.Residual), Tolerance: max(t.Options.Tolerance, 1e-10), Method: r.Method,
		Integrations: r.Integrations, V0: finiteAll(r.V0), Solutions: r.Solutions, Rate: finite(r.Rate),
		Applies: e.Applies, Rank: e.Rank, Psi: finite(e.Psi), Left: finite(e.Left), Right: finite(e.Right), Holds: e.Holds}
	j.expect.V0, j.expect.Residual = r.V0, r.Residual
	return r.V0, err
}

// finiteAll returns finite values; the velocities of a search that failed may not be.
func finiteAll(list []float64) []float64 {
	c := make([]float64, len(list))
	for i, x := range list {
		c[i] = finite(x)
	}
	return c
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

// observeStart takes the state at t = 0.
func (j *motionJob) observeStart() error {
	ledger := j.stepper.Ledger()
	j.began = append(j.began[:0], j.stepper.State().Q...)
	j.expect.Start(j.stepper)
	return j.writer.Observe(0, j.stepper.State(), &ledger)
}

// observe takes step k.
func (j *motionJob) observe(k int) error {
	if k == 0 {
		return j.observeStart()
	}
	step, ledger := j.stepper.Last(), j.stepper.Ledger()
	m := j.summary.Motion
	m.Solves += step.Solves
	m.Pivots += step.Pivots
	m.Residual, m.Rounds = max(m.Residual, step.Residual), max(m.Rounds, step.Rounds)
	m.Open, m.Stick, m.Slide = m.Open+step.Open, m.Stick+step.Stick, m.Slide+step.Slide
	m.Energy, m.Balance = ledger, max(m.Balance, math.Abs(ledger.Residual))

	dim := j.m.World.Dim()
	forces := j.writer.Forces()
	var err error
	casefile.EachElement(dim, step, func(key, number int, state dynamics.ContactState, lambda, _ []float64) {
		id := element{key, number}
		if c, ok := j.elements[id]; ok {
			copy(forces[dim*c:], lambda)
		} else {
			j.impulse(key, number, lambda)
		}
		if before := j.states[id]; before != state && (k > 1 || state == dynamics.Slide) {
			m.Events++
			err = errors.Join(err, j.event(step.State.T, id, before, state))
		}
		j.states[id] = state
	})
	j.began = append(j.began[:0], step.State.Q...)
	j.look.push(j.writer, step)
	j.expect.Observe(step, &ledger)
	return errors.Join(err, j.writer.Observe(k, step.State, &ledger))
}

// impulse writes the impulse of an element without a column, in the frame that the
// bodies had when the step began.
func (j *motionJob) impulse(key, number int, lambda []float64) {
	if norm := math.Abs(lambda[0]) + math.Abs(lambda[1]); norm == 0 {
		return
	}
	a, b := j.m.World.KeyOf(key)
	frame := pairFrame(j.m.World, key, j.began)
	r := table.ImpulseRow{A: j.m.IDs[a], B: j.m.IDs[b], Feature: number}
	for d, x := range lambda {
		for c := range r.On {
			r.On[c] += j.m.H() * x * frame[d][c]
		}
	}
	j.writer.Impulse(&r)
}

// pairFrame returns normal and tangents of a pair of bodies at q.
func pairFrame(w *bodies.World, key int, q []float64) [3][3]float64 {
	_, _, n := w.Meeting(key, q)
	t, o := w.Tangents(n)
	return [3][3]float64{n, t, o}
}

// event records a change of state.
func (j *motionJob) event(t float64, id element, from, to dynamics.ContactState) error {
	name := ""
	if c, ok := j.elements[id]; ok {
		name = j.names[c]
	} else {
		a, b := j.m.World.KeyOf(id.Key)
		name = fmt.Sprintf("%s/%s.%d", j.m.IDs[a], j.m.IDs[b], id.Number+1)
	}
	j.events.add(t, name, from, to)
	return j.writer.Event(t, name, from, to)
}

// finish closes the files and draws the pictures.
func (j *motionJob) finish() error {
	s := &j.summary
	if s.Steps > 0 {
		small := j.stepper.Smallness()
		s.Motion.ForceRate = small.ForceRate
		s.Motion.Mu, s.Motion.MuBar = j.stepper.SmallnessNow()
		s.Motion.MuBar = finite(s.Motion.MuBar)
	}
	err := j.writer.Close()
	s.Files = j.writer.Sums()
	return err
}

func (j *motionJob) layout() *table.Layout {
	c := motionColumns(j.m)
	return c.Layout()
}

func (j *motionJob) outcomes() []table.Outcome { return j.expect.Outcomes() }
