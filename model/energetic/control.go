package energetic

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// gammaDocument is the key gamma: a number, or the continuation γ → 0.
type gammaDocument struct {
	last float64   // the γ of the result
	all  []float64 // of the continuation, decreasing; nil without one
}

// UnmarshalJSON decodes what the schema has checked.
func (g *gammaDocument) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return json.Unmarshal(text, &g.last)
	}
	var d struct{ Start, Factor, Count float64 }
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	g.last = d.Start
	for i := range int(d.Count) {
		if i > 0 {
			g.last *= d.Factor
		}
		g.all = append(g.all, g.last)
	}
	return nil
}

type adaptiveDocument struct {
	MaxStep        float64  `json:"max_step"`
	MinStep        *float64 `json:"min_step"`
	EventTolerance float64  `json:"event_tolerance"`
}

// shortest is the default of min_step over max_step: twenty bisections.
const shortest = 1e-6

// adaptive returns the step control, nil without one.
func (b *builder) adaptive() *energetic.Adaptive {
	d := b.doc.Adaptive
	if d == nil {
		return nil
	}
	a := &energetic.Adaptive{MaxStep: d.MaxStep, MinStep: shortest * d.MaxStep, EventTolerance: d.EventTolerance}
	if d.MinStep != nil {
		a.MinStep = *d.MinStep
	}
	return a
}

// chosenSteps is the number of steps that stands for those of a case that names none,
// until they are chosen.
const chosenSteps = 32

// steps returns the number of equal steps, at least 1; with adaptive steps the
// least number that there can be; without any, those that the run will choose.
func (b *builder) steps() int {
	d := &b.doc
	given, last := 0, ""
	for _, x := range []struct {
		key   string
		there bool
	}{{"steps", !d.Steps.none()}, {"step", d.Step != nil}, {"adaptive", d.Adaptive != nil}, {"times", d.Times != nil}} {
		if x.there {
			given, last = given+1, x.key
		}
	}
	switch {
	case given == 0:
		return chosenSteps
	case given > 1:
		b.Add(casefile.Path{last}, "found more than one of steps, step, times and adaptive, want one of them")
	case d.Steps.events:
		b.checkEvents()
		return chosenSteps
	case d.Steps.number != nil:
		return int(*d.Steps.number)
	case d.Step != nil:
		return b.StepCount(casefile.Path{"step"}, *d.Step, d.Until)
	case d.Times != nil:
		return b.givenTimes()
	default:
		return b.adaptiveSteps()
	}
	return 1
}

// givenTimes takes the nodes that the case gives, with or without that at 0; the last one
// must be the end.
func (b *builder) givenTimes() int {
	list, p := b.doc.Times, casefile.Path{"times"}
	if list[0] != 0 {
		b.times = []float64{0}
	}
	for i, t := range list {
		if len(b.times) > 0 && !(t > b.times[len(b.times)-1]) {
			b.Add(p.With(i), "found the time %g after %g, want times that increase", t, b.times[len(b.times)-1])
			return 1
		}
		b.times = append(b.times, t)
	}
	if last := list[len(list)-1]; last != b.doc.Until {
		b.Add(p.With(len(list)-1), "found %g, want the last time to be until, %g", last, b.doc.Until)
	}
	return max(len(b.times)-1, 1)
}

// adaptiveSteps checks the step control and estimates the number of steps.
func (b *builder) adaptiveSteps() int {
	a := b.adaptive()
	if a.MinStep > a.MaxStep {
		b.Add(casefile.Path{"adaptive", "min_step"}, "found %g, want at most max_step, %g", a.MinStep, a.MaxStep)
	}
	if b.doc.Gamma.all != nil {
		b.Add(casefile.Path{"adaptive"}, "found adaptive steps and the continuation of gamma, want one of them: levels compare on the same nodes")
	}
	return b.StepCount(casefile.Path{"adaptive", "max_step"}, a.MaxStep, b.doc.Until)
}

// checkGamma refuses a continuation that underflows.
func (b *builder) checkGamma() {
	if g := &b.doc.Gamma; g.all != nil && g.last <= 0 {
		b.Add(casefile.Path{"gamma"}, "found a continuation that ends with %g N, want numbers above 0", g.last)
	}
}

var policies = map[string]dissipation.Policy{"": dissipation.All, "all": dissipation.All,
	"switching": dissipation.SwitchingOnly, "blend": dissipation.Blend}

