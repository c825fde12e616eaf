package meshview

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// Reader reads the files of a run of the model elastodynamic, and keeps what the
// page shows. Memory does not grow with the number of steps.
type Reader struct {
	report.Records
	model *elastic.Model
	until float64

	displacements, forces, energies, certificates report.Record
	shots                                         []shot
	sums                                          report.Series // normal and tangential resultants
	states                                        *report.StateMap
	order                                         []int // contacts along the surface
	rank                                          []int // of each contact in it
	last                                          []float64
	changes                                       [][]change // by contact, see readChanges; nil: forces tell
	unread                                        error      // why they could not be read
}

// shot is the mesh at a time, with the reactions of the contact nodes.
type shot struct {
	t    float64
	u, r []float64
}

// NewReader returns the reader of a run folder. Close it.
func NewReader(f *table.Folder, m *elastic.Model, until float64) *Reader {
	e := &Reader{model: m, until: until, sums: report.NewSeries(2), order: along(m)}
	e.rank = make([]int, len(e.order))
	for i, k := range e.order {
		e.rank[k] = i
	}
	e.states = report.NewStateMap(len(m.Contacts), until)
	e.displacements = report.Record{File: table.DisplacementsFile, Observe: func(t float64, row []float64) {
		e.shots = append(e.shots, shot{t: t, u: slices.Clone(row)})
	}}
	// Reactions wait for the displacements of their time.
	e.forces = report.Record{File: table.ForcesFile, Observe: e.react,
		Until: func(t float64) bool { n := len(e.shots); return n > 0 && t <= e.shots[n-1].t }}
	e.energies, e.certificates = report.Record{File: table.EnergiesFile}, report.Record{File: table.CertificatesFile}
	e.Records = report.Records{Files: f, List: []*report.Record{&e.energies, &e.displacements, &e.forces, &e.certificates}}
	e.unread = e.readChanges()
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
func (e *Reader) react(at float64, row []float64) {
	dim := max(e.model.Mesh.Dim, 2)
	n, t := 0.0, 0.0
	for k := range e.model.Contacts {
		r := row[dim*k : dim*k+dim]
		n, t = n+r[0], t+r[1]
		e.states.Add(at, e.rank[k], e.bit(at, k, r))
	}
	e.sums.Add(at, []float64{n, t})
	e.last = append(e.last[:0], row...)
	if i, found := slices.BinarySearchFunc(e.shots, at, func(s shot, t float64) int { return cmp.Compare(s.t, t) }); found {
		e.shots[i].r = slices.Clone(row)
	}
}

// bit is the state of a contact at a time; a bar has no tangent to slip along.
func (e *Reader) bit(t float64, k int, r []float64) byte {
	mu := math.Inf(1)
	if e.model.Mesh.Dim > 1 {
		mu = e.model.Friction[k]
	}
	bit := report.StateOf(r, mu)
	if slips, known := e.slips(t, k); known && bit != 0 {
		if bit = report.StickBit; slips {
			bit = report.SlipBit
		}
	}
	return bit
}

// Page makes the page of what was read so far.
func (e *Reader) Page(a report.About) (*report.Page, error) {
	if e.unread != nil {
		return nil, e.unread
	}
	p := report.Begin(a)
	p.Verdict, p.Facts, p.Certificates = e.words(a), e.facts(a), e.rows(a.Summary)
	p.Figures, p.Warnings = e.figures()
	p.Columns = e.AllColumns()
	if len(e.shots) > 0 {
		p.Scene = e.scene()
	}
	return p, p.ListEvents(e.Files, "contact", []string{elastic.Open.String(), elastic.Stick.String(),
		elastic.Slip.String(), table.TouchWord}, func(who, state string) string {
		k := slices.IndexFunc(e.model.Contacts, func(c fem.ContactNode) bool { return e.model.NodeName(c.Node) == who })
		if state != elastic.Open.String() && k >= 0 && e.model.Friction[k] == 0 {
			return table.TouchWord
		}
		return state
	})
}

func (e *Reader) facts(a report.About) []report.Row {
	m := e.model.Mesh
	rows := []report.Row{{"time", fmt.Sprintf("0 … %.6g s", e.energies.End()), ""}, {"steps", report.Steps(a, e.energies.Rows), ""},
		{"mesh", fmt.Sprintf("%s nodes, %s elements", report.Count(m.NumNodes()), report.Count(m.NumElems())), ""},
		{"contact nodes", fmt.Sprint(len(e.model.Contacts)), ""},
		{"mass of contact nodes", map[elastic.Inertia]string{elastic.Modified: "modified",
			elastic.Redistributed: "redistributed", elastic.Standard: "standard"}[e.model.Inertia], ""}}
	if x := body(a.Summary); x != nil {
		rows = append(rows, report.Row{"CFL number", fmt.Sprintf("%.3g", x.CFL), ""})
	}
	return append(rows, report.Ran(a)...)
}

func (e *Reader) words(a report.About) report.Verdict {
	s := a.Summary
	v := a.Outcome()
	x := body(s)
	if x == nil || s.Steps == 0 {
		return v
	}
	b := &x.Balance
	scale := max(math.Abs(b.Initial), math.Abs(b.External), b.Dissipation, e.energies.Most("kinetic"), e.energies.Most("elastic"))
	v.Sentences = append(v.Sentences,
		fmt.Sprintf("Energy: the identity (51) of the scheme holds up to %s in each step; %s.",
			report.Joule(b.Identity), report.Share(b.Identity, scale)),
		fmt.Sprintf("Contact: no node is deeper in its obstacle than %s; the contact problems are solved up to %.2g; the contact forces did %s of work, which tends to zero with the step.",
			report.Metre(b.Penetration), x.Residual, report.Joule(b.Contact)))
	if x.Contraction > 0 && x.CriticalMu > 0 {
		unique := "below one: each step has one solution"
		if !x.Unique {
			unique = "not below one: a step may have several solutions"
		}
		v.Sentences = append(v.Sentences, fmt.Sprintf("Uniqueness: the fixed point of the friction contracts by %.2g at most, %s.",
			x.Contraction, unique))
	}
	for _, text := range x.Warnings {
		v.Sentences = append(v.Sentences, "Warning: "+text+".")
	}
	return v
}

func (e *Reader) rows(s *table.Summary) []report.Row {
	x := body(s)
	if x == nil || s.Steps == 0 {
		return nil
	}
	b := &x.Balance
	list := []report.Row{
		{"identity (51)", fmt.Sprintf("%.2g J", b.Identity), "largest |Eⁿ⁺¹ − Eⁿ − work| of a step"},
		{"drift", fmt.Sprintf("%.2g J", b.Drift), "the same, summed from the start"},
		{"balance (27)", fmt.Sprintf("%.2g J", b.Residual), "E − E(0) − work of the loads + dissipation at the end"},
		{"work of λ_c", fmt.Sprintf("%.2g J", b.Contact), "of the normal contact forces; tends to 0 with the step"},
		{"penetration", report.Metre(b.Penetration), "largest"},
		{"contact problems", fmt.Sprintf("%.2g", x.Residual),
			fmt.Sprintf("largest residual; at most %d iterations in a step, %s in all, %s factorisations", x.Most,
				report.Count(x.Iterations), report.Count(x.Factors))},
		{"CFL number", fmt.Sprintf("%.3g", x.CFL), "Δt c/h at the contact nodes"},
		{"contraction", fmt.Sprintf("%.3g", x.Contraction),
			fmt.Sprintf("bound of the factor of the fixed point Φ_n, whatever the states; %.3g with all contacts closed", x.Closed)},
		{"energies at the end", fmt.Sprintf("%.4g J", x.Kinetic),
			fmt.Sprintf("kinetic; elastic %.4g J; taken by friction %.4g J; work of the loads %.4g J", x.Elastic,
				b.Dissipation, b.External)},
	}
	for _, m := range x.Mass {
		list = append(list, report.Row{m.Mode, fmt.Sprintf("%.4g %%", 100*m.Used/m.Standard),
			fmt.Sprintf("of its mass: %.4g of %.4g", m.Used, m.Standard)})
	}
	if x.CriticalMu > 0 {
		list = append(list, report.Row{"critical friction", fmt.Sprintf("%.3g", x.CriticalMu),
			"coefficient above which uniqueness is lost for some data at this step"})
	}
	return list
}
