package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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
	times []float64
	shots [][]elastic.Contact
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

// mostShots bounds the columns of the map of contact states.
const mostShots = 400

// NewElastic returns a recorder.
func NewElastic(m *elastic.Model, until float64) *Elastic {
	e := &Elastic{model: m, until: until, all: &Recorder{series: newSeries(elasticChannels, mostIntervals), row: make([]float64, elasticChannels)}}
	for k := range m.Contacts {
		e.order = append(e.order, k)
	}
	x := func(k int) float64 { return m.Mesh.Node(m.Contacts[k].Node)[0] }
	slices.SortStableFunc(e.order, func(a, b int) int {
		switch {
		case x(a) < x(b):
			return -1
		case x(a) > x(b):
			return 1
		}
		return 0
	})
	return e
}

// Observe takes the next state.
func (e *Elastic) Observe(s *elastic.Stepper, states []elastic.Contact) {
	n, f := s.Resultant()
	en, b := s.Energies(), s.Balance()
	copy(e.all.row, []float64{n, f, en.Kinetic, en.Elastic, b.Dissipation, b.External})
	t := s.State().T
	e.all.add(t, e.all.row)
	if t >= float64(len(e.times))*e.until/mostShots*(1-1e-9) {
		e.times, e.shots = append(e.times, t), append(e.shots, slices.Clone(states))
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
	p.headroom(2)
	return p.done()
}

func (e *Elastic) energies() (*plot.Plot, error) {
	p := e.all.panel("Energies", "[J]")
	for i, name := range []string{"kinetic", "elastic", "taken by friction", "work of loads"} {
		p.line(&e.all.channels[elasticKinetic+i], name, palette[i], nil, 1.4)
	}
	p.headroom(4)
	return p.done()
}

// shade maps a share of the largest stress to a colour, white to vermilion.
func shade(x float64) color.Color {
	x = min(max(x, 0), 1)
	mix := func(a, b float64) uint8 { return uint8(a + x*(b-a)) }
	return color.RGBA{mix(245, 190), mix(245, 60), mix(245, 0), 255}
}

// deformed draws a plane mesh in its last state, coloured by the von Mises
// stress; of a bar the displacements.
func (e *Elastic) deformed(s *elastic.Stepper) (*plot.Plot, error) {
	m, u := e.model.Mesh, s.Displacement(nil)
	stress := fem.Stresses(m, e.model.Material, u)
	largest := 0.0
	for _, t := range stress {
		largest = max(largest, t.VonMises())
	}
	p := e.all.panel(fmt.Sprintf("Deformed mesh at t = %.4g s, von Mises stress up to %.3g Pa", s.State().T, largest), "y [m]")
	p.X.Label.Text = "x [m]"
	if m.Dim != 2 {
		return e.profile(p, u)
	}
	for k, t := range stress {
		var ring plotter.XYs
		for _, i := range m.Elem[3*k : 3*k+3] {
			ring = append(ring, plotter.XY{X: bounded(m.X[2*i] + u[2*i]), Y: bounded(m.X[2*i+1] + u[2*i+1])})
		}
		poly, err := plotter.NewPolygon(ring)
		if err != nil {
			return nil, err
		}
		poly.Color = shade(t.VonMises() / math.Max(largest, 1e-300))
		poly.LineStyle.Width, poly.LineStyle.Color = vg.Points(0.3), color.Gray{150}
		p.Add(poly)
	}
	squareAxes(p.Plot)
	return p.done()
}

// profile draws the displacement along x of the nodes.
func (e *Elastic) profile(p *panel, u []float64) (*plot.Plot, error) {
	p.Title.Text, p.Y.Label.Text = "Displacements at the end", "u_x [m]"
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

// states draws the contact nodes over time: stick filled, slip light.
func (e *Elastic) states() (*plot.Plot, error) {
	p := e.all.panel("Contact nodes: stick (dark), slip (light), open (blank)", "x [m]")
	for i, kind := range []elastic.Contact{elastic.Slip, elastic.Stick} {
		col := []color.Color{palette[5], palette[0]}[i]
		var points plotter.XYs
		for k, t := range e.times {
			for _, c := range e.order {
				if e.shots[k][c] == kind {
					points = append(points, plotter.XY{X: t, Y: e.model.Mesh.Node(e.model.Contacts[c].Node)[0]})
				}
			}
		}
		if len(points) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle.Color, s.GlyphStyle.Radius, s.GlyphStyle.Shape = col, vg.Points(1.3), draw.BoxGlyph{}
		p.Add(s)
	}
	p.X.Min, p.X.Max = 0, e.until
	return p.done()
}
