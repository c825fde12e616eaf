package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/table"
)

// ElasticRun reads the files of a run of the model elastodynamic, and keeps what the
// page shows. Memory does not grow with the number of steps.
type ElasticRun struct {
	files *table.Folder
	model *elastic.Model
	until float64

	displacements, forces, energies, certificates sheet
	shots                                         []shot
	sums                                          series // normal and tangential resultants
	states                                        *stateMap
	order                                         []int // contacts along the surface
	rank                                          []int // of each contact in it
	last                                          []float64
}

// shot is the mesh at a time, with the reactions of the contact nodes.
type shot struct {
	t    float64
	u, r []float64
}

// NewElasticRun returns the reader of a run folder. Close it.
func NewElasticRun(f *table.Folder, m *elastic.Model, until float64) *ElasticRun {
	e := &ElasticRun{files: f, model: m, until: until, sums: newSeries(2, mostIntervals), order: along(m)}
	e.rank = make([]int, len(e.order))
	for i, k := range e.order {
		e.rank[k] = i
	}
	e.states = newStateMap(len(m.Contacts), until)
	e.displacements = sheet{file: table.DisplacementsFile, see: func(row []float64) {
		e.shots = append(e.shots, shot{t: row[0], u: slices.Clone(row[1:])})
	}}
	// Reactions wait for the displacements of their time.
	e.forces = sheet{file: table.ForcesFile, see: e.react, until: func(t float64) bool { n := len(e.shots); return n > 0 && t <= e.shots[n-1].t }}
	e.energies, e.certificates = sheet{file: table.EnergiesFile}, sheet{file: table.CertificatesFile}
	return e
}

// along orders the contact nodes by their place, along x first.
func along(m *elastic.Model) []int {
	order := make([]int, len(m.Contacts))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return slices.Compare(m.Mesh.Node(m.Contacts[a].Node), m.Mesh.Node(m.Contacts[b].Node))
	})
	return order
}

// react takes a row of reactions.
func (e *ElasticRun) react(row []float64) {
	dim := max(e.model.Mesh.Dim, 2)
	n, t := 0.0, 0.0
	for k := range e.model.Contacts {
		r := row[1+dim*k : 1+dim*k+dim]
		n, t = n+r[0], t+r[1]
		e.states.add(row[0], e.rank[k], e.bit(k, r))
	}
	e.sums.add(row[0], []float64{n, t})
	e.last = append(e.last[:0], row[1:]...)
	if i, found := slices.BinarySearchFunc(e.shots, row[0], func(s shot, t float64) int {
		switch {
		case s.t < t:
			return -1
		case s.t > t:
			return 1
		}
		return 0
	}); found {
		e.shots[i].r = slices.Clone(row[1:])
	}
}

// bit is the state of a contact: it slips where friction reaches its bound.
func (e *ElasticRun) bit(k int, r []float64) byte {
	size := math.Abs(r[1])
	if e.model.Mesh.Dim == 3 {
		size = math.Hypot(r[1], r[2])
	}
	switch {
	case !(r[0] > 0):
		return 0
	case e.model.Mesh.Dim > 1 && size >= e.model.Friction[k]*r[0]*(1-slipShare):
		return seenSlip
	}
	return seenStick
}

// Close closes the files.
func (e *ElasticRun) Close() error {
	var err error
	for _, t := range e.tables() {
		err = errors.Join(err, t.close())
	}
	return err
}

func (e *ElasticRun) tables() []*sheet {
	return []*sheet{&e.energies, &e.displacements, &e.forces, &e.certificates}
}

// Nodes returns the number of times read.
func (e *ElasticRun) Nodes() int { return e.energies.rows }

// Read takes in what is new.
func (e *ElasticRun) Read(ctx context.Context) (int, error) {
	before := e.energies.rows
	for i, t := range e.tables() {
		if err := t.read(ctx, e.files, i > 0); err != nil {
			return e.energies.rows - before, err
		}
	}
	return e.energies.rows - before, nil
}

// Page makes the page of what was read so far.
func (e *ElasticRun) Page(a About) (*Page, error) {
	p := &Page{Title: a.Title, Description: a.Description, Version: a.Version, Case: a.Case, Verdict: e.words(a.Summary),
		Facts: e.facts(a), Certificates: e.rows(a.Summary)}
	var err error
	if p.Figures, err = e.figures(); err != nil {
		return nil, err
	}
	if a.Summary != nil {
		p.Expectations = expected(a.Summary)
	}
	if len(e.shots) > 0 {
		p.Scene = e.scene()
	}
	return p, namedEvents(p, e.files, []elastic.Contact{elastic.Open, elastic.Stick, elastic.Slip})
}

