package signal

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CSVError is a fault of a CSV file at a place.
type CSVError struct {
	Line, Column int // from 1; Column counts bytes
	Text         string
}

func (e *CSVError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// mostNumbers is the largest number of numbers that are kept of a CSV file, half a gigabyte.
const mostNumbers = 1 << 26

// Extent is the size of a CSV file, with what bounds the memory that reading it takes.
type Extent struct {
	Rows    int // at most so many
	Longest int // row [byte], at most
}

// Measure counts the lines of a CSV file, in one pass that keeps nothing. Of a file with quotes, in
// which rows may go over lines, all of it counts as one row's length.
func Measure(in io.Reader) (e Extent, err error) {
	buffer, line, size, quoted := make([]byte, 1<<16), 0, 0, false
	for {
		n, err := in.Read(buffer)
		for _, c := range buffer[:n] {
			if line++; c == '\n' {
				e.Rows, e.Longest, line = e.Rows+1, max(e.Longest, line), 0
			}
			quoted = quoted || c == '"'
		}
		size += n
		if err == io.EOF {
			break
		}
		if err != nil {
			return e, err
		}
	}
	if line > 0 {
		e.Rows, e.Longest = e.Rows+1, max(e.Longest, line)
	}
	if quoted {
		e.Longest = size
	}
	return e, nil
}

// WithoutMark leaves out the byte order mark that spreadsheets write before the first byte.
func WithoutMark(in io.Reader) io.Reader {
	r := bufio.NewReader(in)
	if head, _ := r.Peek(3); string(head) == "\ufeff" {
		_, _ = r.Discard(3) // it has been peeked at
	}
	return r
}

// ReadCSV reads samples of functions from a CSV file whose first row names its columns: the times,
// which must increase, and for each name in values a column. The file is read row by row; columns
// that are not asked for are passed over. There is room for so many rows from the beginning, see
// [Measure]; more cost copies. A row that cannot be used is a [*CSVError] with its place.
func ReadCSV(in io.Reader, time string, values []string, rows int) (times []float64, columns [][]float64, err error) {
	if in == nil {
		return nil, nil, &CSVError{1, 1, "there is no file to read"}
	}
	r := csv.NewReader(WithoutMark(in))
	r.ReuseRecord, r.TrimLeadingSpace, r.Comment = true, true, '#'
	header, err := r.Read()
	if err == io.EOF {
		return nil, nil, &CSVError{1, 1, "the file is empty, want a row with the names of the columns"}
	}
	if err != nil {
		return nil, nil, place(err)
	}
	if !utf8.ValidString(strings.Join(header, "")) {
		return nil, nil, &CSVError{1, 1, "the names of the columns are not UTF-8, want a file in UTF-8 or ASCII"}
	}
	names := slices.Clone(header)
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	var at []int
	for _, name := range append([]string{time}, values...) {
		i := slices.Index(names, name)
		if i < 0 {
			line, column := r.FieldPos(0)
			return nil, nil, &CSVError{line, column, fmt.Sprintf("there is no column %q, the file has %s", name, list(names))}
		}
		if k := slices.Index(names[i+1:], name); k >= 0 {
			line, column := r.FieldPos(i + 1 + k)
			return nil, nil, &CSVError{line, column, fmt.Sprintf("there are two columns %q", name)}
		}
		at = append(at, i)
	}
	rows = max(0, min(rows, mostNumbers/len(at)))
	times, columns = make([]float64, 0, rows), make([][]float64, len(values))
	for k := range columns {
		columns[k] = make([]float64, 0, rows)
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, place(err)
		}
		if len(times)*len(at) >= mostNumbers {
			line, column := r.FieldPos(0)
			return nil, nil, &CSVError{line, column, fmt.Sprintf("the file has more than %d rows, want fewer", len(times))}
		}
		for k, i := range at {
			v, err := strconv.ParseFloat(strings.TrimSpace(row[i]), 64)
			line, column := r.FieldPos(i)
			switch {
			case err != nil && !errors.Is(err, strconv.ErrRange):
				return nil, nil, &CSVError{line, column, fmt.Sprintf("found %q in the column %q, want a number", clip(row[i]), names[i])}
			case math.IsInf(v, 0) || math.IsNaN(v):
				return nil, nil, &CSVError{line, column,
					fmt.Sprintf("found %q in the column %q, want a finite number", clip(row[i]), names[i])}
			case k > 0:
				columns[k-1] = append(columns[k-1], v)
			case len(times) > 0 && !(v > times[len(times)-1]):
				return nil, nil, &CSVError{line, column,
					fmt.Sprintf("found the time %g after %g, want times that increase", v, times[len(times)-1])}
			default:
				times = append(times, v)
			}
		}
	}
	if len(times) == 0 {
		return nil, nil, &CSVError{1, 1, "the file has no row of numbers"}
	}
	return times, columns, nil
}

// place turns an error of the reader into one with a place.
func place(err error) error {
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		return &CSVError{e.Line, max(e.Column, 1), e.Err.Error()}
	}
	return err
}

// list names columns, the first of many.
func list(names []string) string {
	const most = 12
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += ", …"
	}
	return clip(text)
}

// clip cuts a long text.
func clip(s string) string {
	const most = 120
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
