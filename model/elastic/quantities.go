package elastic

import (
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/model/solid"
)

// quantities are what a case can expect of its run.
var quantities = casefile.Catalogue[*Run]{
	{Name: "displacement", Must: "node axis", May: "body", At: func(r *Run,
		x *casefile.Expectation) float64 {
		return r.node(r.stepper.Displacement, x)
	}},
	{Name: "velocity", Must: "node axis", May: "body", At: func(r *Run, x *casefile.Expectation) float64 { return r.node(r.stepper.Velocity, x) }},
	{Name: "mean_velocity", Must: "axis", May: "body", At: func(r *Run, x *casefile.Expectation) float64 {
		r.nodes = r.stepper.MeanVelocity(r.nodes, x.Subject)
		return r.nodes[x.Axis]
	}},
	{Name: "kinetic_energy", Of: func(r *Run) float64 { return r.stepper.Energies().Kinetic }},
	{Name: "elastic_energy", Of: func(r *Run) float64 { return r.stepper.Energies().Elastic }},
	{Name: "energy", Of: func(r *Run) float64 { return r.stepper.Energies().Total() }},
	{Name: "work", Of: func(r *Run) float64 { return r.stepper.Balance().External }},
	{Name: "dissipation", Of: func(r *Run) float64 { return r.stepper.Balance().Dissipation }},
	{Name: "contact_work", Of: func(r *Run) float64 { return r.stepper.Balance().Contact }},
	{Name: "balance_residual", Sized: true, Of: func(r *Run) float64 { return r.stepper.Balance().Identity }},
	{Name: "penetration", Of: func(r *Run) float64 { return r.stepper.Balance().Penetration }},
	{Name: "normal_force", May: "node body", At: func(r *Run, x *casefile.Expectation) float64 { return r.contacts(x).normal }},
	{Name: "friction_force", May: "node body", At: func(r *Run, x *casefile.Expectation) float64 { return r.contacts(x).friction }},
	{Name: "reaction", Must: "group axis", May: "body", Between: casefile.After, At: (*Run).reaction},
	{Name: "contacts", Between: casefile.Before, At: func(r *Run,
		x *casefile.Expectation) float64 {
		return float64(r.contacts(x).closed)
	}},
	{Name: "sticking", Between: casefile.Before, At: func(r *Run,
		x *casefile.Expectation) float64 {
		return float64(r.contacts(x).sticking)
	}},
	{Name: "iterations", Between: casefile.After, Of: func(r *Run) float64 { return float64(r.stepper.Stats().Iterations) }},
}

func (b *builder) expectations(c *Case) []casefile.Expectation {
	m := c.Model
	return b.Expectations(&b.doc.Document, quantities.Quantities(), m.Mesh.Dim,
		func(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
			body := elastic.Body{Mesh: m.Mesh}
			switch {
			case d.Body != nil:
				k := slices.IndexFunc(m.Bodies, func(x elastic.Body) bool { return x.ID == *d.Body })
				if k < 0 {
					var ids []string
					for i := range m.Bodies {
						ids = append(ids, m.Bodies[i].ID)
					}
					b.UnknownName(p.With("body"), *d.Body, "body", ids)
					return
				}
				body, e.Subject, e.ID = m.Bodies[k], k, *d.Body
				if d.Node == nil && strings.HasSuffix(e.Quantity, "_force") {
					b.Add(p, "the key \"node\" is missing, a node of the body %q", *d.Body)
				}
			case (d.Node != nil || d.Group != nil) && m.Bodies != nil:
				b.Add(p, "the key \"body\" is missing: that of the node or group")
				return
			}
			if d.Group != nil && e.Axis >= 0 {
				b.held(c, p, d, e, &body)
			}
			if d.Node == nil {
				return
			}
			i := int(*d.Node)
			if i >= body.Mesh.NumNodes() {
				b.Add(p.With("node"), "found %d, the mesh has the nodes 0 to %d", i, body.Mesh.NumNodes()-1)
				return
			}
			e.Subject, e.ID = i+body.First, "node "+m.NodeName(i+body.First)
		})
}

// held finds the nodes of the group of an expectation that are prescribed along its axis.
func (b *builder) held(c *Case, p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation,
	body *elastic.Body) {
	g, ok := solid.Group(b.Builder, p.With("group"), body.Mesh, *d.Group)
	if !ok {
		return
	}
	var nodes []int
	for _, i := range g.Nodes() {
		i += body.First
		if slices.ContainsFunc(c.Model.Prescribed, func(x elastic.Prescribed) bool {
			return x.Axis == e.Axis && slices.Contains(x.Nodes, i)
		}) {
			nodes = append(nodes, i)
		}
	}
	if nodes == nil {
		b.Add(p.With("group"), "no node of the group %q is prescribed along %s, so that nothing holds it there", *d.Group, *d.Axis)
	}
	e.Subject, e.ID, c.supports = len(c.supports), *d.Group, append(c.supports, nodes)
}

// reaction is the force by which supports hold a group along an axis, in the mean of the last step [N].
func (r *Run) reaction(x *casefile.Expectation) float64 { return r.held(r.stepper.Supports, x) }

// held adds up a field over the nodes of a group that supports hold along the axis of an expectation.
func (r *Run) held(field func(dst []float64) []float64, x *casefile.Expectation) (sum float64) {
	r.nodes = field(r.nodes)
	for _, i := range r.c.supports[x.Subject] {
		sum += r.nodes[i*r.stepper.Mesh().Dim+x.Axis]
	}
	return sum
}

// Value returns an expected quantity at the present state.
func (r *Run) Value(x *casefile.Expectation) float64 { return quantities.Value(r, x) }

// Rate implements [run.Rated]. Nodes of contacts, and those that these meet, may have no mass, and then no velocity.
func (r *Run) Rate(x *casefile.Expectation) (rate float64, known bool) {
	if x.Quantity != "displacement" || slices.Contains(r.followed, x.Subject) {
		return 0, false
	}
	return r.node(r.stepper.Velocity, x), true
}

// node returns a component of a field at the node of an expectation.
func (r *Run) node(field func(dst []float64) []float64, x *casefile.Expectation) float64 {
	r.nodes = field(r.nodes)
	return r.nodes[x.Subject*r.stepper.Mesh().Dim+x.Axis]
}

// contactSum adds up contacts.
type contactSum struct {
	normal, friction float64
	closed, sticking int
}

// contacts adds up those of the node of an expectation, or all.
func (r *Run) contacts(x *casefile.Expectation) (sum contactSum) {
	for k, state := range r.states {
		if x.Subject >= 0 && r.c.Model.Contacts[k].Node != x.Subject {
			continue
		}
		f := r.stepper.Reactions(k)
		sum.normal += f[0]
		sum.friction += f[1]
		if state != elastic.Open {
			sum.closed++
		}
		if state == elastic.Stick {
			sum.sticking++
		}
	}
	return sum
}

// Averaged implements [run.Averager]. Where the rate of a support jumps, what its mass asks for is an impulse: the
// mean has it over the step, whatever its length, and the force is off by that.
func (r *Run) Averaged(x *casefile.Expectation) casefile.StepValue {
	span := r.stepper.Span()
	if x.Quantity != "reaction" || span == 0 {
		return casefile.StepValue{}
	}
	return casefile.StepValue{Known: true, Span: span, Noise: r.stepper.Noise() + math.Abs(r.held(r.stepper.Jolts, x))}
}

// Beside implements [run.Compared].
func (r *Run) Beside(observe func(share float64)) { r.steps.Beside(observe) }
