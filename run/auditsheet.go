package run

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/quasistatic/quasistatic/table"
)

// Sheet reads one of the tables of numbers over time.
type Sheet struct {
	File      string
	Row       int // the present one; −1 before the first
	T         float64
	Now, Last []float64 // of the columns after t, of the present row and the one before
	in        *table.Cursor
	err       error // of the opening
}

// Sheet opens a table. What is wrong with it, the first row says.
func (a *Audit) Sheet(file string) *Sheet {
	s := &Sheet{File: file, Row: -1}
	if s.in, s.err = a.Files.Cursor(file); s.err == nil {
		a.Close(s.in)
		n := len(s.in.Columns())
		s.Now, s.Last = make([]float64, n), make([]float64, n)
	}
	return s
}

// Next reads the next row; false at the end.
func (s *Sheet) Next() (bool, error) {
	if s.err != nil {
		return false, s.err
	}
	err := s.in.Next()
	if err == io.EOF {
		return false, nil
	}
	if err == nil {
		err = s.in.Finite()
	}
	if err != nil {
		return false, err
	}
	s.Now, s.Last = s.Last, s.Now
	s.Row++
	s.T = s.in.Row.T
	copy(s.Now, s.in.Row.Values)
	return true, nil
}

// At is the place of a column of the present row, by its number.
func (s *Sheet) At(column int) Place { return s.In(s.in.Columns()[column]) }

// In is the place of a column of the present row, by its name.
func (s *Sheet) In(column string) Place { return Place{s.File, s.Row, s.T, "column " + column} }

// Times is the place of the time of the present row.
func (s *Sheet) Times() Place { return s.In("t") }

// Rows is a sheet whose columns are the fields of a row type, see [table.ColumnsOf].
type Rows[R any] struct{ *Sheet }

// Now is the present row.
func (r Rows[R]) Now() (row R) {
	table.Fill(&row, r.Sheet.Now)
	return row
}

// Last is the row before it; zero before the second.
func (r Rows[R]) Last() (row R) {
	table.Fill(&row, r.Sheet.Last)
	return row
}

// Clocks reads tables with the same times side by side.
type Clocks struct {
	Check  *Check // of the times
	audit  *Audit
	sheets []*Sheet
	last   float64 // time of the row before
}

// Clocks begins to read tables whose times are those of the steps.
func (a *Audit) Clocks(sheets ...*Sheet) *Clocks {
	return &Clocks{a.Check("times", "the times are those of the steps, the same in all files", "s"), a, sheets, 0}
}

// Each shows every row of all sheets.
func (c *Clocks) Each(ctx context.Context, row func() error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, err := c.next()
		if err != nil || !more {
			return err
		}
		if err := row(); err != nil {
			return err
		}
	}
}

// next reads the next row of all sheets; false at the end of the first. Times are sums of
// steps in some models: rounding of 1e-16 a step, far below 1e-9.
func (c *Clocks) next() (bool, error) {
	p := c.audit.Plan
	for i, s := range c.sheets {
		ok, err := s.Next()
		if err != nil {
			return false, err
		}
		if !ok {
			switch {
			case i > 0 && c.Check.fault != nil: // a row too many or too few, which is told
				return false, nil
			case i > 0:
				return false, fmt.Errorf("%s ends after %d rows: those from t=%g on are missing, which %s has", s.File,
					s.Row+1, c.sheets[0].T, c.sheets[0].File)
			}
			return false, c.ended()
		}
		switch step := min(s.Row*p.Every, p.Steps); {
		case !p.Adaptive:
			c.Check.AtMost(s.T-p.Time(step), 1e-9*p.Until, s.Times())
		case s.Row == 0:
			c.Check.AtMost(s.T, 1e-9*p.Until, s.Times())
		case !(s.T > c.last && s.T <= p.Until): // the model knows which steps there are
			c.Check.Fail(s.Times())
		}
		if s.T != c.sheets[0].T {
			c.Check.Fail(s.Times())
		}
	}
	s := c.sheets[0]
	c.audit.Summary.Steps, c.audit.Summary.Time, c.last = min(s.Row*p.Every, p.Steps), s.T, s.T
	if p.Adaptive {
		c.audit.Summary.Steps = s.Row * p.Every
	}
	return true, nil
}

// ended checks that the other files end too, and that a run that is done has all rows.
func (c *Clocks) ended() error {
	for _, s := range c.sheets[1:] {
		if c.Check.fault != nil {
			break // a row too many or too few, which is told
		}
		if more, err := s.Next(); more || err != nil {
			first := c.sheets[0]
			return errors.Join(err, fmt.Errorf("%s ends after %d rows: those from t=%g on are missing, which %s has",
				first.File, first.Row+1, s.T, s.File))
		}
	}
	s, p := c.sheets[0], c.audit.Plan
	missing := s.Row*p.Every < p.Steps
	if p.Adaptive {
		missing = s.T < p.Until
	}
	if missing && c.audit.Summary.Status == table.Done {
		c.Check.Fail(Place{s.File, s.Row + 1, s.T, fmt.Sprintf("the run is done, but rows up to t=%g are missing", p.Until)})
	}
	return nil
}
