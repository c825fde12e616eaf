package table

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// Names of the files in a run folder.
const (
	CaseFile         = "case.json"
	TrajectoryFile   = "trajectory.csv"
	ForcesFile       = "forces.csv"
	CertificatesFile = "certificates.csv"
	EventsFile       = "events.csv"
	SummaryFile      = "summary.json"
)

// Options say what is written. The zero value works.
type Options struct {
	// Every thins out trajectory, forces and certificates to every n-th node; the
	// first and the last one are always written. 0 means 1. Events are complete.
	Every int
}

// Writer writes the files of a run folder node by node. Not safe for concurrent
// use.
type Writer struct {
	*tables
	sys         *particles.System
	ids         []string
	x           []float64 // global positions
	forces      []float64
	certificate []float64
}

// Create makes the folder, if it is not there, and the files in it.
func Create(dir string, sys *particles.System, ids []string, o Options) (*Writer, error) {
	if len(ids) != sys.N() {
		panic(fmt.Sprintf("table: Create: %d ids for %d particles", len(ids), sys.N()))
	}
	files, err := createTables(dir, o, NodeLayout(ids))
	return newWriter(files, sys, ids), err
}

// Resume opens the files of a run that ended early, cuts them to the marks, and
// goes on from there.
func Resume(dir string, sys *particles.System, ids []string, o Options, marks *Marks) (*Writer, error) {
	files, err := resumeTables(dir, o, marks, NodeLayout(ids))
	return newWriter(files, sys, ids), err
}

func newWriter(files *tables, sys *particles.System, ids []string) *Writer {
	return &Writer{tables: files, sys: sys, ids: ids, x: make([]float64, 3*sys.N()), forces: make([]float64, 3*sys.N())}
}

// NodeLayout lists the tables of a run of particles.
func NodeLayout(ids []string) *Layout {
	columns := func(suffixes ...string) (list []string) {
		for _, id := range ids {
			for _, s := range suffixes {
				list = append(list, id+"."+s)
			}
		}
		return list
	}
	return &Layout{Sheets: []Sheet{{File: TrajectoryFile, Columns: columns("x", "y", "z")}, {File: ForcesFile, Columns: columns("n", "tx", "ty")},
		{File: CertificatesFile, Columns: CertificateColumns[1:], Stays: true}, {File: EventsFile, Words: []string{"particle", "from", "to"}, Times: SomeRows, Stays: true}}}
}

// Observe writes a node.
func (w *Writer) Observe(n *energetic.Node) error {
	if err := w.events(n); err != nil {
		return err
	}
	w.sys.ToGlobal(w.x, n.Z)
	for j := range w.ids {
		r := Reaction(n, j)
		copy(w.forces[3*j:], r[:])
	}
	w.certificate = append(w.certificate[:0], n.Energy, n.Dissipation, n.Work, n.Balance, n.Gap.Upper, n.Force, float64(n.SinceEvent))
	return w.row(n.K, n.T, w.x, w.forces, w.certificate)
}

func appendRow(dst []byte, t float64, values []float64) []byte {
	dst = appendNumber(dst, t)
	for _, v := range values {
		dst = appendNumber(append(dst, ','), v)
	}
	return dst
}

// Reaction returns the force (n, tx, ty) of the obstacle on a particle, zero where
// it does not touch.
func Reaction(n *energetic.Node, j int) [3]float64 {
	if n.States[j] == incremental.Free {
		return [3]float64{}
	}
	return [3]float64{n.Grad[3*j+2], n.Grad[3*j], n.Grad[3*j+1]}
}

// events writes the changes of contact at a node.
func (w *Writer) events(n *energetic.Node) error {
	if n.K == 0 {
		return nil
	}
	for j, s := range n.States {
		if from := n.Before[j]; s != from {
			if err := w.change(n.T, w.ids[j], from.String(), s.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Jump writes the event of a discontinuity at time t: the particle that moved
// most, from "jump" to its state behind.
func (w *Writer) Jump(t float64, particle int, behind incremental.ContactState) error {
	return w.change(t, w.ids[particle], "jump", behind.String())
}

// CopyFile copies a file beside a case into the run folder, under the same
// relative name.
func CopyFile(dir, name, from string) error {
	dst := filepath.Join(dir, name)
	if same(dst, from) {
		return nil
	}
	src, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	defer src.Close() // read only: nothing can be lost
	if err := os.MkdirAll(filepath.Dir(dst), 0o777); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return WriteAtomic(dst, func(w io.Writer) error {
		_, err := io.Copy(w, src)
		return err
	})
}

// same reports whether two names are of one file, which must not be overwritten
// by itself.
func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}
