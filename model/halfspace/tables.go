package halfspace

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// moves are the columns of trajectory.csv, how the upper body has moved: along x, y and
// the normal (less the approach), turned about x, y and the normal; in steady rolling x, y
// and turn_n are creepages. forces.csv has the loads on it.
var (
	moves = []string{"x", "y", "n", "turn_x", "turn_y", "turn_n"}
	loads = []string{"x", "y", "n", "moment_x", "moment_y", "moment_n"}
)

// energies: stored, taken by friction, work of the loads, and what the balance lacks [J].
var energies = []string{"elastic", "dissipation", "external", "residual"}

// certificates of a step: duality gap beside its elastic energy, deepest penetration [m],
// miss of the prescribed loads, relative; products with the operator, elements in contact
// and sticking, area [m²], largest pressure and traction along the surface [Pa].
var certificates = []string{"gap", "penetration", "missed", "products", "contacts", "sticking", "area", "pressure", "traction"}

// parts are the columns of an element: traction along the normal, x, y [Pa], slip of the
// step along x, y and gap [m].
var parts = []string{"n", "x", "y", "slip_x", "slip_y", "gap"}

// gapPart is the place of the gap in them.
const gapPart = 5

// layout lists the tables of a run.
func layout(n int) *table.Layout {
	var columns []string
	for k := range n {
		for _, c := range parts {
			columns = append(columns, fmt.Sprintf("%d.%s", k, c))
		}
	}
	return &table.Layout{Sheets: []table.Sheet{
		{File: table.TrajectoryFile, Columns: moves}, {File: table.ForcesFile, Columns: loads},
		{File: table.EnergiesFile, Columns: energies, Stays: true}, {File: table.CertificatesFile, Columns: certificates, Stays: true},
		{File: table.ElementsFile, Columns: columns, Of: "element", Times: table.ShotTimes},
		{File: table.EventsFile, Words: []string{"element", "from", "to"}, Times: table.SomeRows, Stays: true}}}
}

const (
	// mostShots is the number of times at which all elements are written, fewer of large
	// windows: shotValues bounds the numbers in the file, unless one time has more.
	mostShots  = 120
	shotValues = 2_000_000
)

// due reports whether the elements are written after step k: about equally far apart,
// the last step in any case.
func (c *Case) due(k int) bool {
	shots := max(1, min(mostShots, shotValues/(len(parts)*c.Operator.Grid().Len())))
	pause := max(1, (c.plan.Steps+shots-1)/shots)
	return k == c.plan.Steps || shots > 1 && k%pause == 0
}

// Row writes row k and takes it into the totals.
func (r *Run) Row(k int, out *run.Output) error {
	r.count(k)
	t, e := r.t, r.e.Result()
	if r.c.due(k) {
		at := r.row[:0]
		for i := range e.Bound {
			at = append(at, e.P[halfspace.N][i], e.P[halfspace.X][i], e.P[halfspace.Y][i], e.Y[halfspace.X][i], e.Y[halfspace.Y][i], e.Y[halfspace.N][i])
		}
		r.row = at
		if err := out.Write(table.ElementsFile, t, nil, at...); err != nil {
			return err
		}
	}
	move, l := r.moves(), r.e.Ledger()
	load := r.loads()
	v := &r.node
	return out.Row(k, t, move[:], load[:], []float64{l.Stored, l.Dissipated, l.Work, l.Residual},
		[]float64{v.Gap, v.Penetration, v.Missed, float64(v.Products), float64(v.Contacts), float64(v.Sticking), v.Area, v.Pressure, v.Traction})
}

// writeSurface writes the last state: the elements as triangles, two each.
func (r *Run) writeSurface(dir string) error {
	g, e := r.c.Operator.Grid(), r.e.Result()
	m := &fem.Mesh{Dim: 2}
	for j := range g.NY + 1 {
		for i := range g.NX + 1 {
			m.X = append(m.X, g.X0+(float64(i)-0.5)*g.DX, g.Y0+(float64(j)-0.5)*g.DY)
		}
	}
	names := []string{"pressure", "traction_x", "traction_y", "slip_x", "slip_y", "gap", "bound"}
	cells := make([]fem.Field, len(names))
	for i, name := range names {
		cells[i] = fem.Field{Name: name, Components: 1}
	}
	for k := range g.Len() {
		a := k%g.NX + k/g.NX*(g.NX+1)
		b, c, d := a+1, a+g.NX+2, a+g.NX+1
		m.Elem = append(m.Elem, a, b, c, a, c, d)
		for i, v := range []float64{e.P[halfspace.N][k], e.P[halfspace.X][k], e.P[halfspace.Y][k], e.Y[halfspace.X][k], e.Y[halfspace.Y][k], e.Y[halfspace.N][k], e.Bound[k]} {
			cells[i].Values = append(cells[i].Values, v, v)
		}
	}
	return table.WriteAtomic(filepath.Join(dir, table.FinalFile), func(f io.Writer) error { return fem.WriteVTU(f, m, nil, nil, cells) })
}
