package table

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"
)

// Tables are the growing CSV files of a run, one for each sheet of its layout. Not safe
// for concurrent use.
type Tables struct {
	layout        *Layout
	every         int
	files         []sink        // by sheet
	rows          []int         // sheets with a row at every time
	next          []AttachedRow // of the next row
	last          PendingRow
	closed        []Sum           // of the files, when they are complete
	notFinite     *NotFiniteError // the first; nil: none
	stop, stopped chan struct{}
	kept          *Columns // of tables in memory; nil: they are files
}

// NotFiniteError is a number of a table that is infinite or none.
type NotFiniteError struct {
	File, Column string
	T, Value     float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("table: %s: column %s at t=%g is %g, want a finite number", e.File, e.Column, e.T, e.Value)
}

// notFinite returns the first number of a row that is infinite or none.
func (s *Sheet) notFinite(t float64, values []float64) *NotFiniteError {
	if math.IsNaN(t) || math.IsInf(t, 0) {
		return &NotFiniteError{s.File, "t", t, t}
	}
	for k, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &NotFiniteError{s.File, s.Columns[k], t, v}
		}
	}
	return nil
}

// PendingRow is a row of all sheets that have one at every time, with what was attached
// to it: kept until it is known whether it is the last one.
type PendingRow struct {
	Pending  bool
	T        [1]float64 // arrays keep the sign of zero in a checkpoint
	Values   [][]float64
	Attached []AttachedRow
}

// AttachedRow is a row of a sheet of [SomeRows] at the time of a pending row.
type AttachedRow struct {
	Sheet  int
	Words  []string
	Values []float64
}

// Mark says how far the files of a run were at a checkpoint.
type Mark struct {
	Files []Sum // by sheet
	Last  PendingRow
}

// Start makes the folder, if it is not there, and the files in it, each with its header.
func Start(dir string, l *Layout, o Options) (*Tables, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return newTables(l, o, func(_ int, s *Sheet) (sink, error) {
		f, err := createLines(s.inFolder(dir))
		if err != nil {
			return nil, err
		}
		err = f.write(s.appendHeader)
		return f, errors.Join(err, f.flush()) // a file that someone watches has its header first
	})
}

// Reopen opens the files of a run that ended early, cuts them to a mark, and goes on
// from there. A file that is not what the run wrote up to there is a [DamageError].
func Reopen(dir string, l *Layout, o Options, m *Mark) (*Tables, error) {
	w, err := newTables(l, o, func(_ int, s *Sheet) (sink, error) {
		f, err := reopenLines(dir, s, m.Files)
		if err != nil {
			return nil, err // not a sink that is nil
		}
		return f, nil
	})
	if err != nil {
		return nil, err
	}
	if len(m.Last.Values) != len(w.rows) {
		_ = w.close() // read only so far
		return nil, fmt.Errorf("table: the checkpoint is of %d files with a row a time, want %d", len(m.Last.Values), len(w.rows))
	}
	w.last = m.Last
	return w, nil
}

// Discard returns tables that take rows and leave nothing.
func Discard(l *Layout) *Tables { return &Tables{layout: l} }

// newTables opens the files one by one; after a fault those that are open are closed.
func newTables(l *Layout, o Options, open func(i int, s *Sheet) (sink, error)) (*Tables, error) {
	w := &Tables{layout: l, every: max(1, o.Every), stop: make(chan struct{}), stopped: make(chan struct{})}
	for i := range l.Sheets {
		s := &l.Sheets[i]
		f, err := open(i, s)
		if f != nil {
			w.files = append(w.files, f)
		}
		if err != nil {
			_ = w.close() // the error at hand comes first
			return nil, fmt.Errorf("table: %w", err)
		}
		if s.Times == EveryRow {
			w.rows = append(w.rows, i)
		}
	}
	w.last.Values = make([][]float64, len(w.rows))
	go w.clock()
	return w, nil
}

// clock flushes the files every second, also during a step that takes long.
func (w *Tables) clock() {
	defer close(w.stopped)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			for _, f := range w.files {
				_ = f.flush() // the error is kept and returned by the next write
			}
		}
	}
}

// Attach adds a row to a sheet of [SomeRows] at the time of the next [Tables.Row]: it is
// written where that is.
func (w *Tables) Attach(file string, words []string, values ...float64) {
	if w.files == nil {
		return
	}
	n := len(w.next)
	w.next = slices.Grow(w.next, 1)[:n+1] // with the memory of a row before
	a := &w.next[n]
	a.Sheet, a.Words, a.Values = w.sheet(file), append(a.Words[:0], words...), append(a.Values[:0], values...)
}

