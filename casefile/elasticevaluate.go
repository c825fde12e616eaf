package casefile

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/table"
)

// ElasticEvaluator compares a run of the model elastodynamic with the
// expectations of its case while it goes.
type ElasticEvaluator struct {
	model *Elastic
	lines []line
	x     []float64
	state []elastic.Contact
}

// NewElasticEvaluator returns the evaluator of a model's expectations.
func NewElasticEvaluator(m *Elastic) *ElasticEvaluator {
	e := &ElasticEvaluator{model: m}
	for i := range m.Expect {
		e.lines = append(e.lines, line{Expectation: &m.Expect[i], low: math.Inf(1), top: math.Inf(-1)})
	}
	return e
}

// Observe takes the next state, the start included.
func (e *ElasticEvaluator) Observe(s *elastic.Stepper) {
	for i := range e.lines {
		e.lines[i].observe(s.State().T, e.value(e.lines[i].Expectation, s), e.model.Until)
	}
}

func (e *ElasticEvaluator) value(x *Expectation, s *elastic.Stepper) float64 {
	at := x.Particle*e.model.Model.Mesh.Dim + x.Axis
	b := s.Balance()
	switch x.Quantity {
	case "displacement":
		e.x = s.Displacement(e.x)
		return e.x[at]
	case "velocity":
		e.x = s.Velocity(e.x)
		return e.x[at]
	case "mean_velocity":
		e.x = s.MeanVelocity(e.x)
		return e.x[x.Axis]
	case "kinetic_energy":
		return s.Energies().Kinetic
	case "elastic_energy":
		return s.Energies().Elastic
	case "energy":
		return s.Energies().Total()
	case "work":
		return b.External
	case "dissipation":
		return b.Dissipation
	case "contact_work":
		return b.Contact
	case "balance_residual":
		return b.Identity
	case "penetration":
		return b.Penetration
	case "iterations":
		return float64(s.Stats().Iterations)
	}
	return e.contacts(x, s)
}

// contacts evaluates the quantities of contacts.
func (e *ElasticEvaluator) contacts(x *Expectation, s *elastic.Stepper) float64 {
	normal, friction, closed, sticking := 0.0, 0.0, 0, 0
	e.state = s.Contacts(e.state)
	for k, state := range e.state {
		if x.Particle >= 0 && e.model.Model.Contacts[k].Node != x.Particle {
			continue
		}
		r := s.Reactions(k)
		normal += r[0]
		friction += r[1]
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
	panic("casefile: ElasticEvaluator: quantity " + x.Quantity)
}

// Outcomes compares what was seen so far.
func (e *ElasticEvaluator) Outcomes() []table.Outcome {
	list := make([]table.Outcome, 0, len(e.lines))
	for i := range e.lines {
		list = append(list, e.lines[i].outcome())
	}
	return list
}
