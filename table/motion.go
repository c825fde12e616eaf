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
	Multibody *Multibody      `json:"multibody,omitempty"` // of the model rigid
}

// Multibody sums up what is special to a run of the model rigid. Lengths in m,
// angles in rad.
type Multibody struct {
	Iterations        int      `json:"iterations"`           // of the contact solvers
	Collisions        int      `json:"collisions"`           // compressions
	Loss              float64  `json:"collision_loss"`       // kinetic energy lost in them [J]
	Gains             int      `json:"collisions_that_gain"` // in which contacts do work, [rigid.Collision.Gain]
	Gained            float64  `json:"collision_gain"`       // kinetic energy gained in them [J]
	MostGain          float64  `json:"largest_gain"`         // of one [J]
	GainAt            string   `json:"largest_gain_at,omitempty"`
	GainTime          float64  `json:"largest_gain_time"`
	Painleve          int      `json:"painleve_steps"`     // steps in configurations of Painlevé
	ConeLost          int      `json:"cone_lost_steps"`    // steps whose friction cone is not pointed, (3.1)
	ConeUnknown       int      `json:"cone_unknown_steps"` // steps whose cone is undecided
	ConeBound         float64  `json:"cone_bound"`         // largest bound of c_FC in (3.3), of steps with a pointed cone
	Drift             float64  `json:"drift"`              // largest |Θ| of the joints after a step
	Correction        float64  `json:"correction"`         // largest |Θ| before the projection
	Penetration       float64  `json:"penetration"`        // largest −Φ after a step
	Variation         float64  `json:"variation"`          // Σ‖Δv‖ over the steps, in the units of v
	WeightedVariation float64  `json:"weighted_variation"`
	Normal            float64  `json:"normal"`                     // taken by impacts and normal forces [J]
	Joints            float64  `json:"joints"`                     // taken by joints [J]
	Scheme            float64  `json:"scheme"`                     // lost to the step length [J]
	Projection        float64  `json:"projection"`                 // lost by the projections [J]
	Dependent         []string `json:"dependent_joints,omitempty"` // with rows that say nothing new
}

// Add counts a step.
func (m *Multibody) Add(s *rigid.Step) {
	m.Iterations += s.Iterations
	m.Collisions += len(s.Collisions)
	for i := range s.Collisions {
		m.Loss += s.Collisions[i].Loss
	}
	if s.Painleve > 0 {
		m.Painleve++
	}
	switch s.Pointed {
	case rigid.ConePointed:
		m.ConeBound = max(m.ConeBound, s.ConeBound)
	case rigid.ConeLost:
		m.ConeLost++
	case rigid.ConeUnknown:
		if s.Index > 0 { // nothing is asked of the start
			m.ConeUnknown++
		}
	}
	m.Drift, m.Correction, m.Penetration = max(m.Drift, s.Drift), max(m.Correction, s.Correction), max(m.Penetration, s.Penetration)
	m.Variation, m.WeightedVariation = s.Variation[0], s.Variation[1]
	for i := range s.Collisions {
		if gain := s.Collisions[i].Gain(); gain > 0 {
			m.Gains++
			m.Gained += gain
		}
	}
	e := &s.Energy
	m.Normal, m.Joints, m.Scheme, m.Projection = e.Impact+e.Normal, e.Joints, e.Scheme, e.Projection
	if len(s.Dependent) > 0 {
		m.Dependent = append(m.Dependent[:0], s.Dependent...)
	}
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
