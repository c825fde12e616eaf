package run

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// Refinement is a convergence study: a case in n, 2n, 4n, … equal steps.
type Refinement struct {
	Name     string               `json:"name"`
	Steps    []int                `json:"steps"`
	H        []float64            `json:"h"`        // lengths [s]
	Distance []float64            `json:"distance"` // to the finest run, at times of the coarsest
	Halving  []float64            `json:"halving"`  // to the run before; 0 of the first
	Order    []float64            `json:"order"`    // log₂ of the ratio of two of them; 0 of the first two
	Measures map[string][]float64 `json:"measures"` // by key, of each run
	Expect   [][]table.Outcome    `json:"expectations"`

	measures []Measure // of the last run, for their names
}

// NewConvergence lists the runs of the convergence study of a case: those of the model, or
// those in steps, 2·steps, 4·steps, … equal steps; 0 steps: the coarsest run is as the case
// has it.
func NewConvergence(name string, c Case, steps, levels int) (Convergence, error) {
	if own, ok := c.(Converger); ok {
		return own.Convergence(steps, levels)
	}
	r, err := Refine(name, c, steps, levels)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// studyFile, studyPage and studyPictures are what a study writes.
const (
	studyFile = "convergence.json"
	studyPage = "convergence.html"
)

var studyPictures = []string{"convergence.png", "convergence.svg", studyPage}

// ClaimStudy refuses a folder in which a study would replace what no study wrote: it has files of
// these names, and none of them is the table of a study, which names its case.
func ClaimStudy(dir string) error {
	text, err := regular.ReadFile(filepath.Join(dir, studyFile))
	var table struct{ Name *string }
	if err == nil && json.Unmarshal(text, &table) == nil && table.Name != nil {
		return nil
	}
	for _, name := range append([]string{studyFile}, studyPictures...) {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("run: %s has a file %s that no convergence study wrote and that would be lost, want another folder",
				dir, name)
		}
	}
	return nil
}

// WriteStudy writes a study as convergence.json, its pictures and its page; finest is the number of
// the run that is to be as expected.
func WriteStudy(dir, title string, s Judged, finest int) error {
	text, err := JSON(s)
	if err != nil {
		return err
	}
	if err := table.WriteFile(filepath.Join(dir, studyFile), text); err != nil {
		return err
	}
	plots := s.Plots()
	if _, err := report.DrawPicture(dir, "convergence", title, plots...); err != nil { // what cannot be drawn is no result
		return err
	}
	return table.WriteWhole(filepath.Join(dir, studyPage), s.page(title, finest, plots).Write)
}

// mostPaths bounds the times at which runs are compared: all coordinates are kept.
const mostPaths = 200

// Refinements are the runs of a [Refinement].
type Refinements struct {
	name                  string
	c                     Refiner
	steps, levels, stride int
}

var _ Convergence = (*Refinements)(nil)

// Refine lists the runs of a case in n, 2n, 4n, … steps.
func Refine(name string, c Case, steps, levels int) (*Refinements, error) {
	r, ok := c.(Refiner)
	if !ok {
		return nil, errors.New("the model has no convergence study")
	}
	coarsest, err := r.Refined(steps)
	if err != nil {
		return nil, err
	}
	steps = coarsest.Plan().Steps
	if finer, ok := coarsest.(Refiner); ok {
		r = finer // whose nodes those of the others are among
	}
	return &Refinements{name, r, steps, levels, (steps + mostPaths - 1) / mostPaths}, nil
}

// Len implements [Convergence].
func (s *Refinements) Len() int { return s.levels }

// Name implements [Convergence].
func (s *Refinements) Name(i int) string { return fmt.Sprintf("%d steps", s.steps<<i) }

// Case implements [Convergence].
func (s *Refinements) Case(_ context.Context, i int) (Case, error) { return s.c.Refined(s.steps << i) }

// Level implements [Convergence].
func (s *Refinements) Level(ctx context.Context, i int) ([]byte, error) {
	c, err := s.Case(ctx, i)
	if err != nil {
		return nil, err
	}
	l, err := newLevel(ctx, c, s.stride<<i)
	if err != nil {
		return nil, fmt.Errorf("in %d steps: %w", s.steps<<i, err)
	}
	return EncodeLevel(l)
}

