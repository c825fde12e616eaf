package report

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// Motion keeps what the pictures need of a run of the dynamic models, in
// bounded memory.
type Motion struct {
	world    *bodies.World
	ids      []string
	elements []string
	mu       []float64
	until    float64
	all      *Recorder   // the whole run
	early    *Recorder   // until some time after the first full slip
	shots    [][]float64 // coordinates for the outlines
	slid     []bool      // elements that have slid
	slidAll  float64     // when all had; NaN before
}

// Channels of a motion, then those of the bodies, then of the elements.
const (
	motionKinetic = iota
	motionPotential
	motionStored
	motionDissipated
	motionLoads
	motionResidual
	motionChannels
)

const (
	elementNormal = iota
	elementRatio  // λ_t/(μ λ_n) in the plane, ‖λ_T‖/(μ λ_n) in space
	elementSlip   // λ_t in the plane, ‖λ_T‖ in space
	elementChannels
)

// mostDrawn bounds the bodies and elements that are drawn.
const mostDrawn = 6

// outlines is the number of snapshots of the bodies.
const outlines = 9

// NewMotion returns a recorder of a world whose bodies have the names ids and
// whose contact elements have those given and the friction coefficients mu.
func NewMotion(w *bodies.World, ids, elements []string, mu []float64, until float64) *Motion {
	m := &Motion{world: w, ids: ids, elements: elements[:min(len(elements), mostDrawn)], mu: mu, until: until,
		slid: make([]bool, len(elements)), slidAll: math.NaN()}
	m.all, m.early = m.recorder(), m.recorder()
	return m
}

func (m *Motion) drawn() int { return min(len(m.ids), mostDrawn) }

func (m *Motion) recorder() *Recorder {
	n := motionChannels + 3*m.drawn() + elementChannels*len(m.elements)
	return &Recorder{series: newSeries(n, mostIntervals), row: make([]float64, n)}
}

// Observe takes a step and the forces of the named elements.
func (m *Motion) Observe(step *dynamics.Step, e *dynamics.Energy, forces []float64) {
	r, dim := m.all, m.world.Dim()
	copy(r.row, []float64{e.Kinetic, e.Potential, e.Stored, e.Friction + e.Viscous + e.Impact, e.Loads, e.Residual})
	for i := range m.drawn() {
		q, _ := m.world.Coordinates(i)
		x := r.row[motionChannels+3*i : motionChannels+3*i+3]
		copy(x, step.State.Q[q:q+dim])
		if dim == 2 && m.world.Spins(i) {
			x[2] = step.State.Q[q+2]
		}
	}
	for k := range m.elements {
		x := r.row[motionChannels+3*m.drawn()+elementChannels*k:]
		f := forces[dim*k : dim*k+dim]
		x[elementNormal], x[elementRatio], x[elementSlip] = f[0], m.ratio(k, f), f[1]
		if dim == 3 {
			x[elementSlip] = math.Hypot(f[1], f[2])
		}
		m.slid[k] = m.slid[k] || math.Abs(x[elementRatio]) > 1-1e-9
	}
	t := step.State.T
	r.add(t, r.row)
	m.follow(t)
	if t >= float64(len(m.shots))*m.until/(outlines-1)*(1-1e-9) {
		m.shots = append(m.shots, append([]float64(nil), step.State.Q...))
	}
}

// ratio is the tangential force as a part of what friction can hold.
func (m *Motion) ratio(k int, f []float64) float64 {
	bound := m.mu[k] * f[0]
	switch {
	case !(bound > 0):
		return 0
	case len(f) == 2:
		return f[1] / bound
	}
	return math.Hypot(f[1], f[2]) / bound
}

// follow records the early part: until a quarter longer than it takes all
// elements to slide once.
func (m *Motion) follow(t float64) {
	if math.IsNaN(m.slidAll) {
		all := true
		for k := range m.elements {
			all = all && m.slid[k]
		}
		if all {
			m.slidAll = t
		}
	}
	if !(t > 1.25*m.slidAll) {
		copy(m.early.row, m.all.row)
		m.early.add(t, m.early.row)
	}
}

// Draw writes overview.svg, overview.png and, if all elements have slid, the
// same for microslip.
func (m *Motion) Draw(dir, title string) error {
	err := drawPage(dir, "overview", title, m.bodiesPanel,
		func() (*plot.Plot, error) { return m.normals(m.all) },
		func() (*plot.Plot, error) { return m.energies() },
		func() (*plot.Plot, error) { return m.ratios(m.all) })
	if err != nil || math.IsNaN(m.slidAll) || len(m.elements) < 2 {
		return err
	}
	return drawPage(dir, "microslip", title+": the first slip",
		func() (*plot.Plot, error) { return m.ratios(m.early) },
		func() (*plot.Plot, error) { return m.normals(m.early) },
		func() (*plot.Plot, error) { return m.tangentials(m.early) },
		func() (*plot.Plot, error) { return m.coordinates(m.early) })
}

