package trajectory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/dynamics"
)

// Names of the further files of a motion.
const (
	VelocitiesFile = "velocities.csv"
	EnergiesFile   = "energies.csv"
	CollisionsFile = "collisions.csv"
)

// Motion sums up what a run of the dynamic models did.
type Motion struct {
	Bodies    int             `json:"bodies"`
	Solves    int             `json:"solves"`   // contact problems
	Stalled   int             `json:"stalled"`  // of them, solved to Tolerance only, not to the usual 1e-11
	Pivots    int             `json:"pivots"`   // of Lemke's method
	Residual  float64         `json:"residual"` // largest of the contact problems, relative [-]
	Tolerance float64         `json:"tolerance"`
	Rounds    int             `json:"rounds"`  // of an implicit force, the most of a step
	Events    int             `json:"events"`  // changes of state of elements
	Open      int             `json:"open"`    // element steps
	Stick     int             `json:"stick"`   // element steps
	Slide     int             `json:"slide"`   // element steps
	Energy    dynamics.Energy `json:"energy"`  // ledger of the run
	Balance   float64         `json:"balance"` // largest residual of the ledger, summed from the start [J]
	Mu        float64         `json:"mu"`      // largest friction coefficient in contact
	MuBar     float64         `json:"mu_bar"`  // bound of Lemma 4 for unique forces, at the steps looked at
	ForceRate float64         `json:"force_rate"`
	Boundary  *BoundaryValue  `json:"boundary,omitempty"`
}

// BoundaryValue sums up a boundary-value problem.
type BoundaryValue struct {
	Residual     float64     `json:"residual"`
	Tolerance    float64     `json:"tolerance"`
	Method       string      `json:"method"`
	Integrations int         `json:"integrations"`
	V0           []float64   `json:"v0"`
	Solutions    [][]float64 `json:"solutions"`
	Rate         float64     `json:"rate"` // of the fixed point, 0 if unknown
	Applies      bool        `json:"theorem_applies"`
	Rank         int         `json:"rank"`
	Psi          float64     `json:"psi"`
	Left         float64     `json:"left"`  // of condition (28)
	Right        float64     `json:"right"` // of condition (28)
	Holds        bool        `json:"holds"`
}

// MotionColumns names the columns of the files of a motion.
type MotionColumns struct {
	Positions  []string // of State.Q
	Velocities []string // of State.V
	Elements   []string // of the contact elements: n, t and o are added
	// Certificates are numbers of each step beyond the energies; see
	// [MotionWriter.Certify]. None: there is no certificates.csv.
	Certificates []string
	Collisions   bool // the model has impacts: collisions.csv
	Dim          int
}

// MotionWriter writes the files of a motion step by step. Not safe for
// concurrent use.
type MotionWriter struct {
	columns                                MotionColumns
	every                                  int
	trajectory, velocities, forces, energy *lines
	event, contact, certificate, collision *lines
	forcesNow                              []float64
	contactsNow                            []ContactRow // of the step that Forces began
	certificatesNow                        []float64
	last                                   motionRow
	stop, stopped                          chan struct{}
}

// motionRow is a step not yet written.
type motionRow struct {
	pending      bool
	t            float64
	q, v, forces []float64
	energy       []float64
	certificates []float64
	contacts     []ContactRow
}

// CreateMotion makes the folder, if it is not there, and the files in it.
func CreateMotion(dir string, c MotionColumns, o Options) (*MotionWriter, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	w := &MotionWriter{columns: c, every: max(1, o.Every), forcesNow: make([]float64, c.Dim*len(c.Elements))}
	var forces []string
	for _, e := range c.Elements {
		for _, axis := range []string{"n", "t", "o"}[:c.Dim] {
			forces = append(forces, e+"."+axis)
		}
	}
	energies := []string{"kinetic", "potential", "stored", "viscous", "friction", "impact", "loads", "residual"}
	w.certificatesNow = make([]float64, len(c.Certificates))
	for _, f := range []struct {
		dst     **lines
		name    string
		columns []string
	}{{&w.trajectory, TrajectoryFile, c.Positions}, {&w.velocities, VelocitiesFile, c.Velocities}, {&w.forces, ForcesFile, forces},
		{&w.energy, EnergiesFile, energies}, {&w.event, EventsFile, []string{"element", "from", "to"}},
		{&w.contact, ContactsFile, []string{contactColumns}}, {&w.certificate, CertificatesFile, c.Certificates}, {&w.collision, CollisionsFile, collisionColumns}} {
		if f.dst == &w.certificate && len(f.columns) == 0 || f.dst == &w.collision && !c.Collisions {
			continue
		}
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
			w.closeFiles()
			return nil, fmt.Errorf("trajectory: %w", err)
		}
	}
	w.stop, w.stopped = make(chan struct{}), make(chan struct{})
	go w.clock()
	return w, nil
}

