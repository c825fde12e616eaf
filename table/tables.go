package table

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// tables are the growing files of a run: some that get a row at the same times, and
// others, events.csv last. Not safe for concurrent use.
type tables struct {
	every         int
	rows, others  []*lines
	contacts      *lines   // one of the others; nil: there are none
	impulses      *lines   // the same
	names         []string // of rows, then others
	closed        []Sum    // of the files, when they are complete
	last          TableRow
	stop, stopped chan struct{}
}

// TableRow is a row of all files that is kept until it is known whether it is the
// last one.
type TableRow struct {
	Pending bool
	T       [1]float64 // arrays keep the sign of zero in a checkpoint
	Values  [][]float64
	// Contacts are the rows of contacts.csv at this time.
	Contacts []ContactRow
	Impulses []ImpulseRow
}

// Marks say how far the files of a run were at a checkpoint.
type Marks struct {
	Files  []Sum // in the order of the files: those with a row at every time first
	Last   TableRow
	Paired bool // of [ElasticWriter]: the next step is the second one of a pair
}

// createTables makes the folder, if it is not there, and the files in it, each
// with its header.
func createTables(dir string, o Options, layout *Layout) (*tables, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return openTables(o, layout, func(s *Sheet) (*lines, error) {
		l, err := createLines(s.inFolder(dir))
		if err != nil {
			return nil, err
		}
		err = l.write(func(dst []byte) []byte { return append(dst, strings.Join(s.header(), ",")...) })
		return l, errors.Join(err, l.flush()) // a file that someone watches has its header first
	})
}

// resumeTables opens the files of a run that ended early, and cuts them to the marks.
func resumeTables(dir string, o Options, marks *Marks, layout *Layout) (*tables, error) {
	if len(marks.Files) != len(layout.Sheets) {
		return nil, fmt.Errorf("table: the checkpoint is of %d files, want %d", len(marks.Files), len(layout.Sheets))
	}
	w, err := openTables(o, layout, func(s *Sheet) (*lines, error) {
		return reopenLines(dir, s, marks.Files)
	})
	if err == nil && len(marks.Last.Values) != len(w.rows) {
		_ = w.Close() // read only so far
		return nil, fmt.Errorf("table: the checkpoint is of %d files with a row a time, want %d", len(marks.Last.Values), len(w.rows))
	}
	if err == nil {
		w.last = marks.Last
	}
	return w, err
}

// openTables opens the files of the sheets one by one, those with a row a time first;
// after a fault those that are open are closed.
func openTables(o Options, layout *Layout, open func(*Sheet) (*lines, error)) (*tables, error) {
	w := &tables{every: max(1, o.Every), stop: make(chan struct{}), stopped: make(chan struct{})}
	for i := range layout.Sheets {
		s := &layout.Sheets[i]
		l, err := open(s)
		switch {
		case l == nil:
		case s.Times == EveryRow:
			w.rows = append(w.rows, l)
		default:
			w.others = append(w.others, l)
		}
		if err != nil {
			_ = w.closeFiles() // the error at hand comes first
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	for _, times := range []bool{true, false} {
		for i := range layout.Sheets {
			if s := &layout.Sheets[i]; (s.Times == EveryRow) == times {
				w.names = append(w.names, s.File)
			}
		}
	}
	w.last.Values = make([][]float64, len(w.rows))
	go w.clock()
	return w, nil
}

// clock flushes the files every second, also during a step that takes long.
func (w *tables) clock() {
	defer close(w.stopped)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			for _, l := range w.files() {
				_ = l.flush() // the error is kept and returned by the next write
			}
		}
	}
}

// files returns all.
func (w *tables) files() []*lines { return slices.Concat(w.rows, w.others) }

// row writes row k of all files, 0 being the start, or keeps it if only every n-th
// is written.
func (w *tables) row(k int, t float64, values ...[]float64) error {
	w.last.T[0] = t
	for i, v := range values {
		w.last.Values[i] = append(w.last.Values[i][:0], v...)
	}
	if w.last.Pending = k%w.every != 0; w.last.Pending {
		return nil
	}
	return w.put()
}

// put writes the last row.
func (w *tables) put() error {
	for i, l := range w.rows {
		if err := l.write(func(dst []byte) []byte { return appendRow(dst, w.last.T[0], w.last.Values[i]) }); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	for i := range w.last.Contacts {
		c := &w.last.Contacts[i]
		c.T = w.last.T[0]
		if err := w.contacts.write(c.append); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	for i := range w.last.Impulses {
		x := &w.last.Impulses[i]
		x.T = w.last.T[0]
		if err := w.impulses.write(x.append); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	return nil
}

// change writes an event.
func (w *tables) change(t float64, what, from, to string) error {
	err := w.others[len(w.others)-1].write(func(dst []byte) []byte {
		dst = append(append(append(appendNumber(dst, t), ','), what...), ',')
		return append(append(append(dst, from...), ','), to...)
	})
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// Mark makes all that was observed durable and returns what the files hold.
func (w *tables) Mark() (Marks, error) {
	files, err := w.sums(true)
	return Marks{Files: files, Last: w.last}, err
}

// sums returns the sums of the files.
func (w *tables) sums(durable bool) ([]Sum, error) {
	var list []Sum
	for i, l := range w.files() {
		s, err := l.mark(w.names[i], durable)
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		list = append(list, s)
	}
	return list, nil
}

// Sums returns those of the files that were closed.
func (w *tables) Sums() []Sum { return w.closed }

// Close writes what is left and closes the files. The first error is returned.
func (w *tables) Close() error {
	close(w.stop)
	<-w.stopped
	var err error
	if w.last.Pending {
		err = w.put()
	}
	if err == nil {
		w.closed, err = w.sums(false)
	}
	if e := w.closeFiles(); err == nil && e != nil {
		err = fmt.Errorf("table: %w", e)
	}
	return err
}

func (w *tables) closeFiles() error {
	var first error
	for _, l := range w.files() {
		if err := l.close(); first == nil {
			first = err
		}
	}
	return first
}
