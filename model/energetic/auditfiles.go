package energetic

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// forceRows reads the forces that a run wrote beside its trajectory.
type forceRows struct {
	in   *table.CertificateReader
	file io.Closer
	name string
	of   []particleview.Contact // columns
}

// openForces opens a file of forces of a run folder; nil if it has none.
func openForces(f *table.Folder, name string, of []particleview.Contact) (*forceRows, error) {
	in, err := f.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := table.NewCertificateReader(in, name)
	if err != nil {
		_ = in.Close() // read only
		return nil, err
	}
	return &forceRows{r, in, name, of}, nil
}

// compare reads the next row and compares it with the node that was certified.
func (r *forceRows) compare(c *energetic.Certifier) error {
	row, err := r.in.Next()
	n := c.Node()
	if err == io.EOF {
		return fmt.Errorf("%s ends before t=%g", r.name, n.T)
	}
	if err != nil {
		return err
	}
	if row[0] != n.T || len(row) != 1+3*len(r.of) {
		return fmt.Errorf("%s has another row at t=%g than the trajectory: t=%g, %d forces", r.name, n.T, row[0], len(row)-1)
	}
	for j, of := range r.of {
		want, allowed := particleview.Reaction(n, of.Number), c.ForceTolerance(of.Number)
		for k, f := range row[1+3*j : 4+3*j] {
			if off := math.Abs(f - want[k]); !(off <= allowed) {
				return fmt.Errorf("t=%g: %s has the force %g N in column %s.%s, the positions make it %g N", n.T, r.name, f, of.ID, [3]string{"n", "tx", "ty"}[k], want[k])
			}
		}
	}
	return nil
}

// nodesPlanned follows the nodes that a case plans through those of a run.
type nodesPlanned struct {
	time  func(k int) float64
	steps int
	next  int
}

// observe takes a node; it fails if one that was planned was passed over.
func (p *nodesPlanned) observe(t, until float64) error {
	rounding := 1e-12 * until
	for p.next <= p.steps && p.time(p.next) <= t+rounding {
		if p.time(p.next) < t-rounding {
			return fmt.Errorf("the node at t=%g, which the case plans, is missing", p.time(p.next))
		}
		p.next++
	}
	return nil
}
