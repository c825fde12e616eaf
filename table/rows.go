package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// rowReader reads the lines of a table of words and numbers.
type rowReader struct {
	name string
	in   *bufio.Reader
	line int
	// whole: the file was completed; a last line without an end is cut off.
	whole bool
}

func newRowReader(in io.Reader, name string) rowReader {
	return rowReader{name: name, in: bufio.NewReaderSize(in, chunk)}
}

func (r *rowReader) fault(format string, args ...any) error {
	return &FormatError{File: r.name, Line: r.line, Text: fmt.Sprintf(format, args...)}
}

// next returns the fields of the next line.
func (r *rowReader) next() ([]string, error) {
	text, err := r.in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("table: %s: %w", r.name, err)
	}
	if text == "" {
		return nil, err
	}
	r.line++
	if err != nil && r.whole {
		return nil, r.fault("the line has no end: the file is cut off")
	}
	return strings.Split(strings.TrimSpace(text), ","), nil
}

// header reads the first line: the columns must be those of the sheet. Without a line there
// is none.
func (r *rowReader) header(s *Sheet) error {
	fields, err := r.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	r.line = max(r.line, 1)
	return s.check(fields, func(text string) error { return r.fault("%s", text) })
}

// row reads the next line as a row of a sheet.
func (r *rowReader) row(s *Sheet, row *SheetRow) error {
	fields, err := r.next()
	if err != nil {
		return err
	}
	words := len(s.Words)
	if want := 1 + words + len(s.Columns); len(fields) != want {
		return r.fault("found %d values, want %d: the line is cut off or from another file", len(fields), want)
	}
	copy(row.Words, fields[1:])
	if row.T, err = r.number(fields, 0); err != nil {
		return err
	}
	for k := range row.Values {
		if row.Values[k], err = r.number(fields, 1+words+k); err != nil {
			return err
		}
	}
	return nil
}

func (r *rowReader) number(fields []string, i int) (float64, error) {
	v, err := strconv.ParseFloat(fields[i], 64)
	if err != nil {
		return 0, r.fault("value %d is %q, want a number", i+1, clip(fields[i]))
	}
	return v, nil
}
