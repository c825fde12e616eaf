package particleview

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/table"
)

// picture draws the particles, then the anchors, as points; a vertex for each particle,
// a line for each link and the elements of bodies as cells. Arrays of points:
//
//	displacement    3  from the first node [m]
//	reaction        3  n, tx, ty in the particle's own frame [N], as in forces.csv
//	status          1  0 free, 1 grazing, 2 stick, 3 slip; anchors 0
//	anchor          1  1 for anchors
//
// and those of [meshview.Contacts]; of cells kind, 0 particle, 1 tether, 2 spring, 3 bond, 4 element; where there are
// elements those of [meshview.Solid], in the axes of the points, 0 for other cells; where bodies yield plastic_strain
// 1, the equivalent one ∫√⅔|ε̇_p|; where a bound of the error of the meshes is known error_indicator 1, the part of
// the element in it [J], NaN at times at which there is none.
type picture struct {
	scene    *Scene
	system   *particles.System // in force, see Scene …
	areas    []float64         // … with its areas
	t        float64           // of the row before …
	before   []float64         // … and its places
	start    []float64
	bodies   []*body.Body // with what they remember of the row before
	indicate Indicator    // nil: no bound is known
}

// followingPicture is that of bodies: they may remember something, or meet others along what is found anew, and bounds
// of the error of their meshes are those of a step.
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
		if psi, areas, err := make(t, p.before); err == nil { // as it was in the run
			p.system, p.areas = psi.System, areas
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
	nj, np := len(s.IDs), len(points)/3
	at, before := points[:3*nj], slices.Clone(p.before)
	if rows.First {
		p.start, before = append(p.start[:0], points...), slices.Clone(at)
		p.bodies, p.system, p.areas, p.indicate = Bodies(s.System.Own()), s.System, s.Areas, nil
		if s.Indicator != nil {
			p.indicate = s.Indicator()
		}
	}
	p.relinearise(rows.T, at, rows.First)
	move, reaction, z := make([]float64, 3*np), make([]float64, 3*np), make([]float64, 3*nj)
	for i := range points {
		move[i] = points[i] - p.start[i]
	}
	copy(reaction, force)
	ToLocal(rows.T, z, p.system, at)
	contacts := s.contacts(p.system, p.areas, np, rows.T, z, force)
	anchor := make([]byte, np)
	copy(contacts.Status, rows.States)
	for i := nj; i < np; i++ {
		anchor[i] = 1
	}
	var c table.Cells
	var kinds []byte
	for j := range nj {
		c.Add(table.VTKVertex, j)
		kinds = append(kinds, byte(Vertex))
	}
	for _, l := range s.Links {
		c.Add(table.VTKLine, l.A, l.B)
		kinds = append(kinds, byte(l.Kind))
	}
	var arrays []fem.Field
	parts := p.parts(rows, before, z, force)
	for k, b := range p.bodies {
		arrays = join(arrays, len(kinds), solid(b, rows.T, at, part(parts, k), true))
		m, nodes := b.Mesh(), []int(nil)
		for k := range m.NumElems() {
			nodes = nodes[:0]
			for _, i := range m.NodesOf(k) {
				nodes = append(nodes, b.First()+i)
			}
			c.Add(m.Cell(), nodes...)
			kinds = append(kinds, byte(Element))
		}
		p.remember(b, rows.T, at)
	}
	d.Piece(points, &c)
	d.Open("CellData", `Scalars="kind"`)
	d.Bytes("kind", kinds)
	meshview.Write(d, join(arrays, len(kinds), nil))
	d.Close("CellData")
	d.Open("PointData", `Vectors="displacement" Scalars="status"`)
	d.Floats("displacement", move, 3)
	meshview.Write(d, contacts.Fields())
	d.Floats("reaction", reaction, 3)
	d.Bytes("status", contacts.Status)
	d.Bytes("anchor", anchor)
	d.Close("PointData")
}

// parts are those of the elements of the bodies in the bound of a row, NaN where it is not known; nil: none ever is.
func (p *picture) parts(rows *table.Moment, before, z, force []float64) (list [][]float64) {
	if p.indicate == nil {
		return nil
	}
	zBefore, states := make([]float64, len(z)), make([]incremental.ContactState, len(p.scene.IDs))
	ToLocal(p.t, zBefore, p.system, before)
	for j := range states {
		states[j] = incremental.ContactState(rows.States[j])
	}
	if list = p.indicate(rows.T, zBefore, z, force, states); list == nil {
		for _, b := range p.bodies {
			list = append(list, slices.Repeat([]float64{math.NaN()}, b.Mesh().NumElems()))
		}
	}
	return list
}

// part is that of body k; nil: there is none.
func part(parts [][]float64, k int) []float64 {
	if parts == nil {
		return nil
	}
	return parts[k]
}

// solid are the arrays of the elements of a body, with their parts of a bound, nil for none; upright in the axes of the
// particles, of which z is y of a plane mesh.
func solid(b *body.Body, t float64, x, parts []float64, upright bool) []fem.Field {
	stress, strain := b.Stresses(t, x), b.Strains(t, x)
	if upright && b.Mesh().Dim == 2 {
		for _, list := range [][]fem.Tensor{stress, strain} {
			for k, s := range list {
				list[k] = fem.Tensor{s[0], s[2], s[1], s[5], s[4], s[3]}
			}
		}
	}
	arrays := meshview.Solid(stress, strain)
	if list := b.PlasticStrains(t, x); list != nil {
		arrays = append(arrays, fem.Field{Name: "plastic_strain", Components: 1, Values: list})
	}
	if parts != nil {
		arrays = append(arrays, fem.Field{Name: "error_indicator", Components: 1, Values: parts})
	}
	return arrays
}

// join appends arrays of the cells from a number on to those of the cells before, of which what they lack is 0.
func join(arrays []fem.Field, cells int, more []fem.Field) []fem.Field {
	for _, f := range more {
		if !slices.ContainsFunc(arrays, func(g fem.Field) bool { return g.Name == f.Name }) {
			arrays = append(arrays, fem.Field{Name: f.Name, Components: f.Components})
		}
	}
	for k := range arrays {
		f := &arrays[k]
		f.Values = append(f.Values, make([]float64, cells*f.Components-len(f.Values))...)
		for _, g := range more {
			if g.Name == f.Name {
				f.Values = append(f.Values, g.Values...)
			}
		}
	}
	return arrays
}
