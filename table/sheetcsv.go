package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// csvRows reads the rows of a sheet from its CSV file.
type csvRows struct {
	rowReader
	sheet *Sheet
	file  *os.File
	t     float64
}

// openCSVRows opens a sheet of a run folder. Of a run that is not done the last line
// may be incomplete: it does not count. A missing file of a sheet that stays is none.
func openCSVRows(dir string, s *Sheet, done bool) (rowSource, error) {
	name := s.inFolder(dir)
	f, err := regular.Open(name)
	if errors.Is(err, fs.ErrNotExist) && s.Stays {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	in := newShortLines(f, s.header())
	if !done {
		in = newWholeLines(in)
	}
	r := &csvRows{rowReader: newRowReader(in, name), sheet: s, file: f, t: math.Inf(-1)}
	r.whole = done
	if err := r.header(s); err != nil {
		_ = f.Close() // read only
		return nil, err
	}
	return r, nil
}

// check compares the columns found with those of the case.
func (s *Sheet) check(found []string, fault func(text string) error) error {
	want := s.header()
	for i, w := range want {
		switch {
		case i >= len(found):
			return fault(fmt.Sprintf("found %d columns, want %d: the next one would be %q", len(found), len(want), w))
		case found[i] != w:
			return fault(fmt.Sprintf("column %d is %q, want %q", i+1, clip(found[i]), w))
		}
	}
	if len(found) > len(want) {
		return fault(fmt.Sprintf("column %d is %q, want %d columns", len(want)+1, clip(found[len(want)]), len(want)))
	}
	return nil
}

func (r *csvRows) next(row *SheetRow) error {
	if err := r.row(r.sheet, row); err != nil {
		return err
	}
	if text := r.sheet.invalid(row, r.t); text != "" {
		return r.fault("%s", text)
	}
	r.t = row.T
	return nil
}

// invalid says what is wrong with the numbers of a row after the time last; "": nothing.
func (s *Sheet) invalid(row *SheetRow, last float64) string {
	if s.Stays {
		return ""
	}
	if !(row.T >= last) || math.IsInf(row.T, 0) {
		return fmt.Sprintf("the time %g follows %g, want times that do not decrease", row.T, last)
	}
	if k := slices.IndexFunc(row.Values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); k >= 0 {
		return fmt.Sprintf("column %s at t=%g is %g, want a finite number", s.Columns[k], row.T, row.Values[k])
	}
	return ""
}

func (r *csvRows) close() error { return r.file.Close() }

// csvText is the text of the CSV file of a sheet, made from its rows.
type csvText struct {
	sheet *Sheet
	rows  rowSource
	row   *SheetRow
	buf   []byte // text that was not read yet
	spare []byte
	err   error
}

func newCSVText(s *Sheet, rows rowSource) *csvText {
	t := &csvText{sheet: s, rows: rows, row: s.newRow()}
	t.buf = append(append(t.buf, strings.Join(s.header(), ",")...), '\n')
	return t
}

// Read implements io.Reader. A fault of the rows comes after the text before it.
func (t *csvText) Read(p []byte) (int, error) {
	if len(t.buf) == 0 && t.err == nil {
		t.spare = t.spare[:0]
		for len(t.spare) < chunk && t.err == nil {
			if t.err = t.rows.next(t.row); t.err == nil {
				t.spare = append(t.sheet.append(t.spare, t.row), '\n')
			}
		}
		t.buf = t.spare
	}
	if len(t.buf) == 0 {
		return 0, t.err
	}
	n := copy(p, t.buf)
	t.buf = t.buf[n:]
	return n, nil
}

// Close closes the rows.
func (t *csvText) Close() error { return t.rows.close() }

// writeCSVSheets writes the CSV files of the sheets, the trajectory last.
func writeCSVSheets(dir string, f *Folder, open sourceOpener) error {
	list := f.layout.moving()
	slices.Reverse(list)
	for _, s := range list {
		rows, err := open(s)
		if err != nil {
			return err
		}
		text := newCSVText(s, rows)
		err = WriteAtomic(s.inFolder(dir), func(w io.Writer) error {
			b := bufio.NewReaderSize(text, chunk)
			_, err := b.WriteTo(w)
			return err
		})
		_ = text.Close() // read only
		if err != nil {
			return err
		}
	}
	return nil
}
