package report

import (
	"fmt"
	"math"
)

// StateMap keeps who sticks and slips when, in bounded memory: time is cut into
// columns, and what a contact did in one counts, slip before stick before open.
type StateMap struct {
	until float64
	Rows  int
	cells []byte // column-major; the states seen, a bit each
	begun []int  // columns of each row that are filled
}

const mapColumns = 360

// Bits of a cell.
const (
	StickBit = 1 << iota
	SlipBit
)

// SlipShare is the share by which friction may stay below its bound and count as slip: the
// tolerance of the contact solvers, with room for nine digits in files.
const SlipShare = 1e-6

// StateOf returns the bit of a contact that bears a force, normal and one or two tangents;
// 0: it is open. It slips where friction reaches mu times the normal force.
func StateOf(force []float64, mu float64) byte {
	size := math.Abs(force[1])
	if len(force) == 3 {
		size = math.Hypot(force[1], force[2])
	}
	switch {
	case !(force[0] > 0):
		return 0
	case size >= mu*force[0]*(1-SlipShare):
		return SlipBit
	}
	return StickBit
}

// NewStateMap returns a map of so many rows until a time.
func NewStateMap(rows int, until float64) *StateMap {
	return &StateMap{until: until, Rows: rows, cells: make([]byte, rows*mapColumns), begun: make([]int, rows)}
}

// Add notes the state of a row at a time: a bit, or 0 for open. It is that of the step
// which ends there.
func (m *StateMap) Add(t float64, row int, bit byte) {
	const below = 1 - 1e-12 // a step that ends with a column belongs to it
	k := max(0, min(int(t/m.until*mapColumns*below), mapColumns-1))
	if !(m.until > 0) {
		k = 0
	}
	for c := min(m.begun[row], k); c <= k; c++ {
		m.cells[c*m.Rows+row] |= bit
	}
	m.begun[row] = k + 1
}

// Any reports whether something ever touched.
func (m *StateMap) Any() bool {
	for _, c := range m.cells {
		if c != 0 {
			return true
		}
	}
	return false
}

// plot draws the map: the rows between edges[row] and edges[row+1], which ticks may name.
// It is nil for a map of nothing.
func (m *StateMap) plot(title, label string, edges []float64, ticks []Tick) *Plot {
	if m.Rows == 0 || !m.Any() || !(m.until > 0) {
		return nil
	}
	p := &Plot{Title: title, Y: label, Ticks: ticks, Bare: true, XRange: [2]float64{0, m.until}}
	for _, s := range []struct {
		name string
		col  int
		is   func(c byte) bool
	}{{"stick", 0, func(c byte) bool { return c == StickBit }}, {"slip", 1, func(c byte) bool { return c&SlipBit != 0 }}} {
		a := Area{Name: s.name, Color: Palette[s.col]}
		for row := range m.Rows {
			a.Rings = m.stretches(a.Rings, row, edges[row], edges[row+1], s.is)
		}
		if a.Rings != nil {
			p.Areas = append(p.Areas, a)
		}
	}
	p.YRange = [2]float64{edges[0], edges[m.Rows] + 0.2*(edges[m.Rows]-edges[0])} // with room for the legend
	return p
}

// stretches appends a rectangle for each stretch of time.
func (m *StateMap) stretches(bars [][]Point, row int, low, high float64, is func(c byte) bool) [][]Point {
	dt := m.until / mapColumns
	for k := 0; k < m.begun[row]; k++ {
		from := k
		for k < m.begun[row] && is(m.cells[k*m.Rows+row]) {
			k++
		}
		if k > from {
			a, b := float64(from)*dt, float64(k)*dt
			bars = append(bars, []Point{{a, low}, {b, low}, {b, high}, {a, high}})
		}
	}
	return bars
}

// namedTicks is the number of rows that have a name.
const namedTicks = 12

// PlotNamed draws the map with rows of one height; of many every n-th has its name.
func (m *StateMap) PlotNamed(title, label string, names []string) *Plot {
	var edges []float64
	var ticks []Tick
	every := (len(names) + namedTicks - 1) / namedTicks
	for i, name := range names {
		edges = append(edges, float64(i))
		if i%every != 0 {
			name = ""
		}
		ticks = append(ticks, Tick{float64(i) + 0.5, name})
	}
	return m.plot(title, label, append(edges, float64(len(names))), ticks)
}

// PlotAlong draws the map with rows that lie at x; those of one place, or of a surface that
// is not along x, are numbered.
func (m *StateMap) PlotAlong(title, label string, x []float64) *Plot {
	if len(x) == 0 {
		return nil
	}
	edges := []float64{x[0]}
	for i := range x[1:] {
		if x[i+1] <= x[i] {
			edges = nil
			break
		}
		edges = append(edges, (x[i]+x[i+1])/2)
	}
	if len(x) > 1 && edges != nil {
		return m.plot(title, label, append(edges, x[len(x)-1]), nil)
	}
	names := make([]string, len(x))
	for i := range names {
		names[i] = fmt.Sprint(i + 1)
	}
	return m.PlotNamed(title, "contact node", names)
}
