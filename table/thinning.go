package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
)

// thinning opens the rows of sheets that are exported: every n-th and the last one.
type thinning struct {
	ctx    context.Context
	folder *Folder
	from   Format
	to     Format
	every  int
	times  []float64 // of all rows
	whole  bool      // the run is done: the files must end together
}

// readTimes reads the times of the trajectory. Of a run that is not done one file may
// have more rows than another: what all have counts.
func (x *thinning) readTimes() error {
	s, err := ReadSummary(x.folder.Dir)
	x.whole = x.from != CSV || err == nil && s.Status == Done
	l := x.folder.layout
	for i := range l.Sheets {
		s := &l.Sheets[i]
		shots := s.Times == ShotTimes && x.to == VTU // whose files end with the last one
		if i > 0 && (x.whole || s.Times != EveryRow && !shots) {
			continue
		}
		n := 0
		var seen []float64 // of shots, which are few
		err := x.each(s, func(t float64) {
			if i == 0 {
				x.times = append(x.times, t)
			}
			if n++; shots {
				seen = append(seen, t)
			}
		})
		if s.Stays && errors.Is(err, fs.ErrNotExist) {
			continue // a run may lack it
		}
		if err != nil {
			return err
		}
		if shots {
			n = len(x.times)
			for n > 0 {
				if _, ok := slices.BinarySearch(seen, x.times[n-1]); ok {
					break
				}
				n--
			}
		}
		x.times = x.times[:min(n, len(x.times))]
	}
	if len(x.times) == 0 {
		return errors.New("table: the run has no rows")
	}
	return nil
}

func (x *thinning) each(s *Sheet, visit func(t float64)) error {
	rows, err := x.folder.rows(s, x.from)
	if err != nil {
		return err
	}
	if rows == nil {
		return fs.ErrNotExist
	}
	defer rows.close() // read only
	row := s.newRow()
	for {
		if err := rows.next(row); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		visit(row.T)
	}
}

// keeps reports whether row k is written.
func (x *thinning) keeps(k int) bool { return k%x.every == 0 || k == len(x.times)-1 }

// open opens the rows of a sheet that are written.
func (x *thinning) open(s *Sheet) (rowSource, error) {
	rows, err := x.folder.rows(s, x.from)
	if err != nil || rows == nil {
		return nil, err
	}
	t := thinned{rowSource: rows, thinning: x, sheet: s, last: s.newRow()}
	switch {
	case s.Times == SomeRows && !s.Stays:
		return &thinnedContacts{thinned: t}, nil
	case s.Times == SomeRows: // events and collisions are few
		return rows, nil
	case s.Times == ShotTimes:
		return &thinnedShots{thinned: t}, nil
	}
	return &thinnedRows{thinned: t}, nil
}

type thinned struct {
	rowSource
	*thinning
	sheet *Sheet
	k     int // rows read
	last  *SheetRow
}

// file is the name of the sheet's file, for messages.
func (t *thinned) file() string { return t.sheet.inFolder(t.folder.Dir) }

// thinnedRows are the rows of a sheet with one at every time.
type thinnedRows struct{ thinned }

func (t *thinnedRows) next(row *SheetRow) error {
	for {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		if t.k == len(t.times) && !t.whole {
			return io.EOF
		}
		err := t.rowSource.next(row)
		switch {
		case errors.Is(err, io.EOF) && t.k < len(t.times):
			return fmt.Errorf("table: %s ends after row %d, t=%g: the trajectory goes on", t.file(), t.k, t.times[max(t.k-1, 0)])
		case err != nil:
			return err
		case t.k >= len(t.times):
			return fmt.Errorf("table: %s: row %d, t=%g: the file goes on after the end of the trajectory", t.file(), t.k, row.T)
		case row.T != t.times[t.k] && !math.IsNaN(row.T):
			return fmt.Errorf("table: %s: row %d: the time is %g, but %g in the trajectory: the files are not of one run",
				t.file(), t.k, row.T, t.times[t.k])
		}
		t.k++
		if t.keeps(t.k - 1) {
			return nil
		}
	}
}

// thinnedContacts are the rows of a sheet with any number of them at a time.
type thinnedContacts struct{ thinned }

func (t *thinnedContacts) next(row *SheetRow) error {
	for {
		if err := t.rowSource.next(row); err != nil {
			return err
		}
		for t.k < len(t.times) && t.times[t.k] < row.T {
			t.k++
		}
		switch {
		case t.k == len(t.times) && !t.whole:
			return io.EOF
		case t.k == len(t.times) || t.times[t.k] != row.T:
			return fmt.Errorf("table: %s: t=%g is no time of the trajectory: the files are not of one run", t.file(), row.T)
		case t.keeps(t.k):
			return nil
		}
	}
}

// thinnedShots are the rows of a sheet with times of its own.
type thinnedShots struct {
	thinned
	ended bool
}

func (t *thinnedShots) next(row *SheetRow) error {
	for !t.ended {
		err := t.rowSource.next(row)
		if err == nil && t.to == VTU { // those that have a row of the trajectory, which is kept
			i, ok := slices.BinarySearch(t.times, row.T)
			if t.every > 1 && !(ok && t.keeps(i)) {
				continue
			}
			if t.whole || row.T <= t.times[len(t.times)-1] {
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			t.ended = true
			if t.k > 0 && (t.k-1)%t.every != 0 {
				row.copyFrom(t.last)
				return nil
			}
			return err
		}
		if err != nil {
			return err
		}
		if !t.whole && row.T > t.times[len(t.times)-1] {
			t.ended = true
			return io.EOF
		}
		t.k++
		if (t.k-1)%t.every == 0 {
			return nil
		}
		t.last.copyFrom(row)
	}
	return io.EOF
}
