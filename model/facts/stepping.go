package facts

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Stepping makes the steps of a run: equal ones, beside which a twin estimates their error,
// or ones that are chosen by the accuracy. The zero value makes equal ones without a twin.
type Stepping struct {
	plan    *run.Plan
	chosen  *dynamics.Adaptive
	doubled *dynamics.Doubled
}

// SteppingState is its part of a checkpoint; the zero value begins anew.
type SteppingState struct {
	Chosen  *dynamics.AdaptiveState
	Doubled *dynamics.DoubledState
}

// EqualSteps makes equal steps with a twin.
func EqualSteps(v dynamics.Doubling, p *run.Plan, from *SteppingState) (Stepping, error) {
	var d *dynamics.Doubled
	var err error
	if from.Doubled == nil {
		d = dynamics.NewDoubled(v, p.Until, p.Steps)
	} else if d, err = dynamics.ResumeDoubled(v, p.Until, p.Steps, from.Doubled); err != nil {
		return Stepping{}, err
	}
	d.On(p.Grid())
	return Stepping{p, nil, d}, nil
}

// ChosenSteps chooses the steps, after pilot runs.
func ChosenSteps(ctx context.Context, v dynamics.Variable, p *run.Plan, o dynamics.AdaptiveOptions, from *SteppingState) (Stepping, error) {
	if p.OnProgress != nil {
		o.OnProgress = func(x dynamics.Progress) {
			p.OnProgress(run.Progress{Pilot: x.Pilot, Time: x.Time, Step: x.H, Why: x.Why})
		}
	}
	if from.Chosen == nil {
		a, err := dynamics.NewAdaptive(ctx, v, o)
		return Stepping{p, a, nil}, err
	}
	a, err := dynamics.ResumeAdaptive(v, o, from.Chosen)
	if err == nil {
		err = a.Watch(from.Doubled)
	}
	return Stepping{p, a, nil}, err
}

// Step makes the next step from time t; planned makes the one of the plan.
func (s *Stepping) Step(ctx context.Context, t float64, planned func() error) error {
	switch {
	case s.chosen != nil:
		return s.chosen.Step(ctx)
	case s.doubled != nil:
		return s.doubled.Step(ctx, t, planned)
	}
	return planned()
}

// twin is what runs beside the steps; nil: nothing does.
func (s *Stepping) twin() *dynamics.Doubled {
	if s.chosen != nil {
		return s.chosen.Doubled()
	}
	return s.doubled
}

// Beside has observe look at each state of the first twin, with the share of the distance from it that the run is off by.
func (s *Stepping) Beside(observe func(share float64)) {
	if d := s.twin(); d != nil {
		d.OnTwin = observe
	}
}

// Chosen reports whether the steps are chosen.
func (s *Stepping) Chosen() bool { return s.chosen != nil }

// Done reports whether the last of the chosen steps was made.
func (s *Stepping) Done() bool { return s.chosen.Done() }

// Late is what a change of contact may be off by as the motion is, see [dynamics.Doubled.Late].
func (s *Stepping) Late(contact uint64, to string, t float64) (off float64, settled bool) {
	if d := s.twin(); d != nil {
		return d.Late(contact, to, t)
	}
	return math.Inf(1), true
}

// Save returns the state for a checkpoint.
func (s *Stepping) Save() (x SteppingState) {
	if s.chosen != nil {
		x.Chosen = new(dynamics.AdaptiveState)
		s.chosen.Save(x.Chosen)
	}
	if d := s.twin(); d != nil {
		var err error
		if x.Doubled, err = d.Save(); err != nil {
			panic("facts: Stepping.Save: " + err.Error()) // of numbers in memory
		}
	}
	return x
}

// Facts are those about the trajectory.
func (s *Stepping) Facts() (list []table.Fact) {
	switch {
	case s.chosen != nil:
		list = Of(table.Accurate, s.chosen.Measures())
	case s.doubled != nil:
		list = Of(table.Accurate, s.doubled.Measures(s.plan.Accuracy))
	}
	if d := s.twin(); d != nil {
		list = append(list, Of(table.Accurate, d.Rests())...)
	}
	return list
}

// Steps are those that a run has chosen, in summary.json.
type Steps struct {
	Accepted int     `json:"accepted"`
	Rejected int     `json:"rejected"` // the doubled ones too
	Pilot    int     `json:"pilot"`    // steps of the pilot runs
	Shortest float64 `json:"shortest"` // [s]
	Longest  float64 `json:"longest"`  // [s]
}

// Summary returns the chosen steps; nil: they are equal.
func (s *Stepping) Summary() *Steps {
	if s.chosen == nil {
		return nil
	}
	x := s.chosen.Stats()
	return &Steps{x.Accepted, x.Rejected, x.Pilot, x.Least, x.Most}
}

// Print prints what was computed, in words that name the case, with the steps.
func (s *Stepping) Print(p *run.Page, h float64, words string) {
	x, length := p.Summary, fmt.Sprintf(" of %g s", h)
	switch {
	case s.chosen != nil:
		length = ""
	case s.plan != nil && !s.plan.Grid().Equal():
		length = fmt.Sprintf(" of at most %g s", h)
	}
	p.Line("computed", "t = 0 … %.10g s in %d steps%s, %s", x.Time, x.Steps, length, words)
	if c := s.Summary(); c != nil {
		p.Line("steps", "chosen by the accuracy: %.3g to %.3g s; %d more were rejected or doubled, %d of pilot runs",
			c.Shortest, c.Longest, c.Rejected, c.Pilot)
	}
}

// PrintUnsaid prints what no number of the verdict says anything of: steps whose error was not
// estimated and, if bodies touched, single impacts and forces, of which ways and
// dissipation tell the sum only.
func (s *Stepping) PrintUnsaid(p *run.Page, touched bool) {
	if d := s.twin(); d != nil {
		if n, cause := d.Unknown(); n > 0 {
			p.Line("not said", "the error of the trajectory in %s that could not be made at twice the length, the first: %s",
				run.Count(n, "step"), cause)
		}
	}
	if touched {
		p.Line("not said", "what the time and the impulse of a single impact, or a contact force at a time, are off by: run --verify compares those that are expected")
	}
}
