package report

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is the set of Okabe and Ito without yellow, which is faint on white.
var palette = []color.Color{
	color.RGBA{0, 114, 178, 255}, // blue
	color.RGBA{213, 94, 0, 255},  // vermilion
	color.RGBA{0, 158, 115, 255}, // green
	color.RGBA{204, 121, 167, 255},
	color.RGBA{230, 159, 0, 255},  // orange
	color.RGBA{86, 180, 233, 255}, // sky
}

var (
	black  = color.RGBA{40, 40, 40, 255}
	dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	dots   = []vg.Length{vg.Points(1), vg.Points(2.5)}
)

// panel is one plot with its lines.
type panel struct {
	*plot.Plot
	spans   []span
	curves  []plotter.XYs
	longest int // name, in letters
	err     error
}

func (r *Recorder) panel(title, label string) *panel {
	p := &panel{Plot: plot.New(), spans: r.spans}
	p.Title.Text, p.Y.Label.Text, p.X.Label.Text = title, label, "t [s]"
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

// line draws a channel; an empty name leaves it out of the legend.
func (p *panel) line(c *channel, name string, col color.Color, dash []vg.Length, width float64) {
	p.curve(p.points(c), name, col, dash, width)
}

func (p *panel) curve(points plotter.XYs, name string, col color.Color, dash []vg.Length, width float64) {
	l, err := plotter.NewLine(points)
	if err != nil {
		p.err = fmt.Errorf("%s: %w", name, err)
		return
	}
	l.Color, l.Dashes, l.Width = col, dash, vg.Points(width)
	p.Add(l)
	p.curves = append(p.curves, points)
	if name != "" {
		p.Legend.Add(name, l)
		p.named(name)
	}
}

// points returns the polygon of a channel: where an interval holds several
// nodes, a stroke between its extremes.
func (p *panel) points(c *channel) plotter.XYs {
	points := make(plotter.XYs, 0, 2*len(p.spans))
	for k, s := range p.spans {
		first, second := c.low[k], c.high[k]
		if n := len(points); n > 0 && points[n-1].Y > (first+second)/2 {
			first, second = second, first // a falling curve comes from above
		}
		points = append(points, plotter.XY{X: s.from, Y: first})
		if second != first {
			points = append(points, plotter.XY{X: s.to, Y: second})
		}
	}
	for i := range points {
		points[i].Y = bounded(points[i].Y)
	}
	return points
}

// bounded keeps what cannot be drawn from failing the picture.
func bounded(v float64) float64 {
	const largest = 1e300
	if math.IsNaN(v) {
		return 0
	}
	return max(-largest, min(v, largest))
}

// done returns the plot.
func (p *panel) done() (*plot.Plot, error) {
	p.widen()
	return p.Plot, p.err
}

// widen gives empty ranges a width.
func (p *panel) widen() {
	if p.Y.Max == p.Y.Min { // a constant: show it in the middle
		d := max(1e-12, 0.5*math.Abs(p.Y.Min))
		p.Y.Min, p.Y.Max = p.Y.Min-d, p.Y.Max+d
	}
	if p.X.Max == p.X.Min {
		p.X.Max = p.X.Min + 1e-12 + math.Abs(p.X.Min)
	}
}

// sample adds a style of lines to the legend.
func (p *panel) sample(name string, dash []vg.Length) {
	p.named(name)
	p.Legend.Add(name, &plotter.Line{LineStyle: draw.LineStyle{Color: black, Dashes: dash, Width: vg.Points(1.1)}})
}

func (r *Recorder) positions() (*plot.Plot, error) {
	if len(r.sample) == 1 {
		return r.onePosition()
	}
	chosen := r.choose(len(palette))
	axis := r.axis(chosen)
	name := "xyz"[axis : axis+1]
	p := r.panel("Displacements", fmt.Sprintf("%s − %s(0) [m]", name, name))
	if len(r.ids) > len(chosen) {
		p.Title.Text = fmt.Sprintf("Displacements (%d of %d particles)", len(chosen), len(r.ids))
	}
	for i, k := range chosen {
		c := r.of(k, axis)
		p.line(c.shifted(-c.low[0]), r.ids[r.sample[k]], palette[i], nil, 1.4)
	}
	p.legend(len(chosen))
	return p.done()
}

// onePosition draws the coordinates that change.
func (r *Recorder) onePosition() (*plot.Plot, error) {
	p := r.panel("Position of "+r.ids[0], "x, y, z [m]")
	longest, _ := r.travel(0)
	n := 0
	for c := posX; c <= posZ; c++ {
		if e := r.of(0, c).extent(); c == posX || e > 1e-9*longest {
			p.line(r.of(0, c), "xyz"[c:c+1], palette[c], nil, 1.4)
			n++
		}
	}
	p.legend(n)
	return p.done()
}

func (r *Recorder) forces() (*plot.Plot, error) {
	if len(r.sample) == 1 {
		p := r.panel("Contact forces on "+r.ids[0], "force [N]")
		p.line(r.of(0, normal), "normal force σ", palette[0], nil, 1.4)
		p.line(r.of(0, friction), "friction |r|", palette[1], nil, 1.6)
		p.line(r.of(0, bound), "friction bound μσ", black, dashes, 1.1)
		p.legend(3)
		return p.done()
	}
	chosen := r.chooseOf(3, func(k int) bool { _, high := r.of(k, normal).extremes(); return high > 0 })
	p := r.panel("Contact forces", "force [N]")
	for i, k := range chosen {
		p.line(r.of(k, normal), "", palette[i], dots, 1.2)
		p.line(r.of(k, bound), "", palette[i], dashes, 1)
		p.line(r.of(k, friction), "friction |r| on "+r.ids[r.sample[k]], palette[i], nil, 1.5)
	}
	p.sample("friction bounds μσ", dashes)
	p.sample("normal forces σ", dots)
	p.legend(2 + len(chosen))
	return p.done()
}

func (r *Recorder) energies() (*plot.Plot, error) {
	p := r.panel("Energies", "energy [J]")
	stored := &r.channels[energy]
	p.line(stored.shifted(-stored.low[0]), "stored, E(t) − E(0)", palette[0], nil, 1.4)
	p.line(&r.channels[dissipated], "dissipated", palette[1], nil, 1.4)
	p.line(&r.channels[work], "work of the loads", palette[2], dashes, 1.4)
	p.legend(3)
	return p.done()
}

// shifted returns a channel plus a constant.
func (c *channel) shifted(by float64) *channel {
	s := &channel{make([]float64, len(c.low)), make([]float64, len(c.high))}
	for k := range c.low {
		s.low[k], s.high[k] = c.low[k]+by, c.high[k]+by
	}
	return s
}
