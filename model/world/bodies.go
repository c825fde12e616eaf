package world

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

type BodyDocument struct {
	ID          string          `json:"id"`
	Shape       *shapeDocument  `json:"shape"`
	Mass        float64         `json:"mass"`
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

type shapeDocument struct {
	Type     string       `json:"type"`
	Radius   *float64     `json:"radius"`
	Length   *float64     `json:"length"`
	SemiAxes []float64    `json:"semi_axes"`
	Size     []float64    `json:"size"`
	Vertices [][2]float64 `json:"vertices"`
}

func (b *Builder) rigidBodies() {
	b.Body = map[string]int{}
	for i := range b.doc.Bodies {
		d := &b.doc.Bodies[i]
		p := casefile.Path{"bodies", i}
		if first, twice := b.Body[d.ID]; twice {
			b.Add(p.With("id"), "the id %q is taken by $.bodies[%d], want an id of its own", d.ID, first)
			continue
		}
		b.IDs = append(b.IDs, d.ID)
		b.Body[d.ID] = i
		body, ok := b.rigidBody(p, d)
		if !ok {
			continue
		}
		if _, err := b.World.Add(body); err != nil {
			b.Add(p, "%v", err)
		}
	}
}

func (b *Builder) rigidBody(p casefile.Path, d *BodyDocument) (body bodies.Body, ok bool) {
	before := b.Len()
	body = bodies.Body{Mass: d.Mass, Drag: d.Drag, SpinDrag: d.SpinDrag}
	body.Shape = b.shape(p.With("shape"), d.Shape)
	body.Position, _ = b.Place(p.With("position"), d.Position)
	b.resolved(p.With("position"), d, body.Position)
	body.Velocity, _ = b.Vec(p.With("velocity"), d.Velocity)
	_, point := body.Shape.(bodies.Point)
	for key, found := range map[string]bool{"inertia": d.Inertia != nil, "angle": d.Angle != nil, "orientation": d.Orientation != nil, "spin": d.Spin != nil, "spin_drag": d.SpinDrag > 0} {
		if found && point && d.Inertia == nil {
			b.Add(p.With(key), "a point without \"inertia\" does not turn: the key %q has no effect", key)
		}
	}
	if d.Angle != nil {
		body.Angle = *d.Angle
		if b.Dim == 3 {
			b.Add(p.With("angle"), "an angle is of the plane, want an orientation in space")
		}
	}
	if d.Orientation != nil {
		body.Orientation = *d.Orientation
		if b.Dim == 2 {
			b.Add(p.With("orientation"), "an orientation is of space, want an angle in the plane")
		} else if o := body.Orientation; o == ([4]float64{}) { // which a Body takes for no orientation
			b.Add(p.With("orientation"), "found zeros, want a unit quaternion")
		}
	}
	body.Inertia = b.turning(p.With("inertia"), d.Inertia)
	b.possible(p.With("inertia"), body.Inertia)
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
	size := d.Shape.size()
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
	for _, x := range slices.Concat(d.SemiAxes, d.Size) {
		if last > unresolved*x {
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

// shapeKeys are the keys that each type of shape needs.
var shapeKeys = map[string][]string{"point": nil, "disc": {"radius"}, "ellipse": {"semi_axes"}, "polygon": {"vertices"},
	"rod": {"length", "radius"}, "sphere": {"radius"}, "box": {"size"}, "capsule": {"length", "radius"}, "ellipsoid": {"semi_axes"}}

func (b *Builder) shape(p casefile.Path, d *shapeDocument) bodies.Shape {
	if d == nil {
		return bodies.Point{}
	}
	found := map[string]bool{"radius": d.Radius != nil, "length": d.Length != nil, "semi_axes": d.SemiAxes != nil, "size": d.Size != nil, "vertices": d.Vertices != nil}
	needed := shapeKeys[d.Type]
	for _, key := range casefile.Keys(found) {
		switch needs := slices.Contains(needed, key); {
		case needs && !found[key]:
			b.Add(p, "the key %q is missing, which %s needs", key, casefile.Article(d.Type))
			return bodies.Point{}
		case !needs && found[key]:
			b.Add(p.With(key), "the key %q has no effect on %s", key, casefile.Article(d.Type))
			return bodies.Point{}
		}
	}
	b.thick(p, d)
	switch d.Type {
	case "disc":
		return bodies.Disc{R: *d.Radius}
	case "ellipse":
		if len(d.SemiAxes) == 2 {
			return bodies.Ellipse{A: d.SemiAxes[0], B: d.SemiAxes[1]}
		}
		b.Add(p.With("semi_axes"), "found %d numbers, want 2", len(d.SemiAxes))
	case "polygon":
		return bodies.Polygon{Vertices: d.Vertices}
	case "rod":
		return bodies.Rod{Length: *d.Length, R: *d.Radius}
	case "sphere":
		return bodies.Sphere{R: *d.Radius}
	case "box":
		return bodies.Box{Size: [3]float64(d.Size)}
	case "capsule":
		return bodies.Capsule{Length: *d.Length, R: *d.Radius}
	case "ellipsoid":
		if len(d.SemiAxes) == 3 {
			return bodies.Ellipsoid{Axes: [3]float64(d.SemiAxes)}
		}
		b.Add(p.With("semi_axes"), "found %d numbers, want 3", len(d.SemiAxes))
	}
	return bodies.Point{}
}
