// Package facts turns the measures of the dynamic steppers into lines of a verdict.
package facts

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Steps are those that a run has chosen, in summary.json.
type Steps struct {
	Accepted int     `json:"accepted"`
	Rejected int     `json:"rejected"` // the doubled ones too
	Pilot    int     `json:"pilot"`    // steps of the pilot runs
	Shortest float64 `json:"shortest"` // [s]
	Longest  float64 `json:"longest"`  // [s]
}

// Chosen returns the steps of an adaptive run; nil: it is none.
func Chosen(a *dynamics.Adaptive) *Steps {
	if a == nil {
		return nil
	}
	x := a.Stats()
	return &Steps{x.Accepted, x.Rejected, x.Pilot, x.Least, x.Most}
}

// String says what was chosen.
func (s *Steps) String() string {
	return fmt.Sprintf("chosen by the accuracy: %.3g to %.3g s; %d more were rejected or doubled, %d of pilot runs", s.Shortest, s.Longest, s.Rejected, s.Pilot)
}

// Adaptive begins to choose the steps of a run, at its start or, with a state, at a
// checkpoint.
func Adaptive(ctx context.Context, v dynamics.Variable, o dynamics.AdaptiveOptions, from *dynamics.AdaptiveState) (*dynamics.Adaptive, error) {
	if from == nil {
		return dynamics.NewAdaptive(ctx, v, o)
	}
	return dynamics.ResumeAdaptive(v, o, from)
}

// Doubled begins to estimate the error of the equal steps of a run, at its start or, with a
// state, at a checkpoint.
func Doubled(v dynamics.Doubling, p *run.Plan, from *dynamics.DoubledState) (*dynamics.Doubled, error) {
	if from == nil {
		return dynamics.NewDoubled(v, p.Until, p.Steps), nil
	}
	return dynamics.ResumeDoubled(v, p.Until, p.Steps, from)
}

// Save returns the state of an estimate for a checkpoint.
func Save(d *dynamics.Doubled) *dynamics.DoubledState {
	s, err := d.Save()
	if err != nil {
		panic("facts: Save: " + err.Error()) // of numbers in memory
	}
	return s
}

// Trajectory is the name of the fact about the trajectory of a run whose steps were chosen,
// or were not.
func Trajectory(chosen bool) string {
	if chosen {
		return dynamics.ChosenError
	}
	return dynamics.TrajectoryError
}

// NotEstimated prints in how many steps the error of the trajectory was not estimated; nil:
// nothing was to be.
func NotEstimated(p *run.Page, d *dynamics.Doubled) {
	if d == nil {
		return
	}
	if n, cause := d.Unknown(); n > 0 {
		p.Line("not said", "the error of the trajectory in %s that could not be made at twice the length, the first: %s", run.Count(n, "step"), cause)
	}
}

// Of returns the measures as facts of a word.
func Of(word table.Word, measures []dynamics.Measure) []table.Fact {
	list := make([]table.Fact, 0, len(measures))
	for i := range measures {
		m := &measures[i]
		unit := m.Unit
		if unit == "-" {
			unit = ""
		}
		list = append(list, table.Fact{Word: word, Name: m.Name, Value: m.Value, Limit: m.Limit, Unit: unit, Passed: m.Passed(), Basis: table.Basis(m.Basis), Place: m.Place, Remedy: m.Remedy})
	}
	return list
}
