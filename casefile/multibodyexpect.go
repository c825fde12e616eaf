package casefile

import (
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

type multibodyExpectDocument struct {
	Quantity  string   `json:"quantity"`
	Body      *string  `json:"body"`
	Axis      *string  `json:"axis"`
	Time      *float64 `json:"time"`
	Value     *float64 `json:"value"`
	Tolerance *float64 `json:"tolerance"`
	Max       *float64 `json:"max"`
	Min       *float64 `json:"min"`
}

// MultibodyExpectation is a value that a correct motion shows.
type MultibodyExpectation struct {
	Expectation
	Body int // −1: of the whole system
}

// multibodyNeeds says whether a quantity has a body and an axis, as in
// motionNeeds.
var multibodyNeeds = map[string]struct{ body, axis byte }{
	"position": {'y', 'y'}, "displacement": {'y', 'y'}, "velocity": {'y', 'y'}, "weighted_velocity": {'y', 'y'},
	"angle": {'y', 'n'}, "spin": {'y', 't'}, "weighted_spin": {'y', 't'},
	"kinetic_energy": {'n', 'n'}, "energy": {'n', 'n'}, "dissipation": {'n', 'n'}, "work": {'n', 'n'}, "balance_residual": {'n', 'n'},
	"variation": {'n', 'n'}, "weighted_variation": {'n', 'n'}, "drift": {'n', 'n'}, "penetration": {'n', 'n'},
	"largest_displacement": {'n', 'n'}, "collisions": {'n', 'n'}, "collision_time": {'n', 'n'},
	"normal_impulse": {'n', 'n'}, "friction_impulse": {'n', 'n'},
	"stick": {'n', 'n'}, "slip": {'n', 'n'}, "painleve": {'n', 'n'}, "cone_lost": {'n', 'n'},
}

func (b *multibodyBuilder) multibodyExpectations() []MultibodyExpectation {
	var list []MultibodyExpectation
	for i := range b.doc.Expect {
		d, p := &b.doc.Expect[i], path{"expect", i}
		e := MultibodyExpectation{Body: -1}
		e.Expectation = Expectation{Quantity: d.Quantity, Particle: -1, Axis: -1, Time: d.Time, Value: d.Value, Max: d.Max, Min: d.Min}
		need := multibodyNeeds[d.Quantity]
		if need.axis == 't' {
			need.axis = 'n'
			if b.dim == 3 {
				need.axis = 'y'
			}
		}
		b.need(p, d.Quantity, "body", need.body, d.Body != nil)
		b.need(p, d.Quantity, "axis", need.axis, d.Axis != nil)
		if d.Axis != nil {
			if e.Axis = strings.Index("xyz", *d.Axis); e.Axis >= b.dim {
				b.add(p.with("axis"), "found %q, want x or y in the plane", *d.Axis)
			}
		}
		if d.Tolerance != nil {
			e.Tolerance = *d.Tolerance
		}
		if d.Body != nil {
			b.expectBody(p, d, &e)
		}
		b.comparison(p, &expectDocument{Time: d.Time, Value: d.Value, Tolerance: d.Tolerance, Max: d.Max, Min: d.Min})
		list = append(list, e)
	}
	return list
}

func (b *multibodyBuilder) expectBody(p path, d *multibodyExpectDocument, e *MultibodyExpectation) {
	body, ok := find(b.builder, p.with("body"), *d.Body, "body", b.body)
	if !ok {
		return
	}
	e.Body, e.Particle, e.ID = body, body, *d.Body
	turns := d.Quantity == "angle" || d.Quantity == "spin" || d.Quantity == "weighted_spin"
	switch {
	case turns && !b.world.Spins(body):
		b.add(p.with("body"), "a point does not turn")
	case d.Quantity == "angle" && b.dim == 3:
		b.add(p.with("quantity"), "an angle is of the plane")
	}
}

// MultibodyEvaluator compares a motion with the expectations of its case while
// it goes.
type MultibodyEvaluator struct {
	model      *Multibody
	lines      []line
	first      *rigid.Collision
	collisions int
	painleve   int
	lost       int
}

// NewMultibodyEvaluator returns the evaluator of a model's expectations.
func NewMultibodyEvaluator(m *Multibody) *MultibodyEvaluator {
	e := &MultibodyEvaluator{model: m}
	for i := range m.Expect {
		e.lines = append(e.lines, line{Expectation: &m.Expect[i].Expectation, low: math.Inf(1), top: math.Inf(-1)})
	}
	return e
}

// Observe takes the next step; the first is the start.
func (e *MultibodyEvaluator) Observe(s *rigid.Step) {
	if len(s.Collisions) > 0 && e.first == nil {
		c := s.Collisions[0]
		e.first = &c
	}
	e.collisions += len(s.Collisions)
	if s.Painleve > 0 {
		e.painleve++
	}
	if s.Pointed == rigid.ConeLost {
		e.lost++
	}
	for i := range e.lines {
		e.lines[i].observe(s.T, e.value(i, s), e.model.Until)
	}
}

func (e *MultibodyEvaluator) value(i int, s *rigid.Step) float64 {
	x, w := &e.model.Expect[i], e.model.World
	q, v := 0, 0
	if x.Body >= 0 {
		q, v = w.Coordinates(x.Body)
	}
	dim := w.Dim()
	switch x.Quantity {
	case "position":
		return s.Q[q+x.Axis]
	case "displacement":
		return s.Q[q+x.Axis] - e.model.Q0[q+x.Axis]
	case "velocity":
		return s.V[v+x.Axis]
	case "weighted_velocity":
		return s.Alpha[v+x.Axis]
	case "angle":
		return s.Q[q+2]
	case "spin":
		return s.V[v+dim+max(x.Axis, 0)]
	case "weighted_spin":
		return s.Alpha[v+dim+max(x.Axis, 0)]
	case "largest_displacement":
		d := 0.0
		for k, y := range s.Q {
			d = max(d, math.Abs(y-e.model.Q0[k]))
		}
		return d
	}
	return e.whole(x.Quantity, s)
}

// whole evaluates the quantities of the whole system.
func (e *MultibodyEvaluator) whole(quantity string, s *rigid.Step) float64 {
	n := &s.Energy
	switch quantity {
	case "kinetic_energy":
		return n.Kinetic
	case "energy":
		return n.Kinetic + n.Potential + n.Elastic
	case "dissipation":
		return n.Friction + n.Normal + n.Impact
	case "work":
		return n.Loads
	case "balance_residual":
		return math.Abs(n.Residual)
	case "variation":
		return s.Variation[0]
	case "weighted_variation":
		return s.Variation[1]
	case "drift":
		return s.Drift
	case "penetration":
		return s.Penetration
	case "stick":
		return float64(s.Stick)
	case "slip":
		return float64(s.Slip)
	case "collisions":
		return float64(e.collisions)
	case "painleve":
		return float64(e.painleve)
	case "cone_lost":
		return float64(e.lost)
	}
	return e.impact(quantity)
}

// impact evaluates the quantities of the first collision.
func (e *MultibodyEvaluator) impact(quantity string) float64 {
	c := e.first
	if c == nil {
		c = &rigid.Collision{}
	}
	switch quantity {
	case "collision_time":
		return c.T
	case "normal_impulse":
		return c.Impulse[0]
	case "friction_impulse":
		return math.Hypot(c.Impulse[1], c.Impulse[2])
	}
	panic("casefile: MultibodyEvaluator: quantity " + quantity)
}

// Outcomes compares what was seen so far.
func (e *MultibodyEvaluator) Outcomes() []table.Outcome {
	list := make([]table.Outcome, 0, len(e.lines))
	for i := range e.lines {
		list = append(list, e.lines[i].outcome())
	}
	return list
}
