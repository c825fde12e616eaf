package report

import "github.com/quasistatic/quasistatic/table"

// Tables reads the tables of a run of any model and plots their columns over time: the
// page of a model that brings no pictures of its own.
type Tables struct {
	Records
}

// NewTables returns the reader of a run folder. Close it.
func NewTables(f *table.Folder) *Tables {
	r := &Tables{Records{Files: f}}
	for _, s := range f.Layout().Sheets {
		if s.Times == table.EveryRow {
			r.List = append(r.List, &Record{File: s.File})
		}
	}
	return r
}

// Page makes the page of what was read so far.
func (r *Tables) Page(a About) (*Page, error) {
	p := Begin(a)
	p.Facts = append([]Row{{"steps", Steps(a, r.Nodes()), ""}}, Ran(a)...)
	var list []Drawing
	for _, t := range r.List {
		list = append(list, Drawing{ID: t.File, Caption: "The columns of " + t.File + ".", Plot: t.plot, Time: true})
	}
	p.Figures, p.Warnings = Draw(list)
	p.Columns = r.AllColumns()
	return p, p.ListEvents(r.Files, "of", nil, nil)
}

// Overview draws the tables.
func (r *Tables) Overview(dir, title string) ([]string, error) {
	var list []*Plot
	for _, t := range r.List {
		list = append(list, t.plot())
	}
	return DrawPicture(dir, "overview", title, list...)
}

// plot draws the first columns of a table; nil: it has none.
func (t *Record) plot() *Plot {
	var list []Quantity
	for _, name := range t.Columns[:min(len(t.Columns), len(Palette))] {
		list = append(list, Quantity{Column: name, Name: name})
	}
	if t.Rows == 0 || len(list) == 0 {
		return nil
	}
	return t.Lines(t.File, "", list)
}
