package energetic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/table"
)

// stated is a quantity of what the case expects that has bounds on its mesh: docs/decisions/0041.
type stated struct {
	expectation casefile.Expectation
	group       string // of the facts of the mesh that estimate such quantities
}

// label names it.
func (s *stated) label() string {
	x := &s.expectation
	label := casefile.Expectation{Quantity: x.Quantity, Subject: x.Subject, ID: x.ID, Axis: x.Axis}
	return label.Label()
}

// statedSums are what is known of the bounds of one at the nodes so far. A checkpoint holds it.
type statedSums struct {
	Off, At float64 // largest distance of what the run has from what is not excluded, and its time [s]
	Size    float64 // largest size
	Ended   string  // why there is no bound at some node; empty: there is
}

// boundedQuantity is that of an expectation on a body; nil: it has none.
func (x *boundedBody) boundedQuantity(e *casefile.Expectation, of *supported) *fem.Quantity {
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

// state finds what the case expects that has bounds, each quantity once, if their work is within what is left of that of
// a second run: an adjoint for each set of nodes in contact, which may change with each step.
func (b *builder) state(c *Case, steps, work float64) {
	for i := range c.plan.Expect {
		e := &c.plan.Expect[i]
		of, group := (*supported)(nil), "forces of contact"
		switch e.Quantity {
		case "reaction":
			of = &c.supports[e.Element]
		case "mean_displacement":
			of, group = &c.supports[e.Element], "displacements"
		}
		same := func(s stated) bool { return s.expectation.Column() == e.Column() }
		if slices.ContainsFunc(c.stated, same) {
			continue
		}
		list, some := make([]*fem.Quantity, len(c.bounded)), false
		for k := range c.bounded {
			x := &c.bounded[k]
			if list[k] = x.boundedQuantity(e, of); list[k] != nil {
				m, states := x.body.Mesh(), 1.0
				if len(x.sides) > 0 {
					states = steps
				}
				unknowns := float64(fem.BoundElements(m)*(m.Dim+1)*m.Dim*m.Dim) / 2
				some = true
				work += states * (refinement.Work(m.Dim, float64(len(m.X)), 0) + refinement.Work(m.Dim, unknowns, 1))
			}
		}
		if !some {
			continue
		}
		c.stated = append(c.stated, stated{*e, group})
		for k := range c.bounded {
			c.bounded[k].quantities = append(c.bounded[k].quantities, list[k])
		}
	}
	switch {
	case len(c.boundedMeetings) > 0:
		c.unstated = "bodies meet"
	case c.rubs():
		c.unstated = "there is friction"
	case work > refinement.Budget:
		c.unstated = "it would take longer than what is judged"
	}
}

// boundStated takes the bounds of what is stated at a time, by the states of the bodies and their bounds.
func (r *Run) boundStated(ctx context.Context, t float64, states []*fem.BoundState, bounds []fem.ErrorBound) {
	sums := &r.bounds
	if r.c.unstated != "" {
		return
	}
	for len(sums.Stated) < len(r.c.stated) {
		sums.Stated = append(sums.Stated, statedSums{})
	}
	for i := range r.c.stated {
		s, value, off := &sums.Stated[i], 0.0, 0.0
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
		run := r.Value(&r.c.stated[i].expectation)
		if off += math.Abs(value - run); !(off <= s.Off) { // NaN stays
			s.Off, s.At = off, t
		}
		s.Size = max(s.Size, math.Abs(run))
	}
}

// provenStated puts the bounds of what is stated into the facts of the mesh: a fact where it is within the accuracy;
// else it is told beside the estimate that judges such quantities, as is why there is none.
func (r *Run) provenStated(list []table.Fact) []table.Fact {
	for i := range r.c.stated {
		s := &r.c.stated[i]
		estimate := refinement.Name(s.group, r.c.other.level.Against())
		k := slices.IndexFunc(list, func(f table.Fact) bool { return f.Name == estimate })
		note := func(format string, args ...any) {
			if k = max(k, 0); k < len(list) {
				list[k].Place += fmt.Sprintf("; "+format, args...)
			}
		}
		if r.c.unstated != "" {
			note("no bound is proven of %s: %s", s.label(), r.c.unstated)
			continue
		}
		sums := &r.bounds.Stated[i]
		f := table.AtMost(table.Accurate, "mesh: "+s.label()+", by equilibrated stresses", sums.Off/sums.Size,
			r.c.plan.Accuracy, "", table.Proven)
		f.Place = fmt.Sprintf("t=%.6g", sums.At)
		switch {
		case sums.Ended != "":
			note("no bound is proven of %s: %s", s.label(), sums.Ended)
		case f.Passed:
			list = append(list, f)
		case sums.Size > 0:
			note("%s by equilibrated stresses %.3g (proven)", s.label(), f.Value)
		}
	}
	return list
}
