package casefile

import (
	"math"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// Evaluator compares a run with the expectations of its case while it goes: it
// keeps two nodes, not the trajectory.
type Evaluator struct {
	model *Model
	lines []line

	events    int     // so far
	lipschitz float64 // largest so far
}

// line is the progress of one expectation.
type line struct {
	*Expectation
	t, last  float64 // time and value at the node before
	begun    bool
	found    bool    // value is that at the time asked for
	value    float64 // or the last one
	low, top float64 // over the nodes so far
}

// NewEvaluator returns the evaluator of a model's expectations.
func NewEvaluator(m *Model) *Evaluator {
	e := &Evaluator{model: m}
	for i := range m.Expect {
		e.lines = append(e.lines, line{Expectation: &m.Expect[i], low: math.Inf(1), top: math.Inf(-1)})
	}
	return e
}

// Observe takes the next node.
func (e *Evaluator) Observe(n *energetic.Node) {
	if n.K > 0 {
		for j, s := range n.States {
			if s != n.Before[j] {
				e.events++
			}
		}
	}
	e.lipschitz = max(e.lipschitz, n.Lipschitz)
	for i := range e.lines {
		e.lines[i].observe(n.T, e.value(e.lines[i].Expectation, n), e.model.Until)
	}
}

// sameTime is the distance of times, relative to the whole run, that is roundoff
// of until·k/steps.
const sameTime = 1e-12

func (l *line) observe(t, v, until float64) {
	// A contact speed or a count belongs to the step as a whole; all else is
	// linear between nodes.
	step := l.Quantity == "events" || l.Quantity == "lipschitz"
	switch {
	case l.Time == nil:
		l.value, l.found = v, true
	case l.found || t < *l.Time-sameTime*until:
	case t <= *l.Time+sameTime*until || !l.begun:
		l.value, l.found = v, true
	case step && l.Quantity == "events":
		l.value, l.found = l.last, true
	case step:
		l.value, l.found = v, true
	default:
		l.value, l.found = l.last+(v-l.last)*(*l.Time-l.t)/(t-l.t), true
	}
	size := v
	if l.Quantity == "balance_residual" {
		size = math.Abs(v)
	}
	l.low, l.top = min(l.low, size), max(l.top, size)
	l.t, l.last, l.begun = t, v, true
}

// value evaluates a quantity at a node.
func (e *Evaluator) value(x *Expectation, n *energetic.Node) float64 {
	switch x.Quantity {
	case "position":
		return e.position(x, n)
	case "displacement":
		return e.position(x, n) - e.model.At[3*x.Particle+x.Axis]
	case "normal_force":
		return e.normal(x, n)
	case "friction_force":
		return along(e.friction(x, n), x.Axis)
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
		return e.lipschitz
	case "events":
		return float64(e.events)
	}
	panic("casefile: Evaluator: quantity " + x.Quantity)
}

func (e *Evaluator) frame(x *Expectation) particles.Frame {
	return e.model.Psi.System.Frame(x.Particle)
}

func (e *Evaluator) position(x *Expectation, n *energetic.Node) float64 {
	f := e.frame(x)
	return f.ToGlobal([3]float64(n.Z[3*x.Particle : 3*x.Particle+3]))[x.Axis]
}

// normal returns the normal force on a particle, or the sum of all.
func (e *Evaluator) normal(x *Expectation, n *energetic.Node) float64 {
	if x.Particle >= 0 {
		return table.Reaction(n, x.Particle)[0]
	}
	sum := 0.0
	for j := range n.States {
		sum += table.Reaction(n, j)[0]
	}
	return sum
}

// friction returns the tangential force on a particle in global coordinates, or
// the sum of all.
func (e *Evaluator) friction(x *Expectation, n *energetic.Node) [3]float64 {
	first, end := x.Particle, x.Particle+1
	if x.Particle < 0 {
		first, end = 0, len(n.States)
	}
	var sum [3]float64
	for j := first; j < end; j++ {
		r, f := table.Reaction(n, j), e.model.Psi.System.Frame(j)
		for c, v := range f.RotateToGlobal([3]float64{r[1], r[2], 0}) {
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

// Outcomes compares what was seen so far. What the run did not reach is not met.
func (e *Evaluator) Outcomes() []table.Outcome {
	list := make([]table.Outcome, 0, len(e.lines))
	for i := range e.lines {
		list = append(list, e.lines[i].outcome())
	}
	return list
}

func (l *line) outcome() table.Outcome {
	o := table.Outcome{Label: l.Label(), Quantity: l.Quantity, Want: l.Value, Min: l.Min, Max: l.Max}
	if l.Value != nil {
		o.Tolerance = &l.Tolerance
		if l.found {
			o.Value = &l.value
			o.Met = math.Abs(l.value-*l.Value) <= l.Tolerance
		}
		return o
	}
	if !l.begun {
		return o
	}
	o.Met = (l.Max == nil || l.top <= *l.Max) && (l.Min == nil || l.low >= *l.Min)
	o.Value = &l.top
	if l.Max == nil || l.Min != nil && l.low < *l.Min {
		o.Value = &l.low
	}
	return o
}