func (e *ElasticRun) facts(a About) []Row {
	t := 0.0
	if n := len(e.energies.spans); n > 0 {
		t = e.energies.spans[n-1].to
	}
	m := e.model.Mesh
	rows := []Row{{"time", fmt.Sprintf("0 … %.6g s", t), ""}, {"steps", steps(a, e.energies.rows), ""},
		{"mesh", fmt.Sprintf("%s nodes, %s elements", count(m.NumNodes()), count(m.NumElems())), ""},
		{"contact nodes", fmt.Sprint(len(e.model.Contacts)), ""}, {"mass of contact nodes", map[elastic.Inertia]string{elastic.Modified: "modified", elastic.Redistributed: "redistributed", elastic.Standard: "standard"}[e.model.Inertia], ""}}
	if a.Summary != nil && a.Summary.Elastic != nil {
		rows = append(rows, Row{"CFL number", fmt.Sprintf("%.3g", a.Summary.Elastic.CFL), ""})
	}
	return append(rows, ran(a)...)
}

func (e *ElasticRun) words(s *table.Summary) Verdict {
	v := outcome(s)
	if s == nil || s.Elastic == nil || s.Steps == 0 {
		return v
	}
	x := s.Elastic
	b := &x.Balance
	scale := max(math.Abs(b.Initial), math.Abs(b.External), b.Dissipation, e.energies.most("kinetic"), e.energies.most("elastic"))
	v.Sentences = append(v.Sentences,
		fmt.Sprintf("Energy: the identity (51) of the scheme holds up to %s in each step; %s.", joule(b.Identity), share(b.Identity, scale)),
		fmt.Sprintf("Contact: no node is deeper in its obstacle than %s; the contact problems are solved up to %.2g; the contact forces did %s of work, which tends to zero with the step.", metre(b.Penetration), x.Residual, joule(b.Contact)))
	if x.Contraction > 0 && x.CriticalMu > 0 {
		unique := "below one: each step has one solution"
		if !x.Unique {
			unique = "not below one: a step may have several solutions"
		}
		v.Sentences = append(v.Sentences, fmt.Sprintf("Uniqueness: the fixed point of the friction contracts by %.2g at most, %s.", x.Contraction, unique))
	}
	for _, text := range x.Warnings {
		v.Sentences = append(v.Sentences, "Warning: "+text+".")
	}
	return v
}

func (e *ElasticRun) rows(s *table.Summary) []Row {
	if s == nil || s.Elastic == nil || s.Steps == 0 {
		return nil
	}
	x := s.Elastic
	b := &x.Balance
	list := []Row{
		{"identity (51)", fmt.Sprintf("%.2g J", b.Identity), "largest |Eⁿ⁺¹ − Eⁿ − work| of a step"},
		{"drift", fmt.Sprintf("%.2g J", b.Drift), "the same, summed from the start"},
		{"balance (27)", fmt.Sprintf("%.2g J", b.Residual), "E − E(0) − work of the loads + dissipation at the end"},
		{"work of λ_c", fmt.Sprintf("%.2g J", b.Contact), "of the normal contact forces; tends to 0 with the step"},
		{"penetration", metre(b.Penetration), "largest"},
		{"contact problems", fmt.Sprintf("%.2g", x.Residual), fmt.Sprintf("largest residual; at most %d iterations in a step, %s in all, %s factorisations", x.Most, count(x.Iterations), count(x.Factors))},
		{"CFL number", fmt.Sprintf("%.3g", x.CFL), "Δt c/h at the contact nodes"},
		{"contraction", fmt.Sprintf("%.3g", x.Contraction), fmt.Sprintf("bound of the factor of the fixed point Φ_n, whatever the states; %.3g with all contacts closed", x.Closed)},
		{"energies at the end", fmt.Sprintf("%.4g J", x.Kinetic), fmt.Sprintf("kinetic; elastic %.4g J; taken by friction %.4g J; work of the loads %.4g J", x.Elastic, b.Dissipation, b.External)},
	}
	for _, m := range x.Mass {
		list = append(list, Row{m.Mode, fmt.Sprintf("%.4g %%", 100*m.Used/m.Standard), fmt.Sprintf("of its mass: %.4g of %.4g", m.Used, m.Standard)})
	}
	if x.CriticalMu > 0 {
		list = append(list, Row{"critical friction", fmt.Sprintf("%.3g", x.CriticalMu), "coefficient above which uniqueness is lost for some data at this step"})
	}
	return list
}

