package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// Arrays of the NPZ file of a run of a dynamic model; K rows, C columns:
//
//	t                 K      times of the trajectory [s]
//	<name>            K×C    the numbers of a sheet: trajectory, velocities, forces, energies, …
//	<name>_columns    C      names of the columns
//	<name>_t          M      times of a sheet that has its own: contacts, displacements, events, …
//	<name>_<column>   M      words of a sheet: contacts_a, contacts_b, contacts_state, events_from, …
func writeNPZSheets(dir string, l *Layout, open sourceOpener) error {
	w := &npzWriter{name: filepath.Join(dir, NPZ.File())}
	var err error
	for i := 0; i < len(l.Sheets) && err == nil; i++ {
		err = w.sheet(&l.Sheets[i], open, i == 0)
	}
	return w.close(err)
}

// sheet adds the arrays of a sheet; a run without it has none. Sheets of every row
// leave their times to the first one.
func (w *npzWriter) sheet(s *Sheet, open sourceOpener, first bool) error {
	rows, err := open(s)
	if err != nil || rows == nil {
		return err
	}
	defer rows.close() // read only
	name := s.Name()
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
			return w.names(name+"_columns", s.Columns)
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
	if err := r.open(s == &l.Sheets[0]); err != nil {
		_ = z.Close() // read only
		return nil, err
	}
	return r, nil
}

func (r *npzRows) open(first bool) error {
	s, name := r.sheet, r.sheet.Name()
	names, err := r.wordArray(name + "_columns")
	if err != nil {
		return err
	}
	found := []string{"t"}
	found = append(found, s.Words...)
	for range names.rows {
		text, err := names.next()
		if err != nil {
			return fmt.Errorf("table: %s: %s_columns: %w", r.name, name, err)
		}
		found = append(found, text)
	}
	if err := s.check(found, func(text string) error { return fmt.Errorf("table: %s: %s_columns: %s", r.name, name, text) }); err != nil {
		return err
	}
	times := name + "_t"
	if first || s.Times == EveryRow {
		times = "t"
	}
	var h npyHeader
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
		if text := r.sheet.wrong(row, r.last); text != "" {
			err = errors.New(text)
		}
	}
	if err != nil {
		return fmt.Errorf("table: %s: %s: row %d: %w", r.name, r.sheet.Name(), r.at, err)
	}
	r.last = row.T
	r.at++
	return nil
}

func (r *npzRows) close() error { return r.Close() }
