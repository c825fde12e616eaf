//go:build !js

package report

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/quasistatic/quasistatic/table"
)

// ColumnError says that a run has no column of that name.
type ColumnError struct {
	Dir, Column string
	Known       []string // the columns that there are
}

func (e *ColumnError) Error() string {
	return fmt.Sprintf("report: the tables of %s have no column %q", e.Dir, e.Column)
}

// tableFiles are searched for a column in this order.
var tableFiles = []string{table.ForcesFile, table.EnergiesFile, table.CertificatesFile, table.TrajectoryFile, table.VelocitiesFile,
	table.SensorsFile}

// Overlay draws one column of the tables of several runs over time. It finds the
// column in the first file of a folder that has it, or in the one that is named.
type Overlay struct {
	File    string // picture or page to write: .svg, .png or .html
	Column  string // x, or of one of several with that name trajectory.csv:x
	Label   string // of the axis; empty: the column
	Title   string // empty: the label, without its unit
	Version string // of the program, for a page
	runs    []overlaid
	columns []Columns // of a page: all of all runs
	sheet   Sheet
	// verdicts are the numbers of runs by the class of their verdict.
	verdicts map[string]int
	expects  bool // a run has expectations
}

type overlaid struct {
	name string
	Record
	c *Range
}

// unit is that of a column; empty: none, or nobody knows it.
func (r *Record) unit(column string) string {
	_, name, named := strings.Cut(column, ":")
	if i := slices.Index(r.Columns, name); named && i >= 0 {
		return r.Units[i]
	}
	if i := slices.Index(r.Columns, column); i >= 0 {
		return r.Units[i]
	}
	return ""
}

// isPage reports whether a page is asked for.
func (o *Overlay) isPage() bool { return strings.EqualFold(filepath.Ext(o.File), ".html") }

// Add reads a run.
func (o *Overlay) Add(ctx context.Context, from *table.Folder, name string) error {
	if slices.ContainsFunc(o.runs, func(r overlaid) bool { return r.name == name }) {
		name += " in " + from.Dir
	}
	var known []string
	found := false
	in, column, named := strings.Cut(o.Column, ":")
	if named = named && slices.Contains(tableFiles, in); !named {
		column = o.Column
	}
	for _, file := range tableFiles {
		t := Record{File: file}
		err := t.Read(ctx, from, true)
		_ = t.Close() // read only
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, c := range t.Columns {
			if slices.Contains(known, c) { // of a file before
				c = file + ":" + c
			}
			known = append(known, c)
		}
		if o.isPage() && t.Rows > 0 {
			o.columns = append(o.columns, Columns{Table: name + ": " + file, Names: t.Columns, Units: t.Units, Series: &t.Series})
		}
		if found || named && file != in {
			continue
		}
		if t.Rows == 0 && slices.Contains(t.Columns, column) {
			return fmt.Errorf("report: %s has no row yet", filepath.Join(from.Dir, file))
		}
		if c := t.Column(column); c != nil {
			o.runs = append(o.runs, overlaid{name, t, c})
			if found = true; !o.isPage() {
				return nil
			}
		}
	}
	if !found {
		return &ColumnError{from.Dir, o.Column, known}
	}
	o.describe(from.Dir, name)
	return nil
}

// Draw writes the picture, or the page.
func (o *Overlay) Draw() error {
	label := o.Label
	if label == "" {
		label = o.Column
		if unit := o.runs[0].unit(o.Column); unit != "" {
			label += " [" + unit + "]"
		}
	}
	o.Label = label
	named, _, _ := strings.Cut(label, " [")
	p := &Plot{Title: cmp.Or(o.Title, named), Y: label}
	for i := len(o.runs) - 1; i >= 0; i-- { // the first on top
		r := &o.runs[i]
		p.Line(r.Points(r.c), r.name, Palette[i%len(Palette)], Solid, 1.3)
	}
	if o.isPage() {
		return o.page(p)
	}
	x, err := p.draw()
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return guarded(func() error { return writePlot(x.Plot, o.File) })
}

// writePlot writes one plot.
func writePlot(p *plot.Plot, name string) error {
	const width, height = 20 * vg.Centimeter, 11 * vg.Centimeter
	sans(p)
	onto := func(c vg.CanvasSizer) { // with room for half of the last label
		p.Draw(draw.Crop(draw.New(c), vg.Millimeter, -3*vg.Millimeter, vg.Millimeter, -vg.Millimeter))
	}
	var picture io.WriterTo
	switch ending := strings.ToLower(filepath.Ext(name)); ending {
	case ".svg":
		c := vgsvg.New(width, height)
		onto(c)
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		// Where the font is not there, one without serifs takes its place.
		picture = bytes.NewBuffer(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
			[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")))
	case ".png":
		c := newPNG(width, height, 130)
		onto(c)
		picture = c
	default:
		return fmt.Errorf("report: a picture ends in .svg or .png, found %q: %w", name, os.ErrInvalid)
	}
	return write(name, picture)
}