func (e *ElasticRun) figures() ([]Figure, error) {
	if e.energies.rows == 0 {
		return nil, nil
	}
	return drawings([]drawing{
		{"forces", "Contact forces, all nodes together.", e.resultants, true},
		{"pressure", "Contact pressure along the surface at five times.", e.pressure, false},
		{"map", "Where and when the contact nodes stick and slip; blank: no contact.", e.stateMap, true},
		{"energies", "Where the energy is.", e.energy, true},
		{"balance", "What the energy identity (51) of the scheme lacks, and the work of the contact forces, which the theory has vanish as the step shrinks.", e.balance, true},
		{"iterations", "Iterations of the contact solver, step by step.", e.iterations, true},
	})
}

func (e *ElasticRun) resultants() (*plot.Plot, error) {
	if len(e.sums.spans) == 0 {
		return nil, nil
	}
	p := (&Recorder{series: e.sums}).panel("Contact forces", "force [N]")
	p.line(&e.sums.channels[0], "normal", palette[0], nil, 1.3)
	n := 1
	if e.model.Mesh.Dim > 1 {
		p.line(&e.sums.channels[1], "friction, along the first tangent", palette[1], nil, 1.3)
		n++
	}
	p.legend(n)
	return p.done()
}

// areas returns what each contact node of a plane body takes of the surface, along
// the order [m]; nil for others.
func (e *ElasticRun) areas() (x, width []float64) {
	n := len(e.order)
	if e.model.Mesh.Dim != 2 || n < 3 {
		return nil, nil
	}
	for _, k := range e.order {
		x = append(x, e.model.Mesh.Node(e.model.Contacts[k].Node)[0])
	}
	for i := range x {
		width = append(width, (x[min(i+1, n-1)]-x[max(i-1, 0)])/2)
	}
	return x, width
}

// pressure draws profiles of the contact pressure; the surface is along x.
func (e *ElasticRun) pressure() (*plot.Plot, error) {
	x, width := e.areas()
	if x == nil || len(e.shots) < 2 || x[len(x)-1] <= x[0] {
		return nil, nil
	}
	p := e.energies.panel("Contact pressure", "pressure [Pa]")
	p.X.Label.Text = "x [m], undeformed"
	last := -1
	for i := range profiles {
		k := (i + 1) * (len(e.shots) - 1) / profiles
		s := &e.shots[k]
		if k == last || s.r == nil {
			continue
		}
		last = k
		var points plotter.XYs
		for j, c := range e.order {
			if width[j] > 0 {
				points = append(points, plotter.XY{X: x[j], Y: bounded(s.r[2*c] / width[j])})
			}
		}
		p.curve(points, fmt.Sprintf("t = %.3g s", s.t), palette[i], nil, 1.4)
	}
	p.legend(profiles)
	return p.done()
}

func (e *ElasticRun) stateMap() (*plot.Plot, error) {
	if e.model.Mesh.Dim == 1 || e.states.rows == 0 || !e.states.any() || e.states.rows > 4*mostElements {
		return nil, nil
	}
	x := make([]float64, len(e.order))
	for i, k := range e.order {
		x[i] = e.model.Mesh.Node(e.model.Contacts[k].Node)[0]
	}
	return surfaceMap(e.forces.panel("Stick and slip", "x [m]"), e.states, x)
}

func (e *ElasticRun) energy() (*plot.Plot, error) {
	p := e.energies.panel("Energies", "energy [J]")
	n := 0
	for _, c := range []struct{ column, name string }{{"kinetic", "kinetic"}, {"elastic", "elastic"}, {"dissipation", "taken by friction"}, {"external", "work of the loads"}} {
		x := e.energies.column(c.column)
		if x == nil {
			continue
		}
		if low, high := x.extremes(); low == 0 && high == 0 {
			continue
		}
		p.line(x, c.name, palette[n], nil, 1.4)
		n++
	}
	p.legend(n)
	return p.done()
}

func (e *ElasticRun) balance() (*plot.Plot, error) {
	size := 0.0
	for _, name := range []string{"kinetic", "elastic", "dissipation", "external"} {
		if c := e.energies.column(name); c != nil {
			_, high := c.magnitude().extremes()
			size = max(size, high)
		}
	}
	if !(size > 0) {
		return nil, nil
	}
	return e.energies.logPanel("Energy identity and work of contact", "[J]", size*roundoff, []string{"drift", "contact"}, []string{"identity (51), summed", "work of λ_c"})
}

func (e *ElasticRun) iterations() (*plot.Plot, error) {
	c := e.certificates.column("iterations")
	if c == nil || e.certificates.rows < 2 {
		return nil, nil
	}
	p := e.certificates.panel("Iterations", "a step")
	p.line(c, "", palette[0], nil, 1.2)
	p.Y.Min = 0
	p.legend(1)
	return p.done()
}
