package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// BodySetup is what the numbers of a run of bodies belong to.
type BodySetup struct {
	World    *bodies.World
	IDs      []string     // of the bodies
	Elements []string     // of the contact elements with columns in forces.csv; nil: none
	Mu       []float64    // of the elements
	Rigid    *rigid.Model // joints and springs; nil: none
	Facets   int          // of the friction pyramids in space; 0: exact cones, or several kinds
	Until    float64
}

// Motions reads the files of a run of the models compliant, theta and rigid, and
// keeps what the page shows. Memory does not grow with the number of steps.
type Motions struct {
	files *table.Folder
	setup BodySetup

	positions, velocities, forces, energies, certificates sheet
	states                                                *stateMap // of the elements
	ratios                                                series    // λ_t/(μλ_n) of the first elements
	film                                                  *bodyFilm

	contacts   *table.ContactReader
	contactsIn io.Closer
	pending    *table.ContactRow

	bangs   series // impulse of collisions
	bangsIn io.Closer
	bang    *table.CollisionReader
	count   int
}

// mostElements bounds the rows of the map of slip states.
const mostElements = 64

// NewMotions returns the reader of a run folder. Close it.
func NewMotions(f *table.Folder, s BodySetup) *Motions {
	m := &Motions{files: f, setup: s, bangs: newSeries(2, mostIntervals)}
	const rotated, perFrame = 7, 14 // numbers and bytes of a body in a frame
	m.film = newBodyFilm(min(800, max(60, filmBytes/2/(perFrame*s.World.Bodies()))))
	m.positions = sheet{file: table.TrajectoryFile, see: m.film.add}
	m.velocities = sheet{file: table.VelocitiesFile}
	m.forces = sheet{file: table.ForcesFile}
	m.energies = sheet{file: table.EnergiesFile}
	m.certificates = sheet{file: table.CertificatesFile}
	if n := min(len(s.Elements), mostElements); n > 0 {
		m.states = newStateMap(n, s.Until)
		m.ratios = newSeries(min(n, mostDrawn), mostIntervals)
		m.forces.see = m.elements(n)
	}
	return m
}

// elements notes what the contact elements do.
func (m *Motions) elements(n int) func(row []float64) {
	dim := m.setup.World.Dim()
	shares := make([]float64, min(n, mostDrawn))
	return func(row []float64) {
		for k := range n {
			f := row[1+dim*k : 1+dim*k+dim]
			size, bound := math.Abs(f[1]), m.setup.Mu[k]*f[0]
			if dim == 3 {
				size = math.Hypot(f[1], f[2])
			}
			bit := byte(0)
			switch {
			case !(f[0] > 0):
			case size >= bound*(1-slipShare):
				bit = seenSlip
			default:
				bit = seenStick
			}
			m.states.add(row[0], k, bit)
			if k < len(shares) {
				shares[k] = 0
				if bound > 0 {
					shares[k] = size / bound
					if dim == 2 {
						shares[k] = f[1] / bound
					}
				}
			}
		}
		m.ratios.add(row[0], shares)
	}
}

// slipShare is the share by which friction may stay below its bound and count as
// slip: the tolerance of the contact solvers, with room for nine digits in files.
const slipShare = 1e-6

