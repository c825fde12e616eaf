package table

import (
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// Names of the further files of a motion.
const (
	VelocitiesFile = "velocities.csv"
	EnergiesFile   = "energies.csv"
	CollisionsFile = "collisions.csv"
	// ImpulsesFile holds the impulses of the contacts of a step that have no column in
	// forces.csv, with all digits: what diagnose needs.
	ImpulsesFile = "impulses.csv"
)

// MotionColumns names the columns of the files of a motion, and what they belong to.
type MotionColumns struct {
	World     *bodies.World
	Rigid     *rigid.Model // of the model rigid; nil: another
	IDs       []string     // of the bodies
	Obstacles []string     // names of the half-spaces
	Elements  []string     // what forces.csv has forces of: n, t and o are added
	Pairs     bool         // there are contacts without a column, of pairs of bodies
	// Certificates are numbers of each step beyond the energies; see
	// [MotionWriter.Certify].
	Certificates []string
}

// motionEnergies are the columns of energies.csv.
var motionEnergies = []string{"kinetic", "potential", "stored", "viscous", "friction", "impact", "loads", "residual"}

// Layout lists the tables. Those of the model rigid have the forces on each body,
// those of the others on each contact element.
func (c *MotionColumns) Layout() *Layout {
	q, v := c.coordinates()
	var forces []string
	for _, e := range c.Elements {
		for _, axis := range []string{"n", "t", "o"}[:c.World.Dim()] {
			forces = append(forces, e+"."+axis)
		}
	}
	on := "element"
	if c.Rigid != nil {
		on = "body"
	}
	l := &Layout{Picture: NewBodyPicture(c.World, c.Rigid), Vocabulary: slices.Concat(c.IDs, c.Obstacles, []string{dynamics.Stick.String(), dynamics.Slide.String()})}
	l.Sheets = []Sheet{{File: TrajectoryFile, Columns: q, Of: "body"}, {File: VelocitiesFile, Columns: v, Of: "body"}, {File: ForcesFile, Columns: forces, Of: on},
		{File: EnergiesFile, Columns: motionEnergies, Stays: true}, {File: CertificatesFile, Columns: c.Certificates, Stays: true},
		{File: ContactsFile, Words: contactWords, Columns: contactNumbers, Digits: contactDigits, Times: SomeRows}}
	if c.impulses() {
		l.Sheets = append(l.Sheets, Sheet{File: ImpulsesFile, Words: contactWords[:2], Columns: impulseNumbers, Times: SomeRows})
	}
	if c.Rigid != nil {
		l.Sheets = append(l.Sheets, Sheet{File: CollisionsFile, Words: collisionColumns[:1], Columns: collisionColumns[1:], Times: SomeRows, Stays: true})
	}
	l.Sheets = append(l.Sheets, Sheet{File: EventsFile, Words: []string{"element", "from", "to"}, Times: SomeRows, Stays: true})
	return l
}

// impulses reports whether impulses.csv is there: of all contacts of the model rigid, of
// those without a column of the others.
func (c *MotionColumns) impulses() bool { return c.Rigid != nil || c.Pairs }

// coordinates names the columns of q and v.
func (c *MotionColumns) coordinates() (q, v []string) {
	w := c.World
	for i, id := range c.IDs {
		for _, axis := range []string{"x", "y", "z"}[:w.Dim()] {
			q, v = append(q, id+"."+axis), append(v, id+".v"+axis)
		}
		switch {
		case !w.Spins(i):
		case w.Dim() == 2:
			q, v = append(q, id+".angle"), append(v, id+".spin")
		default:
			q = append(q, id+".qw", id+".qx", id+".qy", id+".qz")
			v = append(v, id+".wx", id+".wy", id+".wz")
		}
	}
	return q, v
}

// MotionWriter writes the files of a motion step by step. Not safe for
// concurrent use.
type MotionWriter struct {
	*tables
	values [5][]float64 // of the rows: q, v, forces, energies, certificates
	pushes []ContactRow // of the step that Forces began
	blows  []ImpulseRow

	collisions *lines
}

const (
	rowForces = iota + 2
	rowEnergies
	rowCertificates
)

// CreateMotion makes the folder, if it is not there, and the files in it.
func CreateMotion(dir string, c MotionColumns, o Options) (*MotionWriter, error) {
	files, err := createTables(dir, o, c.Layout())
	return newMotionWriter(&c, files, err)
}

// ResumeMotion opens the files of a run that ended early, cuts them to the marks,
// and goes on from there.
func ResumeMotion(dir string, c MotionColumns, o Options, marks *Marks) (*MotionWriter, error) {
	files, err := resumeTables(dir, o, marks, c.Layout())
	return newMotionWriter(&c, files, err)
}

func newMotionWriter(c *MotionColumns, files *tables, err error) (*MotionWriter, error) {
	if err != nil {
		return nil, err
	}
	w := &MotionWriter{tables: files}
	w.contacts = files.others[0]
	if c.impulses() {
		w.impulses = files.others[1]
	}
	if c.Rigid != nil {
		w.collisions = files.others[2]
	}
	w.values[rowForces], w.values[rowCertificates] = make([]float64, c.World.Dim()*len(c.Elements)), make([]float64, len(c.Certificates))
	return w, nil
}

// Forces returns the vector of the element forces for [MotionWriter.Observe], set
// to zero: as many as there are dimensions for each element. It begins a step: what was put into it
// before is forgotten.
func (w *MotionWriter) Forces() []float64 {
	clear(w.values[rowForces])
	w.pushes, w.blows = w.pushes[:0], w.blows[:0]
	return w.values[rowForces]
}

// Contact adds a contact that carries a force to the next [MotionWriter.Observe];
// its time is that of the step.
func (w *MotionWriter) Contact(r *ContactRow) { w.pushes = append(w.pushes, *r) }

// Impulse adds an impulse of the step to the next [MotionWriter.Observe].
func (w *MotionWriter) Impulse(r *ImpulseRow) { w.blows = append(w.blows, *r) }

// Certify sets the certificates of the next [MotionWriter.Observe], one for each
// of [MotionColumns.Certificates].
func (w *MotionWriter) Certify(values ...float64) { copy(w.values[rowCertificates], values) }

// Observe writes step k, 0 being the start, with what was put into
// [MotionWriter.Forces], [MotionWriter.Contact] and [MotionWriter.Certify].
func (w *MotionWriter) Observe(k int, x *dynamics.State, e *dynamics.Energy) error {
	v := &w.values
	v[0], v[1] = x.Q, x.V
	v[rowEnergies] = append(v[rowEnergies][:0], e.Kinetic, e.Potential, e.Stored, e.Viscous, e.Friction, e.Impact, e.Loads, e.Residual)
	w.last.Contacts = append(w.last.Contacts[:0], w.pushes...)
	w.last.Impulses = append(w.last.Impulses[:0], w.blows...)
	return w.row(k, x.T, v[:len(w.rows)]...)
}

// Event writes a change of state of an element.
func (w *MotionWriter) Event(t float64, element string, from, to fmt.Stringer) error {
	return w.change(t, element, from.String(), to.String())
}

// collisionColumns are those of collisions.csv after t: the contact found first, its
// approach speed [m/s], the size of its impulse [N s], kinetic energy lost [J].
var collisionColumns = []string{"contact", "speed", "impulse", "loss"}

// Collision writes an impact.
func (w *MotionWriter) Collision(t float64, contact string, speed, impulse, loss float64) error {
	err := w.collisions.write(func(dst []byte) []byte {
		dst = append(append(appendNumber(dst, t), ','), contact...)
		for _, v := range []float64{speed, impulse, loss} {
			dst = appendNumber(append(dst, ','), v)
		}
		return dst
	})
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}
