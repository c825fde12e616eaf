package meshview

import (
	"io"
	"path/filepath"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/table"
)

// picture draws an elastic body. Points: the nodes where they are, moved. Arrays of
// points: displacement 3, from the mesh [m], velocity 3 [m/s], and those of [Contacts],
// whose status is 2 stick, 3 slip at nodes that push, else 0; of cells those of [Solid].
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
// contacts, for each contact [m^(dim−1)]; of one with another body over what it faces.
func contactShares(m *elastic.Model) []float64 {
	share := m.ContactShares(false)
	for i := range m.Meetings {
		if x := &m.Meetings[i]; !x.Tied {
			for k := range x.Nodes {
				share[x.First+k] = x.Nodes[k].Area
			}
		}
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
	Write(d, Solid(p.model.Stresses(u), p.model.Strains(u)))
	d.Close("CellData")
	d.Open("PointData", `Vectors="displacement" Scalars="status"`)
	d.Floats("displacement", move, 3)
	d.Floats("velocity", speed, 3)
	c := p.contacts(rows.T, rows.Last(table.ForcesFile), v)
	Write(d, c.Fields())
	d.Bytes("status", c.Status)
	d.Close("PointData")
}

// contacts are those at a time with reactions r, and velocities v of the nodes.
func (p *picture) contacts(t float64, r, v []float64) *Contacts {
	m := p.model
	all, dim, each := NewContacts(m.Mesh.NumNodes()), m.Mesh.Dim, max(m.Mesh.Dim, 2)
	for k := range m.Contacts {
		c := &m.Contacts[k]
		f := r[each*k : each*k+each]
		all.Set(c.Node, append([][3]float64{c.Frame[dim-1]}, c.Frame[:dim-1]...), f, p.share[k])
		switch {
		case !(f[0] > 0):
		case m.Sticks(k, t, f, v, 1e-9): // the tolerance of the contact problems
			all.Status[c.Node] = 2
		default:
			all.Status[c.Node] = 3
		}
	}
	return all
}

// WriteFinal writes a state with reactions r in a file of its own: its points stay those of the mesh.
func WriteFinal(dir string, m *elastic.Model, t float64, u, v, r []float64) error {
	p := &picture{model: m, share: contactShares(m)}
	nodal := append(StressFields(m.StressesAtNodes(u)), p.contacts(t, r, v).Fields()...)
	return table.WriteWhole(filepath.Join(dir, table.FinalFile), func(f io.Writer) error {
		return fem.WriteVTU(f, m.Mesh, u, nodal, Solid(m.Stresses(u), m.Strains(u)))
	})
}
