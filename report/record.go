package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

// Record reads a table of numbers over time as it grows, and keeps the extremes.
type Record struct {
	Series
	File    string
	Columns []string
	Units   []string // of the columns, SI
	Rows    int
	First   []float64                      // of the columns
	Last    []float64                      // of the columns
	Observe func(t float64, row []float64) // nil: nobody looks
	Until   func(t float64) bool           // nil: always; rows from here on wait
	OfStep  func(column string) bool       // those of the step that ends with a row: that at the start has none; nil: of none

	in      *table.Cursor
	waiting bool // the present row of in was not taken
}

// Read takes in what is new. A file that is not there is empty, if it is optional;
// numbers of those that are not, which are drawn, are finite.
func (t *Record) Read(ctx context.Context, from *table.Folder, optional bool) error {
	if t.in == nil {
		var err error
		t.in, err = from.Cursor(t.File)
		if errors.Is(err, fs.ErrNotExist) && optional {
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("report: %s is missing: is %s the folder of a run?", filepath.Join(from.Dir, t.File), from.Dir)
		}
		if err != nil {
			return err
		}
		t.Columns, t.Units = t.in.Columns(), t.in.Units()
		t.Series = NewSeries(len(t.Columns))
	}
	for ctx.Err() == nil {
		if !t.waiting {
			if err := t.in.Next(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
		row := &t.in.Row
		if t.waiting = t.Until != nil && !t.Until(row.T); t.waiting {
			return nil
		}
		if !optional {
			if err := t.in.Finite(); err != nil {
				return err
			}
		}
		t.take(row.T, row.Values)
	}
	return ctx.Err()
}

func (t *Record) take(time float64, row []float64) {
	if t.Rows == 0 {
		t.First = append(t.First, row...)
	}
	t.Last = append(t.Last[:0], row...)
	t.Rows++
	t.Add(time, t.drawn(row))
	if t.Observe != nil {
		t.Observe(time, row)
	}
}

// drawn is a row without what it does not have.
func (t *Record) drawn(row []float64) []float64 {
	if t.Rows > 1 || t.OfStep == nil {
		return row
	}
	row = slices.Clone(row)
	for i, name := range t.Columns {
		if t.OfStep(name) {
			row[i] = math.NaN()
		}
	}
	return row
}

// Close closes the file.
func (t *Record) Close() error {
	if t.in == nil {
		return nil
	}
	return t.in.Close()
}

// Column returns the extremes of a column by its name; nil if there is none, or no row.
func (t *Record) Column(name string) *Range {
	if i := slices.Index(t.Columns, name); i >= 0 && t.Rows > 0 {
		return &t.Channels[i]
	}
	return nil
}

// Start returns the first value of a column, 0 without one.
func (t *Record) Start(name string) float64 {
	if i := slices.Index(t.Columns, name); i >= 0 && t.Rows > 0 {
		return t.First[i]
	}
	return 0
}

// Value returns that of a column in the last row, 0 without one.
func (t *Record) Value(name string) float64 {
	if i := slices.Index(t.Columns, name); i >= 0 && t.Rows > 0 {
		return t.Last[i]
	}
	return 0
}

// Most returns the largest value of a column, 0 without one.
func (t *Record) Most(name string) float64 {
	if c := t.Column(name); c != nil {
		_, high := c.Extremes()
		return high
	}
	return 0
}

// Size returns the largest magnitude in some columns.
func (t *Record) Size(names ...string) float64 {
	size := 0.0
	for _, name := range names {
		if c := t.Column(name); c != nil {
			low, high := c.Extremes()
			size = max(size, math.Abs(bounded(low)), math.Abs(bounded(high)))
		}
	}
	return size
}

// longestName is the length from which on a curve takes no further names.
const longestName = 24

// stillness is the part of a number below which its change is rounding.
const stillness = 1e-13

// Busiest draws the columns of the largest ranges among those wanted, from their start if
// asked for.
func (t *Record) Busiest(title, unit string, wanted func(name string) bool, fromStart bool) func() *Plot {
	return func() *Plot {
		var order []int
		for i, name := range t.Columns {
			if wanted(name) {
				order = append(order, i)
			}
		}
		if len(order) == 0 || t.Rows == 0 {
			return nil
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Channels[b].Extent(), t.Channels[a].Extent()) })
		p := &Plot{Title: title, Y: unit}
		var drawn []*Range
		var names []string
		for _, c := range order {
			from := 0.0
			if fromStart {
				from = t.First[c]
			}
			x := t.Channels[c].Shifted(-from)
			if len(drawn) > 0 && !(x.Extent() > 1e-6*drawn[0].Extent()) {
				break // beside the others it stands still
			}
			if i := slices.IndexFunc(drawn, x.like); i >= 0 {
				if len(names[i]) < longestName {
					names[i] += ", " + t.Columns[c]
				}
			} else if len(drawn) < len(Palette) {
				drawn, names = append(drawn, x), append(names, t.Columns[c])
			}
		}
		size := 0.0
		for i, x := range drawn {
			p.Line(t.Points(x), names[i], Palette[i], Solid, 1.3)
		}
		for _, c := range order {
			size = max(size, math.Abs(t.First[c]), math.Abs(t.Last[c]))
		}
		if !(drawn[0].Extent() > stillness*size) && (fromStart || !(size > 0)) {
			p.Nothing = "none of the columns changes by more than rounding"
		}
		return p
	}
}

// Quantity is a column of a table with the name that a plot gives it.
type Quantity struct {
	Column, Name string
	FromStart    bool // less its first value
	Always       bool // also where it is always zero
}

// Lines draws columns of the table; those that are always zero are left out.
func (t *Record) Lines(title, label string, list []Quantity) *Plot {
	if t.Rows == 0 {
		return nil
	}
	p := &Plot{Title: title, Y: label}
	for _, q := range list {
		c := t.Column(q.Column)
		if c == nil || c.zero() && !q.Always {
			continue
		}
		if q.FromStart {
			c = c.Shifted(-t.Start(q.Column))
		}
		p.Line(t.Points(c), q.Name, Palette[len(p.Lines)%len(Palette)], Solid, 1.4)
	}
	return p
}
