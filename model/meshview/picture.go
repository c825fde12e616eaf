package meshview

import (
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/table"
)

// picture draws an elastic body. Points: the nodes where they are, moved. Arrays of
// points:
//
//	displacement    3  from the mesh [m]
//	velocity        3  [m/s]
//	contact_force   3  normal reaction of the obstacle, global [N]
//	friction_force  3  tangential reaction, global [N]
//	pressure        1  normal reaction over the share of the node in the contact facets
//	                   [Pa]; of axisymmetric bodies over that of the ring; 0 elsewhere
//	status          1  2 stick, 3 slip at nodes that push, else 0
//
// and of cells: stress 6, xx, yy, zz, xy, yz, zx [Pa].
type picture struct {
	model *elastic.Model
	share []float64 // of the contact facets, at each contact [m^(dim−1)]
	cells table.Cells
}

// NewPicture shows the mesh of a model.
func NewPicture(m *elastic.Model) table.Picture {
	p := &picture{model: m, share: contactShares(m)}
	for k := range m.Mesh.NumElems() {
		p.cells.Add(m.Mesh.Cell(), m.Mesh.NodesOf(k)...)
	}
	return p
}

// contactShares returns ∫φ over the facets of the boundary whose nodes are all
// contacts, for each contact [m^(dim−1)].
func contactShares(m *elastic.Model) []float64 {
	at := map[int]bool{}
	for i := range m.Contacts {
		at[m.Contacts[i].Node] = true
	}
	load := m.Mesh.SurfaceShares(m.Material, at)
	share := make([]float64, len(m.Contacts))
	for i := range share {
		share[i] = load[m.Contacts[i].Node]
	}
	return share
}

// Draw implements [table.Picture].
func (p *picture) Draw(d *table.Document, rows *table.Moment) {
	m := p.model.Mesh
	u, v := rows.Last(table.DisplacementsFile), rows.Last(table.VelocitiesFile)
	n := m.NumNodes()
	at, move, speed := make([]float64, 3*n), make([]float64, 3*n), make([]float64, 3*n)
	for i := range n {
		for c := range m.Dim {
			k := m.Dim*i + c
			at[3*i+c], move[3*i+c], speed[3*i+c] = m.X[k]+u[k], u[k], v[k]
		}
	}
	d.Piece(at, &p.cells)
	d.Open("CellData", `Tensors="stress"`)
	var stress []float64
	for _, s := range p.model.Stresses(u) {
		stress = append(stress, s[:]...)
	}
	d.Floats("stress", stress, 6)
	d.Close("CellData")
	d.Open("PointData", `Vectors="displacement" Scalars="status"`)
	d.Floats("displacement", move, 3)
	d.Floats("velocity", speed, 3)
	p.forces(d, rows.T, rows.Last(table.ForcesFile), v)
	d.Close("PointData")
}

// forces writes the arrays of the contacts at a time, with velocities of the nodes.
func (p *picture) forces(d *table.Document, t float64, r, v []float64) {
	m := p.model.Mesh
	n, dim, each := m.NumNodes(), m.Dim, max(m.Dim, 2)
	normal, across, pressure, status := make([]float64, 3*n), make([]float64, 3*n), make([]float64, n), make([]byte, n)
	for k := range p.model.Contacts {
		c := &p.model.Contacts[k]
		f := r[each*k : each*k+each]
		for a := range dim {
			normal[3*c.Node+a] = f[0] * c.Frame[dim-1][a]
			for i := range dim - 1 {
				across[3*c.Node+a] += f[1+i] * c.Frame[i][a]
			}
		}
		if p.share[k] > 0 {
			pressure[c.Node] = f[0] / p.share[k]
		}
		switch {
		case !(f[0] > 0):
		case p.model.Sticks(k, t, f, v, 1e-9): // the tolerance of the contact problems
			status[c.Node] = 2
		default:
			status[c.Node] = 3
		}
	}
	d.Floats("contact_force", normal, 3)
	d.Floats("friction_force", across, 3)
	d.Floats("pressure", pressure, 1)
	d.Bytes("status", status)
}