// Close closes the files.
func (m *Motions) Close() error {
	var err error
	for _, t := range m.tables() {
		err = errors.Join(err, t.close())
	}
	for _, f := range []io.Closer{m.contactsIn, m.bangsIn} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

func (m *Motions) tables() []*sheet {
	return []*sheet{&m.positions, &m.velocities, &m.forces, &m.energies, &m.certificates}
}

// Nodes returns the number of times read.
func (m *Motions) Nodes() int { return m.positions.rows }

// Read takes in what is new. Contacts follow the positions that they belong to.
func (m *Motions) Read(ctx context.Context) (int, error) {
	before := m.positions.rows
	for i, t := range m.tables() {
		if err := t.read(ctx, m.files, i > 0); err != nil {
			return m.positions.rows - before, err
		}
	}
	err := m.readContacts(ctx)
	if err == nil {
		err = m.readCollisions(ctx)
	}
	return m.positions.rows - before, err
}

// openGrowing opens a file that may be missing: nil then.
func openGrowing(from *table.Folder, file string) (io.ReadCloser, error) {
	f, err := from.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

func (m *Motions) readContacts(ctx context.Context) error {
	if m.contacts == nil {
		in, err := openGrowing(m.files, table.ContactsFile)
		if in == nil {
			return err
		}
		m.contactsIn = in
		if m.contacts, err = table.NewContactReader(in, filepath.Join(m.files.Dir, table.ContactsFile)); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		if m.pending == nil {
			var row table.ContactRow
			if err := m.contacts.Next(&row); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			m.pending = &row
		}
		if m.pending.T > m.film.tail.t {
			return nil // its position comes later
		}
		m.film.push(m.pending)
		m.pending = nil
	}
	return ctx.Err()
}

func (m *Motions) readCollisions(ctx context.Context) error {
	if m.bang == nil {
		in, err := openGrowing(m.files, table.CollisionsFile)
		if in == nil {
			return err
		}
		m.bangsIn = in
		if m.bang, err = table.NewCollisionReader(in, filepath.Join(m.files.Dir, table.CollisionsFile)); err != nil {
			return err
		}
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
		m.bangs.add(c.T, []float64{c.Impulse, c.Speed})
	}
	return ctx.Err()
}

// Page makes the page of what was read so far.
func (m *Motions) Page(a About) (*Page, error) {
	figures, err := m.figures()
	if err != nil {
		return nil, err
	}
	p := &Page{Title: a.Title, Description: a.Description, Version: a.Version, Case: a.Case, Verdict: m.words(a.Summary),
		Figures: figures, Facts: m.facts(a), Certificates: m.rows(a.Summary)}
	if a.Summary != nil {
		p.Expectations = expected(a.Summary)
	}
	if len(m.film.frames) > 0 {
		p.Scene = m.scene()
	}
	return p, m.events(p)
}

func (m *Motions) facts(a About) []Row {
	t := 0.0
	if n := len(m.positions.spans); n > 0 {
		t = m.positions.spans[n-1].to
	}
	rows := []Row{{"time", fmt.Sprintf("0 … %.6g s", t), ""}, {"steps", steps(a, m.positions.rows), ""},
		{"bodies", fmt.Sprint(m.setup.World.Bodies()), ""}}
	if r := m.setup.Rigid; r != nil && len(r.Joints()) > 0 {
		rows = append(rows, Row{"joints", fmt.Sprint(len(r.Joints())), ""})
	}
	if m.count > 0 {
		rows = append(rows, Row{"impacts", count(m.count), ""})
	}
	return append(rows, ran(a)...)
}

// steps returns the number of steps: that of the summary, for a run may write every
// n-th only, or else what the rows that are there tell.
func steps(a About, rows int) string {
	if a.Summary != nil && a.Summary.Steps > 0 {
		return count(a.Summary.Steps)
	}
	return count(max(0, rows-1))
}

// ran lists what ran: case, version, time taken.
func ran(a About) []Row {
	rows := []Row{{"case", a.SHA256[:min(12, len(a.SHA256))] + "…", "SHA-256"}, {"version", a.Version, ""}}
	if s := a.Summary; s != nil && s.Status != table.Running {
		rows = append(rows, Row{"computed in", fmt.Sprintf("%.3g s", s.WallSeconds), ""})
	}
	return rows
}

// words is the verdict of a motion in plain words.
func (m *Motions) words(s *table.Summary) Verdict {
	v := outcome(s)
	if s == nil || s.Motion == nil || s.Steps == 0 {
		return v
	}
	x := s.Motion
	if x.Solves > 0 {
		v.Sentences = append(v.Sentences, fmt.Sprintf("Contact: all %s contact problems are solved up to a relative error of %.2g, allowed %.2g.", count(x.Solves), x.Residual, x.Tolerance))
	}
	scale := max(math.Abs(x.Energy.Kinetic), math.Abs(x.Energy.Potential), x.Energy.Friction+x.Energy.Impact, math.Abs(x.Energy.Loads), m.energies.most("kinetic"))
	v.Sentences = append(v.Sentences, fmt.Sprintf("Energy: what the bodies have, gave away and were given differs by at most %s; %s.", joule(x.Balance), share(x.Balance, scale)))
	if m.setup.Rigid != nil {
		v.Sentences = append(v.Sentences, m.constraints())
	}
	if b := x.Boundary; b != nil {
		v.Sentences = append(v.Sentences, fmt.Sprintf("Boundary values: met up to %.2g, allowed %.2g, after %d integrations by %s.", b.Residual, b.Tolerance, b.Integrations, b.Method))
	}
	return v
}

// constraints says what joints and penetration are worth.
func (m *Motions) constraints() string {
	text := fmt.Sprintf("Penetration: bodies overlap by at most %s", metre(m.certificates.most("penetration")))
	if len(m.setup.Rigid.Joints()) > 0 {
		text = fmt.Sprintf("Joints: none is open by more than %s. %s", metre(m.certificates.most("drift")), text)
	}
	switch m.count {
	case 0:
		return text + ". There is no impact."
	case 1:
		return text + fmt.Sprintf(". There is one impact, which takes %s.", joule(m.certificates.most("loss")))
	}
	return text + fmt.Sprintf(". There are %s impacts, which take %s in all.", count(m.count), joule(m.certificates.most("loss")))
}

// rows lists the numbers behind the verdict.
func (m *Motions) rows(s *table.Summary) []Row {
	if s == nil || s.Motion == nil || s.Steps == 0 {
		return nil
	}
	x, c := s.Motion, &m.certificates
	e := &x.Energy
	list := []Row{
		{"contact problems", fmt.Sprintf("%.2g", x.Residual), fmt.Sprintf("largest relative residual of %s; allowed %.2g", count(x.Solves), x.Tolerance)},
		{"balance", fmt.Sprintf("%.2g J", x.Balance), "largest residual of the ledger of energies, summed from the start"},
		{"energies at the end", fmt.Sprintf("%.4g J", e.Kinetic), fmt.Sprintf("kinetic; potential %.4g J; taken by friction %.4g J, by impacts %.4g J; work of the loads %.4g J", e.Potential, e.Friction, e.Impact, e.Loads)},
		{"contact steps", count(x.Stick + x.Slide), fmt.Sprintf("%s stick, %s slip", count(x.Stick), count(x.Slide))},
	}
	if m.setup.Rigid != nil {
		if len(m.setup.Rigid.Joints()) > 0 {
			list = append(list, Row{"joint drift", metre(c.most("drift")), "largest |Θ(q)|, metres or radians"})
		}
		list = append(list,
			Row{"penetration", metre(c.most("penetration")), "largest −Φ(q)"},
			Row{"impacts", count(m.count), fmt.Sprintf("they take %s", joule(c.most("loss")))},
			Row{"variation of v", fmt.Sprintf("%.5g", c.value("variation")), "Σ‖vˡ⁺¹ − vˡ‖: stays bounded as the step shrinks"},
			Row{"variation of v^α", fmt.Sprintf("%.5g", c.value("variation_alpha")), "the same of the velocities of the contact law"})
	}
	if x.Mu > 0 && x.MuBar > 0 && x.MuBar < math.MaxFloat64 {
		list = append(list, Row{"unique forces", fmt.Sprintf("μ ≤ %.3g", x.MuBar), fmt.Sprintf("Lemma 4, at the steps looked at; here μ = %.3g", x.Mu)})
	}
	return list
}

// count writes a number with thin spaces between thousands.
func count(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func metre(v float64) string { return fmt.Sprintf("%.2g m", v) }

// outcome is the headline with the message of a run.
func outcome(s *table.Summary) Verdict {
	if s == nil {
		return Words(nil)
	}
	v := headline(s)
	if s.Message != "" {
		v.Sentences = append(v.Sentences, strings.ToUpper(s.Message[:1])+s.Message[1:]+".")
	}
	return v
}

// events lists impacts, or else changes of state.
func (m *Motions) events(p *Page) error {
	if m.setup.Rigid != nil {
		return m.impacts(p)
	}
	return namedEvents(p, m.files, []dynamics.ContactState{dynamics.Open, dynamics.Stick, dynamics.Slide})
}
