package table

import (
	"bufio"
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
	if text == "" {
		return nil, err
	}
	r.line++
	if err != nil && r.whole {
		return nil, r.fault("the line has no end: the file is cut off")
	}
	return strings.Split(strings.TrimSpace(text), ","), nil
}

func (r *rowReader) number(fields []string, i int) (float64, error) {
	v, err := strconv.ParseFloat(fields[i], 64)
	if err != nil {
		return 0, r.fault("value %d is %q, want a number", i+1, clip(fields[i]))
	}
	return v, nil
}
