//go:build !js

package report

import (
	"fmt"
	"image/color"
	"math"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var patterns = [...][]vg.Length{Solid: nil, Dashed: {vg.Points(5), vg.Points(3)}, Dotted: {vg.Points(1), vg.Points(2.5)}}

// drawn is a plot of the library; alike says that a length is as long along both axes.
type drawn struct {
	*plot.Plot
	alike bool
}

// draw makes the plot. What the library cannot draw is an error, not a panic.
func (p *Plot) draw() (d drawn, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", p.Title, r)
		}
	}()
	if err := p.blank(); err != nil {
		return d, err
	}
	f := newPanel(p.Title, p.X, p.Y)
	for i := range p.Areas {
		f.area(&p.Areas[i])
	}
	if p.Map != nil {
		f.heat(p.Map)
	}
	for i := range p.Lines {
		f.line(&p.Lines[i], p.Logarithmic)
	}
	for i := range p.Marks {
		f.marks(&p.Marks[i])
	}
	for _, s := range p.Samples {
		f.sample(s.Name, patterns[s.Dash])
	}
	if f.err != nil {
		return d, fmt.Errorf("%s: %w", p.Title, f.err)
	}
	p.axes(f)
	if !finite(f.X.Min) || !finite(f.X.Max) || !finite(f.Y.Min) || !finite(f.Y.Max) || !(f.X.Max > f.X.Min) || !(f.Y.Max > f.Y.Min) {
		return d, fmt.Errorf("%s: the axes reach from %g to %g and from %g to %g", p.Title, f.X.Min, f.X.Max, f.Y.Min, f.Y.Max)
	}
	return drawn{f.Plot, p.Alike}, nil
}

// axes sets ranges, marks and the legend.
func (p *Plot) axes(f *panel) {
	switch {
	case p.Logarithmic:
		f.X.Scale, f.Y.Scale = plot.LogScale{}, plot.LogScale{}
		f.X.Tick.Marker, f.Y.Tick.Marker = plot.LogTicks{Prec: 3}, plot.LogTicks{Prec: 3}
		f.Y.Min, f.Y.Max = f.Y.Min/2, f.Y.Max*10
		f.X.Min, f.X.Max = 0.8*f.X.Min, 1.25*f.X.Max
		return
	case p.Decades:
		f.Y.Tick.Marker = decades{}
	case p.Ticks != nil:
		ticks := make([]plot.Tick, len(p.Ticks))
		for i, t := range p.Ticks {
			ticks[i] = plot.Tick{Value: t.At, Label: t.Name}
		}
		f.Y.Tick.Marker = plot.ConstantTicks(ticks)
	}
	if p.FromZero {
		f.Y.Min = 0
	}
	if r := p.XRange; r[1] > r[0] {
		f.X.Min, f.X.Max = r[0], r[1]
	}
	if r := p.YRange; r[1] > r[0] {
		f.Y.Min, f.Y.Max = r[0], r[1]
	}
	f.widen(p.Alike)
	if !p.Bare {
		f.legend()
	}
	if p.FromZero && !p.Bare {
		f.Y.Min = 0
	}
}

// panel is a plot as it is drawn.
type panel struct {
	*plot.Plot
	curves  []plotter.XYs
	named   int // lines of the legend
	longest int // of their names, in letters
	err     error
}

func newPanel(title, x, y string) *panel {
	p := &panel{Plot: plot.New()}
	p.Title.Text, p.Y.Label.Text, p.X.Label.Text = Plain(title), Plain(y), Plain(x)
	if x == "" {
		p.X.Label.Text = "t [s]"
	}
	p.Title.TextStyle.Font = font.From(plot.DefaultFont, 13)
	p.Title.Padding = vg.Millimeter * 2
	p.Legend.Top = true
	p.Legend.TextStyle.Font = font.From(plot.DefaultFont, 9.5)
	p.Legend.Padding = vg.Millimeter / 2
	p.Legend.ThumbnailWidth = vg.Millimeter * 8
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = font.From(plot.DefaultFont, 11)
		a.Tick.Label.Font = font.From(plot.DefaultFont, 9.5)
		a.Tick.Marker = even{}
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	return p
}

// xys are the points that can be drawn, for the library.
func xys(list []Point, logarithmic bool) plotter.XYs {
	var points plotter.XYs
	for _, x := range drawable(list, logarithmic) {
		points = append(points, plotter.XY(x))
	}
	return points
}

