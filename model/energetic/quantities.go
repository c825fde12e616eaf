package energetic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/particleview"
)

// quantities are what a case can expect of its run.
var quantities = casefile.Catalogue[*Run]{
	{Name: "position", Must: "particle axis", At: (*Run).position},
	{Name: "displacement", Must: "particle axis", At: func(r *Run,
		x *casefile.Expectation) float64 {
		return r.position(x) - r.c.At[3*x.Subject+x.Axis]
	}},
	{Name: "normal_force", May: "particle obstacle", At: (*Run).normal},
	{Name: "friction_force", May: "particle obstacle axis",
		At: func(r *Run, x *casefile.Expectation) float64 { return along(r.friction(x), x.Axis) }},
	{Name: "spring_tension", Must: "particle other", May: "axis", At: (*Run).tension},
	{Name: "reaction", Must: "body group axis", At: (*Run).reaction},
	{Name: "mean_displacement", Must: "body group axis", At: (*Run).meanDisplacement},
	{Name: "plastic_strain", Must: "body", At: (*Run).plasticStrain},
	{Name: "mises_stress", Must: "body", At: (*Run).misesStress},
	{Name: "dissipation", Of: func(r *Run) float64 { return r.last.Dissipation }},
	{Name: "plastic_dissipation", Of: func(r *Run) float64 { return r.last.Plastic }},
	{Name: "energy", Of: func(r *Run) float64 { return r.last.Energy }},
	{Name: "work", Of: func(r *Run) float64 { return r.last.Work }},
	{Name: "balance_residual", Sized: true, Of: func(r *Run) float64 { return r.last.Balance }},
	{Name: "stability_gap", Of: func(r *Run) float64 { return r.last.Gap.Upper }},
	{Name: "lipschitz", Between: casefile.After, Of: func(r *Run) float64 { return r.lipschitz }},
	{Name: "events", Between: casefile.Before, Of: func(r *Run) float64 { return float64(r.changes) }},
	{Name: "loss_time", Of: (*Run).lostAt},
	{Name: "damage", Must: "particle", At: (*Run).damage},
	{Name: "slipped", Must: "particle", May: "obstacle", At: (*Run).slipped},
	{Name: "event_time", Must: "particle", May: "obstacle from", At: (*Run).turnedAt},
}

// subject finds the particle, contact or body of an expectation.
func (b *builder) subject(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
	if d.Body != nil {
		b.bodyOf(p, d, e)
		return
	}
	if d.Particle == nil {
		if d.Obstacle != nil {
			b.Add(p.With("obstacle"), "an obstacle has forces on one particle, want the key \"particle\" too")
		}
		return
	}
	j, ok := b.find(p.With("particle"), *d.Particle)
	if !ok {
		return
	}
	e.Subject, e.ID = j, b.ids[j]
	if _, is := b.damages()[j]; e.Quantity == "damage" && !is {
		b.Add(p.With("particle"), "%q is no damage of an adhesive bond, want the id of one", casefile.Abbreviate(e.ID))
	}
	if e.Quantity == "slipped" && !b.slips() {
		b.Add(p.With("quantity"), "no friction of the case depends on slip, and what slips is not added up; want a friction with the key \"slip\"")
	}
	if d.Other != nil {
		if t := b.tie(p.With("other"), j, *d.Other); t != nil {
			e.Element, b.ties = len(b.ties), append(b.ties, t)
		}
		e.ID += " to " + *d.Other
	}
	if d.Obstacle == nil {
		return
	}
	id := e.ID + "/" + *d.Obstacle
	if e.Obstacle = 1 + slices.Index(b.contactIDs(), id); e.Obstacle == 0 {
		b.Add(p.With("obstacle"), "particle %q does not have %q among several obstacles", e.ID, casefile.Abbreviate(*d.Obstacle))
	}
	e.ID = id
}

// Value returns an expected quantity at the present node.
func (r *Run) Value(x *casefile.Expectation) float64 { return quantities.Value(r, x) }

// damage is that of an adhesive bond [-].
func (r *Run) damage(x *casefile.Expectation) float64 {
	at := r.c.Psi.System.Position(r.last.T, x.Subject, r.last.Z)
	return (at[0] - r.c.At[3*x.Subject]) / r.c.damage[x.Subject]
}

func (r *Run) position(x *casefile.Expectation) float64 {
	return r.c.Psi.System.Position(r.last.T, x.Subject, r.last.Z)[x.Axis]
}

// slipped is how far the contacts of an expectation have slipped, NaN where no friction asks for it [m].
func (r *Run) slipped(x *casefile.Expectation) (way float64) {
	if r.last.Slipped == nil {
		return math.NaN()
	}
	r.contacts(x, func(c int) { way += r.last.Slipped[c] })
	return way
}

// turn is a change of a contact.
type turn struct {
	Contact int
	T       float64 // [s]
}

// timesEvents reports whether a case expects the time of an event.
func (c *Case) timesEvents() bool {
	return slices.ContainsFunc(c.plan.Expect, func(x casefile.Expectation) bool { return x.Quantity == "event_time" })
}

// turnedAt returns the time of the first change of a contact of an expectation after From, NaN if
// there is none so far.
func (r *Run) turnedAt(x *casefile.Expectation) float64 {
	first := math.NaN()
	r.contacts(x, func(c int) {
		for _, t := range r.turns {
			if t.Contact == c && t.T > x.From && !(t.T >= first) {
				first = t.T
			}
		}
	})
	return first
}

// contacts calls visit for the contacts of an expectation: that with an obstacle, those of
// a particle, or all.
func (r *Run) contacts(x *casefile.Expectation, visit func(c int)) {
	switch sys := r.c.Psi.System; {
	case x.Obstacle > 0:
		visit(x.Obstacle - 1)
	case x.Subject >= 0:
		visit(x.Subject)
		for _, c := range sys.Beside(x.Subject) {
			visit(c)
		}
	default:
		for c := range r.last.States {
			if !r.c.variable(c) {
				visit(c)
			}
		}
	}
}

// normal returns the normal force of the contacts of an expectation.
func (r *Run) normal(x *casefile.Expectation) float64 {
	sum := 0.0
	r.contacts(x, func(c int) { sum += particleview.Reaction(r.last, c)[0] })
	return sum
}

// friction returns their tangential force in global coordinates.
func (r *Run) friction(x *casefile.Expectation) [3]float64 {
	var sum [3]float64
	r.contacts(x, func(c int) {
		force := particleview.Reaction(r.last, c)
		_, u, v, _ := r.c.Psi.System.ContactAxesAt(r.last.T, c, r.last.Z)
		for i := range sum {
			sum[i] += force[1]*u[i] + force[2]*v[i]
		}
	})
	return sum
}

// along returns a component of a vector, or its length for none.
func along(v [3]float64, axis int) float64 {
	if axis < 0 {
		return math.Hypot(math.Hypot(v[0], v[1]), v[2])
	}
	return v[axis]
}