// Study implements [Convergence].
func (s *Refinements) Study(coded [][]byte) (Study, error) {
	r, err := s.Refinement(coded)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Refinement compares the runs.
func (s *Refinements) Refinement(coded [][]byte) (*Refinement, error) {
	list, err := DecodeLevels[level](coded)
	if err != nil {
		return nil, err
	}
	return refinement(s.name, list), nil
}

// EncodeLevel codes what a run of a convergence study leaves.
func EncodeLevel(l any) ([]byte, error) {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(l); err != nil {
		return nil, fmt.Errorf("run: a level of a study: %w", err)
	}
	return text.Bytes(), nil
}

// DecodeLevels is the inverse of [EncodeLevel] for all runs of a study.
func DecodeLevels[T any](coded [][]byte) ([]*T, error) {
	list := make([]*T, len(coded))
	for i, text := range coded {
		list[i] = new(T)
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(list[i]); err != nil {
			return nil, fmt.Errorf("run: level %d of a study: %w", i, err)
		}
	}
	return list, nil
}

// refinement compares the levels of a study.
func refinement(name string, list []*level) *Refinement {
	n := len(list)
	s := &Refinement{Name: name, Measures: map[string][]float64{}, Halving: make([]float64, n),
		Order: make([]float64, n), measures: list[n-1].Measures}
	for i, l := range list {
		s.Steps, s.H, s.Expect = append(s.Steps, l.Steps), append(s.H, l.H), append(s.Expect, l.Expect)
		for _, x := range l.Measures {
			s.Measures[x.Key] = append(s.Measures[x.Key], Finite(x.Value))
		}
		s.Distance = append(s.Distance, Distance(l.Path, list[n-1].Path))
		if i > 0 {
			s.Halving[i] = Distance(l.Path, list[i-1].Path)
		}
		if i > 1 && s.Halving[i] > 0 && s.Halving[i-1] > 0 {
			s.Order[i] = elementary.Log2(s.Halving[i-1] / s.Halving[i])
		}
	}
	return s
}

// level is one run of a study.
type level struct {
	Steps    int
	H        float64
	Path     [][]float64 // coordinates at the times of the coarsest run
	Measures []Measure
	Expect   []table.Outcome
}

// newLevel makes a run and keeps its coordinates at every so many steps.
func newLevel(ctx context.Context, c Case, every int) (*level, error) {
	p := c.Plan()
	r, err := c.Start(ctx, nil)
	if err != nil {
		return nil, err
	}
	m, ok := r.(Measured)
	if !ok {
		return nil, errors.New("the model has nothing to measure")
	}
	e := casefile.NewEvaluator(p.Expect, p.Until)
	Connect(e, r)
	out := &Output{Tables: table.Discard(p.Layout)}
	if err := r.Row(0, out); err != nil {
		return nil, err
	}
	e.Observe(r.Time(), r.Value)
	l := &level{Steps: p.Steps, H: p.Step()}
	for k := 1; k <= p.Steps; k++ {
		if err := errors.Join(ctx.Err(), Step(ctx, r)); err != nil {
			return nil, err
		}
		if err := r.Row(k, out); err != nil {
			return nil, err
		}
		Evaluate(e, r)
		if k%every == 0 {
			l.Path = append(l.Path, slices.Clone(m.Coordinates()))
		}
	}
	l.Measures, l.Expect = m.Measures(), e.Outcomes(true)
	return l, nil
}

// Distance is the largest difference of two paths.
func Distance(a, b [][]float64) float64 {
	d := 0.0
	for k := range min(len(a), len(b)) {
		for i, x := range a[k] {
			d = max(d, math.Abs(x-b[k][i]))
		}
	}
	return d
}

// Plots implements [Study]: what falls with the step.
func (s *Refinement) Plots() []*report.Plot {
	curves := []report.Curve{{Name: "distance to the finest run", Values: s.Distance}}
	for _, x := range s.measures {
		if x.Falls {
			curves = append(curves, report.Curve{Name: x.Name, Values: s.Measures[x.Key]})
		}
	}
	return []*report.Plot{report.Orders(s.H, curves)}
}

// Print prints the table of the study.
func (s *Refinement) Print(p *Page) {
	head := fmt.Sprintf("%-9s %-12s %-17s %-17s", "steps", "h [s]", "distance [m]", "to the run before")
	for _, x := range s.measures {
		title := x.Name
		if x.Unit != "" {
			title += " [" + x.Unit + "]"
		}
		head += fmt.Sprintf(" %-*s", width(&x), title)
	}
	p.Line("h → 0", "%s", strings.TrimRight(head, " "))
	for i := range s.Steps {
		halving := "-"
		if i > 0 {
			halving = WithOrder(s.Halving[i], s.Order[i], 0)
		}
		row := fmt.Sprintf("%-9d %-12.4g %-17s %-17s", s.Steps[i], s.H[i], ordered(s.Distance, i), halving)
		for _, x := range s.measures {
			text := fmt.Sprintf("%.3g", s.Measures[x.Key][i])
			if x.Falls {
				text = ordered(s.Measures[x.Key], i)
			}
			row += fmt.Sprintf(" %-*s", width(&x), text)
		}
		p.Line("", "%s", strings.TrimRight(row, " "))
	}
	PrintErrors(p, s.Expect)
}

// width is that of a column.
func width(x *Measure) int { return max(17, len([]rune(x.Name))+len([]rune(x.Unit))+4) }

// PrintErrors prints how far each run is from what is expected, with the orders.
func PrintErrors(p *Page, expect [][]table.Outcome) {
	if len(expect) == 0 {
		return
	}
	for i := range expect[0] {
		var row string
		last := 0.0
		for level := range expect {
			o := &expect[level][i]
			if o.Want == nil || o.Value == nil {
				row = ""
				break
			}
			off := math.Abs(*o.Value - *o.Want)
			order := 0.0
			if last > 0 && off > 0 {
				order = elementary.Log2(last / off)
			}
			row += fmt.Sprintf("%-17s", WithOrder(off, order, Roundoff*max(1, math.Abs(*o.Want))))
			last = off
		}
		if row != "" {
			p.Line("errors", "%-36s %s", expect[0][i].Label, strings.TrimRight(row, " "))
		}
	}
}

// Roundoff is the part of a size below which differences are noise, whose orders mean
// nothing.
const Roundoff = 1e-12

// ordered prints a value with the order that it shows.
func ordered(v []float64, i int) string {
	if i == len(v)-1 && v[i] == 0 {
		return "finest"
	}
	order := 0.0
	if i > 0 && v[i] > 0 && v[i-1] > 0 {
		order = elementary.Log2(v[i-1] / v[i])
	}
	return WithOrder(v[i], order, 0)
}

// WithOrder prints a number with its observed order, if it is above the noise.
func WithOrder(v, order, noise float64) string {
	switch {
	case v <= noise:
		return "roundoff"
	case order == 0:
		return fmt.Sprintf("%.2g", v)
	}
	return fmt.Sprintf("%.2g (%.2f)", v, order)
}
