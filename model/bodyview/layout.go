package bodyview

import (
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/table"
)

// Columns names the columns of the files of a motion, and what they belong to.
type Columns struct {
	World     *bodies.World
	Rigid     *multibody.Model // of the model rigid; nil: another
	Origin    [3]float64       // of World and Rigid in the files [m]
	IDs       []string         // of the bodies
	Obstacles []string         // names of the half-spaces
	Elements  []string         // what forces.csv has forces of: n, t and o are added
	Pairs     bool             // there are contacts without a column, of pairs of bodies
	// Certificates are numbers of each step beyond the energies.
	Certificates []string
	Sensors      []string // columns of sensors.csv; none: there is no such file
	SensorUnits  map[string]string
}

// Energies is a row of energies.csv, a [dynamics.Energy] [J]: what impacts take, and what the step
// length makes of energy as the residual, in all models.
type Energies struct {
	Kinetic   float64 `column:"kinetic"`
	Potential float64 `column:"potential"`
	Stored    float64 `column:"stored"`
	Viscous   float64 `column:"viscous"`
	Friction  float64 `column:"friction"`
	Impact    float64 `column:"impact"`
	Loads     float64 `column:"loads"`
	Residual  float64 `column:"residual"`
}

// Layout lists the tables. Those of the model rigid have the forces on each body,
// those of the others on each contact element.
func (c *Columns) Layout() *table.Layout {
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
	l := &table.Layout{Picture: newPicture(c.World, c.Rigid, c.Origin),
		Vocabulary: slices.Concat(c.IDs, c.Obstacles, []string{dynamics.Stick.String(), dynamics.Slide.String()})}
	l.Sheets = []table.Sheet{{File: table.TrajectoryFile, Columns: q, Of: "body"},
		{File: table.VelocitiesFile, Columns: v, Of: "body"}, {File: table.ForcesFile, Columns: forces, Of: on},
		{File: table.EnergiesFile, Columns: table.ColumnsOf[Energies](), Stays: true},
		{File: table.CertificatesFile, Columns: c.Certificates, Stays: true},
		{File: table.ContactsFile, Words: contactWords, Columns: contactNumbers, Digits: contactDigits, Times: table.SomeRows}}
	if len(c.Sensors) > 0 {
		l.Sheets = append(l.Sheets, table.Sheet{File: table.SensorsFile, Columns: c.Sensors, Units: c.SensorUnits})
	}
	if c.impulses() {
		numbers := impulseNumbers
		if c.Rigid != nil && c.Rigid.Clings() {
			numbers = slices.Concat(impulseNumbers, momentNumbers)
		}
		if c.Rigid != nil && c.Rigid.Ages() {
			numbers = slices.Concat(numbers, stateNumbers)
		}
		l.Sheets = append(l.Sheets, table.Sheet{File: table.ImpulsesFile, Words: contactWords[:2], Columns: numbers, Times: table.SomeRows})
	}
	if c.Rigid != nil {
		l.Sheets = append(l.Sheets, table.Sheet{File: table.CollisionsFile, Words: collisionColumns[:1],
			Columns: collisionColumns[1:], Times: table.SomeRows, Stays: true})
	}
	l.Sheets = append(l.Sheets, table.Sheet{File: table.EventsFile, Words: []string{"element", "from", "to"},
		Columns: []string{"within"}, Times: table.SomeRows, Stays: true})
	return l
}

// impulses reports whether impulses.csv is there: of all contacts of the model rigid, of
// those without a column of the others.
func (c *Columns) impulses() bool { return c.Rigid != nil || c.Pairs }

// coordinates names the columns of q and v.
func (c *Columns) coordinates() (q, v []string) {
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

// collisionColumns are those of collisions.csv after t: the contact found first, its
// approach speed [m/s], the size of its impulse [N s], kinetic energy lost [J].
var collisionColumns = []string{"contact", "speed", "impulse", "loss"}
