package trajectory

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

// Elastic sums up what a run of the model elastodynamic did.
type Elastic struct {
	Nodes       int                `json:"nodes"`
	Contacts    int                `json:"contacts"`
	Iterations  int                `json:"iterations"`
	Most        int                `json:"most_iterations"` // of a step
	Factors     int                `json:"factors"`         // of the contact problem
	Residual    float64            `json:"residual"`        // largest of the contact problems [-]
	CFL         float64            `json:"cfl"`
	Contraction float64            `json:"contraction"`        // bound of the factor of the fixed point, whatever the states [-]
	Closed      float64            `json:"contraction_closed"` // the same with all contacts closed
	Unique      bool               `json:"unique"`             // the solution of every step, by proof
	Measured    float64            `json:"contraction_measured"`
	CriticalMu  float64            `json:"critical_mu"`  // friction at which uniqueness is lost, 0: not known
	StableStep  float64            `json:"stable_step"`  // of central differences, by proof [s]; 0: any
	Mass        []elastic.ModeMass `json:"mass"`         // of rigid motions
	MassFactors [2]float64         `json:"mass_factors"` // least and most of a node, redistributed
	Warnings    []string           `json:"warnings"`
	Balance     elastic.Balance    `json:"balance"`
	Kinetic     float64            `json:"kinetic"`
	Elastic     float64            `json:"elastic"`
}

// DisplacementsFile holds the displacements of all nodes of the mesh [m] at some
// times, for pictures.
const DisplacementsFile = "displacements.csv"

const (
	// mostShots is the number of times at which all nodes are written, fewer for large
	// meshes: shotValues bounds the numbers in the file.
	mostShots  = 240
	shotValues = 2_000_000
)

// elasticCertificates are the columns of certificates.csv of the model elastodynamic:
// the largest violation of the identity (51) in a step so far [J], the residual of the
// contact problem, the largest penetration so far [m], iterations of the step, and the
// contraction measured, 0 if it was not.
var elasticCertificates = []string{"identity", "residual", "penetration", "iterations", "contraction"}

// elasticTables are the files that get a row for each step.
func elasticTables(contacts []fem.ContactNode, dim int) []table {
	var positions, forces []string
	for _, c := range contacts {
		for _, axis := range []string{"x", "y", "z"}[:dim] {
			positions = append(positions, fmt.Sprintf("%d.u%s", c.Node, axis))
		}
		for _, axis := range []string{"n", "t", "o"}[:max(dim, 2)] {
			forces = append(forces, fmt.Sprintf("%d.%s", c.Node, axis))
		}
	}
	energies := []string{"kinetic", "elastic", "external", "contact", "friction", "dissipation", "drift"}
	return []table{{TrajectoryFile, positions}, {ForcesFile, forces}, {EnergiesFile, energies}, {CertificatesFile, elasticCertificates}}
}

// elasticOthers are the files that get rows now and then.
func elasticOthers(mesh *fem.Mesh) []table {
	var nodes []string
	for i := range mesh.NumNodes() {
		for _, axis := range []string{"x", "y", "z"}[:mesh.Dim] {
			nodes = append(nodes, fmt.Sprintf("%d.u%s", i, axis))
		}
	}
	return []table{{DisplacementsFile, nodes}, events("node")}
}

// ElasticWriter writes the files of a run of the model elastodynamic: the
// displacements and forces of the contact nodes, energies, certificates, changes of
// state, and now and then the displacements of all nodes. Not safe for concurrent use.
type ElasticWriter struct {
	*tables
	dir          string
	contacts     []fem.ContactNode
	at           []float64 // displacements of the contact nodes
	u            []float64
	energies     []float64
	certificates []float64
	pause, next  float64 // between displacements of all nodes; time of the next ones [s]
}

// CreateElastic makes the folder, if it is not there, and the files in it, for a run
// until a time.
func CreateElastic(dir string, contacts []fem.ContactNode, mesh *fem.Mesh, until float64, o Options) (*ElasticWriter, error) {
	files, err := createTables(dir, o, elasticTables(contacts, mesh.Dim), elasticOthers(mesh)...)
	return newElasticWriter(dir, contacts, mesh, until, files, err)
}

// ResumeElastic opens the files of a run that ended early, cuts them to the marks,
// and goes on from there.
func ResumeElastic(dir string, contacts []fem.ContactNode, mesh *fem.Mesh, until float64, o Options, marks *Marks) (*ElasticWriter, error) {
	files, err := resumeTables(dir, o, marks, elasticTables(contacts, mesh.Dim), elasticOthers(mesh)...)
	w, err := newElasticWriter(dir, contacts, mesh, until, files, err)
	if err == nil {
		w.skip(marks.Last.T[0])
	}
	return w, err
}

func newElasticWriter(dir string, contacts []fem.ContactNode, mesh *fem.Mesh, until float64, files *tables, err error) (*ElasticWriter, error) {
	if err != nil {
		return nil, err
	}
	shots := max(8, min(mostShots, shotValues/len(mesh.X)))
	return &ElasticWriter{tables: files, dir: dir, contacts: contacts, pause: until / float64(shots)}, nil
}

// Observe writes step k, 0 being the start; the displacements of all nodes are
// written where they are due, and at the last step.
func (w *ElasticWriter) Observe(k int, last bool, s *elastic.Stepper) error {
	t, dim := s.State().T, s.Mesh().Dim
	w.u = s.Displacement(w.u)
	if t >= w.next || last {
		w.skip(t)
		if err := w.shoot(t); err != nil {
			return err
		}
	}
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

// shoot writes the displacements of all nodes; nine digits serve pictures.
func (w *ElasticWriter) shoot(t float64) error {
	err := w.others[0].write(func(dst []byte) []byte {
		dst = appendNumber(dst, t)
		for _, v := range w.u {
			dst = strconv.AppendFloat(append(dst, ','), v, 'g', 9, 64)
		}
		return dst
	})
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
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
		return fem.WriteVTU(f, s.Mesh(), u, stressFields(fem.NodalStresses(s.Mesh(), stress)), stressFields(stress))
	})
}