// clock flushes the files every second.
func (w *MotionWriter) clock() {
	defer close(w.stopped)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			for _, l := range w.files() {
				_ = l.flush() // the error is kept and returned by the next write
			}
		}
	}
}

// files returns those that are open.
func (w *MotionWriter) files() []*lines {
	return slices.DeleteFunc([]*lines{w.trajectory, w.velocities, w.forces, w.energy, w.event, w.contact, w.certificate, w.collision}, func(l *lines) bool { return l == nil })
}

// Forces returns the vector of the element forces for [MotionWriter.Observe], set
// to zero: Dim entries for each element. It begins a step: what was put into it
// before is forgotten.
func (w *MotionWriter) Forces() []float64 {
	clear(w.forcesNow)
	w.contactsNow = w.contactsNow[:0]
	return w.forcesNow
}

// Contact adds a contact that carries a force to the next [MotionWriter.Observe];
// its time is that of the step.
func (w *MotionWriter) Contact(r *ContactRow) { w.contactsNow = append(w.contactsNow, *r) }

// Certify sets the certificates of the next [MotionWriter.Observe], one for each
// of [MotionColumns.Certificates].
func (w *MotionWriter) Certify(values ...float64) { copy(w.certificatesNow, values) }

// Observe writes step k, 0 being the start, with the forces put into
// [MotionWriter.Forces].
func (w *MotionWriter) Observe(k int, x *dynamics.State, e *dynamics.Energy) error {
	r := &w.last
	r.t = x.T
	r.q, r.v, r.forces = append(r.q[:0], x.Q...), append(r.v[:0], x.V...), append(r.forces[:0], w.forcesNow...)
	r.energy = append(r.energy[:0], e.Kinetic, e.Potential, e.Stored, e.Viscous, e.Friction, e.Impact, e.Loads, e.Residual)
	r.certificates, r.contacts = append(r.certificates[:0], w.certificatesNow...), append(r.contacts[:0], w.contactsNow...)
	if r.pending = k%w.every != 0; r.pending {
		return nil
	}
	return w.row()
}

func (w *MotionWriter) row() error {
	r := &w.last
	for _, f := range []struct {
		l      *lines
		values []float64
	}{{w.trajectory, r.q}, {w.velocities, r.v}, {w.forces, r.forces}, {w.energy, r.energy}, {w.certificate, r.certificates}} {
		if f.l == nil {
			continue
		}
		if err := f.l.write(func(dst []byte) []byte { return appendRow(dst, r.t, f.values) }); err != nil {
			return fmt.Errorf("trajectory: %w", err)
		}
	}
	for i := range r.contacts {
		c := &r.contacts[i]
		c.T = r.t
		if err := w.contact.write(c.append); err != nil {
			return fmt.Errorf("trajectory: %w", err)
		}
	}
	return nil
}

// Event writes a change of state of an element.
func (w *MotionWriter) Event(t float64, element string, from, to dynamics.ContactState) error {
	err := w.event.write(func(dst []byte) []byte {
		dst = append(append(append(appendNumber(dst, t), ','), element...), ',')
		return append(append(append(dst, from.String()...), ','), to.String()...)
	})
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return nil
}

// collisionColumns are those of collisions.csv after t: the contact found first, its
// approach speed [m/s], the size of its impulse [N s], kinetic energy lost [J].
var collisionColumns = []string{"contact", "speed", "impulse", "loss"}

// Collision writes an impact.
func (w *MotionWriter) Collision(t float64, contact string, speed, impulse, loss float64) error {
	err := w.collision.write(func(dst []byte) []byte {
		dst = append(append(appendNumber(dst, t), ','), contact...)
		for _, v := range []float64{speed, impulse, loss} {
			dst = appendNumber(append(dst, ','), v)
		}
		return dst
	})
	if err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return nil
}

// Close writes what is left and closes the files. The first error is returned.
func (w *MotionWriter) Close() error {
	close(w.stop)
	<-w.stopped
	var err error
	if w.last.pending {
		err = w.row()
	}
	if e := w.closeFiles(); err == nil && e != nil {
		err = fmt.Errorf("trajectory: %w", e)
	}
	return err
}

func (w *MotionWriter) closeFiles() error {
	var first error
	for _, l := range w.files() {
		if err := l.close(); first == nil {
			first = err
		}
	}
	return first
}
