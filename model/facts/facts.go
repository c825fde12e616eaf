// Package facts makes the steps of dynamic models, and turns the measures of their steppers
// into lines of a verdict.
package facts

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

// Estimates are the names of the facts about the error of a run whose steps were chosen, or
// were not, of bodies whose velocities are judged, or not.
func Estimates(chosen, paced bool) []string {
	list := []string{dynamics.TrajectoryError, dynamics.DissipationError}
	if paced {
		list = append(list, dynamics.SpeedError)
	}
	if chosen {
		list = append(list, dynamics.ChosenError)
	}
	return list
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
		list = append(list, table.Fact{Word: word, Name: m.Name, Value: m.Value, Limit: m.Limit, Unit: unit, Subject: m.Subject, Passed: m.Passed(), Basis: table.Basis(m.Basis), Place: m.Place, Remedy: m.Remedy, Steps: m.Steps})
	}
	return list
}
