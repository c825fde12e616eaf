package casefile

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile/template"
)

// ReferenceDocument is a line of the key reference, of any model.
type ReferenceDocument struct {
	Column  string          `json:"column"`
	Formula *string         `json:"formula"`
	Value   json.RawMessage `json:"value"`
}

// Reference is what a column of the files of a run should be over time, from a source outside of the
// run: a closed form, a measurement, another program. Plots draw it; no verdict looks at it.
type Reference struct {
	Column string
	At     func(t float64) float64 // in the unit of the column; NaN: it has no value there
}

// References decodes the lines of the key reference of a run until a time; columns are those of its
// files. Signals of a reference do not act on what moves: they are not among those of the builder.
func (b *Builder) References(lines []ReferenceDocument, columns []string, until float64) (list []Reference) {
	kept := len(b.Signals)
	for i := range lines {
		d, p := &lines[i], Path{"reference", i}
		if !slices.Contains(columns, d.Column) {
			b.UnknownName(p.With("column"), d.Column, "column", columns)
			continue
		}
		if at := b.referred(p, d); at != nil && b.somewhere(p, at, until) {
			list = append(list, Reference{d.Column, at})
		}
	}
	b.Signals = b.Signals[:kept]
	return list
}

// referred is the function of time of a line; nil after a fault.
func (b *Builder) referred(p Path, d *ReferenceDocument) func(t float64) float64 {
	switch {
	case (d.Formula == nil) == (d.Value == nil):
		b.Add(p, "want either \"formula\" or \"value\"")
		return nil
	case d.Value != nil:
		if s := b.Scalar(p.With("value"), d.Value); s != nil {
			return s.At
		}
		return nil
	}
	at, err := template.Function(*d.Formula, "t")
	if !b.Accept(p.With("formula"), err) {
		return nil
	}
	return at
}

// somewhere objects to a reference that has no value at any time of the run: a formula of words, the
// root of a negative number.
func (b *Builder) somewhere(p Path, at func(t float64) float64, until float64) bool {
	for i := range coefficientSamples + 1 {
		if v := at(until * float64(i) / coefficientSamples); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return true
		}
	}
	b.Add(p, "it has no finite value at any of %d times of the run", coefficientSamples+1)
	return false
}
