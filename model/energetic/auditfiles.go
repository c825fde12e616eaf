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
}

// openForces opens the forces of a run folder; nil if it has none.
func openForces(f *table.Folder) (*forceRows, error) {
	in, err := f.Open(table.ForcesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := table.NewCertificateReader(in, table.ForcesFile)
	if err != nil {
		_ = in.Close() // read only
		return nil, err
	}
	return &forceRows{r, in}, nil
}

// compare reads the next row and compares it with the node that was certified.
func (r *forceRows) compare(c *energetic.Certifier, ids []string) error {
	row, err := r.in.Next()
	n := c.Node()
	if err == io.EOF {
		return fmt.Errorf("%s ends before t=%g", table.ForcesFile, n.T)
	}
	if err != nil {
		return err
	}
	if row[0] != n.T || len(row) != 1+3*len(ids) {
		return fmt.Errorf("%s has another row at t=%g than the trajectory: t=%g, %d forces", table.ForcesFile, n.T, row[0], len(row)-1)
	}
	for j, id := range ids {
		want, allowed := particleview.Reaction(n, j), c.ForceTolerance(j)
		for k, f := range row[1+3*j : 4+3*j] {
			if off := math.Abs(f - want[k]); !(off <= allowed) {
				return fmt.Errorf("t=%g: %s has the force %g N in column %s.%s, the positions make it %g N", n.T, table.ForcesFile, f, id, [3]string{"n", "tx", "ty"}[k], want[k])
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
