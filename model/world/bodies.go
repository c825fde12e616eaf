package world

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/obstacle"
)

type BodyDocument struct {
	ID          string          `json:"id"`
	Shape       *shapeDocument  `json:"shape"`
	Parts       []partDocument  `json:"parts"`
	Fixed       bool            `json:"fixed"`
	Motion      json.RawMessage `json:"motion"`
	Mass        *float64        `json:"mass"`
	Density     *float64        `json:"density"`
	Centre      []float64       `json:"centre"`
	Inertia     json.RawMessage `json:"inertia"`
	Position    []float64       `json:"position"`
	Angle       *float64        `json:"angle"`
	Orientation *[4]float64     `json:"orientation"`
	Velocity    []float64       `json:"velocity"`
	Spin        json.RawMessage `json:"spin"`
	Load        json.RawMessage `json:"load"`
	Drag        float64         `json:"drag"`
	SpinDrag    float64         `json:"spin_drag"`
}

// partDocument is a shape at a place of its body.
type partDocument struct {
	Shape       *shapeDocument `json:"shape"`
	Position    []float64      `json:"position"`
	Angle       *float64       `json:"angle"`
	Orientation *[4]float64    `json:"orientation"`
	Density     *float64       `json:"density"`
}

// shapeDocument has the numbers of a shape by their keys, lists of points one after the other.
type shapeDocument struct {
	Type    string
	File    string   // with the vertices …
	Scale   *float64 // … and metres of its unit
	Columns int      // of the vertices; −1: they differ
	Numbers map[string][]float64
}

// UnmarshalJSON implements [json.Unmarshaler].
func (d *shapeDocument) UnmarshalJSON(data []byte) error {
	var raw map[string]any
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	d.Numbers = map[string][]float64{}
	for key, x := range raw {
		switch text, ok := x.(string); {
		case ok && key == "type":
			d.Type = text
			continue
		case ok && key == "file":
			d.File = text
			continue
		}
		switch y := x.(type) {
		case []any:
			if key == "vertices" {
				d.Columns = columns(y)
			}
		case float64:
			if key == "scale" {
				d.Scale = &y
				continue
			}
		}
		d.Numbers[key] = flat([]float64{}, x)
	}
	return nil
}

// columns is the number of entries that all rows of a list have; −1: they differ.
func columns(rows []any) int {
	n := 0
	for i, row := range rows {
		list, _ := row.([]any)
		if i == 0 {
			n = len(list)
		}
		if len(list) != n {
			return -1
		}
	}
	return n
}

// flat appends the numbers of a value of JSON.
func flat(dst []float64, x any) []float64 {
	switch x := x.(type) {
	case float64:
		dst = append(dst, x)
	case []any:
		for _, y := range x {
			dst = flat(dst, y)
		}
	}
	return dst
}

//go:embed schema.json
var schemaText string

// Schema is the schema of a model, with those of bodies and shapes at its end.
func Schema(model string) []byte {
	var keys []string
	known := bodies.ShapeKeys()
	for _, key := range slices.Sorted(maps.Keys(known)) {
		keys = append(keys, fmt.Sprintf("%q: %s", key, known[key]))
	}
	own := strings.NewReplacer("PLANE SHAPES", strings.Join(bodies.ShapeNames(2), ", "), "SOLIDS", strings.Join(bodies.ShapeNames(3), ", "),
		"ALL SHAPES", strings.Join(bodies.ShapeNames(0), `", "`), `"KEYS OF SHAPES": {}`,
		strings.Join(keys, ",\n      ")).Replace(schemaText)
	model = SlipSchema(model)
	return []byte(strings.TrimSuffix(strings.TrimSpace(model), "\n}") + ",\n" + strings.TrimPrefix(own, "{\n"))
}

func (b *Builder) rigidBodies() {
	b.Body = map[string]int{}
	taken := map[string]int{}
	for i := range b.doc.Bodies {
		d := &b.doc.Bodies[i]
		p := casefile.Path{"bodies", i}
		if first, twice := taken[d.ID]; twice {
			b.Add(p.With("id"), "the id %q is taken by $.bodies[%d], want an id of its own", d.ID, first)
			continue
		}
		taken[d.ID] = i
		if d.Fixed {
			b.fixedBody(p, d)
			continue
		}
		b.Body[d.ID] = len(b.IDs)
		b.IDs, b.At = append(b.IDs, d.ID), append(b.At, i)
		body, ok := b.rigidBody(p, d)
		if !ok {
			continue
		}
		if added, err := b.World.Add(body); err != nil {
			b.Add(p, "%v", err)
		} else if !b.rigid && b.World.Framed(added) {
			b.Add(p, "%s: the model \"rigid\" takes it as it is", b.offCentre(added))
		}
	}
	if len(b.IDs) == 0 && !b.Any() {
		b.Add(casefile.Path{"bodies"}, "all bodies are fixed, want one that moves")
	}
}

