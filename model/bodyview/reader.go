package bodyview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// Setup is what the numbers of a run of bodies belong to.
type Setup struct {
	World  *bodies.World
	Origin [3]float64 // of World and Rigid in the files [m]: pictures have theirs
	IDs    []string   // of the bodies
	// Obstacles are the names of those of the world.
	Obstacles []string
	Elements  []string  // of the contact elements with columns in forces.csv; nil: none
	Mu        []float64 // of the elements, or of the bodies of the model rigid
	// Smooth tells contacts without friction by their names in the events; nil: the events say so.
	Smooth  func(contact string) bool
	Rigid   *multibody.Model // joints and springs; nil: none
	Facets  int              // of the friction pyramids in space; 0: exact cones, or several kinds
	Until   float64
	Every   int      // rows of the tables, of the steps
	Sensors []string // columns of sensors.csv
	OfStep  []bool   // which of them are of the step that ends with a row
}

// Reader reads the files of a run of the models compliant, theta and rigid, and
// keeps what the page shows. Memory does not grow with the number of steps.
type Reader struct {
	report.Records
	setup Setup

	positions, velocities, forces, energies, certificates, sensors report.Record
	states                                                         *report.StateMap // of the elements
	elements                                                       *elements
	film                                                           *bodyFilm
	q                                                              []float64 // memory of a row

	contacts *ContactReader
	pending  beside[ContactRow]

	kicks *ImpulseReader
	late  beside[ImpulseRow]
	stops map[string]int // of the joints, by name

	bangs report.Series // impulse of collisions
	bang  *CollisionReader
	count int
}

// mostElements bounds the rows of the map of slip states.
const mostElements = 64

// NewReader returns the reader of a run folder. Close it.
func NewReader(f *table.Folder, s Setup) *Reader {
	m := &Reader{setup: s, bangs: report.NewSeries(2)}
	const rotated, perFrame = 7, 14 // numbers and bytes of a body in a frame
	m.film = newBodyFilm(min(800, max(60, report.FilmBytes/2/(perFrame*s.World.Bodies()))))
	m.positions = report.Record{File: table.TrajectoryFile, Observe: m.place}
	m.velocities = report.Record{File: table.VelocitiesFile}
	m.forces = report.Record{File: table.ForcesFile, OfStep: func(string) bool { return true }}
	m.energies = report.Record{File: table.EnergiesFile}
	m.certificates = report.Record{File: table.CertificatesFile, OfStep: func(column string) bool {
		return slices.Contains([]string{"stick", "slip", "normal", "friction", "bound"}, column)
	}}
	names := s.Elements
	if s.Rigid != nil {
		names = s.IDs
	} else if n := min(len(names), mostElements); n > 0 {
		m.states = report.NewStateMap(n, s.Until)
	}
	m.elements = newElements(names, s.Mu, s.World.Dim())
	m.forces.Observe = m.react
	m.Records = report.Records{Files: f, List: []*report.Record{&m.positions, &m.velocities, &m.forces, &m.energies, &m.certificates}}
	if len(s.Sensors) > 0 {
		m.sensors = report.Record{File: table.SensorsFile,
			OfStep: func(column string) bool { return s.OfStep[slices.Index(s.Sensors, column)] }}
		m.List = append(m.List, &m.sensors)
	}
	return m
}

// place takes the places at a time, from the origin of the world.
func (m *Reader) place(t float64, row []float64) {
	m.q = append(m.q[:0], row...)
	m.setup.World.Shift(m.q, -1, m.setup.Origin)
	m.setup.World.Inner(m.q, nil)
	m.film.add(t, m.q)
}

// react notes what the contact elements do.
func (m *Reader) react(t float64, row []float64) {
	m.elements.take(t, row)
	if m.states == nil {
		return
	}
	dim := m.setup.World.Dim()
	for k := range m.states.Rows {
		m.states.Add(t, k, report.StateOf(row[dim*k:dim*k+dim], m.setup.Mu[k]))
	}
}

