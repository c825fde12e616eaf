// Package facts makes the steps of dynamic models, and turns the measures of their steppers
// into lines of a verdict.
package facts

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// State declares the facts about the error of a run of bodies whose velocities are judged, or not. What
// the steps that were chosen are worth alone is no measure of equal ones, of which the twin says it.
func State(a *run.Audit, paced bool) {
	a.Stated(dynamics.TrajectoryError, dynamics.DissipationError)
	if paced {
		a.Stated(dynamics.SpeedError)
	}
	a.MayState(dynamics.ChosenError)
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
		list = append(list, table.Fact{Word: word, Name: m.Name, Value: m.Value, Limit: m.Limit, Unit: unit,
			Subject: m.Subject, Passed: m.Passed(), Basis: table.Basis(m.Basis), Place: m.Place, Remedy: m.Remedy,
			Steps: m.Steps, Given: m.Given})
	}
	return list
}
