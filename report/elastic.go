package report

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/quasistatic/quasistatic/fem"
)

// Overview writes overview.svg and overview.png: contact forces over time, energies, the
// deformed mesh with its stress, and who sticks and slips where and when.
func (e *ElasticRun) Overview(ctx context.Context, dir, title string) error {
	if _, err := e.Read(ctx); err != nil {
		return err
	}
	return drawPage(dir, "overview", title, e.resultants, e.energy, e.deformed, e.stateMap)
}

// deformed draws the mesh in its last state; of a bar the displacements.
func (e *ElasticRun) deformed() (*plot.Plot, error) {
	if len(e.shots) == 0 {
		return nil, nil
	}
	last := &e.shots[len(e.shots)-1]
	m, p := e.model.Mesh, e.energies.panel("", "")
	if m.Dim == 1 {
		return e.profile(p, last.u)
	}
	return meshPanel(p, fmt.Sprintf("t = %.4g s", last.t), []stressed{{newMeshView(m), last.u, fem.Stresses(m, e.model.Material, last.u)}})
}

// profile draws the displacement along x of the nodes.
func (e *ElasticRun) profile(p *panel, u []float64) (*plot.Plot, error) {
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Displacements at the end", "x [m]", "u_x [m]"
	m := e.model.Mesh
	var points plotter.XYs
	for i := range m.NumNodes() {
		points = append(points, plotter.XY{X: m.Node(i)[0], Y: bounded(u[m.Dim*i])})
	}
	slices.SortStableFunc(points, func(a, b plotter.XY) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	p.curve(points, "", palette[0], nil, 1.2)
	return p.done()
}

// surfaceMap draws a map whose rows lie at x; those of one place, or of a surface that
// is not along x, are numbered.
func surfaceMap(p *panel, m *stateMap, x []float64) (*plot.Plot, error) {
	edges := []float64{x[0]}
	for i := range x[1:] {
		if x[i+1] <= x[i] {
			edges = nil
			break
		}
		edges = append(edges, (x[i]+x[i+1])/2)
	}
	if len(x) > 1 && edges != nil {
		return m.plot(p, append(edges, x[len(x)-1]), nil)
	}
	p.Y.Label.Text = "contact node"
	names := make([]string, len(x))
	for i := range names {
		if i%((len(names)+11)/12) == 0 {
			names[i] = fmt.Sprint(i + 1)
		}
	}
	edges, ticks := namedRows(names)
	return m.plot(p, edges, ticks)
}
