package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/quasistatic/quasistatic/trajectory"
)

// impulseRows reads the rows of impulses.csv at the times of the run.
type impulseRows struct {
	in       *trajectory.ImpulseReader
	contacts *contactRows // know the names
	dim      int
	ahead    *trajectory.ImpulseRow // read, but of a later time
	line     int
}

func (a *audit) impulseRows(c *contactRows, dim int) (*impulseRows, error) {
	f, err := a.files.Open(trajectory.ImpulsesFile)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, f)
	r := &impulseRows{contacts: c, dim: dim, line: -1}
	r.in, err = trajectory.NewImpulseReader(f, filepath.Join(a.dir, trajectory.ImpulsesFile))
	return r, err
}

// read visits the impulses of the step that ends at a time, with the numbers of the
// bodies, b < 0 being −1−obstacle.
func (r *impulseRows) read(t float64, visit func(x *trajectory.ImpulseRow, a, b int)) error {
	for {
		if r.ahead == nil {
			var x trajectory.ImpulseRow
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
			r.contacts.times.wrong(place{trajectory.ImpulsesFile, r.line, x.T, fmt.Sprintf("impulse of %s/%s.%d, which the run cannot have", x.A, x.B, x.Feature)})
		} else {
			visit(x, a, b)
		}
		r.ahead = nil
	}
}

// ended looks for rows after the last time.
func (r *impulseRows) ended() {
	if r.ahead != nil {
		r.contacts.times.wrong(place{trajectory.ImpulsesFile, r.line, r.ahead.T, "a time that the run does not have"})
	}
}