func (m *Motion) body(r *Recorder, i, axis int) *channel { return &r.channels[motionChannels+3*i+axis] }

func (m *Motion) element(r *Recorder, k, what int) *channel {
	return &r.channels[motionChannels+3*m.drawn()+elementChannels*k+what]
}

// bodiesPanel draws outlines in the plane, else coordinates over time.
func (m *Motion) bodiesPanel() (*plot.Plot, error) {
	if m.world.Dim() == 3 {
		return m.coordinates(m.all)
	}
	p := m.all.panel(fmt.Sprintf("Motion, %d snapshots", len(m.shots)), "y [m]")
	p.X.Label.Text = "x [m]"
	for s, q := range m.shots {
		for i := range m.ids {
			shade := uint8(200 - 150*s/max(1, len(m.shots)-1))
			col := color.RGBA{shade, shade, shade, 255}
			if s == len(m.shots)-1 {
				col = color.RGBA{0, 114, 178, 255}
			}
			var points plotter.XYs
			for _, x := range m.world.Outline(i, q) {
				points = append(points, plotter.XY{X: bounded(x[0]), Y: bounded(x[1])})
			}
			p.curve(append(points, points[0]), "", col, nil, 1)
		}
	}
	squareAxes(p.Plot)
	return p.done()
}

// squareAxes widens one range so that circles look round: panels are about
// 1.6 times as wide as high.
func squareAxes(p *plot.Plot) {
	w, h := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	if w < 1.6*h {
		d := (1.6*h - w) / 2
		p.X.Min, p.X.Max = p.X.Min-d, p.X.Max+d
	} else {
		d := (w/1.6 - h) / 2
		p.Y.Min, p.Y.Max = p.Y.Min-d, p.Y.Max+d
	}
}

// coordinates draws the positions of the first body over time.
func (m *Motion) coordinates(r *Recorder) (*plot.Plot, error) {
	p := r.panel("Displacement of "+m.ids[0], "[m], [rad]")
	names := []string{"x", "y", "z"}
	if m.world.Dim() == 2 {
		names = []string{"x", "y", "angle"}[:2]
		if m.world.Spins(0) {
			names = append(names, "angle")
		}
	}
	for a, name := range names {
		c := m.body(r, 0, a)
		p.line(c.shifted(-c.low[0]), name+" − "+name+"(0)", palette[a], nil, 1.4)
	}
	p.legend(len(names))
	return p.done()
}

func (m *Motion) normals(r *Recorder) (*plot.Plot, error) {
	p := r.panel("Normal forces"+m.some(), "λ_n [N]")
	for k, name := range m.elements {
		p.line(m.element(r, k, elementNormal), name, palette[k], nil, 1.2)
	}
	p.legend(len(m.elements))
	return p.done()
}

func (m *Motion) some() string {
	if n := len(m.slid); n > len(m.elements) {
		return fmt.Sprintf(" (%d of %d elements)", len(m.elements), n)
	}
	return ""
}

// ratios draws the slip state: an element slides where the ratio is ±1.
func (m *Motion) ratios(r *Recorder) (*plot.Plot, error) {
	p := r.panel("Tangential forces, normalised: an element slides at ±1", "λ_t/(μ λ_n)")
	for k, name := range m.elements {
		p.line(m.element(r, k, elementRatio), name, palette[k], nil, 1.2)
	}
	p.legend(len(m.elements))
	return p.done()
}

// tangentials draws the friction of the elements.
func (m *Motion) tangentials(r *Recorder) (*plot.Plot, error) {
	p := r.panel("Tangential forces"+m.some(), "λ_t [N]")
	for k, name := range m.elements {
		p.line(m.element(r, k, elementSlip), name, palette[k], nil, 1.2)
	}
	p.legend(len(m.elements))
	return p.done()
}

func (m *Motion) energies() (*plot.Plot, error) {
	p := m.all.panel("Energies", "energy [J]")
	for i, name := range []string{"kinetic", "potential, U − U(0)", "stored in contacts", "dissipated", "work of the loads"} {
		c := &m.all.channels[i]
		if i == motionPotential {
			c = c.shifted(-c.low[0])
		}
		p.line(c, name, palette[i], nil, 1.4)
	}
	p.legend(5)
	return p.done()
}
