package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawing is a figure to be made; a plot that is nil has nothing to show.
type drawing struct {
	id, caption string
	make        func() (*plot.Plot, error)
	time        bool
}

// drawings makes those that show something.
func drawings(list []drawing) ([]Figure, error) {
	var figures []Figure
	for _, d := range list {
		p, err := d.make()
		if err != nil {
			return nil, fmt.Errorf("report: %s: %w", d.id, err)
		}
		if p == nil {
			continue
		}
		f, err := figure(d.id, d.caption, p, d.time)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return figures, nil
}

func (m *Motions) figures() ([]Figure, error) {
	if m.positions.rows == 0 {
		return nil, nil
	}
	length := func(name string) bool {
		return strings.HasSuffix(name, ".x") || strings.HasSuffix(name, ".y") || strings.HasSuffix(name, ".z")
	}
	angle := func(name string) bool { return strings.HasSuffix(name, ".angle") }
	speed := func(name string) bool {
		return strings.HasSuffix(name, ".vx") || strings.HasSuffix(name, ".vy") || strings.HasSuffix(name, ".vz")
	}
	return drawings([]drawing{
		{"positions", "Displacements of the centres from their start: the coordinates that change most.",
			m.positions.busiest("Displacements", "[m]", length, true), true},
		{"angles", "How far the bodies have turned since the start.", m.positions.busiest("Angles", "[rad]", angle, true), true},
		{"velocities", "Velocities of the centres, those that change most.", m.velocities.busiest("Velocities", "[m/s]", speed, false), true},
		{"spins", "Angular velocities, those that change most.",
			m.velocities.busiest("Angular velocities", "[rad/s]", func(name string) bool { return !speed(name) }, false), true},
		{"cone", "Friction of all contacts together inside the band of what they can bear: it fills the band where all slip.", m.cone, true},
		{"normal", "Normal forces of all contacts together.", m.normal, true},
		{"contacts", "How many contacts stick and slip.", m.counts, true},
		{"slip", "Tangential over normal force of each contact element, relative to friction: an element slides at ±1.", m.slipRatios, true},
		{"map", "When each contact element sticks and slips; blank: no force.", m.stateMap, true},
		{"impacts", "Impacts: the impulse of the contact that was found first.", m.impulses, true},
		{"energies", "Where the energy is. Together: what there was at the start and the work of the loads.", m.energy, true},
		{"balance", "What the ledger of the energies is short of, on a logarithmic scale.", m.balance, true},
		{"constraints", "Errors of the constraints, on a logarithmic scale: joints that open, bodies that overlap.", m.errors, true},
		{"variation", "How much the velocities vary in all, Σ‖Δv‖: the theory wants it bounded as the step shrinks.", m.variation, true},
	})
}

// busiest draws the columns of the largest ranges among those wanted, from their
// start if asked for.
func (t *sheet) busiest(title, unit string, wanted func(name string) bool, fromStart bool) func() (*plot.Plot, error) {
	return func() (*plot.Plot, error) {
		var order []int
		for i, name := range t.columns {
			if wanted(name) {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.channels[b].extent(), t.channels[a].extent()) })
		if len(order) == 0 {
			return nil, nil
		}
		p := t.panel(title, unit)
		var drawn []*channel
		var names []string
		for _, c := range order {
			from := 0.0
			if fromStart {
				from = t.first[c]
			}
			x := t.channels[c].shifted(-from)
			if len(drawn) > 0 && !(x.extent() > 1e-6*drawn[0].extent()) {
				break // beside the others it stands still
			}
			if i := slices.IndexFunc(drawn, x.like); i >= 0 {
				if len(names[i]) < longestName {
					names[i] += ", " + t.columns[c]
				}
			} else if len(drawn) < len(palette) {
				drawn, names = append(drawn, x), append(names, t.columns[c])
			}
		}
		for i, x := range drawn {
			p.line(x, names[i], palette[i], nil, 1.3)
		}
		p.legend(len(drawn))
		return p.done()
	}
}

// longestName is the length from which on a curve takes no further names.
const longestName = 24

