// Package obstacle decodes the obstacles of case files, the same for all models: planes, spheres,
// cylinders, ellipsoids, tori, graphs of tables and meshes, from outside or inside, at rest or moving.
//
//	key         Go name              unit    of
//	point       Obstacle.Point       m       plane, cylinder
//	center      Obstacle.Point       m       sphere, ellipsoid, torus
//	normal      Obstacle.Direction   -       plane
//	axis        Obstacle.Direction   -       cylinder, torus
//	radius      Obstacle.Radius      m       sphere, cylinder, torus
//	semi_axes   Obstacle.SemiAxes    m       ellipsoid
//	tube        Obstacle.Tube        m       torus
//	x, y        Obstacle.X, Y        m       graph; x alone in the plane
//	height      Obstacle.Height      m       graph, a row for each y
//	vertices    Obstacle.Vertices    m       mesh, or those of the file, times scale
//	faces       Obstacle.Faces       -       mesh, or those of the file
//	open        Obstacle.Open        -       mesh
//	motion      Obstacle.Motion      m, rad  all
//
// In the plane vectors have two components, a sphere is a disc, an ellipsoid an ellipse and a
// graph a profile y = f(x); cylinders and tori are of space.
//
// # Limits
//
// What is decoded here is checked for its keys and their sizes; that it is a shape, and which
// bodies may meet it, the model that uses it says.
package obstacle

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/trimesh"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Document is an obstacle, key by key.
type Document struct {
	Type     string          `json:"type"` // plane if empty
	Point    []float64       `json:"point"`
	Normal   []float64       `json:"normal"`
	Center   []float64       `json:"center"`
	Axis     []float64       `json:"axis"`
	Radius   *float64        `json:"radius"`
	SemiAxes []float64       `json:"semi_axes"`
	Tube     *float64        `json:"tube"`
	X        []float64       `json:"x"`
	Y        []float64       `json:"y"`
	Height   [][]float64     `json:"height"`
	File     string          `json:"file"`
	Scale    *float64        `json:"scale"`
	Vertices [][]float64     `json:"vertices"`
	Faces    [][]int         `json:"faces"`
	Open     *bool           `json:"open"`
	Inside   bool            `json:"inside"`
	Motion   *MotionDocument `json:"motion"`
}

// MotionDocument moves an obstacle, key by key.
type MotionDocument struct {
	Translation json.RawMessage `json:"translation"`
	Rotation    *struct {
		Axis    []float64       `json:"axis"`
		Through []float64       `json:"through"`
		Angle   json.RawMessage `json:"angle"`
	} `json:"rotation"`
}

// Obstacle is a decoded obstacle.
type Obstacle struct {
	Kind         string // plane, sphere, cylinder, ellipsoid, torus, graph or mesh
	Point        [3]float64
	Direction    [3]float64
	Radius, Tube float64
	SemiAxes     [3]float64
	X, Y         []float64
	Height       [][]float64
	Vertices     [][3]float64
	Faces        [][]int
	From         string // the key with the faces of a mesh
	Inside, Open bool
	Motion       signal.Motion
}

// keysOf lists which keys an obstacle of each kind has.
var keysOf = map[string][]string{"plane": {"point", "normal"}, "sphere": {"center", "radius"}, "cylinder": {"point", "axis", "radius"},
	"ellipsoid": {"center", "semi_axes"}, "torus": {"center", "axis", "radius", "tube"}, "graph": {"x", "y", "height"},
	"mesh": {"vertices", "faces"}}

// spatial are the kinds that the plane does not have, and what it has in their place.
var spatial = map[string]string{"cylinder": "\"sphere\", a disc", "torus": "\"sphere\", a disc", "mesh": "\"graph\", a profile"}

// reader decodes one obstacle.
type reader struct {
	*casefile.Builder
	dim int
}

// Read decodes an obstacle at a path, of the plane (dim 2) or of space; false after a fault.
func Read(c *casefile.Builder, p casefile.Path, d *Document, dim int) (o Obstacle, ok bool) {
	b, before := &reader{c, dim}, c.Len()
	o = Obstacle{Kind: d.Type, Inside: d.Inside, X: d.X, Y: d.Y, Height: d.Height}
	if o.Kind == "" {
		o.Kind = "plane"
	}
	if !b.keys(p, &o, d) {
		return o, false
	}
	if dim == 2 && o.Kind == "graph" {
		o.Y = []float64{0}
	}
	for _, x := range []struct {
		key   string
		from  []float64
		to    *[3]float64
		empty bool
	}{{"point", d.Point, &o.Point, d.Point == nil}, {"center", d.Center, &o.Point, d.Center == nil},
		{"normal", d.Normal, &o.Direction, d.Normal == nil},
		{"axis", d.Axis, &o.Direction, d.Axis == nil}, {"semi_axes", d.SemiAxes, &o.SemiAxes, d.SemiAxes == nil}} {
		if !x.empty {
			b.vector(p.With(x.key), x.to, x.from)
		}
	}
	if d.Radius != nil {
		o.Radius = *d.Radius
	}
	if d.Tube != nil {
		o.Tube = *d.Tube
	}
	if o.Kind == "plane" && o.Direction == [3]float64{} {
		b.Add(p.With("normal"), "found %v, want a direction with a length > 0", d.Normal)
	}
	if o.Kind == "mesh" {
		b.mesh(p, &o, d)
	}
	ReadMotion(c, p.With("motion"), d.Motion, dim, &o.Motion)
	if o.Motion.Angle != nil { // of what is round, too: a turn moves no surface, but all that rubs on it
		c.Signals = append(c.Signals, casefile.Signal{Path: p.With("motion", "rotation", "angle"), Of: o.Motion.Angle, Turn: true})
	}
	return o, c.Len() == before
}

