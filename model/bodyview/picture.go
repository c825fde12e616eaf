package bodyview

import (
	"math"
	"slices"
	"sync"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/table"
)

// Cells of rigid bodies in VTU files, beside those of particles and links.
const (
	cellCentre  = 0
	cellSpring  = 2
	cellJoint   = 4 // from a joint to the centres of its bodies, or a rod
	cellSurface = 5 // polygons of bodies in the plane, triangles in space
	cellContact = 6 // a contact that carries a force
)

// picture draws rigid bodies. Points: the centres, those of the surfaces, the ends
// of joints and springs, the contacts. Arrays of points:
//
//	displacement    3  from the start, of points that move with a body [m]
//	velocity        3  of the same points [m/s]
//	body            1  number in the case; −1: none, of contacts the first body
//	contact_force   3  normal force on the first body, at contacts [N]
//	friction_force  3  force across the normal on it, at contacts [N]
//	status          1  2 stick, 3 slip at contacts, else 0
//
// and of cells: kind, 0 centre, 2 spring, 4 joint, 5 surface, 6 contact; body.
type picture struct {
	once   sync.Once // for what follows origin: programs that only step draw nothing
	world  *bodies.World
	model  *multibody.Model // nil: no joints and springs
	origin [3]float64       // of the world in the files [m]
	start  []bodies.Pose
	poses  []bodies.Pose
	ties   []bodyPoint // points that move with a body …
	cells  table.Cells // … and their cells
	kinds  []byte
	owner  []int64 // of the cells
}

// newPicture shows the bodies of a world, and the joints and springs of a model,
// which may be nil.
func newPicture(w *bodies.World, m *multibody.Model, origin [3]float64) table.Picture {
	return &picture{world: w, model: m, origin: origin}
}

// lay makes points and cells.
func (p *picture) lay() {
	w := p.world
	q, _ := w.Start()
	w.Shift(q, 1, p.origin)
	p.start = w.Poses(nil, q)
	for b := range w.Bodies() {
		p.cell(cellCentre, table.VTKVertex, b, bodyPoint{body: b})
	}
	for b := range w.Bodies() {
		p.surface(b, w.Appearance(b))
	}
	if p.model != nil {
		p.joints(p.model)
	}
}

// cell adds a cell with points of its own.
func (p *picture) cell(kind byte, shape byte, body int, points ...bodyPoint) {
	first := len(p.ties)
	p.ties = append(p.ties, points...)
	list := make([]int, len(points))
	for i := range list {
		list[i] = first + i
	}
	p.add(kind, shape, body, list...)
}

func (p *picture) add(kind byte, shape byte, body int, points ...int) {
	p.cells.Add(shape, points...)
	p.kinds, p.owner = append(p.kinds, kind), append(p.owner, int64(body))
}

// surface adds the polygon of a body in the plane, or triangles around it in space.
func (p *picture) surface(b int, l bodies.Appearance) {
	switch {
	case l.Point:
	case l.Outline != nil:
		if ends, thin := thread(l.Outline); thin {
			p.cell(cellSurface, table.VTKLine, b, bodyPoint{b, ends[0]}, bodyPoint{b, ends[1]})
			return
		}
		var points []bodyPoint
		for _, y := range l.Outline {
			points = append(points, bodyPoint{b, [3]float64{y[0], y[1]}})
		}
		p.cell(cellSurface, table.VTKPolygon, b, points...)
	case l.Parts != nil:
		for _, part := range l.Parts {
			first := len(p.ties)
			for _, y := range part.Points {
				p.ties = append(p.ties, bodyPoint{b, y})
			}
			for _, face := range part.Faces {
				var ring []int
				for _, k := range face {
					ring = append(ring, first+k)
				}
				p.add(cellSurface, table.VTKPolygon, b, ring...)
			}
		}
	case l.Half != [3]float64{}:
		p.box(b, l.Half)
	case l.Hull != nil:
		first := len(p.ties)
		for _, y := range l.Hull {
			p.ties = append(p.ties, bodyPoint{b, y})
		}
		p.rings(b, first, bodies.HullAround)
	case l.Round != [3]float64{}:
		p.globe(b, l.Round, 0)
	default:
		p.globe(b, [3]float64{l.Radius, l.Radius, l.Radius}, l.Length/2)
	}
}

// thread returns the ends of an outline that is a line along x: a rod without a radius.
func thread(outline [][2]float64) (ends [2][3]float64, thin bool) {
	for _, y := range outline {
		if y[1] != 0 {
			return ends, false
		}
		ends[0][0], ends[1][0] = min(ends[0][0], y[0]), max(ends[1][0], y[0])
	}
	return ends, true
}

// box adds twelve triangles.
func (p *picture) box(b int, half [3]float64) {
	first := len(p.ties)
	for k := range 8 {
		y := half
		for c := range 3 {
			if k>>c&1 == 0 {
				y[c] = -y[c]
			}
		}
		p.ties = append(p.ties, bodyPoint{b, y})
	}
	for _, f := range [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} { // outward
		p.add(cellSurface, table.VTKTriangle, b, first+f[0], first+f[1], first+f[2])
		p.add(cellSurface, table.VTKTriangle, b, first+f[0], first+f[2], first+f[3])
	}
}

