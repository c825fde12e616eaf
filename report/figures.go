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
)

// band is the colour of what friction can bear.
var band = color.RGBA{0xF0, 0xF0, 0xF0, 255}

// Figures draws the plots of the page.
func (r *Run) Figures() ([]Figure, error) {
	if r.k == 0 {
		return nil, nil
	}
	return drawings(slices.Concat([]drawing{
		{"positions", "Where the particles are that move most.", r.record.positions, true},
		{"cone", "Friction fills its cone: a contact sticks inside the band and slips on its edge.", r.cone, true},
		{"map", "Who sticks and slips when; blank: no contact.", r.record.states, true},
	}, r.surfaces(), []drawing{
		{"along", "What presses the nodes of the surface, at five times.", r.along, false},
		{"forces", "Normal forces, friction, and the most that friction can bear.", r.record.forces, true},
		{"loop", "Friction against the way along it: the area inside a loop is the energy dissipated.", r.loop, false},
		{"energies", "Stored and dissipated energy grow by the work of the loads.", r.record.energies, true},
		{"gap", "Residuals of balance (E) and stability (S), on a logarithmic scale. Zero would be perfect; dots mark what rounding leaves.", r.residuals, true},
		{"timeline", "Length of the steps, and changes of contact: free, grazing, stick, slip.", r.timeline, true},
	}))
}

// leader is the particle with friction that moves most, as numbered in the
// sample; −1 if nothing moves under friction.
func (r *Run) leader() int {
	best, longest := -1, 0.0
	for k, j := range r.record.sample {
		way, _ := r.record.travel(k)
		if _, most := r.record.of(k, bound).extremes(); most > 0 && r.psi.Matrices[j] != nil && way > longest {
			best, longest = k, way
		}
	}
	return best
}

// cone draws the band of ±bound and the friction in it, signed along the tangent
// in which it acts most.
func (r *Run) cone() (*plot.Plot, error) {
	k := r.leader()
	if k < 0 {
		return nil, nil
	}
	j := r.record.sample[k]
	p := r.record.panel("Friction cone of "+r.record.ids[j], "force [N]")
	frames := r.film.frames()
	axis := r.mainTangent(j)
	z := make([]float64, 3*len(r.scene.IDs))
	var upper, lower, force plotter.XYs
	for _, f := range frames {
		r.local(z, f.X)
		b := bounded(r.bound(f, z, j))
		upper, lower = append(upper, plotter.XY{X: f.T, Y: b}), append(lower, plotter.XY{X: f.T, Y: -b})
		force = append(force, plotter.XY{X: f.T, Y: bounded(f.Force[3*j+1+axis])})
	}
	outline := append(plotter.XYs{}, upper...)
	for i := range lower {
		outline = append(outline, lower[len(lower)-1-i])
	}
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return nil, err
	}
	area.Color, area.LineStyle.Width = band, 0
	p.Add(area)
	p.curve(upper, "", black, dashes, 1)
	p.curve(lower, "", black, dashes, 1)
	p.curve(force, fmt.Sprintf("friction along %s", "to"[axis:axis+1]), palette[1], nil, 1.6)
	p.sample("most it can bear, ±μσ", dashes)
	p.legend(2)
	return p.done()
}

// mainTangent returns the tangent of a particle along which friction acts most.
func (r *Run) mainTangent(j int) int {
	var most [2]float64
	for _, f := range r.film.frames() {
		for c := range 2 {
			most[c] = max(most[c], math.Abs(f.Force[3*j+1+c]))
		}
	}
	if most[1] > most[0] {
		return 1
	}
	return 0
}

// loop draws friction against displacement along the same tangent.
func (r *Run) loop() (*plot.Plot, error) {
	k := r.leader()
	if k < 0 {
		return nil, nil
	}
	j := r.record.sample[k]
	axis := r.mainTangent(j)
	p := r.record.panel("Hysteresis of "+r.record.ids[j], "friction on the particle [N]")
	p.X.Label.Text = fmt.Sprintf("displacement along %s [m]", "to"[axis:axis+1])
	z := make([]float64, 3*len(r.scene.IDs))
	var path plotter.XYs
	start := 0.0
	for i, f := range r.film.frames() {
		r.local(z, f.X)
		if i == 0 {
			start = z[3*j+axis]
		}
		path = append(path, plotter.XY{X: bounded(z[3*j+axis] - start), Y: bounded(f.Force[3*j+1+axis])})
	}
	p.curve(path, "", palette[0], nil, 1.4)
	p.dot(path[0], "start", palette[2], draw.CircleGlyph{})
	p.dot(path[len(path)-1], "end", palette[1], draw.BoxGlyph{})
	p.legend(2)
	return p.done()
}

// dot marks a point.
func (p *panel) dot(at plotter.XY, name string, c color.Color, shape draw.GlyphDrawer) {
	s, err := plotter.NewScatter(plotter.XYs{at})
	if err != nil {
		p.err = err
		return
	}
	s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(3.5), Shape: shape}
	p.Add(s)
	p.Legend.Add(name, s)
}

// residuals draws what is wrong with balance and stability.
func (r *Run) residuals() (*plot.Plot, error) {
	p := r.record.panel("Balance and stability", "residual [J]")
	floor := math.Log10(max(r.node.EnergyScale, math.SmallestNonzeroFloat64) * roundoff)
	top := floor
	for i, c := range []struct {
		what int
		name string
	}{{balance, "energy balance (E)"}, {gap, "stability gap (S)"}} {
		high := r.record.channels[c.what].logarithm(floor)
		_, most := high.extremes()
		top = max(top, most)
		p.line(high, c.name, palette[i], nil, 1.4)
	}
	level := plotter.XYs{{X: p.spans[0].from, Y: floor}, {X: p.spans[len(p.spans)-1].to, Y: floor}}
	p.curve(level, "rounding", black, dots, 1)
	p.Y.Tick.Marker = decades{}
	p.Y.Min, p.Y.Max = floor-1, top+1
	p.legend(3)
	return p.done()
}

// timeline draws the length of the steps and a mark for each change of contact.
func (r *Run) timeline() (*plot.Plot, error) {
	if len(r.steps.spans) == 0 {
		return nil, nil
	}
	p := r.record.panel("Steps and events", "length of step [s]")
	p.spans = r.steps.spans
	p.line(&r.steps.channels[stepLength], "length of the steps", palette[0], nil, 1.4)
	top := p.Y.Max
	var marks plotter.XYs
	for k, s := range r.steps.spans {
		if r.steps.channels[changes].high[k] > 0 {
			marks = append(marks, plotter.XY{X: s.from, Y: 0})
		}
	}
	if len(marks) > 0 {
		s, err := plotter.NewScatter(marks)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: palette[1], Radius: vg.Points(3.2), Shape: draw.PyramidGlyph{}}
		p.Add(s)
		p.Legend.Add("changes of contact", s)
	}
	p.Y.Min, p.Y.Max = 0, max(top, math.SmallestNonzeroFloat64)
	p.legend(2)
	return p.done()
}
