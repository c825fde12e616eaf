package run

import (
	"context"
	"fmt"
)

// Differentiable is a [Case] whose expected quantities can be differentiated by a number
// of it.
type Differentiable interface {
	// Walks reports whether the case goes from event to event; others have no derivatives of
	// their own, see [Differences].
	Walks() bool
	// Differentiate returns the quantities that the case looks at, with their derivatives
	// at p of the cases that family makes; the case itself is family(p).
	Differentiate(ctx context.Context, family func(p float64) (Case, error), p float64) (*Sensitivity, error)
}

// Sensitivity is what a number of a case changes.
type Sensitivity struct {
	By         string            `json:"by"` // path of the number
	At         float64           `json:"at"`
	Quantities []Derivative      `json:"quantities"`
	Events     []EventDerivative `json:"events"`
	// Events keep their order for numbers between From and To; null: no end was found as
	// far as was looked. Below and Above say what changes there.
	From *float64 `json:"from"`
	To   *float64 `json:"to"`
	// AtLeast: they may be further apart; what changes was seen beyond them.
	AtLeast bool   `json:"at_least,omitempty"`
	Below   string `json:"below,omitempty"`
	Above   string `json:"above,omitempty"`
	// Runs that it was differentiated by; 0: along a walk with derivatives.
	Runs int `json:"runs,omitempty"`
	// Nodes are changes of contact that are known to the end of a step: they have no derivative.
	Nodes int `json:"at_nodes,omitempty"`
}

// Derivative is a quantity with its derivative.
type Derivative struct {
	Label      string  `json:"label"`
	Value      float64 `json:"value"`
	Derivative float64 `json:"derivative"`
	// Error of the derivative, estimated; nil: it is that of rounding.
	Error *float64 `json:"error,omitempty"`
}

// EventDerivative is a change of contact with the derivative of its time.
type EventDerivative struct {
	Time       float64  `json:"t"`
	Derivative float64  `json:"derivative"`
	Error      *float64 `json:"error,omitempty"` // as that of a [Derivative]
	Name       string   `json:"name"`
	From       string   `json:"from_state"`
	To         string   `json:"to_state"`
}

// Print prints a sensitivity.
func (s *Sensitivity) Print(p *Page) {
	p.Line("by", "%s, which is %.10g", s.By, s.At)
	width := len("quantity")
	for _, q := range s.Quantities {
		width = max(width, len([]rune(q.Label)))
	}
	fmt.Fprintf(p, "  %-*s  %-20s  derivative\n", width, "quantity", "value")
	for _, q := range s.Quantities {
		fmt.Fprintf(p, "  %-*s  %-20.12g  %s\n", width, q.Label, q.Value, derivative(q.Derivative, q.Error))
	}
	for i, e := range s.Events {
		label := ""
		if i == 0 {
			label = "events"
		}
		if i == listedEvents {
			p.Line(label, "and %d more; --json lists them", len(s.Events)-i)
			break
		}
		p.Line(label, "t=%.12g, dt/dp=%s  %s: %s → %s", e.Time, derivative(e.Derivative, e.Error), e.Name, e.From, e.To)
	}
	if s.Nodes > 0 {
		p.Line("not said", "the derivatives of the times of %s, which the steps do not locate", Count(s.Nodes, "change")+" of contact")
	}
	if s.Runs > 0 {
		p.Line("found by", "differences of %d runs in the same steps and in twice as many: errors are estimates", s.Runs)
	}
	if s.AtLeast {
		p.Line("range", "events keep their order at least from %s to %s (few walks were made, as directions of slip turn)",
			end(s.From, "-∞"), end(s.To, "∞"))
	} else {
		p.Line("range", "events keep their order from %s to %s (bisected)", end(s.From, "-∞"), end(s.To, "∞"))
	}
	if s.Below != "" {
		p.Line("", "below: %s", s.Below)
	}
	if s.Above != "" {
		p.Line("", "above: %s", s.Above)
	}
}

// derivative prints one with its error, if it has one.
func derivative(y float64, off *float64) string {
	if off == nil {
		return fmt.Sprintf("%.12g", y)
	}
	return fmt.Sprintf("%.9g ± %.1g", y, *off)
}

// listedEvents is the number of events that are printed.
const listedEvents = 20

func end(v *float64, none string) string {
	if v == nil {
		return none
	}
	return fmt.Sprintf("%.10g", *v)
}

// NotDifferentiable is a case that has no derivatives, by its nature or because those beside it are
// no cases.
type NotDifferentiable struct{ Reason string }

func (e *NotDifferentiable) Error() string { return e.Reason }
