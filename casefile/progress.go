package casefile

import (
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// Progress is what an [Evaluator] has seen: one of the same model that loads it
// goes on to the same outcomes.
type Progress struct {
	Events    int
	Lipschitz float64
	Lines     []LineProgress
}

// LineProgress is the progress of one expectation: time and value at the node
// before, the value found, the least and the largest one. (An array keeps the sign
// of a zero in a checkpoint.)
type LineProgress struct {
	Begun, Found bool
	Values       [5]float64
}

func saveLines(lines []line) (list []LineProgress) {
	for i := range lines {
		l := &lines[i]
		list = append(list, LineProgress{l.begun, l.found, [5]float64{l.t, l.last, l.value, l.low, l.top}})
	}
	return list
}

func loadLines(lines []line, list []LineProgress) error {
	if len(list) != len(lines) {
		return fmt.Errorf("casefile: the progress has %d expectations, want %d", len(list), len(lines))
	}
	for i, s := range list {
		l, v := &lines[i], &s.Values
		l.begun, l.found = s.Begun, s.Found
		l.t, l.last, l.value, l.low, l.top = v[0], v[1], v[2], v[3], v[4]
	}
	return nil
}

// Save returns the progress.
func (e *Evaluator) Save() Progress {
	return Progress{Events: e.events, Lipschitz: e.lipschitz, Lines: saveLines(e.lines)}
}

// Load goes on from a progress. It fails for one of another model.
func (e *Evaluator) Load(p *Progress) error {
	e.events, e.lipschitz = p.Events, p.Lipschitz
	return loadLines(e.lines, p.Lines)
}

// MotionProgress is what a [MotionEvaluator] has seen.
type MotionProgress struct {
	Lines    []LineProgress
	Sums     []float64 // of the mean forces …
	Counts   []int     // … and their steps
	Slip     []float64
	V0       []float64
	Residual float64
	Events   int
	States   map[int]dynamics.ContactState
}

// Save returns the progress; it shares the memory of the evaluator until the next
// step.
func (e *MotionEvaluator) Save() MotionProgress {
	p := MotionProgress{Lines: saveLines(e.lines), Slip: e.slip, V0: e.V0, Residual: e.Residual, Events: e.events, States: e.states}
	for _, m := range e.mean {
		p.Sums, p.Counts = append(p.Sums, m.sum), append(p.Counts, m.count)
	}
	return p
}

// Load goes on from a progress. It fails for one of another model.
func (e *MotionEvaluator) Load(p *MotionProgress) error {
	if n := len(e.lines); len(p.Sums) != n || len(p.Counts) != n || len(p.Slip) != n || len(p.V0) != len(e.model.V0) {
		return fmt.Errorf("casefile: the progress has %d expectations of %d velocities, want %d of %d", len(p.Sums), len(p.V0), n, len(e.model.V0))
	}
	for i := range e.mean {
		e.mean[i] = meanForce{p.Sums[i], p.Counts[i]}
	}
	copy(e.slip, p.Slip)
	e.V0, e.Residual, e.events = slices.Clone(p.V0), p.Residual, p.Events
	for id, state := range p.States {
		e.states[id] = state
	}
	return loadLines(e.lines, p.Lines)
}

// MultibodyProgress is what a [MultibodyEvaluator] has seen.
type MultibodyProgress struct {
	Lines      []LineProgress
	First      *rigid.Collision // nil: none yet
	Collisions int
	Painleve   int
	Lost       int
}

// Save returns the progress.
func (e *MultibodyEvaluator) Save() MultibodyProgress {
	return MultibodyProgress{Lines: saveLines(e.lines), First: e.first, Collisions: e.collisions, Painleve: e.painleve, Lost: e.lost}
}

// Load goes on from a progress. It fails for one of another model.
func (e *MultibodyEvaluator) Load(p *MultibodyProgress) error {
	e.first, e.collisions, e.painleve, e.lost = p.First, p.Collisions, p.Painleve, p.Lost
	return loadLines(e.lines, p.Lines)
}

// Save returns the progress of an [ElasticEvaluator].
func (e *ElasticEvaluator) Save() []LineProgress { return saveLines(e.lines) }

// Load goes on from a progress. It fails for one of another model.
func (e *ElasticEvaluator) Load(p []LineProgress) error { return loadLines(e.lines, p) }
