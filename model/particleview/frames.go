package particleview

import (
	"errors"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// frame is a node as the files of a run hold it.
type frame struct {
	T      float64                    // [s]
	X      []float64                  // positions, global coordinates, 3N [m]
	Force  []float64                  // (n, tx, ty) of every particle, 3N [N]
	Status []incremental.ContactState // N
	psi    *dissipation.Coulomb       // in force
	// of every contact of the system [m], then the variables of energies; none where nothing remembers
	Slipped []float64

	// Of particles with several obstacles.
	Contacts []float64                  // (n, tx, ty) of every contact of the scene [N]; nil: there are none
	Beside   []incremental.ContactState // of the contacts of the system after those of the particles
}

// state is that of a contact of the system.
func (f *frame) state(c int) incremental.ContactState {
	if n := len(f.Status); c >= n {
		return f.Beside[c-n]
	}
	return f.Status[c]
}

// local stores the local coordinates.
func (f *frame) local(z []float64) { ToLocal(f.T, z, f.psi.System, f.X) }

func newFrame(n int) *frame {
	return &frame{X: make([]float64, 3*n), Force: make([]float64, 3*n), Status: make([]incremental.ContactState, n)}
}

// frames reads the nodes of a run in order of time.
type frames struct {
	rows   []*table.Cursor // trajectory, forces, and contacts where particles have several
	got    int             // of them that have read the next node: a file may be behind
	states *states
}

// openFrames opens the tables of a run; close it.
func openFrames(f *table.Folder, s *Scene) (*frames, error) {
	files := []string{table.TrajectoryFile, table.ForcesFile}
	if s.Contacts != nil {
		files = append(files, table.ContactsFile)
	}
	r := &frames{}
	var err error
	for _, file := range files {
		c, fault := f.Cursor(file)
		if err = fault; err != nil {
			break
		}
		r.rows = append(r.rows, c)
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
	for ; r.got < len(r.rows); r.got++ {
		c := r.rows[r.got]
		if err := c.Next(); err != nil {
			return err
		}
		if t := r.rows[0].Row.T; c.Row.T != t {
			return c.Fault("the time is %g, but %g in %s: the files are not of one run", c.Row.T, t, table.TrajectoryFile)
		}
		if err := c.Finite(); err != nil {
			return err
		}
	}
	r.got = 0
	f.T = r.rows[0].Row.T
	copy(f.X, r.rows[0].Row.Values)
	copy(f.Force, r.rows[1].Row.Values)
	if len(r.rows) > 2 {
		f.Contacts = append(f.Contacts[:0], r.rows[2].Row.Values...)
	}
	now, err := r.states.at(f.T, f.X, f.Force)
	for j, s := range now {
		f.Status[j] = incremental.ContactState(s)
	}
	f.Beside = r.states.besides(f.Beside[:0], f.Contacts)
	return err
}

func (r *frames) close() error {
	var err error
	for _, c := range r.rows {
		err = errors.Join(err, c.Close())
	}
	if r.states != nil {
		err = errors.Join(err, r.states.Close())
	}
	return err
}
