package trajectory

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// FinalFile is the last state of an elastic body, with its stress.
const FinalFile = "final.vtu"

// Elastic sums up what a run of the model elastodynamic did.
type Elastic struct {
	Nodes       int             `json:"nodes"`
	Contacts    int             `json:"contacts"`
	Iterations  int             `json:"iterations"`
	Most        int             `json:"most_iterations"` // of a step
	Factors     int             `json:"factors"`         // of the contact problem
	Residual    float64         `json:"residual"`        // largest of the contact problems [-]
	CFL         float64         `json:"cfl"`
	Contraction float64         `json:"contraction"` // bound of the factor of the fixed point [-]
	Measured    float64         `json:"contraction_measured"`
	CriticalMu  float64         `json:"critical_mu"` // friction at which uniqueness is lost, 0: not known
	Warnings    []string        `json:"warnings"`
	Balance     elastic.Balance `json:"balance"`
	Kinetic     float64         `json:"kinetic"`
	Elastic     float64         `json:"elastic"`
}

// ElasticWriter writes the files of a run of the model elastodynamic: the
// displacements and forces of the contact nodes, energies, and changes of state.
type ElasticWriter struct {
	dir                               string
	every                             int
	contacts                          []fem.ContactNode
	trajectory, forces, energy, event *lines
	certificate, displacement         *lines
	row                               []float64
	u                                 []float64
	until, next                       float64 // end time; next displacements of all nodes
	shots                             float64 // of them in a run
	flushed                           time.Time
}

// Files of the model elastodynamic: DisplacementsFile holds the displacements of all
// nodes of the mesh [m] at some times, for pictures.
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

// CreateElastic makes the folder, if it is not there, and the files in it.
func CreateElastic(dir string, contacts []fem.ContactNode, mesh *fem.Mesh, until float64, o Options) (*ElasticWriter, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	w := &ElasticWriter{dir: dir, every: max(1, o.Every), contacts: contacts, until: until,
		shots: float64(max(8, min(mostShots, shotValues/len(mesh.X))))}
	dim := mesh.Dim
	var positions, forces, nodes []string
	for i := range mesh.NumNodes() {
		for _, axis := range []string{"x", "y", "z"}[:dim] {
			nodes = append(nodes, fmt.Sprintf("%d.u%s", i, axis))
		}
	}
	for _, c := range contacts {
		for _, axis := range []string{"x", "y", "z"}[:dim] {
			positions = append(positions, fmt.Sprintf("%d.u%s", c.Node, axis))
		}
		for _, axis := range []string{"n", "t", "o"}[:max(dim, 2)] {
			forces = append(forces, fmt.Sprintf("%d.%s", c.Node, axis))
		}
	}
	energies := []string{"kinetic", "elastic", "external", "contact", "friction", "dissipation", "drift"}
	for _, f := range []struct {
		dst     **lines
		name    string
		columns []string
	}{{&w.trajectory, TrajectoryFile, positions}, {&w.forces, ForcesFile, forces}, {&w.energy, EnergiesFile, energies}, {&w.event, EventsFile, []string{"node", "from", "to"}},
		{&w.certificate, CertificatesFile, elasticCertificates}, {&w.displacement, DisplacementsFile, nodes}} {
		l, err := createLines(filepath.Join(dir, f.name))
		if err == nil {
			*f.dst = l
			err = l.write(func(dst []byte) []byte {
				dst = append(dst, 't')
				for _, name := range f.columns {
					dst = append(append(dst, ','), name...)
				}
				return dst
			})
		}
		if err != nil {
			return nil, fmt.Errorf("trajectory: %w", err)
		}
	}
	return w, nil
}

// Observe writes step k, 0 being the start; last forces a row.
func (w *ElasticWriter) Observe(k int, last bool, s *elastic.Stepper) error {
	t, dim := s.State().T, s.Mesh().Dim
	if err := w.shoot(t, last, s); err != nil {
		return err
	}
	if k%w.every != 0 && !last {
		return nil
	}
	if now := time.Now(); now.Sub(w.flushed) > time.Second { // who watches sees the run grow
		w.flushed = now
		for _, l := range w.files() {
			_ = l.flush() // the error is kept and returned by the next write
		}
	}
	w.u = s.Displacement(w.u)
	w.row = w.row[:0]
	for _, c := range w.contacts {
		w.row = append(w.row, w.u[dim*c.Node:dim*c.Node+dim]...)
	}
	err := w.put(w.trajectory, t, w.row)
	if err == nil {
		err = w.put(w.forces, t, s.State().R)
	}
	e, b := s.Energies(), s.Balance()
	if err == nil {
		err = w.put(w.energy, t, []float64{e.Kinetic, e.Elastic, b.External, b.Contact, b.Friction, b.Dissipation, b.Drift})
	}
	if st := s.Stats(); err == nil {
		err = w.put(w.certificate, t, []float64{b.Identity, st.Residual, b.Penetration, float64(st.Iterations), st.Contraction})
	}
	return err
}

// shoot writes the displacements of all nodes where a picture is due.
func (w *ElasticWriter) shoot(t float64, last bool, s *elastic.Stepper) error {
	if t < w.next && !last {
		return nil
	}
	for w.next <= t { // times of steps are exact multiples; nothing drifts
		w.next += w.until / w.shots
	}
	w.u = s.Displacement(w.u)
	err := w.displacement.write(func(dst []byte) []byte {
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

func (w *ElasticWriter) put(l *lines, t float64, values []float64) error {
	if err := l.write(func(dst []byte) []byte { return appendRow(dst, t, values) }); err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return nil
}

// Event writes a change of state of a contact node.
func (w *ElasticWriter) Event(t float64, node int, from, to elastic.Contact) error {
	err := w.event.write(func(dst []byte) []byte {
		return fmt.Appendf(appendNumber(dst, t), ",%d,%s,%s", node, from, to)
	})
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return nil
}

// Final writes the last state with the stresses of elements and nodes.
func (w *ElasticWriter) Final(s *elastic.Stepper, material fem.Elastic) error {
	f, err := os.Create(filepath.Join(w.dir, FinalFile))
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	u := s.Displacement(nil)
	stress := fem.Stresses(s.Mesh(), material, u)
	err = fem.WriteVTU(f, s.Mesh(), u, []fem.Field{fem.StressField("stress", fem.NodalStresses(s.Mesh(), stress))}, []fem.Field{fem.StressField("stress", stress)})
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func (w *ElasticWriter) files() []*lines {
	return []*lines{w.trajectory, w.forces, w.energy, w.event, w.certificate, w.displacement}
}

// Close writes what is left and closes the files. The first error is returned.
func (w *ElasticWriter) Close() error {
	var first error
	for _, l := range w.files() {
		if err := l.close(); first == nil && err != nil {
			first = fmt.Errorf("trajectory: %w", err)
		}
	}
	return first
}
