package casefile

import (
	"fmt"
	"strings"
)

type expectDocument struct {
	Quantity  string   `json:"quantity"`
	Particle  *string  `json:"particle"`
	Axis      *string  `json:"axis"`
	Time      *float64 `json:"time"`
	Value     *float64 `json:"value"`
	Tolerance *float64 `json:"tolerance"`
	Max       *float64 `json:"max"`
	Min       *float64 `json:"min"`
}

// Expectation is a value that a correct run shows.
type Expectation struct {
	Quantity  string
	Particle  int      // -1: of the whole system
	ID        string   // of the particle
	Axis      int      // 0, 1, 2 for x, y, z; -1: none
	Time      *float64 // nil: the end
	Value     *float64 // nil: Max or Min is given
	Tolerance float64
	Max, Min  *float64 // bounds on all nodes
}

// Label names what is looked at: "x of a at t=0.4".
func (e *Expectation) Label() string {
	s := strings.ReplaceAll(e.Quantity, "_", " ")
	if e.Axis >= 0 {
		s += " " + "xyz"[e.Axis:e.Axis+1]
	}
	if e.Particle >= 0 {
		s += " of " + e.ID
	} else if strings.HasSuffix(e.Quantity, "_force") {
		s += " in all"
	}
	switch {
	case e.Time != nil:
		s += fmt.Sprintf(" at t=%g", *e.Time)
	case e.Value != nil:
		s += " at the end"
	}
	return s
}

// needs says which of the keys particle and axis a quantity has: 'n' none, 'y'
// must have, 'o' may have.
var needs = map[string]struct{ particle, axis byte }{
	"position": {'y', 'y'}, "displacement": {'y', 'y'}, "normal_force": {'o', 'n'}, "friction_force": {'o', 'o'},
	"dissipation": {'n', 'n'}, "energy": {'n', 'n'}, "work": {'n', 'n'}, "balance_residual": {'n', 'n'},
	"stability_gap": {'n', 'n'}, "lipschitz": {'n', 'n'}, "events": {'n', 'n'},
}

// expectations decodes what the case expects of its run.
func (b *builder) expectations() []Expectation {
	var list []Expectation
	for i := range b.doc.Expect {
		d := &b.doc.Expect[i]
		p := path{"expect", i}
		e := Expectation{Quantity: d.Quantity, Particle: -1, Axis: -1, Time: d.Time, Value: d.Value, Max: d.Max, Min: d.Min}
		need := needs[d.Quantity]
		b.need(p, d.Quantity, "particle", need.particle, d.Particle != nil)
		b.need(p, d.Quantity, "axis", need.axis, d.Axis != nil)
		if d.Axis != nil {
			e.Axis = strings.Index("xyz", *d.Axis)
		}
		if d.Particle != nil {
			if j, ok := b.lookup(p.with("particle"), *d.Particle); ok {
				e.Particle, e.ID = j, b.ids[j]
			}
		}
		if d.Tolerance != nil {
			e.Tolerance = *d.Tolerance
		}
		b.comparison(p, d)
		list = append(list, e)
	}
	return list
}

func (b *builder) need(p path, quantity, key string, rule byte, found bool) {
	switch {
	case rule == 'y' && !found:
		b.add(p, "the key %q is missing, which %s needs", key, quantity)
	case rule == 'n' && found:
		b.add(p.with(key), "the key %q has no effect on %s", key, quantity)
	}
}

// comparison checks that a line has a value with a tolerance, or bounds.
func (b *builder) comparison(p path, d *expectDocument) {
	bound := d.Max != nil || d.Min != nil
	switch {
	case d.Value == nil && !bound:
		b.add(p, "want \"value\" and \"tolerance\", or \"max\" or \"min\"")
	case d.Value != nil && bound:
		b.add(p, "found a value and a bound, want two lines")
	case d.Value != nil && d.Tolerance == nil:
		b.add(p, "the key \"tolerance\" is missing")
	case bound && d.Tolerance != nil:
		b.add(p.with("tolerance"), "a bound has no tolerance, want it in the bound")
	case bound && d.Time != nil:
		b.add(p.with("time"), "a bound holds for the whole run, want no time")
	case d.Max != nil && d.Min != nil && *d.Max < *d.Min:
		b.add(p.with("max"), "found %g, want at least the min %g", *d.Max, *d.Min)
	case d.Time != nil && *d.Time > b.doc.Until:
		b.add(p.with("time"), "found %g, want a time of the run, 0 to %g", *d.Time, b.doc.Until)
	}
}
