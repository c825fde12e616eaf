package report

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Curve is one quantity of a convergence study, a value for each step length;
// zeros are exact and not drawn.
type Curve struct {
	Name   string
	Values []float64
}

// DrawOrders writes convergence.svg and convergence.png into a folder: the curves
// over the step lengths h, both logarithmic, with the slopes of first and second
// order to compare.
func DrawOrders(dir, title string, h []float64, curves []Curve) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title+": what halving the step gains", "step [s]", "error [m], gap and residual [J]"
	p.Title.TextStyle.Font = font.From(plot.DefaultFont, 13)
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	lowest, highest := math.Inf(1), 0.0
	for i, c := range curves {
		points := positive(h, c.Values)
		for _, pt := range points {
			lowest, highest = min(lowest, pt.Y), max(highest, pt.Y)
		}
		if err := addCurve(p, c.Name, points, Palette[i%len(Palette)]); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	if highest == 0 {
		return nil // all exact: nothing to draw on a logarithmic scale
	}
	if err := addSlopes(p, h, highest); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: 3}, plot.LogTicks{Prec: 3}
	p.X.Min, p.X.Max = 0.8*h[len(h)-1], 1.25*h[0]
	p.Y.Min, p.Y.Max = lowest/2, highest*2
	return drawAlone(p, dir, "convergence")
}

// positive pairs the values that a logarithm can show with their steps.
func positive(h, values []float64) plotter.XYs {
	var points plotter.XYs
	for i, v := range values {
		if v > 0 && !math.IsInf(v, 1) {
			points = append(points, plotter.XY{X: h[i], Y: within(v)})
		}
	}
	return points
}

// within keeps a positive number within what a logarithmic axis can show with its margins.
func within(v float64) float64 { return max(bounded(v), 1e-300) }

func addCurve(p *plot.Plot, name string, points plotter.XYs, col color.Color) error {
	if len(points) == 0 {
		return nil
	}
	line, dot, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width, dot.Color, dot.Shape = col, vg.Points(1.5), col, draw.CircleGlyph{}
	p.Add(line, dot)
	p.Legend.Add(name, line, dot)
	return nil
}

// addSlopes draws h and h² through the top of the coarsest step.
func addSlopes(p *plot.Plot, h []float64, top float64) error {
	for order, name := range []string{"first order", "second order"} {
		var points plotter.XYs
		for _, x := range h {
			points = append(points, plotter.XY{X: x, Y: within(top * math.Pow(x/h[0], float64(order+1)))})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Dashes = Black, patterns[Dashed+Dash(order)]
		p.Add(line)
		p.Legend.Add(name, line)
	}
	return nil
}

// drawAlone writes one plot as SVG and PNG.
func drawAlone(p *plot.Plot, dir, name string) error {
	const width, height = 18 * vg.Centimeter, 13 * vg.Centimeter
	svg := vgsvg.New(width, height)
	png := newPNG(width, height, 110)
	for _, f := range []struct {
		ending string
		canvas vg.CanvasSizer
		to     io.WriterTo
	}{{".svg", svg, svg}, {".png", png, png}} {
		if err := guarded(func() error { p.Draw(draw.New(f.canvas)); return nil }); err != nil {
			return fmt.Errorf("report: %s: %w", name, err)
		}
		if err := write(filepath.Join(dir, name+f.ending), f.to); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}
