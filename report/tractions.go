package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/quasistatic/quasistatic/particles"
)

// mostCells bounds the cells of a map of tractions in the page: each is a polygon.
const mostCells = 2500

// surfaces returns the maps of tractions of the first elastic surface at the last node.
func (r *Run) surfaces() []drawing {
	for _, e := range r.scene.System.Energies() {
		s, ok := e.(*particles.Surface)
		if !ok || len(s.Grid().Particles) > mostCells {
			continue
		}
		v := newSurfaceView(r.psi, &r.node, s.Grid())
		at := fmt.Sprintf(" at t = %.4g s", r.node.T)
		return []drawing{
			{"pressure", "Contact pressure over the surface" + at + ", from white at zero.", v.pressure, false},
			{"traction", "Friction traction over the surface" + at + ", from white at zero.", v.friction, false},
			{"zones", "Where the surface sticks and slips" + at + ".", v.zones, false},
			{"profile", "Friction and what it may be, along the middle row" + at + ".", v.profile, false},
		}
	}
	return nil
}

// profiles is the number of times at which forces along a surface are drawn.
const profiles = 5

// along draws the normal forces of the contact nodes of plane bodies at some times, over
// their places at the start.
func (r *Run) along() (*plot.Plot, error) {
	frames := r.film.frames()
	if r.record.flesh == nil || len(frames) < 2 {
		return nil, nil
	}
	var nodes []int
	first := frames[0].X
	for _, j := range r.shown[:r.marked] {
		if r.scene.System.Constrained(j) && math.Abs(first[3*j+1]-first[3*r.shown[0]+1]) <= 1e-9 {
			nodes = append(nodes, j)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(first[3*a], first[3*b]) })
	if len(nodes) < 3 || len(nodes) < r.touching() {
		return nil, nil // not a plane body
	}
	p := r.record.panel("Normal forces along the surface", "force of a node [N]")
	p.X.Label.Text = "x at the start [m]"
	last := -1
	for i := range profiles {
		k := (i + 1) * (len(frames) - 1) / profiles
		if k == last {
			continue
		}
		last = k
		var points plotter.XYs
		for _, j := range nodes {
			points = append(points, plotter.XY{X: first[3*j], Y: bounded(frames[k].Force[3*j])})
		}
		p.curve(points, fmt.Sprintf("t = %.3g s", frames[k].T), palette[i], nil, 1.4)
	}
	p.legend(profiles)
	return p.done()
}

// touching returns the number of particles shown that may touch.
func (r *Run) touching() int {
	n := 0
	for _, j := range r.shown[:r.marked] {
		if r.scene.System.Constrained(j) {
			n++
		}
	}
	return n
}
