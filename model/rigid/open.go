package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/bodyview"
)

// Steps whose forces are looked at: all of the first ones, of runs of few steps, and then one in so many,
// so that it costs less than the steps do.
const (
	openFirst = 16
	openEvery = 8
)

// openFriction remembers the first step whose laws leave open, by more than the accuracy, what friction
// takes or how it moves the bodies: the run is then one of many that obey them.
func (r *Run) openFriction() {
	m, step := r.sum.Multibody, r.stepper.Last()
	if m.Open != nil || step.Index == 0 || step.Index > openFirst && step.Index%openEvery != 0 {
		return
	}
	x, ok := r.stepper.Indeterminacy()
	if !ok || !x.Sticks || x.Share() <= r.c.plan.Accuracy {
		return
	}
	name := func(t *bodies.Touch) string { return r.c.IDs[t.A] + " on " + r.c.second(t.B, t.Floor) }
	bounded := func(part float64) float64 { return min(part, math.MaxFloat64) } // JSON has no infinity
	m.Open = &bodyview.Open{Slides: name(&x.Slides), Holds: name(&x.Holds), T: step.T, Less: bounded(x.Less), More: bounded(x.More), Turns: bounded(x.Turns)}
}

// openText says it.
func openText(x *bodyview.Open) string {
	what := fmt.Sprintf("the way of the bodies is one of many under friction of %s", x.Slides)
	switch more := max(x.Less, x.More); {
	case more == math.MaxFloat64:
		what = fmt.Sprintf("friction of %s is open without bound", x.Slides)
	case more >= x.Turns:
		what = fmt.Sprintf("friction of %s is open, %+.2g to %+.2g %%", x.Slides, -100*x.Less, 100*x.More)
	}
	return what + ": " + x.Holds + " sticks"
}
