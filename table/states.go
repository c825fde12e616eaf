package table

import (
	"errors"
	"fmt"
	"io"
)

// States is a state of things, a number from 0 on for each, that follows from the tables:
// formats other than CSV have it beside the numbers, as words or bytes.
type States struct {
	Name  string   // of the array or column
	Of    string   // the things, see [Sheet.Of]
	Words []string // by number
	// Open returns what gives the states of a run; close it.
	Open func(f *Folder) (StateSource, error)
}

// StateSource gives the states of the things at the times of a run, in order.
type StateSource interface {
	// At returns the states at the next time, with the rows of the tables of these things
	// there, in the order of the layout. They are valid until the next call.
	At(rows []*SheetRow) ([]byte, error)
	Close() error
}

// stated are the tables of the things that have states, with a row at every time; none:
// there are no states.
func (l *Layout) stated() []*Sheet {
	if l.States == nil {
		return nil
	}
	var list []*Sheet
	for _, s := range l.moving() {
		if s.Of == l.States.Of && s.Times == EveryRow {
			list = append(list, s)
		}
	}
	return list
}

// stateRows reads the tables of things side by side, with their states.
type stateRows struct {
	sheets  []*Sheet
	sources []rowSource
	rows    []*SheetRow
	states  StateSource
}

// openStates opens the states of the rows that are written.
func (l *Layout) openStates(f *Folder, open sourceOpener) (*stateRows, error) {
	r := &stateRows{sheets: l.stated()}
	for _, s := range r.sheets {
		rows, err := open(s)
		if err != nil {
			r.close()
			return nil, err
		}
		r.sources, r.rows = append(r.sources, rows), append(r.rows, s.newRow())
	}
	var err error
	if r.states, err = l.States.Open(f); err != nil {
		r.close()
	}
	return r, err
}

// next returns the states at the next time; io.EOF after the last one.
func (r *stateRows) next() ([]byte, error) {
	if err := nextOfAll(r.sheets, r.sources, r.rows); err != nil {
		return nil, err
	}
	return r.states.At(r.rows)
}

func (r *stateRows) close() {
	for _, s := range r.sources {
		_ = s.close() // read only
	}
	if r.states != nil {
		_ = r.states.Close() // read only
	}
}

// nextOfAll reads a row of each sheet; they end together.
func nextOfAll(g []*Sheet, sources []rowSource, rows []*SheetRow) error {
	for i, s := range sources {
		err := s.next(rows[i])
		if i > 0 && errors.Is(err, io.EOF) {
			return fmt.Errorf("table: %s ends before %s", g[i].File, g[0].File)
		}
		if err != nil {
			return err
		}
		if rows[i].T != rows[0].T {
			return fmt.Errorf("table: %s: the time is %g, but %g in %s: the files are not of one run", g[i].File,
				rows[i].T, rows[0].T, g[0].File)
		}
	}
	return nil
}
