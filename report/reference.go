package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

// Reference is what a column of a file of a run should be over time, by a source outside of the run.
type Reference struct {
	File, Column string
	At           func(t float64) float64 // in the unit of the column; NaN or infinite: it has no value there
}

// WithReferences returns a reader whose page draws each reference with its column, and says by how much
// that is off at any row; without references it is r itself.
func WithReferences(r Reader, files *table.Folder, list []Reference) Reader {
	if len(list) == 0 {
		return r
	}
	x := &referenced{Reader: r, files: files}
	for i := range list {
		x.list = append(x.list, &compared{Reference: list[i], series: NewSeries(2)})
	}
	return x
}

// referenced reads the columns beside what another reader reads.
type referenced struct {
	Reader
	files *table.Folder
	list  []*compared
}

// compared is a column beside its reference.
type compared struct {
	Reference
	in     *table.Cursor
	column int
	series Series  // of the column and of the reference
	off    float64 // by how much the column is off at most, at the time at; −1: no row was compared
	at     float64
	skip   bool // the next row has no value
}

// Read takes in what is new, of the columns that have a reference too.
func (r *referenced) Read(ctx context.Context) (int, error) {
	n, err := r.Reader.Read(ctx)
	for _, c := range r.list {
		if err == nil {
			err = c.read(ctx, r.files, r.Reader)
		}
	}
	return n, err
}

func (c *compared) read(ctx context.Context, files *table.Folder, of Reader) (err error) {
	if c.in == nil {
		c.in, err = files.Cursor(c.File)
		if errors.Is(err, fs.ErrNotExist) {
			c.in = nil
			return nil
		}
		if err != nil {
			return err
		}
		c.column, c.off = c.in.Column(c.Column), -1
		if x, ok := of.(interface {
			OfStep(file, column string) bool
		}); ok {
			c.skip = x.OfStep(c.File, c.Column)
		}
	}
	for ctx.Err() == nil {
		if err := c.in.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		c.take(c.in.Row.T, c.in.Row.Values[c.column])
	}
	return ctx.Err()
}

// take compares a row, but the first of what a step has: there 0 stands for no value.
func (c *compared) take(t, found float64) {
	want := c.At(t)
	if c.skip {
		c.skip, found = false, math.NaN()
	}
	if !finite(want) {
		want = math.NaN()
	}
	c.series.Add(t, []float64{found, want})
	if off := math.Abs(found - want); off > c.off {
		c.off, c.at = off, t
	}
}

// Page is that of the reader, with the references.
func (r *referenced) Page(a About) (*Page, error) {
	p, err := r.Reader.Page(a)
	if err != nil {
		return nil, err
	}
	var list []Drawing
	for i, c := range r.list {
		if c.in == nil || len(c.series.Spans) == 0 {
			continue
		}
		unit := c.in.Units()[c.column]
		list = append(list, Drawing{ID: fmt.Sprintf("reference-%d", i), Time: true, Caption: c.caption(unit),
			Plot: func() *Plot { return c.plot(unit) }})
		for k := range p.Columns {
			if j := slices.Index(p.Columns[k].Names, c.Column); j >= 0 && p.Columns[k].Table == c.File {
				p.Columns[k].reference(j, c.At)
			}
		}
	}
	figures, warnings := Draw(list)
	p.Figures, p.Warnings = append(figures, p.Figures...), append(p.Warnings, warnings...)
	return p, nil
}

func (c *compared) plot(unit string) *Plot {
	p := &Plot{Title: c.Column + " and its reference", Y: "[" + unit + "]"}
	p.Line(c.series.Points(&c.series.Channels[0]), c.Column, Palette[0], Solid, 1.4)
	p.Line(c.series.Points(&c.series.Channels[1]), "reference", Black, Dashed, 1.4)
	return p
}

// caption says how far the column is from its reference.
func (c *compared) caption(unit string) string {
	if c.off < 0 {
		return "No row of the column is at a time at which the reference has a value."
	}
	low, high := c.series.Channels[1].Extremes()
	text := fmt.Sprintf("Off by at most %.3g %s, at t = %.6g s", c.off, unit, c.at)
	share := 100 * (c.off / 2) / (high/2 - low/2) // halves do not overflow
	switch {
	case c.off <= stillness*max(math.Abs(low), math.Abs(high)):
		text += ", which is rounding"
	case high > low && !math.IsInf(share, 1):
		text += fmt.Sprintf(", %.2g %% of the range of the reference", share)
	}
	return text + ". The case gives the reference."
}

// Close closes the files.
func (r *referenced) Close() error {
	err := r.Reader.Close()
	for _, c := range r.list {
		if c.in != nil {
			err = errors.Join(err, c.in.Close())
		}
	}
	return err
}
