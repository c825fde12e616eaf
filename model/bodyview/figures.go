package bodyview

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

func (m *Reader) figures() (figures []report.Figure, warnings []string) {
	if m.positions.Rows == 0 {
		return nil, nil
	}
	length := func(name string) bool {
		return strings.HasSuffix(name, ".x") || strings.HasSuffix(name, ".y") || strings.HasSuffix(name, ".z")
	}
	angle := func(name string) bool { return strings.HasSuffix(name, ".angle") }
	speed := func(name string) bool {
		return strings.HasSuffix(name, ".vx") || strings.HasSuffix(name, ".vy") || strings.HasSuffix(name, ".vz")
	}
	return report.Draw([]report.Drawing{
		{ID: "positions", Caption: "Displacements of the centres from their start: the coordinates that change most.",
			Plot: m.positions.Busiest("Displacements", "[m]", length, true), Time: true},
		{ID: "angles", Caption: "How far the bodies have turned since the start.",
			Plot: m.positions.Busiest("Angles", "[rad]", angle, true), Time: true},
		{ID: "velocities", Caption: "Velocities of the centres, those that change most.",
			Plot: m.velocities.Busiest("Velocities", "[m/s]", speed, false), Time: true},
		{ID: "spins", Caption: "Angular velocities, those that change most.",
			Plot: m.velocities.Busiest("Angular velocities", "[rad/s]", func(name string) bool { return !speed(name) }, false), Time: true},
		{ID: "cone", Caption: "Friction of all contacts together inside the band of what they can bear: it fills the band where all slip." + m.ofSteps(),
			Plot: m.cone, Time: true},
		{ID: "normal", Caption: "Normal forces of all contacts together." + m.ofSteps(), Plot: m.normal, Time: true},
		{ID: "contacts", Caption: "How many contacts stick and slip.", Plot: m.counts, Time: true},
		{ID: "slip", Caption: "Tangential over normal force of each contact element, relative to friction: an element slides at ±1.",
			Plot: m.slipRatios, Time: true},
		{ID: "map", Caption: "When each contact element sticks and slips; blank: no force.", Plot: m.stateMap, Time: true},
		{ID: "impacts", Caption: "Impacts: the impulse of the contact that was found first.", Plot: m.impulses, Time: true},
		{ID: "sensors", Caption: "What the case asks for, as its \"sensors\" name it: those that change most." + m.sensedSteps(), Plot: m.sensed, Time: true},
		{ID: "energies", Caption: "Where the energy is. Together: what there was at the start and the work of the loads.",
			Plot: m.energy, Time: true},
		{ID: "balance", Caption: "What the ledger of the energies is short of, on a logarithmic scale.", Plot: m.balance, Time: true},
		{ID: "constraints", Caption: "Errors of the constraints, on a logarithmic scale: joints that open, bodies that overlap.",
			Plot: m.errors, Time: true},
		{ID: "variation", Caption: "How much the velocities vary in all, Σ‖Δv‖: the theory wants it bounded as the step shrinks.",
			Plot: m.variation, Time: true},
	})
}

// ofSteps says what forces over time are.
func (m *Reader) ofSteps() string {
	if m.setup.Rigid != nil {
		return " Each value is the mean over the step that ends there."
	}
	return " Each value is that of the step that ends there."
}

// sensedSteps says it of sensors, if some are forces.
func (m *Reader) sensedSteps() string {
	if !slices.Contains(m.setup.OfStep, true) {
		return ""
	}
	return " Of forces and moments:" + strings.ToLower(m.ofSteps()[:2]) + m.ofSteps()[2:]
}

// sensed draws the columns of sensors.csv.
func (m *Reader) sensed() *report.Plot {
	if len(m.setup.Sensors) == 0 {
		return nil
	}
	return m.sensors.Busiest("Sensors", "in their units", func(string) bool { return true }, false)()
}

// rest is a share that counts as none [-]: of forces below it nothing is drawn.
const rest = 1e-12

// cone draws the sum of friction within that of its bounds.
func (m *Reader) cone() *report.Plot {
	c := &m.certificates
	if !(c.Most("bound") > rest*c.Most("normal")) {
		return nil
	}
	p := &report.Plot{Title: "Friction cone, all contacts", Y: "force [N]"}
	upper := c.Points(c.Column("bound"))
	ring := append(append([]report.Point{{X: upper[0].X}}, upper...), report.Point{X: upper[len(upper)-1].X})
	p.Areas = append(p.Areas, report.Area{Rings: [][]report.Point{ring}, Color: report.Band})
	p.Line(upper, "most they can bear, Σμλ_n", report.Black, report.Dashed, 1)
	if friction := c.Column("friction"); friction != nil {
		p.Line(c.Points(friction), "friction, Σ|λ_T|", report.Palette[1], report.Solid, 1.5)
	}
	return p
}

func (m *Reader) normal() *report.Plot {
	c := &m.certificates
	if !(c.Most("normal") > 0) {
		return nil
	}
	return c.Lines("Normal forces, all contacts", "force [N]", []report.Quantity{{Column: "normal", Name: "Σλ_n"}})
}

