package table

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// FinalFile is the last state of an elastic body, with its mesh and stress.
const FinalFile = "final.vtu"

// DisplacementsFile holds the displacements of all nodes of the mesh [m] at some
// times, for pictures and certificates; VelocitiesFile their velocities [m/s].
const DisplacementsFile = "displacements.csv"

const (
	// mostShots is the number of times at which all nodes are written, fewer for large
	// meshes: shotValues bounds the numbers in a file. They come in pairs, two steps
	// that follow each other, from which the equations of motion can be checked.
	mostShots  = 240
	shotValues = 2_000_000
)

// elasticCertificates are the columns of certificates.csv of the model elastodynamic:
// the largest violation of the identity (51) in a step so far [J], the residual of the
// contact problem, the largest penetration so far [m], iterations of the step, and the
// contraction measured, 0 if it was not.
var elasticCertificates = []string{"identity", "residual", "penetration", "iterations", "contraction"}

var elasticEnergies = []string{"kinetic", "elastic", "external", "contact", "friction", "dissipation", "drift"}

// ElasticLayout lists the tables of a run of the model elastodynamic.
func ElasticLayout(m *elastic.Model) *Layout {
	dim := m.Mesh.Dim
	var positions, forces, moves, speeds []string
	for _, c := range m.Contacts {
		for _, axis := range []string{"x", "y", "z"}[:dim] {
			positions = append(positions, fmt.Sprintf("%d.u%s", c.Node, axis))
		}
		for _, axis := range []string{"n", "t", "o"}[:max(dim, 2)] {
			forces = append(forces, fmt.Sprintf("%d.%s", c.Node, axis))
		}
	}
	for i := range m.Mesh.NumNodes() {
		for _, axis := range []string{"x", "y", "z"}[:dim] {
			moves, speeds = append(moves, fmt.Sprintf("%d.u%s", i, axis)), append(speeds, fmt.Sprintf("%d.v%s", i, axis))
		}
	}
	return &Layout{Picture: NewMeshPicture(m), Sheets: []Sheet{
		{File: TrajectoryFile, Columns: positions, Of: "node"}, {File: ForcesFile, Columns: forces, Of: "node"},
		{File: EnergiesFile, Columns: elasticEnergies, Stays: true}, {File: CertificatesFile, Columns: elasticCertificates, Stays: true},
		{File: DisplacementsFile, Columns: moves, Of: "node", Times: ShotTimes}, {File: VelocitiesFile, Columns: speeds, Of: "node", Times: ShotTimes},
		{File: EventsFile, Words: []string{"node", "from", "to"}, Times: SomeRows, Stays: true}}}
}

// ElasticWriter writes the files of a run of the model elastodynamic: the
// displacements and forces of the contact nodes, energies, certificates, changes of
// state, and now and then the displacements of all nodes. Not safe for concurrent use.
type ElasticWriter struct {
	*tables
	dir          string
	contacts     []fem.ContactNode
	at           []float64 // displacements of the contact nodes
	u, v         []float64
	energies     []float64
	certificates []float64
	pause, next  float64 // between shots, displacements of all nodes; time of the next one [s]
	second       bool    // the last step was the first one of a pair
}

// CreateElastic makes the folder, if it is not there, and the files in it, for a run
// until a time.
func CreateElastic(dir string, m *elastic.Model, until float64, o Options) (*ElasticWriter, error) {
	files, err := createTables(dir, o, ElasticLayout(m))
	return newElasticWriter(dir, m, until, files, err)
}

// ResumeElastic opens the files of a run that ended early, cuts them to the marks,
// and goes on from there.
func ResumeElastic(dir string, m *elastic.Model, until float64, o Options, marks *Marks) (*ElasticWriter, error) {
	files, err := resumeTables(dir, o, marks, ElasticLayout(m))
	w, err := newElasticWriter(dir, m, until, files, err)
	if err == nil {
		w.skip(marks.Last.T[0])
		w.second = marks.Paired
	}
	return w, err
}

func newElasticWriter(dir string, m *elastic.Model, until float64, files *tables, err error) (*ElasticWriter, error) {
	if err != nil {
		return nil, err
	}
	shots := max(8, min(mostShots, shotValues/len(m.Mesh.X)))
	return &ElasticWriter{tables: files, dir: dir, contacts: m.Contacts, pause: 2 * until / float64(shots)}, nil
}

// Mark makes all that was observed durable and returns how long the files are.
func (w *ElasticWriter) Mark() (Marks, error) {
	m, err := w.tables.Mark()
	m.Paired = w.second
	return m, err
}

// Observe writes step k, 0 being the start; all nodes are written where they are due,
// at the step after, and at the last step.
func (w *ElasticWriter) Observe(k int, last bool, s *elastic.Stepper) error {
	t, dim := s.State().T, s.Mesh().Dim
	w.u = s.Displacement(w.u)
	due := t >= w.next
	if due || last || w.second {
		w.skip(t)
		w.v = s.Velocity(w.v)
		if err := w.shoot(t); err != nil {
			return err
		}
	}
	w.second = due
	w.at = w.at[:0]
	for _, c := range w.contacts {
		w.at = append(w.at, w.u[dim*c.Node:dim*c.Node+dim]...)
	}
	e, b, st := s.Energies(), s.Balance(), s.Stats()
	w.energies = append(w.energies[:0], e.Kinetic, e.Elastic, b.External, b.Contact, b.Friction, b.Dissipation, b.Drift)
	w.certificates = append(w.certificates[:0], b.Identity, st.Residual, b.Penetration, float64(st.Iterations), st.Contraction)
	return w.row(k, t, w.at, s.State().R, w.energies, w.certificates)
}

// skip sets the time of the next displacements of all nodes behind t.
func (w *ElasticWriter) skip(t float64) {
	for w.next <= t { // times of steps are exact multiples; nothing drifts
		w.next += w.pause
	}
}

// shoot writes displacements and velocities of all nodes.
func (w *ElasticWriter) shoot(t float64) error {
	for i, values := range [][]float64{w.u, w.v} {
		if err := w.others[i].write(func(dst []byte) []byte { return appendRow(dst, t, values) }); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	return nil
}

// Event writes a change of state of a contact node.
func (w *ElasticWriter) Event(t float64, node int, from, to elastic.Contact) error {
	return w.change(t, strconv.Itoa(node), from.String(), to.String())
}

// Final writes the last state with the stresses of elements and nodes.
func (w *ElasticWriter) Final(s *elastic.Stepper, material fem.Elastic) error {
	u := s.Displacement(nil)
	stress := fem.Stresses(s.Mesh(), material, u)
	return WriteAtomic(filepath.Join(w.dir, FinalFile), func(f io.Writer) error {
		return fem.WriteVTU(f, s.Mesh(), u, StressFields(fem.NodalStresses(s.Mesh(), stress)), StressFields(stress))
	})
}
