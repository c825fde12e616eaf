package particleview

import (
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/table"
)

// picture draws the particles, then the anchors, as points; a vertex for each particle,
// a line for each link and the elements of bodies as cells. Arrays of points:
//
//	displacement    3  from the first node [m]
//	contact_force   3  normal force of the obstacle, global [N]
//	friction_force  3  tangential force of the obstacle, global [N]
//	reaction        3  n, tx, ty in the particle's own frame [N], as in forces.csv
//	status          1  0 free, 1 grazing, 2 stick, 3 slip; anchors 0
//	anchor          1  1 for anchors
//
// and of cells: kind, 0 particle, 1 tether, 2 spring, 3 bond, 4 element; and where there are elements
// stress 6, xx, yy, zz, xy, yz, zx, in the axes of the points, 0 for other cells [Pa]; where bodies yield
// plastic_strain 1, the equivalent one ∫√⅔|ε̇_p|.
type picture struct {
	scene  *Scene
	system *particles.System // in force, see Scene
	t      float64           // of the row before …
	before []float64         // … and its places
	start  []float64
	bodies []*body.Body // with what they remember of the row before
}

// followingPicture is that of bodies that remember something, or meet others along what is found anew.
type followingPicture struct{ picture }

var _ table.Follower = (*followingPicture)(nil)

// Follow implements [table.Follower].
func (p *followingPicture) Follow(t float64, row []float64) {
	p.relinearise(t, row, false)
	for _, b := range p.bodies {
		p.remember(b, t, row)
	}
}

// relinearise goes on with the frames in force from a row on.
func (p *picture) relinearise(t float64, row []float64, first bool) {
	if make := p.scene.Relinearise; make != nil && !first && t == p.t {
		if psi, err := make(t, p.before); err == nil { // as it was in the run
			p.system = psi.System
		}
	}
	p.t, p.before = t, append(p.before[:0], row...)
}

// remember takes a body to a row.
func (*picture) remember(b *body.Body, t float64, row []float64) {
	if b.Own() != nil {
		b.Recall(b.Variables(nil, t, row))
	}
}

// Draw implements [table.Picture].
func (p *picture) Draw(d *table.Document, rows *table.Moment) {
	s := p.scene
	force := rows.Last(table.ForcesFile)
	points := s.anchorsAt(append([]float64(nil), rows.Last(table.TrajectoryFile)...), rows.T)
	if rows.First {
		p.start = append(p.start[:0], points...)
		p.bodies, p.system = Bodies(p.scene.System.Own()), p.scene.System
	}
	p.relinearise(rows.T, points[:3*len(s.IDs)], rows.First)
	nj, np := len(s.IDs), len(points)/3
	move, contact, friction, reaction := make([]float64, 3*np), make([]float64, 3*np), make([]float64, 3*np), make([]float64, 3*np)
	for i := range points {
		move[i] = points[i] - p.start[i]
	}
	copy(reaction, force)
	status, anchor := make([]byte, np), make([]byte, np)
	copy(status, rows.States)
	for i := nj; i < np; i++ {
		anchor[i] = 1
	}
	var c table.Cells
	var kinds []byte
	for j := range nj {
		n, f := globalForce(force[3*j:3*j+3], p.system.Frame(j))
		copy(contact[3*j:], n[:])
		copy(friction[3*j:], f[:])
		c.Add(table.VTKVertex, j)
		kinds = append(kinds, byte(Vertex))
	}
	for _, l := range s.Links {
		c.Add(table.VTKLine, l.A, l.B)
		kinds = append(kinds, byte(l.Kind))
	}
	var stress, strain []float64
	for _, b := range p.bodies {
		m, nodes := b.Mesh(), []int(nil)
		stress = append(stress, make([]float64, 6*len(kinds)-len(stress))...)
		for k, t := range b.Stresses(rows.T, points[:3*nj]) {
			nodes = nodes[:0]
			for _, i := range m.NodesOf(k) {
				nodes = append(nodes, b.First()+i)
			}
			if m.Dim == 2 { // its y axis is that of z here
				t = fem.Tensor{t[0], t[2], t[1], t[5], t[4], t[3]}
			}
			c.Add(m.Cell(), nodes...)
			kinds, stress = append(kinds, byte(Element)), append(stress, t[:]...)
		}
		if list := b.PlasticStrains(rows.T, points[:3*nj]); list != nil {
			strain = append(append(strain, make([]float64, len(kinds)-len(list)-len(strain))...), list...)
		}
		p.remember(b, rows.T, points[:3*nj])
	}
	d.Piece(points, &c)
	d.Open("CellData", `Scalars="kind"`)
	d.Bytes("kind", kinds)
	if stress != nil {
		d.Floats("stress", stress, 6)
	}
	if strain != nil {
		d.Floats("plastic_strain", append(strain, make([]float64, len(kinds)-len(strain))...), 1)
	}
	d.Close("CellData")
	d.Open("PointData", `Vectors="displacement" Scalars="status"`)
	d.Floats("displacement", move, 3)
	d.Floats("contact_force", contact, 3)
	d.Floats("friction_force", friction, 3)
	d.Floats("reaction", reaction, 3)
	d.Bytes("status", status)
	d.Bytes("anchor", anchor)
	d.Close("PointData")
}
