package report

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	shading "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// DrawSurfaces writes surface.svg and surface.png into a folder for the elastic
// surfaces of a system at a node (surface-2, … for further ones): pressure,
// friction traction, the zones of stick and slip, and both tractions along the
// middle row. It writes nothing for a system without one.
func DrawSurfaces(dir, title string, psi *dissipation.Coulomb, n *energetic.Node) error {
	count := 0
	for _, e := range psi.System.Energies() {
		s, ok := e.(*particles.Surface)
		if !ok {
			continue
		}
		name := "surface"
		if count++; count > 1 {
			name = fmt.Sprintf("surface-%d", count)
		}
		v := newSurfaceView(psi, n, s.Grid())
		err := drawPage(dir, name, fmt.Sprintf("%s, t = %.6g s", title, n.T), v.pressure, v.friction, v.zones, v.profile)
		if err != nil {
			return err
		}
	}
	return nil
}

// surfaceView holds the tractions of a node by cell.
type surfaceView struct {
	grid  particles.Grid
	x, y  []float64 // centres of the cells
	p, q  []float64 // pressure, friction traction [Pa]
	bound []float64 // largest friction traction along its direction
	zone  []incremental.ContactState
}

func newSurfaceView(psi *dissipation.Coulomb, n *energetic.Node, g particles.Grid) *surfaceView {
	v := &surfaceView{grid: g}
	area := g.DX * g.DY
	for k, j := range g.Particles {
		f := psi.System.Frame(j)
		z := n.Z[3*j : 3*j+3]
		pos := f.ToGlobal([3]float64(z))
		if k < g.NX {
			v.x = append(v.x, pos[0])
		}
		if k%g.NX == 0 {
			v.y = append(v.y, pos[1])
		}
		state, force := n.States[j], n.Grad[3*j:3*j+3]
		p, q, b := 0.0, 0.0, 0.0
		if state != incremental.Free {
			p, q = max(force[2], 0), math.Hypot(force[0], force[1])
			if m := psi.Matrices[j]; m != nil {
				b = p * reach(m.At(z[0], z[1], nil), force[0], force[1])
			}
		}
		v.p, v.q, v.bound, v.zone = append(v.p, p/area), append(v.q, q/area), append(v.bound, b/area), append(v.zone, state)
	}
	v.straighten()
	return v
}

// straighten replaces the moved centres by the undeformed grid around their mean:
// slips are far smaller than cells, but the map wants ascending coordinates.
func (v *surfaceView) straighten() {
	spread := func(x []float64, d float64) {
		mean := 0.0
		for _, c := range x {
			mean += c / float64(len(x))
		}
		for i := range x {
			x[i] = mean + d*(float64(i)-float64(len(x)-1)/2)
		}
	}
	spread(v.x, v.grid.DX)
	spread(v.y, v.grid.DY)
}

// field is a map of values for plotter.HeatMap.
type field struct {
	*surfaceView
	values []float64
}

func (f field) Dims() (c, r int)   { return f.grid.NX, f.grid.NY }
func (f field) Z(c, r int) float64 { return f.values[c+r*f.grid.NX] }
func (f field) X(c int) float64    { return f.x[c] }
func (f field) Y(r int) float64    { return f.y[r] }

// colours is the number of shades of a map.
const colours = 64

func (v *surfaceView) pressure() (*plot.Plot, error) {
	return v.heat("Pressure", v.p)
}

func (v *surfaceView) friction() (*plot.Plot, error) {
	return v.heat("Friction traction", v.q)
}

// heat draws a map from white at zero to dark at the largest value.
func (v *surfaceView) heat(title string, values []float64) (*plot.Plot, error) {
	largest := 0.0
	for i, x := range values {
		values[i] = bounded(x)
		largest = max(largest, values[i])
	}
	p := v.plot(fmt.Sprintf("%s, up to %.4g Pa", title, largest))
	scale := moreland.ExtendedBlackBody()
	scale.SetMax(1)
	scale.SetMin(0)
	h := plotter.NewHeatMap(field{v, values}, shading.Reverse(scale).Palette(colours))
	h.Min, h.Max = 0, max(largest, math.SmallestNonzeroFloat64)
	p.Add(h)
	square(p)
	return p, nil
}

// tileAspect is the width of a plot's area over its height on the page.
const tileAspect = 1.75

// square widens an axis so that a metre has one length.
func square(p *plot.Plot) {
	w, h := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	if d := (tileAspect*h - w) / 2; d > 0 {
		p.X.Min, p.X.Max = p.X.Min-d, p.X.Max+d
	} else {
		p.Y.Min, p.Y.Max = p.Y.Min+d/tileAspect, p.Y.Max-d/tileAspect
	}
}

// zoneColours are those of the contact states, in their order.
var zoneColours = shades{color.RGBA{245, 245, 245, 255}, color.RGBA{200, 200, 200, 255}, color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}}

type shades []color.Color

// Colors implements palette.Palette.
func (s shades) Colors() []color.Color { return s }

func (v *surfaceView) zones() (*plot.Plot, error) {
	values := make([]float64, len(v.zone))
	counts := incremental.Count(v.zone)
	for i, s := range v.zone {
		values[i] = float64(s)
	}
	touching := counts[incremental.Stick] + counts[incremental.Slip]
	p := v.plot(fmt.Sprintf("Zones: %d of %d patches in contact stick", counts[incremental.Stick], touching))
	h := plotter.NewHeatMap(field{v, values}, zoneColours)
	h.Min, h.Max = 0, float64(len(zoneColours)-1)
	p.Add(h)
	square(p)
	for _, s := range []incremental.ContactState{incremental.Stick, incremental.Slip} {
		p.Legend.Add(s.String(), swatch{zoneColours[s]})
	}
	return p, nil
}

// swatch is a coloured square of a legend.
type swatch struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	c.SetColor(s.Color)
	c.Fill(c.Rectangle.Path())
}

// profile draws the tractions along the middle row.
func (v *surfaceView) profile() (*plot.Plot, error) {
	p := v.plot("Tractions along the middle row")
	p.Y.Label.Text = "traction [Pa]"
	row := v.grid.NY / 2 * v.grid.NX
	for i, c := range []struct {
		name   string
		values []float64
	}{{"friction", v.q}, {"friction bound", v.bound}} {
		var points plotter.XYs
		for k, x := range v.x {
			points = append(points, plotter.XY{X: x, Y: bounded(c.values[row+k])})
		}
		l, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		l.Color, l.Width, dots.Color = palette[i], vg.Points(1.4), palette[i]
		p.Add(l, dots)
		p.Legend.Add(c.name, l)
	}
	return p, nil
}

func (v *surfaceView) plot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, "x [m]", "y [m]"
	p.Title.TextStyle.Font = font.From(plot.DefaultFont, 13)
	p.Title.Padding = vg.Millimeter * 2
	p.Legend.Top = true
	p.Legend.TextStyle.Font = font.From(plot.DefaultFont, 9.5)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = font.From(plot.DefaultFont, 11)
		a.Tick.Label.Font = font.From(plot.DefaultFont, 9.5)
		a.Tick.Marker = even{}
	}
	return p
}
