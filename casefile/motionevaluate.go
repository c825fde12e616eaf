package casefile

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

// MotionEvaluator compares a motion with the expectations of its case while it
// goes.
type MotionEvaluator struct {
	model *Motion
	lines []line
	mean  []meanForce // of each line
	slip  []float64   // first slip of each line; NaN: not yet

	// V0 and Residual are set before the first step of a boundary-value problem.
	V0       []float64
	Residual float64

	events int
	states map[int]dynamics.ContactState // of each element, by key and element
}

// meanForce is the mean of the steps after a time.
type meanForce struct {
	sum   float64
	count int
}

// NewMotionEvaluator returns the evaluator of a model's expectations.
func NewMotionEvaluator(m *Motion) *MotionEvaluator {
	e := &MotionEvaluator{model: m, V0: m.V0, mean: make([]meanForce, len(m.Expect)), slip: make([]float64, len(m.Expect)), states: map[int]dynamics.ContactState{}}
	for i := range m.Expect {
		e.lines = append(e.lines, line{Expectation: &m.Expect[i].Expectation, low: math.Inf(1), top: math.Inf(-1)})
		e.slip[i] = math.NaN()
	}
	return e
}

// Start takes the state at t = 0.
func (e *MotionEvaluator) Start(s *dynamics.Stepper) {
	step := dynamics.Step{State: s.State()}
	ledger := s.Ledger()
	e.look(&step, &ledger)
}

// Observe takes the next step.
func (e *MotionEvaluator) Observe(step *dynamics.Step, ledger *dynamics.Energy) {
	e.countEvents(step)
	e.look(step, ledger)
}

func (e *MotionEvaluator) look(step *dynamics.Step, ledger *dynamics.Energy) {
	for i := range e.lines {
		e.lines[i].observe(step.State.T, e.value(i, step, ledger), e.model.Until)
	}
}

// elementID numbers an element over the whole run.
func elementID(key, element int) int { return key<<10 | element }

// countEvents counts the changes of state of elements.
func (e *MotionEvaluator) countEvents(step *dynamics.Step) {
	EachElement(e.model.World.Dim(), step, func(key, element int, state dynamics.ContactState, _, _ []float64) {
		id := elementID(key, element)
		if before, known := e.states[id]; known && before != state || !known && state != dynamics.Open && step.Index > 1 {
			e.events++
		}
		e.states[id] = state
	})
}

// EachElement calls f for the elements of the patches in contact: key of the
// patch, number in the patch, state, force and slip (n, t[, o]).
func EachElement(dim int, step *dynamics.Step, f func(key, element int, state dynamics.ContactState, lambda, slip []float64)) {
	x, at := step.State, 0
	for i, key := range x.Keys {
		for k := x.Ptr[i]; k < x.Ptr[i+1] && at < len(step.Contacts); k += dim {
			f(key, (k-x.Ptr[i])/dim, step.Contacts[at], x.Lambda[k:k+dim], x.Slip[k:k+dim])
			at++
		}
	}
}

func (e *MotionEvaluator) value(i int, step *dynamics.Step, ledger *dynamics.Energy) float64 {
	x, state, w := &e.model.Expect[i], step.State, e.model.World
	q, v := 0, 0
	if x.Body >= 0 {
		q, v = w.Coordinates(x.Body)
	}
	dim := w.Dim()
	switch x.Quantity {
	case "position":
		return state.Q[q+x.Axis]
	case "displacement":
		return state.Q[q+x.Axis] - e.model.Q0[q+x.Axis]
	case "velocity":
		return state.V[v+x.Axis]
	case "initial_velocity":
		return e.V0[v+x.Axis]
	case "angle":
		return state.Q[q+2]
	case "spin":
		return state.V[v+dim+max(x.Axis, 0)]
	case "kinetic_energy":
		return ledger.Kinetic
	case "energy":
		return ledger.Kinetic + ledger.Potential + ledger.Stored
	case "dissipation":
		return ledger.Friction + ledger.Viscous + ledger.Impact
	case "work":
		return ledger.Loads
	case "balance_residual":
		return ledger.Residual
	case "events":
		return float64(e.events)
	case "boundary_residual":
		return e.Residual
	}
	return e.force(i, step)
}

// force evaluates the quantities of contacts.
func (e *MotionEvaluator) force(i int, step *dynamics.Step) float64 {
	x := &e.model.Expect[i]
	normal, friction, state := e.model.forces(step, x.Body, x.Element)
	switch x.Quantity {
	case "normal_force":
		return normal
	case "friction_force":
		if x.Axis >= 0 {
			return friction[x.Axis]
		}
		return math.Sqrt(friction[0]*friction[0] + friction[1]*friction[1] + friction[2]*friction[2])
	case "mean_normal_force":
		m := &e.mean[i]
		if step.State.T > x.From+sameTime*e.model.Until {
			m.sum += normal
			m.count++
		}
		return m.sum / max(1, float64(m.count))
	case "first_slip":
		if math.IsNaN(e.slip[i]) && state == dynamics.Slide {
			e.slip[i] = step.State.T
		}
		return e.slip[i]
	}
	panic("casefile: MotionEvaluator: quantity " + x.Quantity)
}

// forces sums the forces on a body from its declared contacts: normal forces,
// and friction as a vector. element ≥ 0 picks one of its elements.
func (m *Motion) forces(step *dynamics.Step, body, element int) (normal float64, friction [3]float64, state dynamics.ContactState) {
	dim, first := m.World.Dim(), 0
	for c := range m.Contacts {
		n := &m.Contacts[c]
		if n.Body != body && n.Other != body {
			continue
		}
		EachElement(dim, step, func(key, k int, s dynamics.ContactState, lambda, _ []float64) {
			if key < n.Key || key >= n.Key+n.Features {
				return
			}
			if element >= 0 && first+(key-n.Key)*n.Elements+k != element {
				return
			}
			normal += lambda[0]
			state = s
			if n.Obstacle < 0 {
				return
			}
			_, t, o := m.World.Frame(n.Obstacle)
			for d := range friction {
				friction[d] += lambda[1] * t[d]
				if dim == 3 {
					friction[d] += lambda[2] * o[d]
				}
			}
		})
		first += n.Features * n.Elements
	}
	return normal, friction, state
}

// Outcomes compares what was seen so far.
func (e *MotionEvaluator) Outcomes() []table.Outcome {
	list := make([]table.Outcome, 0, len(e.lines))
	for i := range e.lines {
		list = append(list, e.lines[i].outcome())
	}
	return list
}