// keys objects to those that are missing or have no effect.
func (b *reader) keys(p casefile.Path, o *Obstacle, d *Document) bool {
	if near := spatial[o.Kind]; b.dim == 2 && near != "" {
		b.Add(p.With("type"), "found %q, which is of space; in the plane the nearest one is %s", o.Kind, near)
		return false
	}
	given := map[string]bool{"point": d.Point != nil, "normal": d.Normal != nil, "center": d.Center != nil,
		"axis": d.Axis != nil, "radius": d.Radius != nil,
		"semi_axes": d.SemiAxes != nil, "tube": d.Tube != nil, "x": d.X != nil, "y": d.Y != nil, "height": d.Height != nil,
		"file": d.File != "", "scale": d.Scale != nil, "vertices": d.Vertices != nil, "faces": d.Faces != nil, "open": d.Open != nil}
	want := map[string]bool{"open": o.Kind == "mesh"}
	keys := keysOf[o.Kind]
	if o.Kind == "mesh" && d.File != "" {
		keys, want["scale"] = []string{"file"}, true
	}
	for _, key := range keys {
		if key == "y" && b.dim == 2 {
			continue
		}
		want[key] = true
		if !given[key] {
			b.Add(p, "the key %q is missing", key)
			return false
		}
	}
	for _, key := range casefile.Keys(given) {
		if given[key] && !want[key] {
			b.Add(p.With(key), "the key %q has no effect on %s", key, casefile.Article(o.Kind))
		}
	}
	if d.Inside && o.Kind == "plane" {
		b.Add(p.With("inside"), "the key \"inside\" has no effect on a plane: turn its normal")
	}
	return true
}

// vector reads one of the dimension.
func (b *reader) vector(p casefile.Path, to *[3]float64, from []float64) {
	if len(from) != b.dim {
		b.Add(p, "found %d numbers, want %d, the dimension", len(from), b.dim)
		return
	}
	copy(to[:], from)
}

// mesh reads vertices and faces, of the case or of a file.
func (b *reader) mesh(p casefile.Path, o *Obstacle, d *Document) {
	o.Open, o.From = d.Open != nil && *d.Open, "faces"
	if d.File == "" {
		o.Vertices, o.Faces = make([][3]float64, len(d.Vertices)), d.Faces
		for i, x := range d.Vertices {
			b.vector(p.With("vertices", i), &o.Vertices[i], x)
		}
		return
	}
	vertices, triangles, ok := ReadMesh(b.Builder, p.With("file"), d.File)
	if !ok {
		return
	}
	o.From = "file"
	scale := 1.0
	if d.Scale != nil {
		scale = *d.Scale
	}
	for _, x := range vertices {
		o.Vertices = append(o.Vertices, vec3.Scale(x, scale))
	}
	for _, t := range triangles {
		o.Faces = append(o.Faces, t[:])
	}
}

// ReadMesh reads the vertices of a file of triangles beside the case, and the three of each triangle by
// their numbers; false after a fault.
func ReadMesh(c *casefile.Builder, p casefile.Path, name string) (vertices [][3]float64, triangles [][3]int, ok bool) {
	f, err := c.Open(name)
	if !c.Accept(p, err) {
		return nil, nil, false
	}
	defer f.Close() // read only
	m, err := trimesh.Read(f, name)
	if !c.Accept(p, err) {
		return nil, nil, false
	}
	return m.Vertices, m.Triangles, true
}

// ReadMotion decodes how an obstacle moves along the axes of a dimension; nil stands for at rest.
func ReadMotion(c *casefile.Builder, p casefile.Path, d *MotionDocument, dim int, m *signal.Motion) {
	b := &reader{c, dim}
	if d == nil {
		return
	}
	if d.Translation == nil && d.Rotation == nil {
		b.Add(p, "found neither \"translation\" nor \"rotation\", want one of them or both")
	}
	if d.Translation != nil {
		m.Shift = b.Vector(p.With("translation"), d.Translation, b.dim)
		for n := len(m.Shift); n > 0 && n < 3; n++ {
			m.Shift = append(m.Shift, signal.Constant(0))
		}
	}
	r := d.Rotation
	if r == nil {
		return
	}
	p = p.With("rotation")
	m.Axis = [3]float64{0, 0, 1}
	switch {
	case b.dim == 2 && r.Axis != nil:
		b.Add(p.With("axis"), "the key \"axis\" has no effect in the plane")
	case b.dim == 3 && r.Axis == nil:
		b.Add(p, "the key \"axis\" is missing")
	case b.dim == 3:
		b.vector(p.With("axis"), &m.Axis, r.Axis)
	}
	if r.Through != nil {
		b.vector(p.With("through"), &m.Center, r.Through)
	}
	m.Angle = b.Scalar(p.With("angle"), r.Angle)
	if n := *m; n.Angle != nil && b.Accept(p, n.Normalise()) {
		*m = n
	}
}
