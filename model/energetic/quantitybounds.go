package energetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/table"
)

// boundedQuantity is a quantity that has bounds on the mesh of the case: docs/decisions/0041.
type boundedQuantity struct {
	expectation casefile.Expectation
	group       string // of the facts of the mesh that estimate such quantities
}

// label names it.
func (q *boundedQuantity) label() string {
	x := &q.expectation
	label := casefile.Expectation{Quantity: x.Quantity, Subject: x.Subject, ID: x.ID, Axis: x.Axis}
	return label.Label()
}

// quantitySums are what is known of the bounds of one at the nodes so far. A checkpoint holds it.
type quantitySums struct {
	Off, At float64 // largest distance of what the run has from what is not excluded, and its time [s]
	Size    float64 // largest size
	Ended   string  // why there is no bound at some node; empty: there is
}

// quantity is that of an expectation on a body; nil: it has none.
func (x *boundedBody) quantity(e *casefile.Expectation, of *supported) *fem.Quantity {
	q := &fem.Quantity{Axis: e.Axis}
	switch {
	case e.Quantity == "normal_force" && e.Subject < 0 && len(x.sides) > 0:
		for k := range x.sides {
			q.Sides = append(q.Sides, k)
		}
	case e.Subject != x.first:
		return nil
	case e.Quantity == "reaction":
		for _, i := range of.nodes {
			q.Support = append(q.Support, x.body.Mesh().Dim*i+of.axis)
		}
	case e.Quantity == "mean_displacement":
		q.Mean = of.group
	default:
		return nil
	}
	return q
}

// quantityBounds lists what the case expects or observes that has bounds, each quantity once, and why they are not
// made: their work has to be within what is left of that of a second run, an adjoint for each set of nodes in contact,
// which may change with each step.
func (b *builder) quantityBounds(c *Case, steps, work float64) {
	for i := range c.plan.Expect {
		e := &c.plan.Expect[i]
		of, group := (*supported)(nil), "forces of contact"
		switch e.Quantity {
		case "reaction":
			of = &c.supports[e.Element]
		case "mean_displacement":
			of, group = &c.supports[e.Element], "displacements"
		}
		same := func(q boundedQuantity) bool { return q.expectation.Column() == e.Column() }
		if slices.ContainsFunc(c.quantities, same) {
			continue
		}
		list, some := make([]*fem.Quantity, len(c.bounded)), false
		for k := range c.bounded {
			x := &c.bounded[k]
			if list[k] = x.quantity(e, of); list[k] != nil {
				m, states := x.body.Mesh(), 1.0
				if len(x.sides) > 0 {
					states = steps
				}
				some = true
				work += states * (refinement.Work(m.Dim, float64(len(m.X)), 0) + refinement.Work(m.Dim, boundUnknowns(m), 1))
			}
		}
		if !some {
			continue
		}
		c.quantities = append(c.quantities, boundedQuantity{*e, group})
		for k := range c.bounded {
			c.bounded[k].quantities = append(c.bounded[k].quantities, list[k])
		}
	}
	switch {
	case len(c.boundedMeetings) > 0:
		c.noQuantities = "bodies meet"
	case c.rubs():
		c.noQuantities = "there is friction"
	case work > refinement.Budget:
		c.noQuantities = "its work would be more than that of the run on another mesh may be"
	}
}

// boundQuantities takes their bounds at a time, by the states of the bodies and the bounds of these.
func (r *Run) boundQuantities(ctx context.Context, t float64, states []*fem.BoundState, bounds []fem.ErrorBound) {
	if r.c.noQuantities != "" {
		return
	}
	sums := &r.bounds
	sums.Quantities = append(sums.Quantities, make([]quantitySums, len(r.c.quantities)-len(sums.Quantities))...)
	for i := range r.c.quantities {
		s, value, off := &sums.Quantities[i], 0.0, 0.0
		for k, b := range r.bodies {
			q := r.c.bounded[k].quantities[i]
			if q == nil || s.Ended != "" {
				continue
			}
			v, o, err := b.Quantity(ctx, q, states[k], &bounds[k])
			if err != nil {
				s.Ended = unboundedWhy(err)
			}
			value, off = value+v, off+o
		}
		run := r.Value(&r.c.quantities[i].expectation)
		if off += math.Abs(value - run); !(off <= s.Off) { // NaN stays
			s.Off, s.At = off, t
		}
		s.Size = max(s.Size, math.Abs(run))
	}
}

// quantityFacts puts their bounds into the facts of the mesh: a fact where one is within the accuracy; else it is told
// beside the estimate that judges such quantities, as is why there is none. One that is 0 throughout has no relative
// error.
func (r *Run) quantityFacts(list []table.Fact) []table.Fact {
	for i := range r.c.quantities {
		q := &r.c.quantities[i]
		k, sums := r.estimateOf(q.group, list), quantitySums{}
		if i < len(r.bounds.Quantities) {
			sums = r.bounds.Quantities[i]
		}
		if why := cmp.Or(r.c.noQuantities, r.bounds.Ended, sums.Ended); why != "" {
			note(list, k, "no bound is proven of %s: %s", q.label(), why)
			continue
		}
		f := table.AtMost(table.Accurate, "mesh: "+q.label()+", by equilibrated stresses", sums.Off/sums.Size,
			r.c.plan.Accuracy, "", table.Proven)
		f.Place = fmt.Sprintf("t=%.6g", sums.At)
		switch {
		case sums.Size == 0:
			unit := table.QuantityOf("expect", q.expectation.Quantity).Units()
			note(list, k, "%s is 0, by equilibrated stresses to %.3g %s (proven)", q.label(), sums.Off, unit)
		case f.Passed:
			list = append(list, f)
		default:
			note(list, k, "%s by equilibrated stresses %.3g (proven)", q.label(), f.Value)
		}
	}
	return list
}