// Close closes the files.
func (m *Reader) Close() error {
	err := m.Records.Close()
	if m.contacts != nil {
		err = errors.Join(err, m.contacts.Close())
	}
	if m.bang != nil {
		err = errors.Join(err, m.bang.Close())
	}
	if m.kicks != nil {
		err = errors.Join(err, m.kicks.Close())
	}
	return err
}

// Read takes in what is new. Contacts follow the positions that they belong to.
func (m *Reader) Read(ctx context.Context) (int, error) {
	rows, err := m.Records.Read(ctx)
	if err == nil {
		err = m.readContacts(ctx)
	}
	if err == nil {
		err = m.readCollisions(ctx)
	}
	if err == nil {
		err = m.readStops(ctx)
	}
	return rows, err
}

func (m *Reader) readContacts(ctx context.Context) error {
	if m.contacts == nil {
		c, err := OpenContacts(m.Files)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		m.contacts = c
	}
	return m.pending.upTo(ctx, m.film.tail.t, m.contacts.Next, func(row *ContactRow) float64 { return row.T }, func(row *ContactRow) {
		for k, x := range m.setup.Origin {
			row.At[k] -= x
		}
		m.film.at(row.T, func(x *bodyFrame) { x.contacts = append(x.contacts, *row) })
	})
}

func (m *Reader) readCollisions(ctx context.Context) error {
	if m.bang == nil {
		c, err := OpenCollisions(m.Files)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		m.bang = c
	}
	for ctx.Err() == nil {
		c, err := m.bang.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		m.count++
		m.bangs.Add(c.T, []float64{c.Impulse, c.Speed})
	}
	return ctx.Err()
}

// Page makes the page of what was read so far.
func (m *Reader) Page(a report.About) (*report.Page, error) {
	p := report.Begin(a)
	p.Verdict, p.Facts, p.Certificates = m.words(a), m.facts(a), m.rows(a.Summary)
	p.Figures, p.Warnings = m.figures()
	p.Columns = m.AllColumns()
	if len(m.film.frames) > 0 {
		p.Scene = m.scene(m.shownFrames())
	}
	return p, m.events(p)
}

func (m *Reader) facts(a report.About) []report.Row {
	rows := []report.Row{{"time", fmt.Sprintf("0 … %.6g s", m.positions.End()), ""}, {"steps", report.Steps(a, m.positions.Rows), ""},
		{"bodies", fmt.Sprint(m.setup.World.Bodies()), ""}}
	if r := m.setup.Rigid; r != nil && len(r.Joints()) > 0 {
		rows = append(rows, report.Row{"joints", fmt.Sprint(len(r.Joints())), ""})
	}
	if m.count > 0 {
		rows = append(rows, report.Row{"impacts", report.Count(m.count), ""})
	}
	return append(rows, report.Ran(a)...)
}

// words is the verdict of a motion in plain words.
func (m *Reader) words(a report.About) report.Verdict {
	s := a.Summary
	v := a.Outcome()
	x := motion(s)
	if x == nil || s.Steps == 0 {
		return v
	}
	if x.Solves > 0 {
		v.Sentences = append(v.Sentences, fmt.Sprintf("Contact: all %s contact problems are solved up to a relative error of %.2g, allowed %.2g.",
			report.Count(x.Solves), x.Residual, x.Tolerance))
	}
	scale := max(math.Abs(x.Energy.Kinetic), math.Abs(x.Energy.Potential), x.Energy.Friction+x.Energy.Impact,
		math.Abs(x.Energy.Loads), m.energies.Most("kinetic"))
	v.Sentences = append(v.Sentences, fmt.Sprintf("Energy: what the bodies have, gave away and were given differs by at most %s; %s.",
		report.Joule(x.Balance), report.Share(x.Balance, scale)))
	if m.setup.Rigid != nil {
		v.Sentences = append(v.Sentences, m.constraints(x))
	}
	if b := x.Boundary; b != nil {
		v.Sentences = append(v.Sentences, fmt.Sprintf("Boundary values: met up to %.2g, allowed %.2g, after %d integrations by %s.",
			b.Residual, b.Tolerance, b.Integrations, b.Method))
	}
	return v
}