// like reports whether two curves look the same.
func (c *channel) like(other *channel) bool {
	near := 1e-3 * max(c.extent(), other.extent())
	for k := range c.low {
		if math.Abs(c.low[k]-other.low[k]) > near || math.Abs(c.high[k]-other.high[k]) > near {
			return false
		}
	}
	return true
}

// rest is a speed that counts as none, relative [-]: of forces below it nothing is
// drawn.
const rest = 1e-12

// cone draws the sum of friction within that of its bounds.
func (m *Motions) cone() (*plot.Plot, error) {
	c := &m.certificates
	if !(c.most("bound") > rest*c.most("normal")) {
		return nil, nil
	}
	p := c.panel("Friction cone, all contacts", "force [N]")
	upper := p.points(c.column("bound"))
	area, err := plotter.NewPolygon(append(append(plotter.XYs{{X: upper[0].X}}, upper...), plotter.XY{X: upper[len(upper)-1].X}))
	if err != nil {
		return nil, err
	}
	area.Color, area.LineStyle.Width = band, 0
	p.Add(area)
	p.curve(upper, "most they can bear, Σμλ_n", black, dashes, 1)
	p.line(c.column("friction"), "friction, Σ|λ_T|", palette[1], nil, 1.5)
	p.legend(2)
	return p.done()
}

func (m *Motions) normal() (*plot.Plot, error) {
	c := &m.certificates
	if !(c.most("normal") > 0) {
		return nil, nil
	}
	p := c.panel("Normal forces, all contacts", "force [N]")
	p.line(c.column("normal"), "Σλ_n", palette[0], nil, 1.3)
	p.legend(1)
	return p.done()
}

func (m *Motions) counts() (*plot.Plot, error) {
	c := &m.certificates
	if !(c.most("stick")+c.most("slip") > 1) || m.states != nil {
		return nil, nil // one contact: the cone tells; elements have a map
	}
	p := c.panel("Contacts", "number")
	p.line(c.column("stick"), "stick", palette[0], nil, 1.4)
	p.line(c.column("slip"), "slip", palette[1], nil, 1.4)
	p.legend(2)
	return p.done()
}

func (m *Motions) slipRatios() (*plot.Plot, error) {
	if m.states == nil || !m.states.any() {
		return nil, nil
	}
	title := "Slip state of the elements"
	if n := len(m.setup.Elements); n > len(m.ratios.channels) {
		title = fmt.Sprintf("Slip state, %d of %d elements", len(m.ratios.channels), n)
	}
	p := (&Recorder{series: m.ratios}).panel(title, "λ_t/(μ λ_n)")
	for k := range m.ratios.channels {
		p.line(&m.ratios.channels[k], m.setup.Elements[k], palette[k], nil, 1.2)
	}
	p.legend(len(m.ratios.channels))
	return p.done()
}

func (m *Motions) stateMap() (*plot.Plot, error) {
	if m.states == nil || m.states.rows < 2 || !m.states.any() {
		return nil, nil
	}
	names := slices.Clone(m.setup.Elements[:m.states.rows])
	if len(names) > 12 {
		for i := range names {
			if i%((len(names)+11)/12) != 0 {
				names[i] = ""
			}
		}
	}
	edges, ticks := namedRows(names)
	return m.states.plot(m.forces.panel("Stick and slip", ""), edges, ticks)
}