func (b *Builder) rigidBody(p casefile.Path, d *BodyDocument) (body bodies.Body, ok bool) {
	before := b.Len()
	body = bodies.Body{Drag: d.Drag, SpinDrag: d.SpinDrag}
	body.Shape = b.form(p, d)
	body.Mass = b.mass(p, d, body.Shape)
	if d.Motion != nil {
		b.Add(p.With("motion"), "the key \"motion\" has no effect without \"fixed\": true: what is moved as told has no mass")
	}
	if d.Centre != nil {
		centre, _ := b.Vec(p.With("centre"), d.Centre)
		body.Centre = &centre
	}
	body.Position, _ = b.Place(p.With("position"), d.Position)
	b.resolved(p.With("position"), d, body.Position)
	body.Velocity, _ = b.Vec(p.With("velocity"), d.Velocity)
	_, point := body.Shape.(bodies.Point)
	for key, found := range map[string]bool{"inertia": d.Inertia != nil, "angle": d.Angle != nil,
		"orientation": d.Orientation != nil, "spin": d.Spin != nil, "spin_drag": d.SpinDrag > 0} {
		if found && point && d.Inertia == nil {
			b.Add(p.With(key), "a point without \"inertia\" does not turn: the key %q has no effect", key)
		}
	}
	body.Angle, body.Orientation = b.turn(p, d.Angle, d.Orientation)
	b.inertia(p.With("inertia"), d.Inertia, &body)
	body.Spin = b.turning(p.With("spin"), d.Spin)
	if d.Load != nil {
		body.Load = b.Vector(p.With("load"), d.Load, b.Dim)
	}
	return body, b.Len() == before
}

// unresolved is the part of its size to which the place of a body is rounded from which on it has
// no shape.
const unresolved = 1e-3

// resolved refuses a body that is so far away that rounding leaves nothing of its shape.
func (b *Builder) resolved(p casefile.Path, d *BodyDocument, at [3]float64) {
	size := d.size()
	for k, x := range at {
		if last := math.Nextafter(math.Abs(x), math.Inf(1)) - math.Abs(x); size > 0 && last > unresolved*size {
			b.Add(p.With(k), "a body of %.3g m at %.3g m, whose last digit is %.3g m: rounding leaves nothing of its shape", size, x, last)
		}
	}
}

// thick refuses a shape that is so thin that rounding of its length leaves nothing of its width.
func (b *Builder) thick(p casefile.Path, d *shapeDocument) {
	long := d.size()
	last := math.Nextafter(long, math.Inf(1)) - long
	for _, list := range d.Numbers {
		if len(list) < 2 || len(list) > 3 { // these are lengths along the axes
			continue
		}
		if x := slices.Min(list); last > unresolved*x {
			b.Add(p, "a body of %.3g m by %.3g m, whose last digit is %.3g m: rounding leaves nothing of its shape", long, x, last)
			return
		}
	}
}

// typedMoments is what principal moments may be off by where they are typed with three digits, as
// .333, .333, .667 of a plate.
const typedMoments = 1e-2

// possible refuses principal moments of no body: J₁ = ∫(y² + z²)dm is at most J₂ + J₃ = ∫(y² + z² +
// 2x²)dm.
func (b *Builder) possible(p casefile.Path, j [3]float64) {
	for k := 0; k < 3 && b.Dim == 3; k++ {
		if others := j[(k+1)%3] + j[(k+2)%3]; j[k] > others*(1+typedMoments) {
			b.Add(p.With(k), "found %g, more than the sum %g of the other two: no body has such moments", j[k], others)
			return
		}
	}
}

// turning reads one number in the plane, three in space.
func (b *Builder) turning(p casefile.Path, raw json.RawMessage) (x [3]float64) {
	switch {
	case raw == nil:
	case b.Dim == 2 && raw[0] == '[':
		b.Add(p, "found a list, want one number in the plane")
	case b.Dim == 2:
		x[2] = b.Number(p, raw)
	case raw[0] != '[':
		b.Add(p, "found one number, want three in space")
	default:
		copy(x[:], b.Numbers(p, raw, 3))
	}
	return x
}

