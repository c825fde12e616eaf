//go:build !js

package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// A run of a dynamic model leaves one Parquet table for each group of sheets of the
// same things: trajectory.parquet with a row a time and body (t, body, x, y, z, qw, …,
// vx, …), or time and contact node (t, node, ux, …, n, tx, ty), forces.parquet with a
// row a time and contact element, displacements.parquet with a row a time and node of
// the mesh, contacts.parquet with a row a time and contact, as in CSV. What a body does
// not have, the angle of a point mass, is null.
func writeParquetSheets(dir string, f *Folder, open sourceOpener) error {
	groups := f.layout.groups()
	slices.Reverse(groups) // the trajectory last
	for i, g := range groups {
		if err := writeParquetGroup(dir, g, f, open); err != nil {
			for _, done := range groups[:i] { // half an export is none
				err = errors.Join(err, remove(parquetName(dir, done)))
			}
			return err
		}
	}
	return nil
}

// parquetName is the file of a group.
func parquetName(dir string, g []*Sheet) string { return filepath.Join(dir, g[0].name()+".parquet") }

// parquetColumns are those of a group: of things with components, or as in CSV.
func parquetColumns(g []*Sheet, n *names) parquetTable {
	table := parquetTable{{name: "t"}}
	if g[0].Of == "" {
		for _, w := range g[0].Words {
			table = append(table, parquetColumn{name: w, word: true})
		}
		for _, c := range g[0].Columns {
			table = append(table, parquetColumn{name: c})
		}
		return table
	}
	table = append(table, parquetColumn{name: g[0].Of, word: true})
	for k, c := range n.components {
		lacking := slices.ContainsFunc(n.at, func(list [][2]int) bool { return list[k][0] < 0 })
		table = append(table, parquetColumn{name: c, optional: lacking})
	}
	return table
}

// unitsOf are those of the columns of a group, JSON: the metadatum "units" of the file.
func unitsOf(g []*Sheet, n *names) string {
	units := map[string]string{"t": "s"}
	if g[0].Of == "" {
		for _, c := range g[0].Columns {
			units[c] = g[0].Unit(c)
		}
	}
	for k, c := range n.components {
		j := slices.IndexFunc(n.at, func(list [][2]int) bool { return list[k][0] >= 0 })
		s := g[n.at[j][k][0]]
		units[c] = s.Unit(s.Columns[n.at[j][k][1]])
	}
	text, _ := json.Marshal(units) // a map of texts always is
	return string(text)
}

func writeParquetGroup(dir string, g []*Sheet, f *Folder, open sourceOpener) error {
	sources, rows := make([]rowSource, len(g)), make([]*SheetRow, len(g))
	for i, s := range g {
		var err error
		if sources[i], err = open(s); err != nil {
			return err
		}
		defer sources[i].close() // read only
		rows[i] = s.newRow()
	}
	n := namesOf(g)
	columns, states := parquetColumns(g, &n), StateSource(nil)
	if list := f.layout.stated(); len(list) > 0 && list[0] == g[0] {
		var err error
		if states, err = f.layout.States.Open(f); err != nil {
			return err
		}
		defer states.Close() // read only
		columns = append(columns, parquetColumn{name: f.layout.States.Name, word: true})
	}
	w, err := newParquetWriter(parquetName(dir, g), columns, unitsOf(g, &n))
	if err != nil {
		return err
	}
	for err == nil {
		err = nextOfAll(g, sources, rows)
		var at []byte
		if err == nil && states != nil {
			at, err = states.At(rows)
		}
		if err == nil {
			err = w.rowsOf(g[0], &n, rows, f.layout.States, at)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return w.close(err)
}

// rowsOf writes the rows of one time, with the states of the things there, if they have any.
func (w *parquetWriter) rowsOf(s *Sheet, n *names, rows []*SheetRow, words *States, states []byte) error {
	if s.Of == "" {
		w.begin()
		w.number(rows[0].T)
		for _, text := range rows[0].Words {
			w.word(text)
		}
		for _, v := range rows[0].Values {
			w.number(v)
		}
		return w.put()
	}
	for j, id := range n.ids {
		w.begin()
		w.number(rows[0].T)
		w.word(id)
		for _, at := range n.at[j] {
			if at[0] < 0 {
				w.none()
			} else {
				w.number(rows[at[0]].Values[at[1]])
			}
		}
		if states != nil {
			w.word(words.Words[states[j]])
		}
		if err := w.put(); err != nil {
			return err
		}
	}
	return nil
}

// parquetRows reads the rows of a sheet.
type parquetRows struct {
	*parquetReader
	sheet *Sheet
	which int // of the sheets of the group
	n     names
	last  float64
}

// openParquetRows opens a sheet in a run folder.
func openParquetRows(dir string, l *Layout, s *Sheet) (rowSource, error) {
	for _, g := range l.groups() {
		i := slices.Index(g, s)
		if i < 0 {
			continue
		}
		n := namesOf(g)
		r, err := openParquetTable(parquetName(dir, g), parquetColumns(g, &n))
		if err != nil {
			return nil, err
		}
		if k := int64(len(n.ids)); k > 0 && r.total%k != 0 {
			_ = r.close() // read only
			return nil, fmt.Errorf("table: %s has %d rows, want a multiple of the %d of %s", r.name, r.total, k, s.Of)
		}
		return &parquetRows{parquetReader: r, sheet: s, which: i, n: n}, nil
	}
	return nil, nil
}

func (r *parquetRows) next(row *SheetRow) error {
	first := r.read
	var err error
	if r.sheet.Of == "" {
		err = r.whole(row)
	} else {
		err = r.melted(row)
	}
	if err != nil {
		return err
	}
	if text := r.sheet.invalid(row, r.last); text != "" && first > 0 {
		return fmt.Errorf("table: %s: row %d: %s", r.name, first, text)
	}
	r.last = row.T
	return nil
}

// whole reads a row that is one in the file too.
func (r *parquetRows) whole(row *SheetRow) error {
	v, err := r.parquetReader.next()
	if err != nil {
		return err
	}
	row.T = v[0].Double()
	words := len(r.sheet.Words)
	for i := range row.Words {
		row.Words[i] = string(v[1+i].ByteArray())
	}
	for k := range row.Values {
		row.Values[k] = v[1+words+k].Double()
	}
	return nil
}

// melted gathers a row from those of the things at one time.
func (r *parquetRows) melted(row *SheetRow) error {
	for j, id := range r.n.ids {
		at := r.read
		v, err := r.parquetReader.next()
		if err == io.EOF && j > 0 {
			err = fmt.Errorf("table: %s: the time %g is cut off", r.name, row.T)
		}
		if err != nil {
			return err
		}
		t, who := v[0].Double(), string(v[1].ByteArray())
		if j == 0 {
			row.T = t
		}
		if who != id || t != row.T {
			return fmt.Errorf("table: %s: row %d: found the %s %q at t=%g, want %q at t=%g", r.name, at, r.sheet.Of,
				clip(who), t, id, row.T)
		}
		if err := r.values(row, j, v[2:], at); err != nil {
			return err
		}
	}
	return nil
}

// values copies what the sheet has of thing j.
func (r *parquetRows) values(row *SheetRow, j int, v []parquet.Value, at int64) error {
	for k, place := range r.n.at[j] {
		switch {
		case place[0] != r.which:
		case v[k].IsNull():
			return fmt.Errorf("table: %s: row %d: %s has no %s", r.name, at, r.n.ids[j], r.n.components[k])
		default:
			row.Values[place[1]] = v[k].Double()
		}
	}
	return nil
}

func (r *parquetRows) close() error { return r.parquetReader.close() }
