package meshview

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/report"
)

func (e *Reader) figures() (figures []report.Figure, warnings []string) {
	if e.energies.Rows == 0 {
		return nil, nil
	}
	return report.Draw([]report.Drawing{
		{ID: "forces", Caption: "Contact forces, all nodes together.", Plot: e.resultants, Time: true},
		{ID: "pressure", Caption: "Contact pressure along the surface at five times.", Plot: e.pressure},
		{ID: "map", Caption: "Where and when the contact nodes stick and slip; blank: no contact.", Plot: e.stateMap, Time: true},
		{ID: "energies", Caption: "Where the energy is.", Plot: e.energy, Time: true},
		{ID: "balance", Caption: "What the energy identity (51) of the scheme lacks, and the work of the contact forces, which the theory has vanish as the step shrinks.",
			Plot: e.balance, Time: true},
		{ID: "iterations", Caption: "Iterations of the contact solver, step by step.", Plot: e.iterations, Time: true},
	})
}

// Overview draws contact forces over time, energies, the deformed mesh with its stress,
// and who sticks and slips where and when.
func (e *Reader) Overview(dir, title string) (warnings []string, err error) {
	if e.energies.Rows == 0 {
		return nil, nil
	}
	return report.DrawPicture(dir, "overview", title, e.resultants(), e.energy(), e.deformed(), e.stateMap())
}

func (e *Reader) resultants() *report.Plot {
	if len(e.sums.Spans) == 0 {
		return nil
	}
	p := &report.Plot{Title: "Contact forces", Y: "force [N]"}
	p.Line(e.sums.Points(&e.sums.Channels[0]), "normal", report.Palette[0], report.Solid, 1.3)
	if e.model.Mesh.Dim > 1 {
		p.Line(e.sums.Points(&e.sums.Channels[1]), "friction, along the first tangent", report.Palette[1], report.Solid, 1.3)
	}
	return p
}

// deformed draws the mesh in its last state; of a bar the displacements.
func (e *Reader) deformed() *report.Plot {
	if len(e.shots) == 0 {
		return nil
	}
	m, last := e.model.Mesh, &e.shots[len(e.shots)-1]
	if m.Dim == 1 {
		return e.profile(last.u)
	}
	body := NewView(m, "y").Body(last.u, e.model.StressesAtNodes(last.u))
	return report.MeshPlot(fmt.Sprintf("t = %.4g s", last.t), Stress, report.Pascal, []report.Body{body})
}

// profile draws the displacement along x of the nodes, a line for each body.
func (e *Reader) profile(u []float64) *report.Plot {
	p := &report.Plot{Title: "Displacements at the end", X: "x [m]", Y: "u_x [m]"}
	bodies := e.model.Bodies
	if len(bodies) == 0 {
		bodies = []elastic.Body{{Mesh: e.model.Mesh}}
	}
	for k, b := range bodies {
		var points []report.Point
		for i := range b.Mesh.NumNodes() {
			points = append(points, report.Point{X: b.Mesh.Node(i)[0], Y: u[b.First+i]})
		}
		slices.SortStableFunc(points, func(a, b report.Point) int { return cmp.Compare(a.X, b.X) })
		p.Line(points, b.ID, report.Palette[k%len(report.Palette)], report.Solid, 1.2)
	}
	return p
}

// areas returns what each contact node of a plane body takes of the surface, along
// the order [m]; nil for others.
func (e *Reader) areas() (x, width []float64) {
	n := len(e.order)
	if e.model.Mesh.Dim != 2 || n < 3 {
		return nil, nil
	}
	x = e.places()
	for i := range x {
		width = append(width, (x[min(i+1, n-1)]-x[max(i-1, 0)])/2)
	}
	return x, width
}

// places are those of the contact nodes along x, in their order.
func (e *Reader) places() []float64 {
	x := make([]float64, len(e.order))
	for i, k := range e.order {
		x[i] = e.model.Mesh.Node(e.model.Contacts[k].Node)[0]
	}
	return x
}

// profiles is the number of times at which forces along a surface are drawn.
const profiles = 5

// pressure draws profiles of the contact pressure; the surface is along x.
func (e *Reader) pressure() *report.Plot {
	x, width := e.areas()
	if x == nil || len(e.shots) < 2 || x[len(x)-1] <= x[0] {
		return nil
	}
	p := &report.Plot{Title: "Contact pressure", X: "x [m], undeformed", Y: "pressure [Pa]"}
	last := -1
	for i := range profiles {
		k := (i + 1) * (len(e.shots) - 1) / profiles
		s := &e.shots[k]
		if k == last || s.r == nil {
			continue
		}
		last = k
		var points []report.Point
		for j, c := range e.order {
			if width[j] > 0 {
				points = append(points, report.Point{X: x[j], Y: s.r[2*c] / width[j]})
			}
		}
		p.Line(points, fmt.Sprintf("t = %.3g s", s.t), report.Palette[i], report.Solid, 1.4)
	}
	if len(p.Lines) == 0 {
		return nil
	}
	return p
}

// mostRows bounds the rows of the map of slip states.
const mostRows = 256

// stateMap draws who sticks and slips where and when, along the surface; a bar has no
// tangent.
func (e *Reader) stateMap() *report.Plot {
	if e.model.Mesh.Dim == 1 || e.states.Rows > mostRows {
		return nil
	}
	return e.states.PlotAlong("Stick and slip", "x [m]", e.places())
}

func (e *Reader) energy() *report.Plot {
	return e.energies.Lines("Energies", "energy [J]",
		[]report.Quantity{{Column: "kinetic", Name: "kinetic", Always: true}, {Column: "elastic", Name: "elastic"},
			{Column: "dissipation", Name: "taken by friction"}, {Column: "external", Name: "work of the loads"}})
}

func (e *Reader) balance() *report.Plot {
	x := &e.energies
	size := x.Size("kinetic", "elastic", "dissipation", "external")
	if !(size > 0) {
		return nil
	}
	return x.LogPlot("Energy identity and work of contact", "[J]", size*report.Roundoff, "rounding",
		[]*report.Range{x.Column("drift"), x.Column("contact")}, []string{"identity (51), summed", "work of λ_c"})
}

func (e *Reader) iterations() *report.Plot {
	c := e.certificates.Column("iterations")
	if c == nil || e.certificates.Rows < 2 {
		return nil
	}
	p := &report.Plot{Title: "Iterations", Y: "a step", FromZero: true}
	p.Line(e.certificates.Points(c), "", report.Palette[0], report.Solid, 1.2)
	return p
}