// inertia reads moments, or the rows of a tensor in space.
func (b *Builder) inertia(p casefile.Path, raw json.RawMessage, body *bodies.Body) {
	var rows [3][3]float64
	if b.Dim != 3 || raw == nil || raw[0] != '[' || !strings.Contains(string(raw[1:]), "[") {
		body.Inertia = b.turning(p, raw)
		if slices.ContainsFunc(body.Inertia[:], func(x float64) bool { return x < 0 }) || raw != nil && b.Dim == 3 &&
			slices.Min(body.Inertia[:]) == 0 {
			b.Add(p, "found %s, want positive moments", raw)
		}
		b.possible(p, body.Inertia)
		return
	}
	if err := json.Unmarshal(raw, &rows); err != nil || strings.Count(string(raw), ",") != 8 {
		b.Add(p, "found %s, want three moments, or three rows of three", casefile.Abbreviate(string(raw)))
		return
	}
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		if d := math.Abs(rows[i][j] - rows[j][i]); d > typedMoments*math.Abs(rows[i][j]) {
			b.Add(p.With(i, j), "found %g, and %g across the diagonal: want a symmetric tensor", rows[i][j], rows[j][i])
		}
		body.Inertia[k], body.Products[k] = rows[k][k], (rows[i][j]+rows[j][i])/2
	}
}

// mass is that of a body that moves.
func (b *Builder) mass(p casefile.Path, d *BodyDocument, shape bodies.Shape) float64 {
	own := slices.IndexFunc(d.Parts, func(x partDocument) bool { return x.Density != nil })
	switch {
	case d.Mass != nil && d.Density != nil:
		b.Add(p, "found \"mass\" and \"density\", want one of them")
	case d.Mass != nil && own >= 0:
		b.Add(p.With("parts", own, "density"), "the body has a mass: want either that, or densities")
	case d.Mass != nil:
		return *d.Mass
	case d.Density == nil && (own < 0 || slices.ContainsFunc(d.Parts, func(x partDocument) bool { return x.Density == nil })):
		b.Add(p, "the key \"mass\" is missing, or \"density\" of the body or of all its parts")
	case b.Any():
	default:
		density := 1.0 // of parts, which carry their own or the body's, see part
		if d.Parts == nil {
			density = *d.Density
		}
		if m := bodies.MassOf(shape, density); m > 0 {
			return m
		}
		if !b.Accept(p, bodies.Validate(shape)) {
			return 1
		}
		b.Add(p, "%s has no mass of a density: want a shape with a volume, in the plane an area, or \"mass\"",
			casefile.Article(shape.Name()))
	}
	return 1
}

// form is the shape of a body, or that of its parts.
func (b *Builder) form(p casefile.Path, d *BodyDocument) bodies.Shape {
	if d.Parts == nil {
		return b.shape(p.With("shape"), d.Shape)
	}
	if d.Shape != nil {
		b.Add(p, "found \"shape\" and \"parts\", want one of them")
	}
	var c bodies.Compound
	for i := range d.Parts {
		c.Parts = append(c.Parts, b.part(p.With("parts", i), d, &d.Parts[i]))
	}
	return c
}

func (b *Builder) part(p casefile.Path, of *BodyDocument, d *partDocument) (x bodies.Part) {
	x.Shape = b.shape(p.With("shape"), d.Shape)
	x.Position, _ = b.Vec(p.With("position"), d.Position)
	x.Angle, x.Orientation = b.turn(p, d.Angle, d.Orientation)
	switch {
	case d.Density != nil:
		x.Density = *d.Density
	case of.Density != nil:
		x.Density = *of.Density
	}
	if d.Density != nil && of.Fixed {
		b.Add(p.With("density"), "the key \"density\" has no effect on a part of a fixed body")
	}
	return x
}

// fixedBody makes an obstacle of a body that stands still, or moves as told.
func (b *Builder) fixedBody(p casefile.Path, d *BodyDocument) {
	for key, found := range map[string]bool{"mass": d.Mass != nil, "density": d.Density != nil,
		"centre": d.Centre != nil, "inertia": d.Inertia != nil, "velocity": d.Velocity != nil,
		"spin": d.Spin != nil, "load": d.Load != nil, "drag": d.Drag > 0, "spin_drag": d.SpinDrag > 0} {
		if found {
			b.Add(p.With(key), "the key %q has no effect on a fixed body", key)
		}
	}
	s := bodies.Solid{Shape: b.form(p, d)}
	s.Position, _ = b.Place(p.With("position"), d.Position)
	b.resolved(p.With("position"), d, s.Position)
	s.Angle, s.Orientation = b.turn(p, d.Angle, d.Orientation)
	o := obstacle.Obstacle{}
	if d.Motion != nil {
		var m obstacle.MotionDocument
		if err := json.Unmarshal(d.Motion, &m); b.Accept(p.With("motion"), err) {
			obstacle.ReadMotion(b.Builder, p.With("motion"), &m, b.Dim, &o.Motion)
			if o.Motion.Angle != nil {
				b.Signals = append(b.Signals, casefile.Signal{Path: p.With("motion", "rotation", "angle"), Of: o.Motion.Angle, Turn: true})
			}
		}
		b.bringNear(&o)
	}
	_, taken := b.Obstacle[d.ID]
	switch {
	case b.Any():
	case !b.rigid:
		b.Add(p.With("fixed"), "the model \"rigid\" has fixed bodies; here want an obstacle")
	case taken:
		b.Add(p.With("id"), "the id %q is that of an obstacle, want an id of its own", d.ID)
	default:
		i, err := b.World.AddObstacle(bodies.Obstacle{Surface: s, Motion: o.Motion})
		if b.Accept(p, err) {
			b.Obstacle[d.ID], b.Fixed[d.ID] = i, s
		}
	}
}

