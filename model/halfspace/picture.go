package halfspace

import (
	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/table"
)

// picture draws the surface: an element is a rectangle in the plane z = 0. Arrays of cells:
//
//	pressure  1  [Pa]
//	traction  3  along the surface, on the upper body [Pa]
//	slip      3  of the step, upper relative to lower body [m]
//	gap       1  [m]
//	bound     1  of friction [Pa]
//	status    1  0 open, 2 stick, 3 slip
type picture struct {
	c      *Case
	points []float64
	cells  table.Cells
}

// newPicture shows the window of a case.
func newPicture(c *Case, g halfspace.Grid) table.Picture {
	p := &picture{c: c}
	for j := range g.NY + 1 {
		for i := range g.NX + 1 {
			p.points = append(p.points, g.X0+(float64(i)-0.5)*g.DX, g.Y0+(float64(j)-0.5)*g.DY, 0)
		}
	}
	for k := range g.Len() {
		a := k%g.NX + k/g.NX*(g.NX+1)
		p.cells.Add(table.VTKPolygon, a, a+1, a+g.NX+2, a+g.NX+1)
	}
	return p
}

// Draw implements [table.Picture].
func (p *picture) Draw(d *table.Document, rows *table.Moment) {
	v := rows.Last(table.ElementsFile)
	n := len(p.cells.Types)
	pressure, traction, slip, gap := make([]float64, n), make([]float64, 3*n), make([]float64, 3*n), make([]float64, n)
	bound, status := make([]float64, n), make([]byte, n)
	for k := range n {
		e := v[len(parts)*k:]
		pressure[k], gap[k], bound[k], status[k] = e[0], e[gapPart], p.c.bound(e[0]), p.c.zone(v, k)
		traction[3*k], traction[3*k+1] = e[1], e[2]
		slip[3*k], slip[3*k+1] = e[3], e[4]
	}
	d.Piece(p.points, &p.cells)
	d.Open("CellData", `Scalars="pressure" Vectors="traction"`)
	d.Floats("pressure", pressure, 1)
	d.Floats("traction", traction, 3)
	d.Floats("slip", slip, 3)
	d.Floats("gap", gap, 1)
	d.Floats("bound", bound, 1)
	d.Bytes("status", status)
	d.Close("CellData")
}
