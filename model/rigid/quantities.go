package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/model/world"
)

// quantities are what a case can expect of its run; see [world.Builder.Quantities].
var quantities = []casefile.Quantity{
	{Name: "position", Must: "body axis"}, {Name: "displacement", Must: "body axis"}, {Name: "velocity", Must: "body axis"}, {Name: "weighted_velocity", Must: "body axis"},
	{Name: "angle", Must: "body"}, {Name: "spin", Must: "body turn"}, {Name: "weighted_spin", Must: "body turn"},
	{Name: "kinetic_energy"}, {Name: "energy"}, {Name: "dissipation"}, {Name: "work"}, {Name: "balance_residual", Sized: true},
	{Name: "variation"}, {Name: "weighted_variation"}, {Name: "drift"}, {Name: "penetration"},
	{Name: "largest_displacement"}, {Name: "collisions", Between: casefile.Before}, {Name: "collision_time"},
	{Name: "normal_impulse"}, {Name: "friction_impulse"},
	{Name: "stick", Between: casefile.Before}, {Name: "slip", Between: casefile.Before}, {Name: "painleve", Between: casefile.Before}, {Name: "cone_lost", Between: casefile.Before},
}

func (b *builder) expectations() []casefile.Expectation {
	return b.Expectations(&b.doc.Document.Document, b.Quantities(quantities), b.Dim, func(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
		b.Subject(p, d, e, d.Quantity == "angle" || d.Quantity == "spin" || d.Quantity == "weighted_spin")
	})
}

// Value returns an expected quantity at the present state.
func (r *Run) Value(x *casefile.Expectation) float64 {
	s, w := r.stepper.Last(), r.c.World
	if value, is := world.Motion(w, x, s.Q, r.c.Q0, s.V); is {
		if o := r.c.Origin; x.Quantity == "position" && o[x.Axis] != 0 {
			value += o[x.Axis]
		}
		return value
	}
	switch x.Quantity {
	case "weighted_velocity":
		_, v := w.Coordinates(x.Subject)
		return s.Alpha[v+x.Axis]
	case "weighted_spin":
		_, v := w.Coordinates(x.Subject)
		return s.Alpha[v+w.Dim()+max(x.Axis, 0)]
	case "largest_displacement":
		d := 0.0
		for k, y := range s.Q {
			d = max(d, math.Abs(y-r.c.Q0[k]))
		}
		return d
	}
	return r.whole(x.Quantity, s)
}

// whole evaluates the quantities of the whole system.
func (r *Run) whole(quantity string, s *rigid.Step) float64 {
	n := &s.Energy
	switch quantity {
	case "kinetic_energy":
		return n.Kinetic
	case "energy":
		return n.Kinetic + r.c.lifted(n.Potential) + n.Elastic
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
		return float64(r.sum.Multibody.Collisions)
	case "painleve":
		return float64(r.sum.Multibody.Painleve)
	case "cone_lost":
		return float64(r.sum.Multibody.ConeLost)
	}
	return r.impact(quantity)
}

// impact evaluates the quantities of the first collision.
func (r *Run) impact(quantity string) float64 {
	c := r.first
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
	panic("rigid: Value: quantity " + quantity)
}
