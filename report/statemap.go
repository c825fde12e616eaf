package report

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// stateMap keeps who sticks and slips when, in bounded memory: time is cut into
// columns, and what a contact did in one counts, slip before stick before open.
type stateMap struct {
	until float64
	rows  int
	cells []byte // column-major; the states seen, a bit each
	begun []int  // columns of each row that are filled
}

const mapColumns = 360

// Bits of a cell.
const (
	seenStick = 1 << iota
	seenSlip
)

func newStateMap(rows int, until float64) *stateMap {
	return &stateMap{until: until, rows: rows, cells: make([]byte, rows*mapColumns), begun: make([]int, rows)}
}

// add notes the state of a row at a time: a bit, or 0 for open. It is that of the step
// which ends there.
func (m *stateMap) add(t float64, row int, bit byte) {
	const below = 1 - 1e-12 // a step that ends with a column belongs to it
	k := max(0, min(int(t/m.until*mapColumns*below), mapColumns-1))
	for c := min(m.begun[row], k); c <= k; c++ {
		m.cells[c*m.rows+row] |= bit
	}
	m.begun[row] = k + 1
}

// any reports whether something ever touched.
func (m *stateMap) any() bool {
	for _, c := range m.cells {
		if c != 0 {
			return true
		}
	}
	return false
}

// draw adds a bar for each stretch of stick and of slip, of the rows' heights
// between edges[row] and edges[row+1].
func (m *stateMap) draw(p *panel, edges []float64) {
	for _, s := range []struct {
		name string
		col  color.Color
		is   func(c byte) bool
	}{{"stick", palette[0], func(c byte) bool { return c == seenStick }}, {"slip", palette[1], func(c byte) bool { return c&seenSlip != 0 }}} {
		var bars []plotter.XYs
		for row := range m.rows {
			bars = m.stretches(bars, row, edges[row], edges[row+1], s.is)
		}
		if len(bars) == 0 {
			continue
		}
		poly := &plotter.Polygon{Color: s.col}
		poly.LineStyle.Width = vg.Points(0)
		poly.XYs = bars
		p.Add(poly)
		p.Legend.Add(s.name, swatch{s.col})
	}
	p.X.Min, p.X.Max = 0, m.until
	p.Y.Min, p.Y.Max = edges[0], edges[m.rows]
}

// stretches appends a rectangle for each stretch of time.
func (m *stateMap) stretches(bars []plotter.XYs, row int, low, high float64, is func(c byte) bool) []plotter.XYs {
	dt := m.until / mapColumns
	for k := 0; k < m.begun[row]; k++ {
		from := k
		for k < m.begun[row] && is(m.cells[k*m.rows+row]) {
			k++
		}
		if k > from {
			a, b := float64(from)*dt, float64(k)*dt
			bars = append(bars, plotter.XYs{{X: a, Y: low}, {X: b, Y: low}, {X: b, Y: high}, {X: a, Y: high}})
		}
	}
	return bars
}

// plot draws the map; label names the rows, ticks may name each.
func (m *stateMap) plot(p *panel, edges []float64, ticks []plot.Tick) (*plot.Plot, error) {
	m.draw(p, edges)
	if ticks != nil {
		p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	}
	d := p.Y.Max - p.Y.Min
	p.Y.Max += 0.2 * d // for the legend
	return p.done()
}

// even rows: one unit a row, named in their middles.
func namedRows(names []string) (edges []float64, ticks []plot.Tick) {
	for i, name := range names {
		edges = append(edges, float64(i))
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	return append(edges, float64(len(names))), ticks
}