func (p *panel) line(l *Line, logarithmic bool) {
	points := xys(l.Points, logarithmic)
	if len(points) == 0 {
		return
	}
	drawn, err := plotter.NewLine(points)
	if err != nil {
		p.err = fmt.Errorf("%s: %w", l.Name, err)
		return
	}
	drawn.Color, drawn.Dashes, drawn.Width = l.Color, patterns[l.Dash], vg.Points(l.Width)
	p.Add(drawn)
	p.curves = append(p.curves, points)
	var in []plot.Thumbnailer
	in = append(in, drawn)
	if l.Dots {
		dots, err := plotter.NewScatter(points)
		if err != nil {
			p.err = fmt.Errorf("%s: %w", l.Name, err)
			return
		}
		dots.Color, dots.Shape = l.Color, draw.CircleGlyph{}
		p.Add(dots)
		in = append(in, dots)
	}
	p.name(l.Name, in...)
}

// name adds a line to the legend.
func (p *panel) name(name string, in ...plot.Thumbnailer) {
	if name == "" {
		return
	}
	name = Plain(name)
	p.Legend.Add(name, in...)
	p.named++
	p.longest = max(p.longest, utf8.RuneCountInString(name))
}

func (p *panel) area(a *Area) {
	poly := &plotter.Polygon{Color: a.Color}
	for _, ring := range a.Rings {
		if points := xys(ring, false); len(points) > 0 {
			poly.XYs = append(poly.XYs, points)
		}
	}
	if len(poly.XYs) == 0 {
		return
	}
	poly.LineStyle.Width = 0
	if a.Edge != nil {
		poly.LineStyle.Width, poly.LineStyle.Color = vg.Points(0.3), a.Edge
	}
	p.Add(poly)
	if a.Name != "" {
		p.name(a.Name, swatch{a.Color})
	}
}

var glyphs = [...]draw.GlyphDrawer{Circle: draw.CircleGlyph{}, Square: draw.BoxGlyph{}, Triangle: draw.PyramidGlyph{},
	Ring: draw.RingGlyph{}, Cross: draw.CrossGlyph{}, Plus: draw.PlusGlyph{}}

func (p *panel) marks(m *Marks) {
	points := xys(m.Points, false)
	if len(points) == 0 {
		return
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		p.err = fmt.Errorf("%s: %w", m.Name, err)
		return
	}
	s.GlyphStyle = draw.GlyphStyle{Color: m.Color, Radius: vg.Points(m.Size), Shape: glyphs[m.Glyph]}
	p.Add(s)
	p.name(m.Name, s)
}

// sample adds a style of lines to the legend.
func (p *panel) sample(name string, dash []vg.Length) {
	p.name(name, &plotter.Line{LineStyle: draw.LineStyle{Color: Black, Dashes: dash, Width: vg.Points(1.1)}})
}

// widen gives empty ranges a width that a number can show: a constant stands in the middle
// of its half and one and a half times, zero of ±1, and of next to nothing where both axes
// have one scale, which the other one then sets.
func (p *panel) widen(alike bool) {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		if !(a.Max >= a.Min) || !finite(a.Min) || !finite(a.Max) { // no data
			a.Min, a.Max = 0, 1
		}
	}
	if least := 1e-12 * max(math.Abs(p.Y.Min), math.Abs(p.Y.Max)); !(p.Y.Max-p.Y.Min > least) {
		d := max(1e-290, 0.5*math.Abs(p.Y.Min))
		if p.Y.Min == 0 && !alike {
			d = 1
		}
		p.Y.Min, p.Y.Max = p.Y.Min-d, p.Y.Max+d
	}
	if least := 1e-14 * max(math.Abs(p.X.Min), math.Abs(p.X.Max)); !(p.X.Max-p.X.Min > least) {
		p.X.Max = p.X.Min + 1e-12 + math.Abs(p.X.Min)
	}
}

// square widens one range so that circles look round on a canvas. The marks of the axes, and with
// them the room that is left for the curves, change with the range: a few rounds settle that.
func (d *drawn) square(on func() draw.Canvas) {
	const rounds = 4
	for range rounds {
		area := d.DataCanvas(on())
		w, h := float64(area.Max.X-area.Min.X), float64(area.Max.Y-area.Min.Y)
		if !d.alike || !(w > 0) || !(h > 0) {
			return
		}
		widen := func(a *plot.Axis, to float64) {
			middle := a.Min/2 + a.Max/2
			a.Min, a.Max = middle-to/2, middle+to/2
		}
		if dx, dy := d.X.Max-d.X.Min, d.Y.Max-d.Y.Min; dx/w < dy/h {
			widen(&d.X, w*(dy/h))
		} else {
			widen(&d.Y, h*(dx/w))
		}
	}
}

// swatch is a coloured square of a legend.
type swatch struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	c.SetColor(s.Color)
	c.Fill(c.Rectangle.Path())
}
