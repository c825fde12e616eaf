package table

import (
	"errors"
	"io"

	"github.com/quasistatic/quasistatic/memory"
)

// Columns are the tables of a run in memory.
type Columns struct {
	Sheets []SheetColumns // in the order of the layout

	limit memory.Limit
	taken int64 // so far [byte]
}

// SheetColumns are the rows of one table.
type SheetColumns struct {
	Sheet  *Sheet
	T      []float64
	Words  []string  // row by row, len(Sheet.Words) each
	Values []float64 // row by row, len(Sheet.Columns) each
}

// Collect returns tables that keep their rows in memory, and where they are kept. A row that would
// take them beyond a limit is a [memory.ExceededError].
func Collect(l *Layout, o Options, limit memory.Limit) (*Tables, *Columns) {
	c := &Columns{Sheets: make([]SheetColumns, len(l.Sheets)), limit: limit}
	w := &Tables{layout: l, every: max(1, o.Every), files: make([]sink, 0), kept: c, stop: make(chan struct{}),
		stopped: make(chan struct{})}
	for i := range l.Sheets {
		c.Sheets[i].Sheet = &l.Sheets[i]
		if l.Sheets[i].Times == EveryRow {
			w.rows = append(w.rows, i)
		}
	}
	w.last.Values = make([][]float64, len(w.rows))
	close(w.stopped) // there is nothing to flush
	return w, c
}

// add keeps a row.
func (c *Columns) add(sheet int, t float64, words []string, values []float64) error {
	s := &c.Sheets[sheet]
	c.taken += int64(8 + 8*len(values) + 16*len(words))
	if c.taken > c.limit.Bytes {
		need := memory.Estimate{}
		need.Add("tables in memory", c.taken)
		return c.limit.Check(need, "a folder for the run holds any number of rows")
	}
	s.T, s.Words, s.Values = append(s.T, t), append(s.Words, words...), append(s.Values, values...)
	return nil
}

// Columns reads all tables of a folder into memory, in which they may take no more than a limit.
func (f *Folder) Columns(limit memory.Limit) (*Columns, error) {
	c := &Columns{Sheets: make([]SheetColumns, len(f.layout.Sheets)), limit: limit}
	for i := range f.layout.Sheets {
		c.Sheets[i].Sheet = &f.layout.Sheets[i]
		if err := f.readAll(c, i); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (f *Folder) readAll(c *Columns, sheet int) error {
	rows, err := f.CursorIfAny(f.layout.Sheets[sheet].File)
	if err != nil || rows == nil {
		return err
	}
	for err == nil {
		if err = rows.Next(); err == nil {
			err = c.add(sheet, rows.Row.T, rows.Row.Words, rows.Row.Values)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, rows.Close())
}