// impulses draws a stem for each impact; of many close ones the largest.
func (m *Motions) impulses() (*plot.Plot, error) {
	if m.count == 0 {
		return nil, nil
	}
	p := m.positions.panel("Impacts", "impulse [N s]")
	var tips plotter.XYs
	for k, s := range m.bangs.spans {
		tip := plotter.XY{X: s.from, Y: bounded(m.bangs.channels[0].high[k])}
		tips = append(tips, tip)
		p.curve(plotter.XYs{{X: s.from}, tip}, "", palette[1], nil, 0.9)
	}
	marks, err := plotter.NewScatter(tips)
	if err != nil {
		return nil, err
	}
	marks.GlyphStyle = draw.GlyphStyle{Color: palette[1], Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
	p.Add(marks)
	p.X.Min, p.X.Max = p.spans[0].from, p.spans[len(p.spans)-1].to
	p.Y.Min = 0
	p.legend(0)
	p.Y.Min = 0
	return p.done()
}

func (m *Motions) energy() (*plot.Plot, error) {
	e := &m.energies
	if e.rows == 0 {
		return nil, nil
	}
	p := e.panel("Energies", "energy [J]")
	n := 0
	for _, c := range []struct{ column, name string }{{"kinetic", "kinetic"}, {"potential", "potential, U − U(0)"}, {"stored", "stored in contacts"},
		{"friction", "taken by friction"}, {"impact", "taken by impacts"}, {"viscous", "taken by dampers"}, {"loads", "work of the loads"}} {
		x := e.column(c.column)
		if x == nil {
			continue
		}
		if c.column == "potential" {
			x = x.shifted(-e.first[slices.Index(e.columns, c.column)])
		}
		if low, high := x.extremes(); low == 0 && high == 0 && c.column != "kinetic" {
			continue
		}
		p.line(x, c.name, palette[n%len(palette)], nil, 1.4)
		n++
	}
	p.legend(n)
	return p.done()
}

// magnitude returns the largest absolute values of a channel.
func (c *channel) magnitude() *channel {
	values := make([]float64, len(c.high))
	for k := range values {
		values[k] = max(math.Abs(c.high[k]), math.Abs(c.low[k]))
	}
	return &channel{values, values}
}

// logPanel draws magnitudes of columns by their decimal logarithms, down to floor.
func (t *sheet) logPanel(title, label string, floor float64, columns, names []string) (*plot.Plot, error) {
	p := t.panel(title, label)
	top, n := math.Inf(-1), 0
	low := math.Log10(floor)
	for i, c := range columns {
		x := t.column(c)
		if x == nil {
			continue
		}
		x = x.magnitude().logarithm(low)
		_, high := x.extremes()
		top = max(top, high)
		p.line(x, names[i], palette[i], nil, 1.4)
		n++
	}
	if n == 0 {
		return nil, nil
	}
	p.curve(plotter.XYs{{X: p.spans[0].from, Y: low}, {X: p.spans[len(p.spans)-1].to, Y: low}}, "rounding", black, dots, 1)
	p.Y.Tick.Marker = decades{}
	p.Y.Min, p.Y.Max = low-1, top+1
	p.legend(n + 1)
	return p.done()
}

// size is the largest energy or work that was met.
func (m *Motions) size() float64 {
	size := 0.0
	for _, name := range []string{"kinetic", "potential", "stored", "friction", "impact", "viscous", "loads"} {
		if c := m.energies.column(name); c != nil && m.energies.rows > 0 {
			low, high := c.extremes()
			size = max(size, math.Abs(low), math.Abs(high))
		}
	}
	return size
}

func (m *Motions) balance() (*plot.Plot, error) {
	size := m.size()
	if m.energies.rows == 0 || !(size > 0) {
		return nil, nil
	}
	return m.energies.logPanel("Balance of the energies", "residual [J]", size*roundoff, []string{"residual"}, []string{"residual of the ledger"})
}

// errors draws what the constraints lack.
func (m *Motions) errors() (*plot.Plot, error) {
	if m.setup.Rigid == nil || m.certificates.rows == 0 {
		return nil, nil
	}
	columns, names := []string{"drift", "penetration"}, []string{"joints, |Θ|", "penetration, −Φ"}
	if len(m.setup.Rigid.Joints()) == 0 {
		columns, names = columns[1:], names[1:]
	}
	size := 0.0
	for b := range m.setup.World.Bodies() {
		size = max(size, m.setup.World.Reach(b))
	}
	if !(size > 0) { // points: there is no length but the metre
		size = 1
	}
	return m.certificates.logPanel("Joints and penetration", "[m], [rad]", size*roundoff, columns, names)
}

func (m *Motions) variation() (*plot.Plot, error) {
	c := &m.certificates
	if c.column("variation") == nil || c.rows == 0 {
		return nil, nil
	}
	p := c.panel("Variation of the velocities", "[m/s], [rad/s]")
	p.line(c.column("variation_alpha"), "of v^α, which the contact law sees", palette[1], nil, 1.4)
	p.line(c.column("variation"), "of v", palette[0], nil, 1.4)
	p.legend(2)
	return p.done()
}
