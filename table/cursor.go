package table

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
)

// Cursor reads the rows of a table one by one; columns are known by their names. The run
// may still go on: after io.EOF there may be more rows later.
type Cursor struct {
	Row   SheetRow // the present one; valid until the next
	sheet *Sheet
	rows  rowReader
	in    io.Closer
}

// Cursor opens a table of the run; close it. A missing table is an error that wraps
// fs.ErrNotExist.
func (f *Folder) Cursor(file string) (*Cursor, error) {
	in, err := f.Open(file)
	if err != nil {
		return nil, err
	}
	s := f.layout.sheet(file)
	c := &Cursor{Row: *s.newRow(), sheet: s, rows: newRowReader(in, filepath.Join(f.Dir, file)), in: in}
	if err := c.rows.header(s); err != nil {
		_ = in.Close() // read only
		return nil, err
	}
	return c, nil
}

// CursorIfAny opens a table that a run may lack: nil then.
func (f *Folder) CursorIfAny(file string) (*Cursor, error) {
	c, err := f.Cursor(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return c, err
}

// Next reads the next row; io.EOF says that there is none yet.
func (c *Cursor) Next() error { return c.rows.row(c.sheet, &c.Row) }

// Columns returns the names of the columns of numbers.
func (c *Cursor) Columns() []string { return c.sheet.Columns }

// Units are those of the columns of numbers, see [Quantities].
func (c *Cursor) Units() []string { return c.sheet.ColumnUnits() }

// Column returns the place of a column of numbers in Row.Values. It panics if the table
// has none of that name.
func (c *Cursor) Column(name string) int { return c.place(c.sheet.Columns, name) }

// word returns the place of a column of words in Row.Words. It panics if the table has
// none of that name.
func (c *Cursor) word(name string) int { return c.place(c.sheet.Words, name) }

func (c *Cursor) place(list []string, name string) int {
	i := slices.Index(list, name)
	if i < 0 {
		panic(fmt.Sprintf("table: Cursor: %s has no column %q", c.sheet.File, name))
	}
	return i
}

// Number returns the number of the present row in a column.
func (c *Cursor) Number(name string) float64 { return c.Row.Values[c.Column(name)] }

// Text returns the word of the present row in a column.
func (c *Cursor) Text(name string) string { return c.Row.Words[c.word(name)] }

// Fault returns an error at the present row.
func (c *Cursor) Fault(format string, args ...any) error { return c.rows.fault(format, args...) }

// Close closes the table.
func (c *Cursor) Close() error { return c.in.Close() }

// Finite returns an error if the present row has a number that is infinite or none.
func (c *Cursor) Finite() error {
	if x := c.sheet.notFinite(c.Row.T, c.Row.Values); x != nil {
		return c.Fault("column %s is %g, want a finite number", x.Column, x.Value)
	}
	return nil
}