// constraints says what joints, penetration and impacts are worth. The numbers are those of the
// run: a file may keep every n-th step only.
func (m *Reader) constraints(x *Motion) string {
	b := x.Multibody
	if b == nil {
		return "Nothing is known of penetration."
	}
	text := fmt.Sprintf("Penetration: bodies overlap by at most %s", report.Metre(b.Penetration))
	if len(m.setup.Rigid.Joints()) > 0 {
		text = fmt.Sprintf("Joints: none is open by more than %s. %s", report.Metre(b.Drift), text)
	}
	return text + ". " + impactWords(b.Collisions, b.Loss, x.Energy.Impact)
}

// impactWords says what impacts took: those that are told singly, and those within steps, which
// are not.
func impactWords(n int, loss, all float64) string {
	switch {
	case n == 0 && all == 0:
		return "There is no impact."
	case n == 0:
		return fmt.Sprintf("Impacts within the steps take %s; none is told singly.", report.Joule(all))
	case n == 1:
		return fmt.Sprintf("There is one impact, which takes %s.", report.Joule(loss))
	}
	return fmt.Sprintf("There are %s impacts, which take %s in all.", report.Count(n), report.Joule(loss))
}

// counted is what sticks and slips in steps: contacts, and the brakes of joints.
func (m *Reader) counted() string {
	if r := m.setup.Rigid; r != nil && len(r.Stops) > 0 {
		return "steps of contacts and joints"
	}
	return "contact steps"
}

// rows lists the numbers behind the verdict.
func (m *Reader) rows(s *table.Summary) []report.Row {
	x := motion(s)
	if x == nil || s.Steps == 0 {
		return nil
	}
	e := &x.Energy
	list := []report.Row{
		{"contact problems", fmt.Sprintf("%.2g", x.Residual),
			fmt.Sprintf("largest relative residual of %s; allowed %.2g", report.Count(x.Solves), x.Tolerance)},
		{"balance", fmt.Sprintf("%.2g J", x.Balance), "largest residual of the ledger of energies, summed from the start"},
		{"energies at the end", fmt.Sprintf("%.4g J", e.Kinetic),
			fmt.Sprintf("kinetic; potential %.4g J; taken by friction %.4g J, by impacts %.4g J; work of the loads %.4g J",
				e.Potential, e.Friction, e.Impact, e.Loads)},
		{m.counted(), report.Count(x.Stick + x.Slide), fmt.Sprintf("%s stick, %s slip", report.Count(x.Stick), report.Count(x.Slide))},
	}
	if b := x.Multibody; m.setup.Rigid != nil && b != nil {
		if len(m.setup.Rigid.Joints()) > 0 {
			list = append(list, report.Row{"joint drift", report.Metre(b.Drift), "largest |Θ(q)|, metres or radians"})
		}
		list = append(list,
			report.Row{"penetration", report.Metre(b.Penetration), "largest −Φ(q)"},
			report.Row{"impacts", report.Count(b.Collisions), impactWords(b.Collisions, b.Loss, e.Impact)},
			report.Row{"variation of v", fmt.Sprintf("%.5g", b.Variation), "Σ‖vˡ⁺¹ − vˡ‖: stays bounded as the step shrinks"},
			report.Row{"variation of v^α", fmt.Sprintf("%.5g", b.WeightedVariation), "the same of the velocities of the contact law"})
	}
	if x.Mu > 0 && x.MuBar > 0 && x.MuBar < math.MaxFloat64 {
		list = append(list, report.Row{"unique forces", fmt.Sprintf("where μ < %.3g", x.MuBar),
			fmt.Sprintf("contact forces of a step, Lemma 4 of Pang, Kumar and Song, at the steps looked at; the largest μ is %.3g", x.Mu)})
	}
	return list
}
