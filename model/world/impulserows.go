package world

import (
	"errors"
	"fmt"
	"io"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// ImpulseRows reads the rows of impulses.csv at the times of the run.
type ImpulseRows struct {
	in       *bodyview.ImpulseReader
	contacts *ContactRows // know the names
	dim      int
	ahead    *bodyview.ImpulseRow // read, but of a later time
	Line     int                  // of the present one, 0 being that after the header
}

// NewImpulseRows opens impulses.csv.
func NewImpulseRows(a *run.Audit, c *ContactRows, dim int) (*ImpulseRows, error) {
	in, err := bodyview.OpenImpulses(a.Files)
	if err != nil {
		return nil, err
	}
	a.Close(in)
	r := &ImpulseRows{in: in, contacts: c, dim: dim, Line: -1}
	return r, nil
}

// Read visits the impulses of the step that ends at a time, with the numbers of the
// bodies, b < 0 being −1−obstacle.
func (r *ImpulseRows) Read(t float64, visit func(x *bodyview.ImpulseRow, a, b int)) error {
	for {
		if r.ahead == nil {
			var x bodyview.ImpulseRow
			err := r.in.Next(&x)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			r.ahead = &x
			r.Line++
		}
		x := r.ahead
		if x.T > t {
			return nil
		}
		a, known := r.contacts.Number[x.A]
		b, other := r.contacts.Number[x.B]
		flat := r.dim == 3 || x.On[2] == 0
		const features = 1 << bodies.FeatureBits
		if x.T != t || !flat || !known || !other || a < 0 || x.Feature < 0 || x.Feature >= features {
			r.contacts.times.Fail(run.At(table.ImpulsesFile, r.Line, x.T,
				fmt.Sprintf("impulse of %s/%s.%d, which the run cannot have", x.A, x.B, x.Feature)))
		} else {
			visit(x, a, b)
		}
		r.ahead = nil
	}
}

// End looks for rows after the last time.
func (r *ImpulseRows) End() {
	if r.ahead != nil {
		r.contacts.times.Fail(run.At(table.ImpulsesFile, r.Line, r.ahead.T, "a time that the run does not have"))
	}
}
