package casefile

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/table"
)

// Builder makes the model of one case from its document. Parts that are at fault are
// recorded and left out, so that one pass finds all faults.
type Builder struct {
	*Faults
	Context context.Context // of the building
	Case    *Case
	Limit   memory.Limit // of what the run may take
	Files   []string     // that the case names, relative to it
	Signals []Signal     // sines and tables of the case, in the order in which they were read
	Notes   []string     // what the case declares and has no effect, where that may be meant

	parts  []*declared // whose entries other parts name
	tables int64       // what tables of files take [bytes]
}

// NewBuilder decodes the document of a case, which the schema has checked, and returns the
// builder of its model.
func NewBuilder(ctx context.Context, c *Case, document any) *Builder {
	b := &Builder{Faults: &Faults{file: c.File, data: c.text(), written: c.written, reserved: c.Reserved,
		asker: c.ObservedBy}, Context: ctx, Case: c, Files: slices.Clone(c.included)}
	b.Decode(nil, c.Document(), document)
	b.SetLimit("")
	return b
}

// Dir is the folder of the case.
func (b *Builder) Dir() string { return filepath.Dir(b.Case.File) }

// Accept records an error.
func (b *Builder) Accept(p Path, err error) bool {
	if err != nil {
		b.Add(p, "%v", err)
	}
	return err == nil
}

// UnknownName objects to a name that the case does not define.
func (b *Builder) UnknownName(p Path, name, kind string, valid []string) {
	switch guess := nearest.Word(name, valid); {
	case IsTemplate(name):
		b.Add(p, "unknown %s %q: %s", kind, Abbreviate(name), TemplateHint)
	case guess != "":
		b.Add(p, "unknown %s %q, the nearest one is %q", kind, Abbreviate(name), guess)
	case len(valid) == 0:
		b.Add(p, "unknown %s %q: the case defines none", kind, Abbreviate(name))
	default:
		b.Add(p, "unknown %s %q, want one of %v", kind, Abbreviate(name), valid)
	}
}

// IsTemplate reports whether a name has braces that nothing has filled.
func IsTemplate(name string) bool {
	_, rest, open := strings.Cut(name, "{")
	return open && strings.Contains(rest, "}")
}

// TemplateHint says who fills them.
const TemplateHint = "{…} is filled with an expression of parameters and, within a \"repeat\", of its count; here there are none of its names"

// Find looks up a name and suggests the nearest one.
func Find[T any](b *Builder, p Path, name, kind string, m map[string]T) (v T, ok bool) {
	if v, ok = m[name]; ok {
		return v, true
	}
	valid := Keys(m)
	text := fmt.Sprintf("unknown %s %q", kind, Abbreviate(name))
	switch guess := nearest.Word(name, valid); {
	case len(valid) == 0:
		text += fmt.Sprintf(": the case has no %s", kind)
	case guess != "":
		text += fmt.Sprintf(", the nearest valid one is %q", guess)
	default:
		text += fmt.Sprintf(", want for instance %q", valid[0])
	}
	b.Add(p, "%s", text)
	return v, false
}

// Keys returns those of a map in order.
func Keys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// OneOrMore decodes a string or a list of strings, with the path of each.
func (b *Builder) OneOrMore(p Path, raw json.RawMessage) (list []string, at []Path) {
	if len(raw) > 0 && raw[0] == '"' {
		var one string
		b.Decode(p, raw, &one)
		return []string{one}, []Path{p}
	}
	b.Decode(p, raw, &list)
	for i := range list {
		at = append(at, p.With(i))
	}
	return list, at
}

// Document has the keys of all models. Numbers are float64 and not int: 2e2 is a valid
// number of steps.
type Document struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Model       string           `json:"model"`
	Until       float64          `json:"until"`
	Steps       *float64         `json:"steps"`
	Step        *float64         `json:"step"`
	Accuracy    *float64         `json:"accuracy"`
	Accept      []string         `json:"accept"`
	Output      OutputDocument   `json:"output"`
	Expect      []ExpectDocument `json:"expect"`

	Reference []ReferenceDocument `json:"reference"`
}

// OutputDocument says what files a run leaves.
type OutputDocument struct {
	Format string  `json:"format"`
	Every  float64 `json:"every"`
}

// Rows is the distance of the rows that are written.
func (d *OutputDocument) Rows() int { return max(1, int(d.Every)) }

// Files is their format.
func (d *OutputDocument) Files() table.Format {
	if d.Format == "" {
		return table.CSV
	}
	return table.Format(d.Format) // the schema has checked it
}

// DefaultAccuracy is what the key accuracy is without one.
const DefaultAccuracy = 1e-2

// Accuracy is what the evolution is judged by, relative: of [Case.Accuracy], else of the key.
func (b *Builder) Accuracy(d *Document) float64 {
	switch {
	case b.Case.Accuracy > 0:
		return b.Case.Accuracy
	case d.Accuracy != nil:
		return *d.Accuracy
	}
	return DefaultAccuracy
}

// MostSteps is the number of steps that is run: a trajectory of one particle then has some
// gigabytes.
const MostSteps = 1e8

// LeastSteps are those from which a choice of steps begins.
const LeastSteps = 64

// Steps is [Builder.EqualSteps] of a model that chooses its steps where a case names none:
// then it returns [LeastSteps].
func (b *Builder) Steps(d *Document) (n int, chosen bool) {
	if d.Steps == nil && d.Step == nil {
		return LeastSteps, true
	}
	return b.EqualSteps(d), false
}

// EqualSteps returns the number of equal steps, at least 1.
func (b *Builder) EqualSteps(d *Document) int {
	switch {
	case d.Steps == nil && d.Step == nil:
		b.Add(nil, "the key \"steps\" (or \"step\") is missing")
	case d.Steps != nil && d.Step != nil:
		b.Add(Path{"step"}, "found both steps and step, want one of them")
	case d.Steps != nil:
		return int(*d.Steps)
	default:
		return b.StepCount(Path{"step"}, *d.Step, d.Until)
	}
	return 1
}

// StepCount returns how many steps of a length reach the end.
func (b *Builder) StepCount(p Path, step, until float64) int {
	// A quotient that is whole up to roundoff is meant to be whole.
	n := math.Ceil(until / step * (1 - 1e-12))
	if n <= MostSteps {
		return max(1, int(n))
	}
	b.Add(p, "found %g, which makes %g steps to t = %g, want at most %g", step, n, until, float64(MostSteps))
	return 1
}

// PlaneDocument is a half-space: a point of its surface and the normal that points out.
type PlaneDocument struct {
	Point  []float64 `json:"point"`
	Normal []float64 `json:"normal"`
}
