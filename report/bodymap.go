package report

import (
	"math"

	"gonum.org/v1/plot"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles/body"
)

// flesh is what the pictures of a run with elastic bodies need beyond the particles.
type flesh struct {
	bodies []*body.Body
	views  []*meshView
	inside []bool    // particles that are nodes of a body
	t      float64   // of the last node
	x      []float64 // its positions, global
}

// newFlesh finds the bodies among the energies; nil if there are none.
func newFlesh(r *Recorder) *flesh {
	f := &flesh{inside: make([]bool, r.psi.System.N())}
	for _, e := range r.psi.System.Energies() {
		if b, ok := e.(*body.Body); ok {
			f.bodies, f.views = append(f.bodies, b), append(f.views, newMeshView(b.Mesh()))
			for i := range b.Particles() {
				f.inside[b.First()+i] = true
			}
		}
	}
	if f.bodies == nil {
		return nil
	}
	f.x = make([]float64, 3*len(f.inside))
	return f
}

// observe keeps the last node.
func (f *flesh) observe(r *Recorder, n *energetic.Node) {
	f.t = n.T
	for j := range f.inside {
		frame := r.psi.System.Frame(j)
		x := frame.ToGlobal([3]float64(n.Z[3*j : 3*j+3]))
		copy(f.x[3*j:], x[:])
	}
}

// deformed draws the bodies at the end.
func (r *Recorder) deformed() (*plot.Plot, error) {
	f := r.flesh
	var list []stressed
	for i, b := range f.bodies {
		list = append(list, stressed{f.views[i], b.Displacement(nil, f.t, f.x), b.Stresses(f.t, f.x)})
	}
	return meshPanel(r.panel("", ""), "At the end", list)
}

// contactMap keeps who of the constrained particles sticks and slips.
type contactMap struct {
	*stateMap
	order []int // particles, by their place at the start
	where []float64
	along bool // where is along x, ascending
}

// newContactMap returns the map of the particles with friction, nil for fewer than
// two of them or for more than can be told apart.
func newContactMap(r *Recorder, until float64) *contactMap {
	m := &contactMap{}
	for j, k := range r.psi.Matrices {
		if k != nil && r.psi.System.Constrained(j) {
			m.order = append(m.order, j)
		}
	}
	if len(m.order) < 2 || len(m.order) > 2*mostElements || !(until > 0) {
		return nil
	}
	m.stateMap = newStateMap(len(m.order), until)
	return m
}

// observe notes the states of a node.
func (m *contactMap) observe(r *Recorder, n *energetic.Node) {
	if m.where == nil {
		m.place(r, n)
	}
	for row, j := range m.order {
		bit := byte(0)
		switch n.States[j] {
		case incremental.Stick:
			bit = seenStick
		case incremental.Slip:
			bit = seenSlip
		}
		m.add(n.T, row, bit)
	}
}

// place takes the coordinates of the first node: bodies are mapped along x.
func (m *contactMap) place(r *Recorder, n *energetic.Node) {
	m.along = r.flesh != nil
	for i, j := range m.order {
		frame := r.psi.System.Frame(j)
		x := frame.ToGlobal([3]float64(n.Z[3*j : 3*j+3]))
		m.where = append(m.where, x[0])
		m.along = m.along && (i == 0 || x[0] > m.where[i-1])
	}
}

// states draws the map.
func (r *Recorder) states() (*plot.Plot, error) {
	m := r.contacts
	if m == nil || !m.any() {
		return nil, nil
	}
	if m.along {
		n := len(m.where)
		edges := []float64{m.where[0]}
		for i := range n - 1 {
			edges = append(edges, (m.where[i]+m.where[i+1])/2)
		}
		return m.plot(r.panel("Stick and slip", "x at the start [m]"), append(edges, m.where[n-1]), nil)
	}
	var names []string
	every := int(math.Ceil(float64(len(m.order)) / 12))
	for i, j := range m.order {
		name := ""
		if i%every == 0 {
			name = r.ids[j]
		}
		names = append(names, name)
	}
	edges, ticks := namedRows(names)
	return m.plot(r.panel("Stick and slip", ""), edges, ticks)
}
