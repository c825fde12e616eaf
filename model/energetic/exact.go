package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// prove walks in ratios of integers, as far as the run went, and keeps the events as
// fractions. What was proven is in the section of the summary.
func (r *Run) prove(ctx context.Context) error {
	c := r.c
	if !c.Exact || r.walk == nil {
		return nil
	}
	form, err := c.Plane.Exact(c.At)
	if err != nil {
		return err
	}
	x := &particleview.Exact{}
	r.sum.Exact = x
	w, err := events.NewIntegrator(form, 0)
	if err != nil {
		return err
	}
	until := events.Rational{}.Of(c.plan.Until)
	note := func() error {
		if w.Time().Compare(until) == 0 {
			return nil
		}
		for _, e := range w.Changes() {
			x.Events = append(x.Events, particleview.ExactEvent{Time: e.Time.String(), Seconds: e.Time.Float(),
				Particle: c.ContactIDs[c.Plane.Slot[e.Contact]], From: e.From.String(), To: e.To.String()})
		}
		return nil
	}
	_ = note() // of the start
	err = events.Prove(ctx, w, until, note)
	if lost, ok := errors.AsType[*events.LossError](err); ok && c.UntilLoss {
		id := c.IDs[c.Plane.Dofs[lost.Dof].Particle]
		x.Events = append(x.Events, particleview.ExactEvent{Time: w.Time().String(), Seconds: lost.Time, Particle: id,
			From: "held", To: particleview.LossWord})
	} else if err != nil {
		return err
	}
	largest := 0.0
	if n := r.last; n != nil && n.ForceScale > 0 { // ways that forces of their size go: an end at the start is 0 but for their rounding
		largest = n.EnergyScale / n.ForceScale
	}
	for i, q := range r.walk.walker.Q() {
		x.Distance = max(x.Distance, math.Abs(float64(q)-w.Q()[i].Float()))
		largest = max(largest, math.Abs(float64(q)))
	}
	x.Size, x.Dissipation, x.Energy, x.Work = largest, w.Dissipation().String(), w.Energy().String(), w.Work().String()
	return nil
}

// proof is what was proven in ratios of integers.
func (r *Run) proof() []table.Fact {
	x := r.sum.Exact
	if x == nil {
		return nil
	}
	name := fmt.Sprintf("proof: (S), (DI) and (E) hold exactly in ratios of integers through %d events; distance of the end in float64 to them",
		len(x.Events))
	return []table.Fact{table.AtMost(table.Accurate, name, x.Distance, samePlace*x.Size, "m", table.Proven)}
}

// exactListed is the number of exact events that are printed.
const exactListed = 40

// reportExact prints the events as fractions.
func reportExact(p *run.Page, x *particleview.Exact) {
	if x == nil {
		return
	}
	for i, e := range x.Events {
		label := ""
		if i == 0 {
			label = "exact"
		}
		if i == exactListed {
			p.Line(label, "and %d more, in summary.json", len(x.Events)-i)
			break
		}
		p.Line(label, "t = %s s  %s: %s → %s", casefile.Abbreviate(e.Time), e.Particle, e.From, e.To)
	}
	p.Line("", "at the end stored %s J, dissipated %s J, work %s J", casefile.Abbreviate(x.Energy),
		casefile.Abbreviate(x.Dissipation), casefile.Abbreviate(x.Work))
}
