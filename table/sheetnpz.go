package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Arrays of the NPZ file of a run; K rows, C columns:
//
//	t                 K      times of the trajectory [s]
//	<name>            K×C    the numbers of a sheet: trajectory, velocities, forces, energies, …
//	<name>_columns    C      names of the columns
//	<name>_units      C      and their units, see [Quantities]
//	<name>_t          M      times of a sheet that has its own: contacts, displacements, events, …
//	<name>_<column>   M      words of a sheet: contacts_a, contacts_b, contacts_state, events_from, …
//
// States of things, status, are K×N bytes, and status_columns names the things.
func writeNPZSheets(dir string, f *Folder, open sourceOpener) error {
	w, l := &npzWriter{name: filepath.Join(dir, NPZ.File())}, f.layout
	var err error
	stated := l.stated()
	for i := 0; i < len(l.Sheets) && err == nil; i++ {
		s := &l.Sheets[i]
		err = w.sheet(s, open, i == 0)
		if n := len(stated); err == nil && n > 0 && s == stated[n-1] {
			err = w.states(f, open)
		}
	}
	return w.close(err)
}

// states adds the array of the states.
func (w *npzWriter) states(f *Folder, open sourceOpener) error {
	r, err := f.layout.openStates(f, open)
	if err != nil {
		return err
	}
	defer r.close()
	n := namesOf(r.sheets)
	a, err := w.add(f.layout.States.Name, npyByte, len(n.ids))
	for err == nil {
		var row []byte
		if row, err = r.next(); errors.Is(err, io.EOF) {
			return w.names(f.layout.States.Name+"_columns", n.ids)
		}
		if err == nil {
			err = a.raw(row)
		}
	}
	return err
}

// sheet adds the arrays of a sheet; a run without it has none. Sheets of every row
// leave their times to the first one.
func (w *npzWriter) sheet(s *Sheet, open sourceOpener, first bool) error {
	rows, err := open(s)
	if err != nil || rows == nil {
		return err
	}
	defer rows.close() // read only
	name := s.name()
	times := name + "_t"
	if first {
		times = "t"
	}
	var t, values *npyArray
	if first || s.Times != EveryRow {
		if t, err = w.add(times, npyFloat); err != nil {
			return err
		}
	}
	words := make([]*npyArray, len(s.Words))
	for i, column := range s.Words {
		if words[i], err = w.add(name+"_"+column, ""); err != nil {
			return err
		}
	}
	if values, err = w.add(name, npyFloat, len(s.Columns)); err != nil {
		return err
	}
	row := s.newRow()
	for {
		if err := rows.next(row); errors.Is(err, io.EOF) {
			return errors.Join(w.names(name+"_columns", s.Columns), w.names(name+"_units", s.ColumnUnits()))
		} else if err != nil {
			return err
		}
		if t != nil {
			err = t.floats(row.T)
		}
		for i, a := range words {
			err = errors.Join(err, a.word(row.Words[i]))
		}
		if err = errors.Join(err, values.floats(row.Values...)); err != nil {
			return err
		}
	}
}

// npzRows reads the rows of a sheet.
type npzRows struct {
	*npzReader
	sheet  *Sheet
	t      *bufio.Reader
	words  []*wordReader
	values *bufio.Reader
	rows   int
	at     int
	last   float64
	time   [1]float64
}

// openNPZRows opens a sheet of an archive in a run folder.
func openNPZRows(dir string, l *Layout, s *Sheet) (rowSource, error) {
	z, err := openArchive(filepath.Join(dir, NPZ.File()))
	if err != nil {
		return nil, err
	}
	r := &npzRows{npzReader: z, sheet: s}
	if err := r.open(l); err != nil {
		_ = z.Close() // read only
		return nil, err
	}
	return r, nil
}

// columns compares the names of the columns with those of the case.
func (r *npzRows) columns() error {
	name, want := r.sheet.name()+"_columns", r.sheet.Columns
	names, err := r.wordArray(name)
	if err != nil {
		return err
	}
	found := make([]string, 0, len(want))
	for range min(names.rows, len(want)+1) {
		text, err := names.next()
		if err != nil {
			return fmt.Errorf("table: %s: %s: %w", r.name, name, err)
		}
		found = append(found, text)
	}
	for i, w := range want {
		if i >= len(found) || found[i] != w {
			return fmt.Errorf("table: %s: %s: found %q, want %q at place %d", r.name, name,
				clip(strings.Join(found[min(i, len(found)):min(i+1, len(found))], "")), w, i+1)
		}
	}
	if len(found) > len(want) {
		return fmt.Errorf("table: %s: %s: found %q after the %d of the case", r.name, name, clip(found[len(want)]), len(want))
	}
	return nil
}

func (r *npzRows) open(l *Layout) error {
	s, name, first := r.sheet, r.sheet.name(), r.sheet == &l.Sheets[0]
	if err := r.columns(); err != nil {
		return err
	}
	times := name + "_t"
	if first || s.Times == EveryRow {
		times = "t"
	}
	var h npyHeader
	var err error
	if r.t, h, err = r.array(times); err != nil {
		return err
	}
	if r.rows, err = h.rows(npyFloat); err != nil {
		return fmt.Errorf("table: %s: %s: %w", r.name, times, err)
	}
	if r.values, h, err = r.array(name); err != nil {
		return err
	}
	n, err := h.rows(npyFloat, len(s.Columns))
	if err != nil {
		return fmt.Errorf("table: %s: %s: %w", r.name, name, err)
	}
	if n != r.rows {
		return fmt.Errorf("table: %s: %s has %d rows, %s has %d", r.name, name, n, times, r.rows)
	}
	for _, column := range s.Words {
		w, err := r.wordArray(name + "_" + column)
		if err != nil {
			return err
		}
		if w.rows != r.rows {
			return fmt.Errorf("table: %s: %s_%s has %d rows, %s has %d", r.name, name, column, w.rows, times, r.rows)
		}
		r.words = append(r.words, w)
	}
	return nil
}

func (r *npzRows) next(row *SheetRow) error {
	if r.at == r.rows {
		return io.EOF
	}
	err := r.numbers(r.time[:], r.t)
	row.T = r.time[0]
	for i, w := range r.words {
		if err == nil {
			row.Words[i], err = w.next()
		}
	}
	if err == nil {
		err = r.numbers(row.Values, r.values)
	}
	if err == nil && r.at > 0 {
		if text := r.sheet.invalid(row, r.last); text != "" {
			err = errors.New(text)
		}
	}
	if err != nil {
		return fmt.Errorf("table: %s: %s: row %d: %w", r.name, r.sheet.name(), r.at, err)
	}
	r.last = row.T
	r.at++
	return nil
}

func (r *npzRows) close() error { return r.Close() }
