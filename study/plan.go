package study

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/report"
)

// Plan is the list of runs of a study. Safe for concurrent use.
type Plan struct {
	Spec  *Spec
	paths []string // of Spec
	base  []byte   // text of the base case
	holes *blanks  // in it; nil: its text is changed path by path
	meant *blanks  // the same in what has a meaning of it; nil: there is no such text
	unit  *mat.Dense
	size  int
	sums  map[string]string // of the files that cases name, by name

	levels *Levels // of a convergence study; nil: runs are changes of the case
}

// NewPlan expands a study over the text of its base case. Nothing of the size of the
// list is allocated, but the unit points of a sample.
func NewPlan(s *Spec, base []byte) (*Plan, error) {
	p, err := newTemplate(s, base)
	if err != nil {
		return nil, err
	}
	if s.Sample != nil {
		p.unit = s.Sample.unitSample()
	}
	_, err = p.Text(0) // paths that cannot be set fail here, not in each run
	return p, err
}

// newTemplate is NewPlan for who is given the values of each run: the points of a sample, which may
// be many, are not made.
func newTemplate(s *Spec, base []byte) (*Plan, error) {
	if !json.Valid(base) {
		return nil, fmt.Errorf("study: the base case %q is not JSON", s.Case)
	}
	if !s.Expect {
		var err error
		if base, err = without(base, "expect"); err != nil {
			return nil, fmt.Errorf("study: the base case %q: %w", s.Case, err)
		}
	}
	p := &Plan{Spec: s, paths: s.Paths(), base: base, size: 1}
	for i := range s.Axes {
		if err := p.multiply(s.Axes[i].Len()); err != nil {
			return nil, err
		}
	}
	if s.Sample != nil {
		if err := p.multiply(s.Sample.Len()); err != nil {
			return nil, err
		}
	}
	var err error
	if p.holes, err = newBlanks(base, p.paths); err != nil {
		return nil, err
	}
	if p.holes != nil {
		p.meant = p.holes.canonical()
	}
	return p, nil
}

// without returns an object without one of its keys.
func without(text []byte, key string) ([]byte, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if _, ok := m[key]; !ok {
		return text, nil
	}
	delete(m, key)
	return json.Marshal(m)
}

func (p *Plan) multiply(n int) error {
	if float64(p.size)*float64(n) > largestPlan {
		return fmt.Errorf("study: %.10g runs, more than %d, and with --yes at most %.0g", float64(p.size)*float64(n),
			DefaultMost, float64(largestPlan))
	}
	p.size *= n
	return nil
}

// Len is the number of runs.
func (p *Plan) Len() int { return p.size }

// Parameters returns the values of run i, one for each of [Spec.Paths].
func (p *Plan) Parameters(i int) []json.RawMessage {
	if i < 0 || i >= p.size {
		panic(fmt.Sprintf("study: Plan.Parameters: run %d of %d", i, p.size))
	}
	s := p.Spec
	list := make([]json.RawMessage, len(p.paths))
	at := len(list)
	if x := s.Sample; x != nil {
		at -= len(x.Paths)
		copy(list[at:], p.sampled(i%x.Len()))
		i /= x.Len()
	}
	for k := len(s.Axes) - 1; k >= 0; k-- {
		a := &s.Axes[k]
		at -= len(a.Paths)
		copy(list[at:], a.Point(i%a.Len()))
		i /= a.Len()
	}
	return list
}

// sampled returns the values of point i of the sample.
func (p *Plan) sampled(i int) []json.RawMessage {
	x := p.Spec.Sample
	list := make([]json.RawMessage, len(x.Paths))
	for j := range list {
		list[j] = x.Distributions[j](x.point(p.unit, i, j))
	}
	return list
}

// Base returns the text of the case that the runs change; without its expectations, if they do not count.
func (p *Plan) Base() []byte { return p.base }

// expects reports whether the runs have expectations that count.
func (p *Plan) expects() bool {
	var c struct {
		Expect []json.RawMessage `json:"expect"`
	}
	return json.Unmarshal(p.base, &c) == nil && len(c.Expect) > 0
}

// Text returns the expanded case of run i.
func (p *Plan) Text(i int) ([]byte, error) { return p.with(p.Parameters(i)) }

// with sets values at the paths.
func (p *Plan) with(values []json.RawMessage) ([]byte, error) {
	if err := p.check(values); err != nil {
		return nil, err
	}
	if p.holes != nil {
		return p.holes.fill(values), nil
	}
	text := p.base
	for j, where := range p.paths {
		var err error
		if text, err = casefile.Set(text, where, values[j]); err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
	}
	return text, nil
}

// check refuses values that JSON does not have: those of a quantile that is infinite.
func (p *Plan) check(values []json.RawMessage) error {
	for j, v := range values {
		if !json.Valid(v) {
			return fmt.Errorf("study: %s: the value %s is no number", p.paths[j], short(v))
		}
	}
	return nil
}

// ID returns the id of a run of the plan, by its expanded case and by what the files hold that
// it names.
func (p *Plan) ID(text []byte) string { return p.id(text).String() }

func (p *Plan) id(text []byte) key {
	canonical, err := meaning(text)
	if err != nil {
		return digest(text)
	}
	id := digest(canonical)
	if sums := p.sumsNamed(canonical); sums != nil {
		id = digest(append([]byte(id.String()), sums...))
	}
	return id
}

// run returns the expanded case of run i and its id, as [Plan.ID] has it.
func (p *Plan) run(i int) (text []byte, id key, err error) { return p.valued(p.Parameters(i)) }

// valued returns the expanded case with values at the paths, and its id.
func (p *Plan) valued(values []json.RawMessage) (text []byte, id key, err error) {
	if text, err = p.with(values); err != nil {
		return nil, key{}, err
	}
	id, ok := p.quickID(values)
	if !ok {
		id = p.id(text)
	}
	return text, id, nil
}

// runID returns the id of run i.
func (p *Plan) runID(i int) (key, error) {
	values := p.Parameters(i)
	if err := p.check(values); err != nil {
		return key{}, err
	}
	if id, ok := p.quickID(values); ok {
		return id, nil
	}
	text, err := p.with(values)
	if err != nil {
		return key{}, err
	}
	return p.id(text), nil
}

// quickID returns the id of the run with such values without reading its case; false: that
// cannot be.
func (p *Plan) quickID(values []json.RawMessage) (id key, ok bool) {
	if p.meant == nil || len(p.sums) > 0 {
		return key{}, false
	}
	canonical := make([]json.RawMessage, len(values))
	for j, v := range values {
		var err error
		if canonical[j], err = meaning(v); err != nil {
			return key{}, false
		}
	}
	return p.meant.digest(canonical), true
}

// digest returns the first half of a SHA-256.
func digest(text []byte) key {
	sum := sha256.Sum256(text)
	return key(sum[:])
}

// Print lists the runs: number, id and parameters.
func (p *Plan) Print(ctx context.Context, w io.Writer) error {
	fmt.Fprintf(w, "%d runs of %s\n", p.Len(), p.Spec.Case)
	for i := range p.Len() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		text, err := p.Text(i)
		if err != nil {
			return err
		}
		var words []string
		for j, v := range p.Parameters(i) {
			words = append(words, fmt.Sprintf("%s=%s", p.paths[j], v))
		}
		if _, err := fmt.Fprintf(w, "%6d  %s  %s\n", i, p.ID(text), report.Plain(strings.Join(words, "  "))); err != nil {
			return err
		}
	}
	return nil
}
