package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/particles"
)

// quantities are what a case can expect of its run.
var quantities = []casefile.Quantity{
	{Name: "position", Must: "particle axis"}, {Name: "displacement", Must: "particle axis"}, {Name: "normal_force", May: "particle"},
	{Name: "friction_force", May: "particle axis"}, {Name: "dissipation"}, {Name: "energy"}, {Name: "work"},
	{Name: "balance_residual", Sized: true}, {Name: "stability_gap"}, {Name: "lipschitz", Between: casefile.After}, {Name: "events", Between: casefile.Before},
}

func (b *builder) expectations() []casefile.Expectation {
	return b.Expectations(&b.doc.Document, quantities, 3, func(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
		if d.Particle == nil {
			return
		}
		if j, ok := b.lookup(p.With("particle"), *d.Particle); ok {
			e.Subject, e.ID = j, b.ids[j]
		}
	})
}

// Value returns an expected quantity at the present node.
func (r *Run) Value(x *casefile.Expectation) float64 {
	n := r.last
	switch x.Quantity {
	case "position":
		return r.position(x)
	case "displacement":
		return r.position(x) - r.c.At[3*x.Subject+x.Axis]
	case "normal_force":
		return r.normal(x)
	case "friction_force":
		return along(r.friction(x), x.Axis)
	case "dissipation":
		return n.Dissipation
	case "energy":
		return n.Energy
	case "work":
		return n.Work
	case "balance_residual":
		return n.Balance
	case "stability_gap":
		return n.Gap.Upper
	case "lipschitz":
		return r.lipschitz
	case "events":
		return float64(r.changes)
	}
	panic("energetic: Value: quantity " + x.Quantity)
}

func (r *Run) frame(x *casefile.Expectation) particles.Frame {
	return r.c.Psi.System.Frame(x.Subject)
}

func (r *Run) position(x *casefile.Expectation) float64 {
	f := r.frame(x)
	return f.ToGlobal([3]float64(r.last.Z[3*x.Subject : 3*x.Subject+3]))[x.Axis]
}

// normal returns the normal force on a particle, or the sum of all.
func (r *Run) normal(x *casefile.Expectation) float64 {
	if x.Subject >= 0 {
		return particleview.Reaction(r.last, x.Subject)[0]
	}
	sum := 0.0
	for j := range r.last.States {
		sum += particleview.Reaction(r.last, j)[0]
	}
	return sum
}

// friction returns the tangential force on a particle in global coordinates, or
// the sum of all.
func (r *Run) friction(x *casefile.Expectation) [3]float64 {
	first, end := x.Subject, x.Subject+1
	if x.Subject < 0 {
		first, end = 0, len(r.last.States)
	}
	var sum [3]float64
	for j := first; j < end; j++ {
		force, f := particleview.Reaction(r.last, j), r.c.Psi.System.Frame(j)
		for c, v := range f.RotateToGlobal([3]float64{force[1], force[2], 0}) {
			sum[c] += v
		}
	}
	return sum
}

// along returns a component of a vector, or its length for none.
func along(v [3]float64, axis int) float64 {
	if axis < 0 {
		return math.Hypot(math.Hypot(v[0], v[1]), v[2])
	}
	return v[axis]
}
