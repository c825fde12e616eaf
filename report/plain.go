package report

import (
	"context"
	"errors"

	"gonum.org/v1/plot"

	"github.com/quasistatic/quasistatic/table"
)

// Plain reads the tables of a run of any model and plots their columns over time: the
// page of a model that brings no pictures of its own.
type Plain struct {
	files  *table.Folder
	sheets []*sheet
}

// NewPlain returns the reader of a run folder. Close it.
func NewPlain(f *table.Folder) *Plain {
	r := &Plain{files: f}
	for _, s := range f.Layout().Sheets {
		if s.Times == table.EveryRow {
			r.sheets = append(r.sheets, &sheet{file: s.File})
		}
	}
	return r
}

// Close closes the files.
func (r *Plain) Close() error {
	var err error
	for _, s := range r.sheets {
		err = errors.Join(err, s.close())
	}
	return err
}

// Nodes returns the number of times read.
func (r *Plain) Nodes() int { return r.sheets[0].rows }

// Read takes in what is new.
func (r *Plain) Read(ctx context.Context) (int, error) {
	before := r.Nodes()
	for i, s := range r.sheets {
		if err := s.read(ctx, r.files, i > 0); err != nil {
			return r.Nodes() - before, err
		}
	}
	return r.Nodes() - before, nil
}

// Page makes the page of what was read so far.
func (r *Plain) Page(a About) (*Page, error) {
	p := &Page{Title: a.Title, Description: a.Description, Version: a.Version, Case: a.Case, Verdict: outcome(a.Summary),
		Facts: append([]Row{{"steps", steps(a, r.Nodes()), ""}}, ran(a)...)}
	if a.Summary != nil {
		p.Expectations = expected(a.Summary)
	}
	var list []drawing
	for _, s := range r.sheets {
		if s.rows > 0 && len(s.columns) > 0 {
			list = append(list, drawing{s.file, "The columns of " + s.file + ".", s.columnPlot, true})
		}
	}
	var err error
	p.Figures, err = drawings(list)
	return p, err
}

// Overview writes overview.svg and overview.png.
func (r *Plain) Overview(ctx context.Context, dir, title string) error {
	if _, err := r.Read(ctx); err != nil {
		return err
	}
	var list []panelMaker
	for _, s := range r.sheets {
		list = append(list, s.columnPlot)
	}
	return drawPage(dir, "overview", title, list...)
}

// columnPlot draws the first columns of a table.
func (t *sheet) columnPlot() (*plot.Plot, error) {
	if t.rows == 0 || len(t.columns) == 0 {
		return nil, nil
	}
	p := t.panel(t.file, "")
	n := min(len(t.columns), len(palette))
	for i := range n {
		p.line(&t.channels[i], t.columns[i], palette[i], nil, 1.3)
	}
	p.legend(n)
	return p.done()
}