// globe adds an ellipsoid around the x-axis whose halves are moved apart by shift each:
// meridians of 8 points, 16 around.
func (p *picture) globe(b int, axes [3]float64, shift float64) {
	const rings, around = 8, 16
	first := len(p.ties)
	for i := range rings + 1 {
		sin, cos := math.Sincos(math.Pi * float64(i) / rings)
		ends := []float64{math.Copysign(shift, cos)}
		if 2*i == rings && shift > 0 {
			ends = []float64{shift, -shift} // the equator of both halves
		}
		for _, end := range ends {
			for k := range around {
				s, c := math.Sincos(2 * math.Pi * float64(k) / around)
				p.ties = append(p.ties, bodyPoint{b, [3]float64{end + axes[0]*cos, axes[1] * sin * c, axes[2] * sin * s}})
			}
		}
	}
	p.rings(b, first, around)
}

// rings adds the triangles between rings of points from first on.
func (p *picture) rings(b, first, around int) {
	for row := first; row+around < len(p.ties); row += around {
		for k := range around {
			a, c := row+k, row+(k+1)%around
			p.add(cellSurface, table.VTKTriangle, b, a, a+around, c+around)
			p.add(cellSurface, table.VTKTriangle, b, a, c+around, c)
		}
	}
}

// joints adds lines for joints and springs.
func (p *picture) joints(m *multibody.Model) {
	for _, j := range m.Joints() {
		at := fixed(p.start, j.A, vec3.Add(j.At, 1, p.origin))
		if j.Kind.Rod() {
			p.cell(cellJoint, table.VTKLine, j.A, at, fixed(p.start, j.B, vec3.Add(j.Other, 1, p.origin)))
			continue
		}
		for _, body := range []int{j.A, j.B} {
			if body >= 0 {
				p.cell(cellJoint, table.VTKLine, body, at, bodyPoint{body: body})
			}
		}
	}
	for _, f := range m.Forces() {
		if s, ok := f.(*multibody.Spring); ok {
			end := bodyPoint{s.B, s.AtB}
			if s.B < 0 {
				end.y = vec3.Add(s.AtB, 1, p.origin)
			}
			p.cell(cellSpring, table.VTKLine, s.A, bodyPoint{s.A, s.AtA}, end)
		}
	}
}

// Draw implements [table.Picture].
func (p *picture) Draw(d *table.Document, rows *table.Moment) {
	p.once.Do(p.lay)
	q, v := slices.Clone(rows.Last(table.TrajectoryFile)), slices.Clone(rows.Last(table.VelocitiesFile))
	p.world.Inner(q, v)
	p.poses = p.world.Poses(p.poses, q)
	var f fields
	move, speed, body := f.add("displacement", 3), f.add("velocity", 3), f.add("body", 1)
	normal, across, status := f.add("contact_force", 3), f.add("friction_force", 3), f.add("status", 1)
	put := func(i int, x ...float64) { f.values[i] = append(f.values[i], x...) }
	var points []float64
	for _, t := range p.ties {
		x, u, w := t.y, [3]float64{}, [3]float64{}
		if t.body >= 0 {
			arm, old := turned(&p.poses[t.body], t.y), turned(&p.start[t.body], t.y)
			for c := range 3 {
				x[c] = p.poses[t.body].Centre[c] + arm[c]
				u[c] = x[c] - p.start[t.body].Centre[c] - old[c]
			}
			w = p.speed(t.body, v, arm)
		}
		points = append(points, x[:]...)
		put(move, u[:]...)
		put(speed, w[:]...)
		put(body, float64(t.body))
		put(normal, 0, 0, 0)
		put(across, 0, 0, 0)
		put(status, 0)
	}
	cells := table.Cells{Nodes: slices.Clip(p.cells.Nodes), Ends: slices.Clip(p.cells.Ends), Types: slices.Clip(p.cells.Types)}
	kinds, owner := slices.Clip(p.kinds), slices.Clip(p.owner)
	for i := range rows.Sheets[table.ContactsFile] {
		c := contactOf(&rows.Sheets[table.ContactsFile][i])
		cells.Add(table.VTKVertex, len(points)/3)
		kinds, owner = append(kinds, cellContact), append(owner, -1)
		points = append(points, c.At[:]...)
		put(move, 0, 0, 0)
		put(speed, 0, 0, 0)
		put(body, -1)
		put(normal, c.Normal*c.N[0], c.Normal*c.N[1], c.Normal*c.N[2])
		put(across, c.Friction[:]...)
		put(status, map[dynamics.ContactState]float64{dynamics.Stick: 2, dynamics.Slide: 3}[c.State])
	}
	d.Piece(points, &cells)
	d.Open("CellData", `Scalars="kind"`)
	d.Bytes("kind", kinds)
	d.Integers("body", owner)
	d.Close("CellData")
	d.Open("PointData", `Vectors="displacement" Scalars="status"`)
	f.write(d)
	d.Close("PointData")
}

// speed is v + ω × arm in space coordinates.
func (p *picture) speed(b int, v []float64, arm [3]float64) (u [3]float64) {
	_, at := p.world.Coordinates(b)
	dim := p.world.Dim()
	copy(u[:], v[at:at+dim])
	if !p.world.Spins(b) {
		return u
	}
	omega := [3]float64{2: v[at+2]}
	if dim == 3 { // in body axes
		omega = turned(&p.poses[b], [3]float64(v[at+3:at+6]))
	}
	for c := range 3 {
		u[c] += omega[(c+1)%3]*arm[(c+2)%3] - omega[(c+2)%3]*arm[(c+1)%3]
	}
	return u
}

// fields are arrays of points, three or one numbers each.
type fields struct {
	names      []string
	components []int
	values     [][]float64
}

// add declares an array and returns its place.
func (f *fields) add(name string, components int) int {
	f.names, f.components, f.values = append(f.names, name), append(f.components, components), append(f.values, nil)
	return len(f.names) - 1
}

func (f *fields) write(d *table.Document) {
	for i, name := range f.names {
		d.Floats(name, f.values[i], f.components[i])
	}
}
