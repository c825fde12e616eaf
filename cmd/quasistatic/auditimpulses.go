package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/quasistatic/quasistatic/table"
)

// impulseRows reads the rows of impulses.csv at the times of the run.
type impulseRows struct {
	in       *table.ImpulseReader
	contacts *contactRows // know the names
	dim      int
	ahead    *table.ImpulseRow // read, but of a later time
	line     int
}

func (a *audit) impulseRows(c *contactRows, dim int) (*impulseRows, error) {
	f, err := a.files.Open(table.ImpulsesFile)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, f)
	r := &impulseRows{contacts: c, dim: dim, line: -1}
	r.in, err = table.NewImpulseReader(f, filepath.Join(a.dir, table.ImpulsesFile))
	return r, err
}

// read visits the impulses of the step that ends at a time, with the numbers of the
// bodies, b < 0 being −1−obstacle.
func (r *impulseRows) read(t float64, visit func(x *table.ImpulseRow, a, b int)) error {
	for {
		if r.ahead == nil {
			var x table.ImpulseRow
			err := r.in.Next(&x)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			r.ahead = &x
			r.line++
		}
		x := r.ahead
		if x.T > t {
			return nil
		}
		a, known := r.contacts.number[x.A]
		b, other := r.contacts.number[x.B]
		flat := r.dim == 3 || x.On[2] == 0
		const features = 1 << 16
		if x.T != t || !flat || !known || !other || a < 0 || x.Feature < 0 || x.Feature >= features {
			r.contacts.times.wrong(place{table.ImpulsesFile, r.line, x.T, fmt.Sprintf("impulse of %s/%s.%d, which the run cannot have", x.A, x.B, x.Feature)})
		} else {
			visit(x, a, b)
		}
		r.ahead = nil
	}
}

// ended looks for rows after the last time.
func (r *impulseRows) ended() {
	if r.ahead != nil {
		r.contacts.times.wrong(place{table.ImpulsesFile, r.line, r.ahead.T, "a time that the run does not have"})
	}
}
