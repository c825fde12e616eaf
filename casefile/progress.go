package casefile

import "fmt"

// Progress is what an [Evaluator] has seen: one of the same model that loads it
// goes on to the same outcomes.
type Progress struct {
	Events    int
	Lipschitz float64
	Lines     []LineProgress
}

// LineProgress is the progress of one expectation.
type LineProgress struct {
	T, Last      float64
	Begun, Found bool
	Value        float64
	Low, Top     float64
}

// Save returns the progress.
func (e *Evaluator) Save() Progress {
	p := Progress{Events: e.events, Lipschitz: e.lipschitz}
	for _, l := range e.lines {
		p.Lines = append(p.Lines, LineProgress{l.t, l.last, l.begun, l.found, l.value, l.low, l.top})
	}
	return p
}

// Load goes on from a progress. It fails for one of another model.
func (e *Evaluator) Load(p *Progress) error {
	if len(p.Lines) != len(e.lines) {
		return fmt.Errorf("casefile: the progress has %d expectations, want %d", len(p.Lines), len(e.lines))
	}
	e.events, e.lipschitz = p.Events, p.Lipschitz
	for i, s := range p.Lines {
		l := &e.lines[i]
		l.t, l.last, l.begun, l.found, l.value, l.low, l.top = s.T, s.Last, s.Begun, s.Found, s.Value, s.Low, s.Top
	}
	return nil
}
