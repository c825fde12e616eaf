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

// energies is a row of energies.csv [J].
type energies struct {
	Elastic     float64 `column:"elastic"`
	Dissipation float64 `column:"dissipation"` // taken by friction
	External    float64 `column:"external"`    // work of the loads
	Residual    float64 `column:"residual"`    // what the balance lacks
}

// parts are the columns of an element: traction along the normal, x, y [Pa], slip of the
// step along x, y and gap [m].
var parts = []string{"n", "x", "y", "slip_x", "slip_y", "gap"}

// gapPart is the place of the gap in them.
const gapPart = 5

// layout lists the tables of a run.
func layout(n int, steady bool) *table.Layout {
	var columns []string
	for k := range n {
		for _, c := range parts {
			columns = append(columns, fmt.Sprintf("%d.%s", k, c))
		}
	}
	var creepages map[string]string
	if steady {
		creepages = map[string]string{"x": "1", "y": "1", "turn_n": "rad/m"}
	}
	return &table.Layout{Sheets: []table.Sheet{
		{File: table.TrajectoryFile, Columns: moves, Units: creepages}, {File: table.ForcesFile, Columns: loads},
		{File: table.EnergiesFile, Columns: table.ColumnsOf[energies](), Stays: true},
		{File: table.CertificatesFile, Columns: table.ColumnsOf[node](), Stays: true},
		{File: table.ElementsFile, Columns: columns, Of: "element", Times: table.ShotTimes},
		{File: table.EventsFile, Words: []string{"element", "from", "to"}, Columns: []string{"within"},
			Times: table.SomeRows, Stays: true}}}
}

const (
	// mostShots is the number of times at which all elements are written, fewer of large
	// windows: shotValues bounds the numbers in the file, unless one time has more.
	mostShots  = 120
	shotValues = 2_000_000
)

// due reports whether the elements are written after step k: about equally far apart, where
// the other tables have rows, the last step in any case.
func (c *Case) due(k int) bool {
	shots := max(1, min(mostShots, shotValues/(len(parts)*c.Operator.Grid().Len())))
	pause, every := max(1, (c.plan.Steps+shots-1)/shots), max(1, c.plan.Every)
	pause = (pause + every - 1) / every * every
	return k == c.plan.Steps || shots > 1 && k%pause == 0
}

// Row writes row k and takes it into the totals.
func (r *Run) Row(k int, out *run.Output) error {
	r.count(k)
	r.tell(out)
	t, e := r.t, r.e.Result()
	if r.c.due(k) {
		if err := r.stress(out); err != nil {
			return err
		}
		at := r.row[:0]
		for i := range e.Bound {
			at = append(at, e.P[halfspace.N][i], e.P[halfspace.X][i], e.P[halfspace.Y][i], e.Y[halfspace.X][i],
				e.Y[halfspace.Y][i], e.Y[halfspace.N][i])
		}
		r.row = at
		if err := out.Write(table.ElementsFile, t, nil, at...); err != nil {
			return err
		}
	}
	move, l := r.moves(), r.e.Ledger()
	load := r.loads()
	return out.Row(k, t, move[:], load[:], table.ValuesOf(&energies{l.Stored, l.Dissipated, l.Work, l.Residual}), table.ValuesOf(&r.node))
}

// tell says when the surfaces touch, stick and slide as a whole.
func (r *Run) tell(out *run.Output) {
	state := "partial"
	switch v := &r.node; {
	case v.Contacts == 0:
		state = "open"
	case !r.c.frictional():
		state = table.TouchWord
	case v.Sticking == v.Contacts:
		state = "stick"
	case v.Sticking == 0:
		state = "slip"
	}
	out.State(run.Event{T: r.t, Name: "the surface", To: state})
}

// stress writes the row of stress.csv.
func (r *Run) stress(out *run.Output) (err error) {
	x := r.c.probe
	if x == nil {
		return nil
	}
	if r.row, err = x.row(r.row[:0], r.e.Result().P); err != nil {
		return err
	}
	best := x.peak(r.row)
	r.sum.MisesNow = best.Mises
	if best.Mises > r.sum.Mises || r.sum.MisesAt == nil {
		r.sum.Mises, r.sum.MisesAt = best.Mises, &[3]float64{best.X, best.Y, best.Z}
	}
	return out.Write(table.StressFile, r.t, nil, r.row...)
}

// writePlanes writes the stress on the planes at the end, one file each.
func (r *Run) writePlanes(dir string) error {
	if r.c.probe == nil {
		return nil
	}
	for i := range r.c.probe.planes {
		l, err := r.c.probe.plane(i)
		if err != nil {
			return err
		}
		plane, err := l.Stress(r.e.Result().P)
		if err != nil {
			return err
		}
		names := components
		fields := make([][]float64, len(names))
		for _, s := range plane {
			for c, v := range s {
				fields[c] = append(fields[c], v)
			}
			fields[len(s)] = append(fields[len(s)], s.Mises())
		}
		if err := r.write(dir, fmt.Sprintf("final.%d.vtu", i+1), names, fields); err != nil {
			return err
		}
	}
	return nil
}

// writeSurface writes the last state: the elements as triangles, two each.
func (r *Run) writeSurface(dir string) error {
	e := r.e.Result()
	return r.write(dir, table.FinalFile, []string{"pressure", "traction_x", "traction_y", "slip_x", "slip_y", "gap", "bound"},
		[][]float64{e.P[halfspace.N], e.P[halfspace.X], e.P[halfspace.Y], e.Y[halfspace.X], e.Y[halfspace.Y], e.Y[halfspace.N], e.Bound})
}

// write leaves values of the elements.
func (r *Run) write(dir, file string, names []string, values [][]float64) error {
	g := r.c.Operator.Grid()
	m := &fem.Mesh{Dim: 2}
	for j := range g.NY + 1 {
		for i := range g.NX + 1 {
			m.X = append(m.X, g.X0+(float64(i)-0.5)*g.DX, g.Y0+(float64(j)-0.5)*g.DY)
		}
	}
	cells := make([]fem.Field, len(names))
	for i, name := range names {
		cells[i] = fem.Field{Name: name, Components: 1}
	}
	for k := range g.Len() {
		a := k%g.NX + k/g.NX*(g.NX+1)
		b, c, d := a+1, a+g.NX+2, a+g.NX+1
		m.Elem = append(m.Elem, a, b, c, a, c, d)
		for i := range cells {
			cells[i].Values = append(cells[i].Values, values[i][k], values[i][k])
		}
	}
	return table.WriteWhole(filepath.Join(dir, file), func(f io.Writer) error { return fem.WriteVTU(f, m, nil, nil, cells) })
}