// sheet returns the number of a sheet.
func (w *Tables) sheet(file string) int {
	i := slices.IndexFunc(w.layout.Sheets, func(s Sheet) bool { return s.File == file })
	if i < 0 {
		panic(fmt.Sprintf("table: Tables: the layout has no %s", file))
	}
	return i
}

// Row writes row k of the sheets that have one at every time, 0 being the start, in the
// order of the layout, and what was attached since; or keeps them, if only every n-th is
// written, for they may be the last.
func (w *Tables) Row(k int, t float64, values ...[]float64) error {
	if w.files == nil {
		return nil
	}
	if len(values) != len(w.rows) {
		panic(fmt.Sprintf("table: Tables.Row: %d rows for %d sheets", len(values), len(w.rows)))
	}
	w.last.T[0] = t
	w.last.Attached, w.next = w.next, w.last.Attached[:0]
	for i, v := range values {
		w.last.Values[i] = append(w.last.Values[i][:0], v...)
	}
	if w.last.Pending = k%w.every != 0; w.last.Pending {
		return nil
	}
	return w.put()
}

// put writes the last row.
func (w *Tables) put() error {
	for i, sheet := range w.rows {
		if err := w.check(&w.layout.Sheets[sheet], w.last.T[0], w.last.Values[i]); err != nil {
			return err
		}
	}
	for i, sheet := range w.rows {
		if w.kept != nil {
			if err := w.kept.add(sheet, w.last.T[0], nil, w.last.Values[i]); err != nil {
				return err
			}
			continue
		}
		if err := w.files[sheet].write(func(dst []byte) []byte { return appendRow(dst, w.last.T[0], w.last.Values[i]) }); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	for i := range w.last.Attached {
		a := &w.last.Attached[i]
		if err := w.write(a.Sheet, w.last.T[0], a.Words, a.Values); err != nil {
			return err
		}
	}
	return nil
}

// Write writes a row of a sheet at once, whatever rows are thinned out.
func (w *Tables) Write(file string, t float64, words []string, values ...float64) error {
	return w.write(w.sheet(file), t, words, values)
}

func (w *Tables) write(sheet int, t float64, words []string, values []float64) error {
	s := &w.layout.Sheets[sheet]
	if w.files == nil {
		return nil
	}
	if len(words) != len(s.Words) || len(values) != len(s.Columns) {
		panic(fmt.Sprintf("table: Tables: %d words and %d numbers for %s, want %d and %d", len(words), len(values),
			s.File, len(s.Words), len(s.Columns)))
	}
	if err := w.check(s, t, values); err != nil {
		return err
	}
	if w.kept != nil {
		return w.kept.add(sheet, t, words, values)
	}
	row := SheetRow{T: t, Words: words, Values: values}
	if err := w.files[sheet].write(func(dst []byte) []byte { return s.append(dst, &row) }); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// Mark makes all that was written durable and returns how long the files are.
func (w *Tables) Mark() (Mark, error) {
	files, err := w.sums(true)
	return Mark{Files: files, Last: w.last}, err
}

// sums returns the sums of the files, which are durable then if that is asked for.
func (w *Tables) sums(durable bool) ([]Sum, error) {
	var list []Sum
	for i, f := range w.files {
		s, err := f.mark(w.layout.Sheets[i].File, durable)
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		list = append(list, s)
	}
	return list, nil
}

// Sums returns those of the files, once they are closed.
func (w *Tables) Sums() []Sum { return w.closed }

// NotFinite returns the first number that is infinite or none in the tables that stay
// CSV, a [NotFiniteError]; nil: there is none. A run that has one is not certified.
func (w *Tables) NotFinite() error {
	if w.notFinite == nil {
		return nil
	}
	return w.notFinite
}

// check looks for numbers that are none: tables of results refuse them.
func (w *Tables) check(s *Sheet, t float64, values []float64) error {
	x := s.notFinite(t, values)
	switch {
	case x == nil:
		return nil
	case !s.Stays:
		return x
	case w.notFinite == nil:
		w.notFinite = x
	}
	return nil
}

// Close writes what is left and closes the files. The first error is returned.
func (w *Tables) Close() error {
	if w.files == nil {
		return nil
	}
	close(w.stop)
	<-w.stopped
	var err error
	if w.last.Pending {
		err = w.put()
	}
	if err == nil {
		w.closed, err = w.sums(false)
	}
	if e := w.close(); err == nil && e != nil {
		err = fmt.Errorf("table: %w", e)
	}
	return err
}

func (w *Tables) close() error {
	var first error
	for _, f := range w.files {
		if err := f.close(); first == nil {
			first = err
		}
	}
	return first
}
