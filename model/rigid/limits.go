package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// limitsDocument limits the motion of a joint.
type limitsDocument struct {
	Min         *float64 `json:"min"`
	Max         *float64 `json:"max"`
	Restitution float64  `json:"restitution"`
}

// ranges reads the limits of a joint.
func (b *builder) ranges(p casefile.Path, d *jointDocument) (list []multibody.Range) {
	for _, x := range [2]struct {
		key   string
		of    *limitsDocument
		turns bool
	}{{"limits", d.Limits, !d.Type.Slides()}, {"turn_limits", d.TurnLimits, true}} {
		if x.of == nil {
			continue
		}
		r := multibody.Range{Turns: x.turns, Min: math.Inf(-1), Max: math.Inf(1), Restitution: x.of.Restitution}
		if x.of.Min != nil {
			r.Min = *x.of.Min
		}
		if x.of.Max != nil {
			r.Max = *x.of.Max
		}
		if x.of.Min == nil && x.of.Max == nil {
			b.Add(p.With(x.key), "want \"min\", \"max\" or both")
		}
		if x.of == d.TurnLimits && d.Type != multibody.Cylindrical {
			b.Add(p.With(x.key), "the limits of %s joint are \"limits\": a cylindrical one has a way and a turn",
				casefile.Article(string(d.Type)))
		}
		if turns := (r.Max - r.Min) / (2 * math.Pi); r.Turns && turns > 2 && !math.IsInf(turns, 1) { // as ±60 meant in degrees are
			b.Note("%s: %g to %g rad are %.3g revolutions", p.With(x.key), r.Min, r.Max, turns)
		}
		list = append(list, r)
	}
	return list
}

// brakes reads the friction of a joint, and a motor without a gain or a stiffness.
func (b *builder) brakes(p casefile.Path, d *jointDocument) (list []multibody.Brake) {
	if d.Friction > 0 || d.Bearing != nil {
		list = append(list, multibody.Brake{Name: "friction", Force: d.Friction, Bearing: b.bearing(p.With("bearing"), d)})
	}
	if m := d.Motor; m.exact() {
		x := multibody.Brake{Name: "motor", Force: *m.Limit}
		if m.Position != nil {
			x.Position, x.Recovery = b.Scalar(p.With("motor", "position"), m.Position), *m.Recovery
		} else {
			x.Velocity = b.Scalar(p.With("motor", "velocity"), m.Velocity)
		}
		list = append(list, x)
	}
	return list
}

// second names the second body of a contact, the obstacle or the limit of a joint.
func (c *Case) second(body, floor int) string {
	if body >= 0 {
		return c.IDs[body]
	}
	return c.seconds()[floor]
}

// seconds are the names of the obstacles, and of the limits of joints behind them.
func (c *Case) seconds() []string {
	if len(c.others) == 0 {
		c.others = append(c.others, c.Obstacles...)
		for i := range c.Model.Stops {
			c.others = append(c.others, c.Model.StopName(i))
		}
	}
	return c.others
}