func (m *Reader) counts() *report.Plot {
	c := &m.certificates
	if !(c.Most("stick")+c.Most("slip") > 1) || m.states != nil {
		return nil // one contact: the cone tells; elements have a map
	}
	return c.Lines("Contacts", "number", []report.Quantity{{Column: "stick", Name: "stick", Always: true},
		{Column: "slip", Name: "slip", Always: true}})
}

func (m *Reader) slipRatios() *report.Plot {
	if m.states == nil || !m.states.Any() {
		return nil
	}
	title := "Slip state of the elements"
	if n := len(m.setup.Elements); n > len(m.elements.all.Channels)/elementChannels {
		title = fmt.Sprintf("Slip state, %d of %d elements", m.elements.drawn, n)
	}
	return m.elements.plot(&m.elements.all, elementRatio, title, "λ_t/(μ λ_n)")
}

func (m *Reader) stateMap() *report.Plot {
	if m.states == nil || m.states.Rows < 2 {
		return nil
	}
	return m.states.PlotNamed("Stick and slip", "", m.setup.Elements[:m.states.Rows])
}

// impulses draws a stem for each impact; of many close ones the largest.
func (m *Reader) impulses() *report.Plot {
	if m.count == 0 {
		return nil
	}
	p := &report.Plot{Title: "Impacts", Y: "impulse [N s]", FromZero: true}
	var tips []report.Point
	for k, s := range m.bangs.Spans {
		tip := report.Point{X: s.From, Y: m.bangs.Channels[0].High[k]}
		tips = append(tips, tip)
		p.Line([]report.Point{{X: s.From}, tip}, "", report.Palette[1], report.Solid, 0.9)
	}
	p.Marks = append(p.Marks, report.Marks{Points: tips, Color: report.Palette[1], Glyph: report.Circle, Size: 2.2})
	p.XRange = [2]float64{m.positions.Spans[0].From, m.positions.End()}
	return p
}

func (m *Reader) energy() *report.Plot {
	return m.energies.Lines("Energies", "energy [J]",
		[]report.Quantity{{Column: "kinetic", Name: "kinetic", Always: true},
			{Column: "potential", Name: "potential, U − U(0)", FromStart: true},
			{Column: "stored", Name: "stored in contacts"}, {Column: "friction", Name: "taken by friction"},
			{Column: "impact", Name: "taken by impacts"},
			{Column: "viscous", Name: "taken by dampers"}, {Column: "loads", Name: "work of the loads"}})
}

// size is the largest energy or work that was met.
func (m *Reader) size() float64 {
	return m.energies.Size("kinetic", "potential", "stored", "friction", "impact", "viscous", "loads")
}

func (m *Reader) balance() *report.Plot {
	size := m.size()
	if !(size > 0) {
		return nil
	}
	e := &m.energies
	return e.LogPlot("Balance of the energies", "residual [J]", size*report.Roundoff, "rounding",
		[]*report.Range{e.Column("residual")}, []string{"residual of the ledger"})
}

// errors draws what the constraints lack.
func (m *Reader) errors() *report.Plot {
	if m.setup.Rigid == nil {
		return nil
	}
	c := &m.certificates
	list, names := []*report.Range{c.Column("penetration")}, []string{"penetration, −Φ"}
	if len(m.setup.Rigid.Joints()) > 0 {
		list, names = append(list, c.Column("drift")), append(names, "joints, |Θ|")
	}
	size := 0.0
	for b := range m.setup.World.Bodies() {
		size = max(size, m.setup.World.Reach(b))
	}
	if !(size > 0) { // points: there is no length but the metre
		size = 1
	}
	return c.LogPlot("Joints and penetration", "[m], [rad]", size*report.Roundoff, "rounding", list, names)
}

func (m *Reader) variation() *report.Plot {
	c := &m.certificates
	if c.Column("variation") == nil {
		return nil
	}
	return c.Lines("Variation of the velocities", "[m/s], [rad/s]",
		[]report.Quantity{{Column: "variation_alpha", Name: "of v^α, which the contact law sees", Always: true},
			{Column: "variation", Name: "of v", Always: true}})
}

// events lists impacts, or else changes of state.
func (m *Reader) events(p *report.Page) error {
	if m.setup.Rigid != nil {
		return m.impacts(p)
	}
	states := []string{dynamics.Open.String(), dynamics.Stick.String(), dynamics.Slide.String(), table.TouchWord}
	return p.ListEvents(m.Files, "contact", states, func(contact, state string) string {
		if m.setup.Smooth != nil && state != dynamics.Open.String() && m.setup.Smooth(contact) {
			return table.TouchWord
		}
		return state
	})
}

// impacts lists the first impacts.
func (m *Reader) impacts(p *report.Page) error {
	r, err := OpenCollisions(m.Files)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close() // read only
	p.EventCount = fmt.Sprintf("%s impacts.", report.Count(m.count))
	p.EventHead = []string{"t [s]", "contact", "approach [m/s]", "impulse [N s]", "energy lost [J]"}
	for len(p.Events) < report.ListedEvents {
		c, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		p.Events = append(p.Events, report.Event{fmt.Sprintf("%.6g", c.T), c.Contact, fmt.Sprintf("%.4g", c.Speed),
			fmt.Sprintf("%.4g", c.Impulse), fmt.Sprintf("%.4g", c.Loss)})
	}
	p.EventCount += fmt.Sprintf(" The first %d are listed.", report.ListedEvents)
	return nil
}
