package casefile

import (
	"fmt"
	"strings"
)

type motionExpectDocument struct {
	Quantity  string   `json:"quantity"`
	Body      *string  `json:"body"`
	Axis      *string  `json:"axis"`
	Element   *float64 `json:"element"`
	From      *float64 `json:"from"`
	Time      *float64 `json:"time"`
	Value     *float64 `json:"value"`
	Tolerance *float64 `json:"tolerance"`
	Max       *float64 `json:"max"`
	Min       *float64 `json:"min"`
}

// MotionExpectation is a value that a correct motion shows.
type MotionExpectation struct {
	Expectation
	Body    int // −1: of the whole system
	Element int // from 0; −1: all
	From    float64
}

// motionNeeds says which keys a quantity has: 'n' none, 'y' must have, 'o' may
// have; 't' is an axis that only space needs.
var motionNeeds = map[string]struct{ body, axis, element, from byte }{
	"position": {'y', 'y', 'n', 'n'}, "displacement": {'y', 'y', 'n', 'n'},
	"velocity": {'y', 'y', 'n', 'n'}, "initial_velocity": {'y', 'y', 'n', 'n'},
	"angle": {'y', 'n', 'n', 'n'}, "spin": {'y', 't', 'n', 'n'},
	"normal_force": {'y', 'n', 'o', 'n'}, "friction_force": {'y', 'o', 'o', 'n'},
	"mean_normal_force": {'y', 'n', 'o', 'y'}, "first_slip": {'y', 'n', 'y', 'n'},
	"kinetic_energy": {'n', 'n', 'n', 'n'}, "energy": {'n', 'n', 'n', 'n'}, "dissipation": {'n', 'n', 'n', 'n'},
	"work": {'n', 'n', 'n', 'n'}, "balance_residual": {'n', 'n', 'n', 'n'}, "events": {'n', 'n', 'n', 'n'},
	"boundary_residual": {'n', 'n', 'n', 'n'},
}

func (b *motionBuilder) motionExpectations() []MotionExpectation {
	var list []MotionExpectation
	for i := range b.doc.Expect {
		d := &b.doc.Expect[i]
		p := path{"expect", i}
		e := MotionExpectation{Body: -1, Element: -1}
		e.Expectation = Expectation{Quantity: d.Quantity, Particle: -1, Axis: -1, Time: d.Time, Value: d.Value, Max: d.Max, Min: d.Min}
		b.motionKeys(p, d)
		if d.Axis != nil {
			if e.Axis = strings.Index("xyz", *d.Axis); e.Axis >= b.dim {
				b.add(p.with("axis"), "found %q, want x or y in the plane", *d.Axis)
			}
		}
		if d.Tolerance != nil {
			e.Tolerance = *d.Tolerance
		}
		if d.From != nil {
			e.From = *d.From
		}
		b.subject(p, d, &e)
		b.comparison(p, &expectDocument{Time: d.Time, Value: d.Value, Tolerance: d.Tolerance, Max: d.Max, Min: d.Min})
		list = append(list, e)
	}
	return list
}

// motionKeys checks that the keys fit the quantity.
func (b *motionBuilder) motionKeys(p path, d *motionExpectDocument) {
	need := motionNeeds[d.Quantity]
	axis := need.axis
	if axis == 't' {
		axis = 'n'
		if b.dim == 3 {
			axis = 'y'
		}
	}
	b.need(p, d.Quantity, "body", need.body, d.Body != nil)
	b.need(p, d.Quantity, "axis", axis, d.Axis != nil)
	b.need(p, d.Quantity, "element", need.element, d.Element != nil)
	b.need(p, d.Quantity, "from", need.from, d.From != nil)
	switch boundary := d.Quantity == "boundary_residual" || d.Quantity == "initial_velocity"; {
	case d.Quantity == "boundary_residual" && b.doc.Boundary == nil:
		b.add(p.with("quantity"), "the case has no boundary values")
	case boundary && d.Time != nil:
		b.add(p.with("time"), "%s belongs to the whole run, want no time", d.Quantity)
	case d.Quantity == "angle" && b.dim == 3:
		b.add(p.with("quantity"), "an angle is of the plane")
	}
}

// subject finds the body and the element, and words the label.
func (b *motionBuilder) subject(p path, d *motionExpectDocument, e *MotionExpectation) {
	if d.Body == nil {
		return
	}
	body, ok := find(b.builder, p.with("body"), *d.Body, "body", b.body)
	if !ok {
		return
	}
	e.Body, e.Particle, e.ID = body, body, *d.Body
	if (d.Quantity == "angle" || d.Quantity == "spin") && !b.world.Spins(body) {
		b.add(p.with("body"), "a point does not turn")
	}
	if d.Element != nil {
		e.Element = int(*d.Element) - 1
		e.ID += fmt.Sprintf(", element %d", e.Element+1)
		elements := 0
		for _, c := range b.contacts {
			if c.Body == body || c.Other == body {
				elements += c.Features * c.Elements
			}
		}
		if e.Element >= elements {
			b.add(p.with("element"), "found %d, the contacts of %q have %d elements", e.Element+1, *d.Body, elements)
		}
	}
	if d.From != nil {
		e.ID += fmt.Sprintf(" from t=%g", e.From)
		if !(e.From < b.doc.Until) {
			b.add(p.with("from"), "found %g, want a time before the end %g", e.From, b.doc.Until)
		}
	}
}
