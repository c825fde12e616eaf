package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

// Reader reads the files of a run, as far as they are there, and makes its page. A
// run may still go on: Read takes in what is new.
type Reader interface {
	// Read takes in the rows that were not read yet and returns how many these were.
	Read(ctx context.Context) (int, error)
	// Nodes returns the number of times read so far.
	Nodes() int
	Page(a About) (*Page, error)
	Close() error
}

var _ = []Reader{(*Run)(nil), (*Motions)(nil), (*ElasticRun)(nil)}

// sheet reads a CSV file of numbers over time as it grows, and keeps the extremes.
type sheet struct {
	series
	file    string
	columns []string
	rows    int
	first   []float64            // of the columns
	last    []float64            // of the columns
	see     func(row []float64)  // nil: nobody looks; row[0] is the time
	until   func(t float64) bool // nil: always; rows from here on wait

	in      *table.CertificateReader
	f       io.Closer
	waiting []float64
}

// read takes in what is new. A file that is not there is empty, if it is optional;
// numbers of those that are not, which are drawn, are finite.
func (t *sheet) read(ctx context.Context, from *table.Folder, optional bool) error {
	if t.in == nil {
		var err error
		t.in, t.f, err = from.Table(t.file)
		if errors.Is(err, fs.ErrNotExist) && optional {
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("report: %s is missing: is %s the folder of a run?", filepath.Join(from.Dir, t.file), from.Dir)
		}
		if err != nil {
			return err
		}
		t.columns = t.in.Columns[1:]
		t.series = newSeries(len(t.columns), max(2, min(mostIntervals, mostValues/max(1, len(t.columns))&^1)))
	}
	for ctx.Err() == nil {
		row := t.waiting
		if row == nil {
			var err error
			if row, err = t.in.Next(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
		if t.until != nil && !t.until(row[0]) {
			t.waiting = row // of the reader, which is not asked again before
			return nil
		}
		t.waiting = nil
		if k := slices.IndexFunc(row, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); k >= 0 && !optional {
			return fmt.Errorf("report: %s:%d: column %s is %g, want a finite number", filepath.Join(from.Dir, t.file), t.rows+2, t.in.Columns[k], row[k])
		}
		t.take(row)
	}
	return ctx.Err()
}

func (t *sheet) take(row []float64) {
	if t.rows == 0 {
		t.first = append(t.first, row[1:]...)
	}
	t.last = append(t.last[:0], row[1:]...)
	t.rows++
	t.add(row[0], row[1:])
	if t.see != nil {
		t.see(row)
	}
}

func (t *sheet) close() error {
	if t.f == nil {
		return nil
	}
	return t.f.Close()
}

// column returns the extremes of a column by its name; nil if there is none.
func (t *sheet) column(name string) *channel {
	for i, c := range t.columns {
		if c == name {
			return &t.channels[i]
		}
	}
	return nil
}

// value returns that of a column in the last row, 0 without one.
func (t *sheet) value(name string) float64 {
	for i, c := range t.columns {
		if c == name && t.rows > 0 {
			return t.last[i]
		}
	}
	return 0
}

// most returns the largest value of a column, 0 without one.
func (t *sheet) most(name string) float64 {
	if c := t.column(name); c != nil && t.rows > 0 {
		_, high := c.extremes()
		return high
	}
	return 0
}

// panel begins a plot over the times of the table.
func (t *sheet) panel(title, label string) *panel {
	return (&Recorder{series: t.series}).panel(title, label)
}
