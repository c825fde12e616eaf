package report

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// Elastic keeps what the pictures need of a run of the model elastodynamic, in
// bounded memory.
type Elastic struct {
	model *elastic.Model
	until float64
	all   *Recorder
	order []int // contacts along the surface
	seen  *stateMap
}

// Channels of an elastic run.
const (
	elasticNormal = iota
	elasticFriction
	elasticKinetic
	elasticStored
	elasticDissipated
	elasticExternal
	elasticChannels
)

// NewElastic returns a recorder.
func NewElastic(m *elastic.Model, until float64) *Elastic {
	e := &Elastic{model: m, until: until, all: &Recorder{series: newSeries(elasticChannels, mostIntervals), row: make([]float64, elasticChannels)}}
	e.order, e.seen = along(m), newStateMap(len(m.Contacts), until)
	return e
}

// Observe takes the next state.
func (e *Elastic) Observe(s *elastic.Stepper, states []elastic.Contact) {
	n, f := s.Resultant()
	en, b := s.Energies(), s.Balance()
	copy(e.all.row, []float64{n, f, en.Kinetic, en.Elastic, b.Dissipation, b.External})
	t := s.State().T
	e.all.add(t, e.all.row)
	for row, k := range e.order {
		e.seen.add(t, row, map[elastic.Contact]byte{elastic.Stick: seenStick, elastic.Slip: seenSlip}[states[k]])
	}
}

// Draw writes overview.svg and overview.png: contact forces over time, energies,
// the deformed mesh with its stress, and who sticks and slips where and when.
func (e *Elastic) Draw(dir, title string, s *elastic.Stepper) error {
	return drawPage(dir, "overview", title, e.forces, e.energies, func() (*plot.Plot, error) { return e.deformed(s) }, e.states)
}

func (e *Elastic) forces() (*plot.Plot, error) {
	p := e.all.panel("Contact forces", "[N]")
	p.line(&e.all.channels[elasticNormal], "normal", palette[0], nil, 1.2)
	if e.model.Mesh.Dim > 1 {
		p.line(&e.all.channels[elasticFriction], "friction", palette[1], nil, 1.2)
	}
	p.legend(2)
	return p.done()
}

func (e *Elastic) energies() (*plot.Plot, error) {
	p := e.all.panel("Energies", "[J]")
	for i, name := range []string{"kinetic", "elastic", "taken by friction", "work of loads"} {
		p.line(&e.all.channels[elasticKinetic+i], name, palette[i], nil, 1.4)
	}
	p.legend(4)
	return p.done()
}

// deformed draws the mesh in its last state; of a bar the displacements.
func (e *Elastic) deformed(s *elastic.Stepper) (*plot.Plot, error) {
	m, u := e.model.Mesh, s.Displacement(nil)
	p := e.all.panel("", "")
	if m.Dim == 1 {
		return e.profile(p, u)
	}
	return meshPanel(p, fmt.Sprintf("t = %.4g s", s.State().T), []stressed{{newMeshView(m), u, fem.Stresses(m, e.model.Material, u)}})
}

// profile draws the displacement along x of the nodes.
func (e *Elastic) profile(p *panel, u []float64) (*plot.Plot, error) {
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Displacements at the end", "x [m]", "u_x [m]"
	m := e.model.Mesh
	var points plotter.XYs
	for i := range m.NumNodes() {
		points = append(points, plotter.XY{X: m.Node(i)[0], Y: bounded(u[m.Dim*i])})
	}
	slices.SortStableFunc(points, func(a, b plotter.XY) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	p.curve(points, "", palette[0], nil, 1.2)
	return p.done()
}

// states draws who sticks and slips where and when, along the surface.
func (e *Elastic) states() (*plot.Plot, error) {
	if e.model.Mesh.Dim == 1 || e.seen.rows == 0 || !e.seen.any() { // a bar has no tangent
		return nil, nil
	}
	x := make([]float64, len(e.order))
	for i, k := range e.order {
		x[i] = e.model.Mesh.Node(e.model.Contacts[k].Node)[0]
	}
	return surfaceMap(e.all.panel("Stick and slip", "x [m]"), e.seen, x)
}

// surfaceMap draws a map whose rows lie at x; those of one place, or of a surface that
// is not along x, are numbered.
func surfaceMap(p *panel, m *stateMap, x []float64) (*plot.Plot, error) {
	edges := []float64{x[0]}
	for i := range x[1:] {
		if x[i+1] <= x[i] {
			edges = nil
			break
		}
		edges = append(edges, (x[i]+x[i+1])/2)
	}
	if len(x) > 1 && edges != nil {
		return m.plot(p, append(edges, x[len(x)-1]), nil)
	}
	p.Y.Label.Text = "contact node"
	names := make([]string, len(x))
	for i := range names {
		if i%((len(names)+11)/12) == 0 {
			names[i] = fmt.Sprint(i + 1)
		}
	}
	edges, ticks := namedRows(names)
	return m.plot(p, edges, ticks)
}