var thresholds = map[string]incremental.ThresholdMode{"": incremental.Implicit, "lagged": incremental.Lagged,
	"implicit": incremental.Implicit}

func (b *builder) options() energetic.Options {
	d := &b.doc
	return energetic.Options{
		Step: incremental.Options{
			Rule:      dissipation.Rule{Gamma: d.Gamma.last, Policy: policies[d.GammaPolicy]},
			Threshold: thresholds[d.Threshold],
			Tolerance: d.Solver.Tolerance,
		},
		Equilibrate: d.Equilibrate,
		Accuracy:    b.Accuracy(&d.Document),
	}
}

// resolves reports whether the case asks for a solution beyond jumps.
func (b *builder) resolves() bool {
	return b.doc.Solution == "viscous" || b.doc.Solution == "energetic"
}

// globalParticles is the largest system of which global minimisers are searched: some thirty local
// minimisations a step, of a few seconds each beyond.
const globalParticles = 2000

// checkSolution refuses what jumps are not resolved for: they are in given steps.
func (b *builder) checkSolution(particles int) {
	d := &b.doc
	p := casefile.Path{"solution"}
	if !b.resolves() {
		return
	}
	if d.Solution == "energetic" && particles > globalParticles {
		b.Add(p, "found \"energetic\" for %d particles, each step of which is compared with states far away, want at most %d particles",
			particles, globalParticles)
	}
	if d.Steps.events || d.Adaptive != nil || d.Gamma.last != 0 || d.Gamma.all != nil || d.Steps.none() &&
		d.Step == nil && d.Times == nil || d.OnJump == "stop" {
		b.Add(p, "found %q, which needs a number of steps (or step, or times), no gamma, and \"on_jump\": \"continue\"", d.Solution)
	}
}

// checkPeriods refuses loads that no run can follow that chooses its steps, or walks from event to
// event: of what swings, each half period is a step at least.
func (b *builder) checkPeriods(sys *particles.System) {
	d := &b.doc
	if d.Steps.number != nil || d.Step != nil || d.Times != nil {
		return
	}
	n := 3 * sys.N()
	second, third := make([]float64, n), make([]float64, n)
	if !sys.TimeBound(second, 2) || !sys.TimeBound(third, 3) {
		return
	}
	omega := 0.0
	for i, x := range second {
		if x > 0 {
			omega = max(omega, third[i]/x)
		}
	}
	if steps := d.Until * omega / math.Pi; steps > casefile.MostSteps {
		b.Add(casefile.Path{"until"}, "found %g, in which the loads have %.3g periods of %.3g s, each of which takes two steps or more, want at most %g steps: an earlier end or slower loads",
			d.Until, steps/2, 2*math.Pi/omega, float64(casefile.MostSteps))
	}
}

// seeSignals lays the nodes out so that they see the signals of the case, see [run.Plan.Resolve]. A
// walk from event to event sees them by itself.
func (c *Case) seeSignals(b *builder) {
	course := &c.plan.Course
	switch {
	case c.Walks():
		return
	case c.Chosen:
		c.plan.ResolveChosen(b.Builder)
	case c.Adaptive != nil:
		if c.plan.ResolveChosen(b.Builder); course.Period > 0 && course.Longest() < c.Adaptive.MaxStep {
			c.Adaptive.MaxStep = course.Longest()
			c.Adaptive.MinStep = min(c.Adaptive.MinStep, c.Adaptive.MaxStep)
			c.plan.Notes = append(c.plan.Notes, fmt.Sprintf("a signal has a period of %.3g s: steps are no longer than %.3g s, so that there are %d a period",
				course.Period, course.Longest(), signal.PerPeriod))
		}
	case c.times != nil:
		c.plan.ResolveChosen(b.Builder)
		if divided, cut := course.Divide(c.times); cut && !b.Any() {
			c.plan.Notes = append(c.plan.Notes, fmt.Sprintf("the steps between the times of the case are cut at the kinks of its signals, and so that there are %d a period: %d in place of %d",
				signal.PerPeriod, len(divided)-1, len(c.times)-1))
			c.times, c.plan.Steps = divided, len(divided)-1
		}
	default:
		c.plan.ResolveNodes(b.Builder)
	}
	c.Options.Period = course.Period
}
