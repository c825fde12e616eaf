package casefile

import (
	"encoding/json"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
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

// most is the number of steps that is run: a trajectory of one particle then has
// some gigabytes.
const most = 1e8

// chosenSteps is the number of steps that stands for those of a case that names none,
// until they are chosen.
const chosenSteps = 32

// steps returns the number of equal steps, at least 1; with adaptive steps the
// least number that there can be; without any, those that the run will choose.
func (b *builder) steps() int {
	d := b.doc
	given := 0
	for _, is := range []bool{d.Steps != nil, d.Step != nil, d.Adaptive != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return chosenSteps
	case given > 1:
		b.add(nil, "found more than one of steps, step and adaptive, want one of them")
	case d.Steps != nil:
		if n := *d.Steps; math.IsInf(d.Until*n, 1) {
			b.add(path{"until"}, "found %g, which overflows in %g steps, want a time of a moderate size", d.Until, n)
		}
		return int(*d.Steps)
	case d.Step != nil:
		return b.count(path{"step"}, *d.Step)
	default:
		return b.adaptiveSteps()
	}
	return 1
}

// adaptiveSteps checks the step control and estimates the number of steps.
func (b *builder) adaptiveSteps() int {
	a := b.adaptive()
	if a.MinStep > a.MaxStep {
		b.add(path{"adaptive", "min_step"}, "found %g, want at most max_step, %g", a.MinStep, a.MaxStep)
	}
	if b.doc.Gamma.all != nil {
		b.add(path{"adaptive"}, "found adaptive steps and the continuation of gamma, want one of them: levels compare on the same nodes")
	}
	return b.count(path{"adaptive", "max_step"}, a.MaxStep)
}

// count returns how many steps of a length reach the end.
func (b *builder) count(p path, step float64) int {
	// A quotient that is whole up to roundoff is meant to be whole.
	n := math.Ceil(b.doc.Until / step * (1 - 1e-12))
	if n <= most {
		return max(1, int(n))
	}
	b.add(p, "found %g, which makes %g steps to t = %g, want at most %g", step, n, b.doc.Until, float64(most))
	return 1
}

// checkGamma refuses a continuation that underflows.
func (b *builder) checkGamma() {
	if g := &b.doc.Gamma; g.all != nil && g.last <= 0 {
		b.add(path{"gamma"}, "found a continuation that ends with %g N, want numbers above 0", g.last)
	}
}

var policies = map[string]dissipation.Policy{"": dissipation.All, "all": dissipation.All, "switching": dissipation.SwitchingOnly, "blend": dissipation.Blend}

var thresholds = map[string]incremental.ThresholdMode{"": incremental.Implicit, "lagged": incremental.Lagged, "implicit": incremental.Implicit}

func (b *builder) options() energetic.Options {
	d := b.doc
	return energetic.Options{
		Step: incremental.Options{
			Rule:      dissipation.Rule{Gamma: d.Gamma.last, Policy: policies[d.GammaPolicy]},
			Threshold: thresholds[d.Threshold],
			Tolerance: d.Solver.Tolerance,
		},
		Equilibrate: d.Equilibrate,
		Accuracy:    d.Accuracy,
	}
}
