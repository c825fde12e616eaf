package world

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// LoadDocument is a force at a point of a body, a torque, or both.
type LoadDocument struct {
	Body   string          `json:"body"`
	At     []float64       `json:"at"`
	Force  json.RawMessage `json:"force"`
	Torque json.RawMessage `json:"torque"`
	Axes   string          `json:"axes"`
}

// Loads decodes those of the case, beside the key "load" of a body.
func (b *Builder) Loads() (list []bodies.Push) {
	for i := range b.doc.Loads {
		d, p := &b.doc.Loads[i], casefile.Path{"loads", i}
		body, ok := b.Moving(p.With("body"), d.Body)
		if !ok {
			continue
		}
		push := bodies.Push{Body: body, Turns: d.Axes == "body"}
		switch spins := b.World.Spins(body); {
		case d.Force == nil && d.Torque == nil:
			b.Add(p, "want \"force\", \"torque\" or both")
		case d.At != nil && d.Force == nil:
			b.Add(p.With("at"), "a torque is the same at all points: the key has no effect without \"force\"")
		case !spins && (d.At != nil || d.Torque != nil || push.Turns):
			b.Add(p, "%q is a point, which does not turn: \"at\", \"torque\" and \"axes\" have no effect", d.Body)
		case push.Turns && d.Force == nil && b.Dim == 2:
			b.Add(p.With("axes"), "a torque of the plane is the same in all axes: the key has no effect without \"force\"")
		}
		if push.At, _ = b.Vec(p.With("at"), d.At); d.At != nil {
			push.At = b.World.OnAxes(body, push.At)
		}
		if x := [3]float64{1, 2, 3}; push.Turns && b.World.Along(body, x) != x {
			b.Add(p.With("axes"), "the axes of %q are not its principal ones: want a load along those of space",
				casefile.Abbreviate(d.Body))
		}
		if d.Force != nil {
			push.F = b.Vector(p.With("force"), d.Force, b.Dim)
		}
		if d.Torque != nil {
			push.Torque = b.torque(p.With("torque"), d.Torque)
		}
		list = append(list, push)
	}
	return list
}

// torque decodes one: a number or a function of time in the plane, three of them in space.
func (b *Builder) torque(p casefile.Path, raw json.RawMessage) signal.Vector {
	if b.Dim == 3 {
		return b.Vector(p, raw, 3)
	}
	return signal.Vector{signal.Constant(0), signal.Constant(0), b.Scalar(p, raw)}
}
