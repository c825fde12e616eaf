package world

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/run"
)

// ChosenSteps says how the steps of a case that names none are chosen: short enough to
// see its signals. ids are the names of the bodies.
func ChosenSteps(p *run.Plan, ids []string) dynamics.AdaptiveOptions {
	return dynamics.AdaptiveOptions{Until: p.Until, Accuracy: dynamics.ChoosableAccuracy(p.Accuracy), Asked: p.Accuracy,
		Names: ids, Longest: p.Course.Longest(), Breaks: p.Course.Knots}
}
