package main

import (
	"cmp"
	"fmt"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
)

// stepLine is what a progress bar and -v say about a step.
type stepLine struct {
	t                   float64 // at its end [s]
	residual, tolerance float64 // of its contact problems, relative; tolerance is what is allowed
	states              string  // of the contacts
	extra               string  // what else the model can say; "": nothing
	work                string  // what it took
}

// String is the line that -v prints, after the number of the step.
func (s *stepLine) String() string {
	text := fmt.Sprintf("t = %.6g s  residual %.2g of %.0e  ", s.t, s.residual, s.tolerance)
	if s.extra != "" {
		text += s.extra + "  "
	}
	return text + s.states + "  " + s.work
}

// contactStates counts what the contacts do.
func contactStates(stick, slip, open int) string {
	return fmt.Sprintf("stick %d, slip %d, open %d", stick, slip, open)
}

// defaultTolerance is that of the steps, if the case has none.
const defaultTolerance = 1e-10

// said is about the last node observed.
func (j *job) said() *stepLine {
	n := j.last
	return &stepLine{t: n.T, residual: n.Stats.Residual, tolerance: cmp.Or(j.m.Options.Step.Tolerance, defaultTolerance), states: states(n),
		extra: fmt.Sprintf("gap %.2g J of %.2g J", n.StepGap.Upper, defaultTolerance*n.EnergyScale),
		work:  fmt.Sprintf("%d solves, %d it.", n.Stats.Solves, n.Stats.Inner)}
}

// states counts the contact states of a node.
func states(n *energetic.Node) string {
	c := incremental.Count(n.States)
	return contactStates(c[incremental.Stick], c[incremental.Slip], c[incremental.Free]+c[incremental.Grazing])
}

func (j *motionJob) said() *stepLine {
	s := j.stepper.Last()
	line := &stepLine{t: j.now(), residual: s.Residual, tolerance: contactTolerance, states: contactStates(s.Stick, s.Slide, s.Open),
		work: fmt.Sprintf("%d solves, %d pivots", s.Solves, s.Pivots)}
	if s.Rounds > 0 {
		line.work += fmt.Sprintf(", %d evaluations of the implicit force", s.Rounds)
	}
	return line
}

func (j *multibodyJob) said() *stepLine {
	s := j.stepper.Last()
	t, _, _, _ := j.stepper.State()
	line := &stepLine{t: t, residual: s.Residual, tolerance: multibodyTolerance, states: contactStates(s.Stick, s.Slip, s.Open),
		extra: fmt.Sprintf("joints apart %.2g, penetration %.2g m", s.Drift, s.Penetration),
		work:  fmt.Sprintf("%d solves, %d it.", s.Solves, s.Iterations)}
	if n := len(s.Collisions); n > 0 {
		line.work += ", " + count(n, "collision")
	}
	return line
}

// elasticTolerance is the merit of a step of an elastic body, unless its case says
// otherwise.
const elasticTolerance = 1e-13

func (j *elasticJob) said() *stepLine {
	var c [3]int
	for _, s := range j.state {
		c[s]++
	}
	st := j.stepper.Stats()
	return &stepLine{t: j.now(), residual: st.Residual, tolerance: cmp.Or(j.m.Options.Tolerance, elasticTolerance), states: contactStates(c[1], c[2], c[0]),
		extra: fmt.Sprintf("energies %.4g J", j.stepper.Energies().Total()),
		work:  fmt.Sprintf("%d it.", st.Iterations)}
}
