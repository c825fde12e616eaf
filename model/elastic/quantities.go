package elastic

import (
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// quantities are what a case can expect of its run.
var quantities = []casefile.Quantity{
	{Name: "displacement", Must: "node axis"}, {Name: "velocity", Must: "node axis"}, {Name: "mean_velocity", Must: "axis"},
	{Name: "kinetic_energy"}, {Name: "elastic_energy"}, {Name: "energy"}, {Name: "work"}, {Name: "dissipation"}, {Name: "contact_work"},
	{Name: "balance_residual", Sized: true}, {Name: "penetration"}, {Name: "normal_force", May: "node"}, {Name: "friction_force", May: "node"},
	{Name: "contacts", Between: casefile.Before}, {Name: "sticking", Between: casefile.Before}, {Name: "iterations", Between: casefile.After},
}

func (b *builder) expectations(m *fem.Mesh) []casefile.Expectation {
	return b.Expectations(&b.doc.Document, quantities, m.Dim, func(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
		if d.Node == nil {
			return
		}
		e.Subject, e.ID = int(*d.Node), fmt.Sprintf("node %d", int(*d.Node))
		if e.Subject >= m.NumNodes() {
			b.Add(p.With("node"), "found %d, the mesh has the nodes 0 to %d", e.Subject, m.NumNodes()-1)
		}
	})
}

// Value returns an expected quantity at the present state.
func (r *Run) Value(x *casefile.Expectation) float64 {
	s := r.stepper
	at, balance := x.Subject*s.Mesh().Dim+x.Axis, s.Balance()
	switch x.Quantity {
	case "displacement":
		r.nodes = s.Displacement(r.nodes)
		return r.nodes[at]
	case "velocity":
		r.nodes = s.Velocity(r.nodes)
		return r.nodes[at]
	case "mean_velocity":
		r.nodes = s.MeanVelocity(r.nodes)
		return r.nodes[x.Axis]
	case "kinetic_energy":
		return s.Energies().Kinetic
	case "elastic_energy":
		return s.Energies().Elastic
	case "energy":
		return s.Energies().Total()
	case "work":
		return balance.External
	case "dissipation":
		return balance.Dissipation
	case "contact_work":
		return balance.Contact
	case "balance_residual":
		return balance.Identity
	case "penetration":
		return balance.Penetration
	case "iterations":
		return float64(s.Stats().Iterations)
	}
	return r.contactValue(x)
}

// contactValue evaluates the quantities of contacts.
func (r *Run) contactValue(x *casefile.Expectation) float64 {
	normal, friction, closed, sticking := 0.0, 0.0, 0, 0
	for k, state := range r.states {
		if x.Subject >= 0 && r.c.Model.Contacts[k].Node != x.Subject {
			continue
		}
		f := r.stepper.Reactions(k)
		normal += f[0]
		friction += f[1]
		if state != elastic.Open {
			closed++
		}
		if state == elastic.Stick {
			sticking++
		}
	}
	switch x.Quantity {
	case "normal_force":
		return normal
	case "friction_force":
		return friction
	case "contacts":
		return float64(closed)
	case "sticking":
		return float64(sticking)
	}
	panic("elastic: Value: quantity " + x.Quantity)
}
