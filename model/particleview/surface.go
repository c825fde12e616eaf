package particleview

import (
	"fmt"
	"image/color"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/report"
)

// drawSurfaces writes surface.svg and surface.png into a folder for the elastic
// surfaces of a system at a node (surface-2, … for further ones): pressure,
// friction traction, the zones of stick and slip, and both tractions along the
// middle row. It writes nothing for a system without one.
func drawSurfaces(dir, title string, psi *dissipation.Coulomb, n *energetic.Node) (warnings []string, err error) {
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
		more, err := report.DrawPicture(dir, name, fmt.Sprintf("%s, t = %.6g s", title, n.T), v.pressure(),
			v.friction(), v.zones(), v.profile())
		warnings = append(warnings, more...)
		if err != nil {
			return warnings, err
		}
	}
	return warnings, nil
}

// mostCells bounds the cells of a map of tractions in the page: each is a polygon.
const mostCells = 2500

// surfaces returns the maps of tractions of the first elastic surface at the last node.
func (r *Reader) surfaces() []report.Drawing {
	for _, e := range r.scene.System.Energies() {
		s, ok := e.(*particles.Surface)
		if !ok || len(s.Grid().Particles) > mostCells {
			continue
		}
		v := newSurfaceView(r.psi, &r.node, s.Grid())
		at := fmt.Sprintf(" at t = %.4g s", r.node.T)
		return []report.Drawing{
			{ID: "pressure", Caption: "Contact pressure over the surface" + at + ", from pale at zero.", Plot: v.pressure},
			{ID: "traction", Caption: "Friction traction over the surface" + at + ", from pale at zero.", Plot: v.friction},
			{ID: "zones", Caption: "Where the surface sticks and slips" + at + ".", Plot: v.zones},
			{ID: "profile", Caption: "Friction and what it may be, along the middle row" + at + ".", Plot: v.profile},
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
		state, c := n.States[j], touch{}
		if state != incremental.Free {
			c = touchOf(psi, n.T, j, n.Z, Reaction(n, j))
		}
		p, q, b := c.normal, c.size(), c.bound
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

func (v *surfaceView) pressure() *report.Plot { return v.heat("Pressure", v.p) }
func (v *surfaceView) friction() *report.Plot { return v.heat("Friction traction", v.q) }

// heat draws a map from white at zero to dark at the largest value; nil for a row of cells.
func (v *surfaceView) heat(title string, values []float64) *report.Plot {
	h := &report.Heat{X: v.x, Y: v.y, Values: values}
	return v.plot(fmt.Sprintf("%s, up to %.4g Pa", title, h.Largest()), h)
}

// plot draws a map; nil for a single row of cells.
func (v *surfaceView) plot(title string, h *report.Heat) *report.Plot {
	if len(v.x) < 2 || len(v.y) < 2 {
		return nil
	}
	return &report.Plot{Title: title, X: "x [m]", Y: "y [m]", Map: h, Alike: true, Bare: true}
}

// zoneColours are those of the contact states, in their order.
var zoneColours = []color.Color{color.RGBA{245, 245, 245, 255}, color.RGBA{200, 200, 200, 255},
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}}

func (v *surfaceView) zones() *report.Plot {
	h := &report.Heat{X: v.x, Y: v.y}
	for s, c := range zoneColours {
		k := report.Kind{Color: c}
		if state := incremental.ContactState(s); state == incremental.Stick || state == incremental.Slip {
			k.Name = state.String()
		}
		h.Kinds = append(h.Kinds, k)
	}
	for _, s := range v.zone {
		h.Values = append(h.Values, float64(s))
	}
	counts := incremental.Count(v.zone)
	return v.plot(fmt.Sprintf("Zones: %d of %d patches in contact stick", counts[incremental.Stick],
		counts[incremental.Stick]+counts[incremental.Slip]), h)
}

// profile draws the tractions along the middle row.
func (v *surfaceView) profile() *report.Plot {
	p := &report.Plot{Title: "Tractions along the middle row", X: "x [m]", Y: "traction [Pa]"}
	row := v.grid.NY / 2 * v.grid.NX
	for i, c := range []struct {
		name   string
		values []float64
	}{{"friction", v.q}, {"friction bound", v.bound}} {
		var points []report.Point
		for k, x := range v.x {
			points = append(points, report.Point{X: x, Y: c.values[row+k]})
		}
		p.Lines = append(p.Lines, report.Line{Name: c.name, Points: points, Color: report.Palette[i], Width: 1.4, Dots: true})
	}
	return p
}
