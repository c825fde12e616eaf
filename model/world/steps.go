package world

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/run"
)

// ChosenSteps says how the steps of a case that names none are chosen: short enough to
// see the loads on the bodies and the motion of obstacles, of which ids are the names.
func ChosenSteps(p *run.Plan, w *bodies.World, ids []string) dynamics.AdaptiveOptions {
	o := dynamics.AdaptiveOptions{Until: p.Until, Accuracy: dynamics.ChoosableAccuracy(p.Accuracy), Names: ids}
	for _, load := range w.Loads() {
		o.Longest = shorter(o.Longest, dynamics.LongestStep(load...))
		o.Breaks = load.Breaks(o.Breaks, 0, p.Until)
	}
	for i := range w.Obstacles() {
		m := w.Obstacle(i).Motion
		if m.Moves() {
			o.Longest = shorter(o.Longest, dynamics.LongestStep(m.Signals()...))
			o.Breaks = m.Breaks(o.Breaks, 0, p.Until)
		}
	}
	return o
}

// shorter returns the shorter of two lengths, of which 0 is none.
func shorter(a, b float64) float64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
