package table

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// Reader reads a trajectory.csv node by node.
type Reader struct {
	name   string
	in     *bufio.Reader
	line   int
	column []int // dof of each column after t
	t      float64
	x      []float64
	begun  bool
}

// FormatError is a trajectory that cannot be read.
type FormatError struct {
	File string
	Line int
	Text string
}

func (e *FormatError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

func (r *Reader) fault(format string, args ...any) error {
	return &FormatError{File: r.name, Line: r.line, Text: fmt.Sprintf(format, args...)}
}

// NewReader reads the header of a trajectory of the particles ids: a column t,
// then x, y, z of every particle, in any order. The name is for messages.
func NewReader(in io.Reader, name string, ids []string) (*Reader, error) {
	return newReader(in, name, ids, [3]string{".x", ".y", ".z"})
}

// newReader reads a table whose three columns a particle have the given endings.
func newReader(in io.Reader, name string, ids []string, endings [3]string) (*Reader, error) {
	names := []string{"t"}
	for _, id := range ids {
		for _, axis := range endings {
			names = append(names, id+axis)
		}
	}
	r := &Reader{name: name, in: bufio.NewReaderSize(newShortLines(in, names), 1<<16), x: make([]float64, 3*len(ids))}
	fields, err := r.fields()
	if err == io.EOF {
		r.line = 1
		return nil, r.fault("the file is empty, want a header t,%s%s,…", ids[0], endings[0])
	}
	if err != nil {
		return nil, err
	}
	return r, r.header(fields, names[1:])
}

func (r *Reader) header(fields, names []string) error {
	if fields[0] != "t" {
		return r.fault("the first column is %q, want t: is this a trajectory?", clip(fields[0]))
	}
	dof := make(map[string]int, len(names))
	for d, name := range names {
		dof[name] = d
	}
	seen := make([]bool, len(names))
	for i, f := range fields[1:] {
		d, ok := dof[f]
		if !ok {
			return r.unknownColumn(i+2, f, names)
		}
		if seen[d] {
			return r.fault("column %q occurs twice", f)
		}
		seen[d] = true
		r.column = append(r.column, d)
	}
	for d, ok := range seen {
		if !ok {
			return r.fault("the column %q is missing", names[d])
		}
	}
	return nil
}

func (r *Reader) unknownColumn(column int, found string, names []string) error {
	if guess := nearest.Word(found, names); guess != "" {
		return r.fault("column %d is %q, which the case does not have; the nearest one is %q", column, clip(found), guess)
	}
	return r.fault("column %d is %q, which the case does not have, want columns like %s", column, clip(found), names[0])
}

// fields returns the next line that is not empty, split at commas.
func (r *Reader) fields() ([]string, error) {
	for {
		text, err := r.in.ReadString('\n')
		if err == io.EOF && text == "" {
			return nil, err
		}
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		r.line++
		if r.line == 1 {
			text = strings.TrimPrefix(text, "\uFEFF")
		}
		if text = strings.TrimSpace(text); text != "" {
			fields := strings.Split(text, ",")
			for i := range fields {
				fields[i] = strings.TrimSpace(fields[i])
			}
			return fields, nil
		}
	}
}

// Next returns the next node: the time and the positions of all particles in
// global coordinates, in a slice that changes with the next call. It returns
// io.EOF after the last one.
func (r *Reader) Next() (t float64, x []float64, err error) {
	fields, err := r.fields()
	if err != nil {
		return 0, nil, err
	}
	if len(fields) != 1+len(r.column) {
		return 0, nil, r.fault("found %d values, want %d: the line is cut off or from another file", len(fields), 1+len(r.column))
	}
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, nil, r.fault("value %d is %q, want a finite number", i+1, clip(f))
		}
		if i > 0 {
			r.x[r.column[i-1]] = v
		} else if t = v; r.begun && !(t >= r.t) {
			return 0, nil, r.fault("the time %g follows %g, want times that do not decrease", t, r.t)
		}
	}
	r.t, r.begun = t, true
	return t, r.x, nil
}

func clip(s string) string {
	const longest = 40
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return s
}
