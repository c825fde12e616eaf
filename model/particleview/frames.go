package particleview

import (
	"errors"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// frame is a node as the files of a run hold it.
type frame struct {
	T      float64                    // [s]
	X      []float64                  // positions, global coordinates, 3N [m]
	Force  []float64                  // (n, tx, ty) of every particle, 3N [N]
	Status []incremental.ContactState // N
}

func newFrame(n int) *frame {
	return &frame{X: make([]float64, 3*n), Force: make([]float64, 3*n), Status: make([]incremental.ContactState, n)}
}

// frames reads the nodes of a run in order of time.
type frames struct {
	at, force *table.Cursor
	states    *states
	pending   bool // only the positions of the node are there yet
}

// openFrames opens the tables of a run; close it.
func openFrames(f *table.Folder, s *Scene) (*frames, error) {
	r := &frames{}
	var err error
	if r.at, err = f.Cursor(table.TrajectoryFile); err == nil {
		r.force, err = f.Cursor(table.ForcesFile)
	}
	if err == nil {
		r.states, err = newStates(s, f)
	}
	if err != nil {
		_ = r.close() // read only
		return nil, err
	}
	return r, nil
}

// next reads the next node; io.EOF says that there is none yet.
func (r *frames) next(f *frame) error {
	if !r.pending {
		if err := r.at.Next(); err != nil {
			return err
		}
		r.pending = true
	}
	if err := r.force.Next(); err != nil {
		return err
	}
	at, force := &r.at.Row, &r.force.Row
	if force.T != at.T {
		return r.force.Fault("the time is %g, but %g in %s: the files are not of one run", force.T, at.T, table.TrajectoryFile)
	}
	for _, c := range []*table.Cursor{r.at, r.force} {
		if err := c.Finite(); err != nil {
			return err
		}
	}
	r.pending = false
	f.T = at.T
	copy(f.X, at.Values)
	copy(f.Force, force.Values)
	now, err := r.states.at(f.T, f.X, f.Force)
	for j, s := range now {
		f.Status[j] = incremental.ContactState(s)
	}
	return err
}

func (r *frames) close() error {
	var err error
	for _, c := range []*table.Cursor{r.at, r.force} {
		if c != nil {
			err = errors.Join(err, c.Close())
		}
	}
	if r.states != nil {
		err = errors.Join(err, r.states.Close())
	}
	return err
}
