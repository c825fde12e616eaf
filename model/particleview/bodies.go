package particleview

import (
	"github.com/quasistatic/quasistatic/report"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
)

// flesh is what the pictures of a run with elastic bodies need beyond the particles.
type flesh struct {
	bodies []*body.Body
	views  []*meshview.View
	inside []bool    // particles that are nodes of a body
	t      float64   // of the last node
	x      []float64 // its positions, global
}

// newFlesh finds the bodies among the energies; nil if there are none.
func newFlesh(r *recorder) *flesh {
	f := &flesh{inside: make([]bool, r.psi.System.N())}
	f.bodies = Bodies(r.psi.System)
	for _, b := range f.bodies {
		f.views = append(f.views, meshview.NewView(b.Mesh(), "z"))
		for i := range b.Particles() {
			f.inside[b.First()+i] = true
		}
	}
	if f.bodies == nil {
		return nil
	}
	f.x = make([]float64, 3*len(f.inside))
	return f
}

// Bodies are those among the energies of a system.
func Bodies(sys *particles.System) (list []*body.Body) {
	for _, e := range sys.Energies() {
		if b, ok := e.(*body.Body); ok {
			list = append(list, b)
		}
	}
	return list
}

// observe keeps the last node.
func (f *flesh) observe(r *recorder, n *energetic.Node) {
	f.t = n.T
	for j := range f.inside {
		x := r.psi.System.Position(n.T, j, n.Z)
		copy(f.x[3*j:], x[:])
	}
}

// deformed draws the bodies as they are.
func (r *recorder) deformed() *report.Plot {
	f := r.flesh
	if f == nil {
		return nil
	}
	var list []report.Body
	for i, b := range f.bodies {
		list = append(list, f.views[i].Body(b.Displacement(nil, f.t, f.x), b.StressesAtNodes(f.t, f.x)))
	}
	return report.MeshPlot("At the end", meshview.Stress, report.Pascal, list)
}

// mostRows bounds the rows of the map of slip states.
const mostRows = 128

// contactMap keeps who of the constrained particles sticks and slips.
type contactMap struct {
	*report.StateMap
	order []int // particles, by their place at the start
	where []float64
	along bool // where is along x, ascending
}

// newContactMap returns the map of the particles with friction, nil for fewer than
// two of them or for more than can be told apart.
func newContactMap(r *recorder, until float64) *contactMap {
	m := &contactMap{}
	for j, k := range r.psi.Matrices[:r.psi.System.N()] {
		if k != nil && r.psi.System.Constrained(j) {
			m.order = append(m.order, j)
		}
	}
	if len(m.order) < 2 || len(m.order) > mostRows || !(until > 0) {
		return nil
	}
	m.StateMap = report.NewStateMap(len(m.order), until)
	return m
}

// observe notes the states of a node.
func (m *contactMap) observe(r *recorder, n *energetic.Node) {
	if m.where == nil {
		m.place(r, n)
	}
	for row, j := range m.order {
		bit := byte(0)
		switch n.States[j] {
		case incremental.Stick:
			bit = report.StickBit
		case incremental.Slip:
			bit = report.SlipBit
		}
		m.Add(n.T, row, bit)
	}
}

// place takes the coordinates of the first node: bodies are mapped along x.
func (m *contactMap) place(r *recorder, n *energetic.Node) {
	m.along = r.flesh != nil
	for i, j := range m.order {
		x := r.psi.System.Position(n.T, j, n.Z)
		m.where = append(m.where, x[0])
		m.along = m.along && (i == 0 || x[0] > m.where[i-1])
	}
}

// states draws the map.
func (r *recorder) states() *report.Plot {
	m := r.contacts
	if m == nil {
		return nil
	}
	if m.along {
		return m.PlotAlong("Stick and slip", "x at the start [m]", m.where)
	}
	var names []string
	for _, j := range m.order {
		names = append(names, r.ids[j])
	}
	return m.PlotNamed("Stick and slip", "", names)
}