// turn reads how something is turned, in the plane or in space.
func (b *Builder) turn(p casefile.Path, angle *float64, orientation *[4]float64) (a float64, o [4]float64) {
	if angle != nil {
		a = *angle
		if b.Dim == 3 {
			b.Add(p.With("angle"), "an angle is of the plane, want an orientation in space")
		}
	}
	if orientation != nil {
		o = *orientation
		if b.Dim == 2 {
			b.Add(p.With("orientation"), "an orientation is of space, want an angle in the plane")
		} else if o == ([4]float64{}) { // which a Body takes for no orientation
			b.Add(p.With("orientation"), "found zeros, want a unit quaternion")
		}
	}
	return a, o
}

func (b *Builder) shape(p casefile.Path, d *shapeDocument) bodies.Shape {
	if d == nil {
		return bodies.Point{}
	}
	switch {
	case d.File != "":
		b.meshFile(p, d)
	case d.Scale != nil:
		b.Add(p.With("scale"), "the key \"scale\" has no effect without \"file\"")
	}
	shape, err := bodies.NewShape(d.Type, d.Numbers)
	if e, ok := errors.AsType[*bodies.KeyError](err); ok {
		if e.Key != "" {
			p = p.With(e.Key)
		}
		b.Add(p, "%v", err)
		return bodies.Point{}
	}
	if want := shape.Dim(); d.Columns != 0 && d.Columns != want { // six numbers may be two rows or three
		b.Add(p.With("vertices"), "found rows that are not of %d numbers, want as many in each", want)
		return bodies.Point{}
	}
	b.thick(p, d)
	return shape
}

// meshFile takes the vertices of the convex hull of a mesh.
func (b *Builder) meshFile(p casefile.Path, d *shapeDocument) {
	scale := 1.0
	if d.Scale != nil {
		scale = *d.Scale
	}
	p = p.With("file")
	if _, twice := d.Numbers["vertices"]; twice || d.Type != "polyhedron" {
		b.Add(p, "the key \"file\" has an effect on a polyhedron without \"vertices\" only")
		return
	}
	vertices, triangles, ok := obstacle.ReadMesh(b.Builder, p, d.File)
	if !ok {
		return
	}
	hull, out, share := bodies.HullOf(vertices, triangles)
	switch {
	case hull == nil:
		b.Add(p, "the %d vertices of %q lie in a plane, want a body with a volume", len(vertices), casefile.Abbreviate(d.File))
		return
	case share < convexShare:
		b.Add(p, "the mesh of %q is not convex: it fills %.3g of its convex hull; want convex ones, as the parts of a body",
			casefile.Abbreviate(d.File), share)
		return
	case out > 0:
		b.Note("%s: the hull of the mesh has more than %d corners; those that are taken leave out up to %.3g m", p,
			bodies.MostCorners, out*scale)
	}
	d.Numbers["vertices"], d.Columns = []float64{}, 3
	for _, x := range hull {
		d.Numbers["vertices"] = append(d.Numbers["vertices"], scale*x[0], scale*x[1], scale*x[2])
	}
}

// convexShare of the hull is what a mesh of a convex body fills at least, after rounding of its
// places to the digits of a file.
const convexShare = 0.98

// offCentre says why a body is none of the models of patches, whose shapes have the centre of mass in
// the origin and principal axes, and what makes it one.
func (b *Builder) offCentre(body int) string {
	if c := b.World.Centre(body); vec3.Norm(c) > 0 {
		return fmt.Sprintf("the centre of mass is at %.6g on the axes of the shape, want it in the origin: take that off the places of the shape, and add it, turned as the body is, to \"position\"",
			c[:b.Dim])
	}
	return "the axes of the shape are not principal ones of its inertia, want a shape turned so that they are"
}
