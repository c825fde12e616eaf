package casefile

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

type rigidBodyDocument struct {
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

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

func (b *motionBuilder) rigidBodies() {
	b.body = map[string]int{}
	for i := range b.doc.Bodies {
		d := &b.doc.Bodies[i]
		p := path{"bodies", i}
		if first, twice := b.body[d.ID]; twice {
			b.add(p.with("id"), "the id %q is taken by $.bodies[%d], want an id of its own", d.ID, first)
			continue
		}
		b.ids = append(b.ids, d.ID)
		b.body[d.ID] = i
		body, ok := b.rigidBody(p, d)
		if !ok {
			continue
		}
		if _, err := b.world.Add(body); err != nil {
			b.add(p, "%v", err)
		}
	}
}

func (b *motionBuilder) rigidBody(p path, d *rigidBodyDocument) (body bodies.Body, ok bool) {
	before := len(b.list)
	body = bodies.Body{Mass: d.Mass, Drag: d.Drag, SpinDrag: d.SpinDrag}
	body.Shape = b.shape(p.with("shape"), d.Shape)
	body.Position, _ = b.vec(p.with("position"), d.Position)
	body.Velocity, _ = b.vec(p.with("velocity"), d.Velocity)
	_, point := body.Shape.(bodies.Point)
	for key, found := range map[string]bool{"inertia": d.Inertia != nil, "angle": d.Angle != nil, "orientation": d.Orientation != nil, "spin": d.Spin != nil} {
		if found && point {
			b.add(p.with(key), "a point does not turn: the key %q has no effect", key)
		}
	}
	if d.Angle != nil {
		body.Angle = *d.Angle
		if b.dim == 3 {
			b.add(p.with("angle"), "an angle is of the plane, want an orientation in space")
		}
	}
	if d.Orientation != nil {
		body.Orientation = *d.Orientation
		if b.dim == 2 {
			b.add(p.with("orientation"), "an orientation is of space, want an angle in the plane")
		}
	}
	body.Inertia = b.turning(p.with("inertia"), d.Inertia)
	body.Spin = b.turning(p.with("spin"), d.Spin)
	if d.Load != nil {
		body.Load = b.vector(p.with("load"), d.Load, b.dim)
	}
	return body, len(b.list) == before
}

// turning reads one number in the plane, three in space.
func (b *motionBuilder) turning(p path, raw json.RawMessage) (x [3]float64) {
	switch {
	case raw == nil:
	case b.dim == 2 && raw[0] == '[':
		b.add(p, "found a list, want one number in the plane")
	case b.dim == 2:
		x[2] = b.number(p, raw)
	case raw[0] != '[':
		b.add(p, "found one number, want three in space")
	default:
		copy(x[:], b.numbers(p, raw, 3))
	}
	return x
}

// shapeKeys are the keys that each type of shape needs.
var shapeKeys = map[string][]string{"point": nil, "disc": {"radius"}, "ellipse": {"semi_axes"}, "polygon": {"vertices"},
	"rod": {"length", "radius"}, "sphere": {"radius"}, "box": {"size"}, "capsule": {"length", "radius"}, "ellipsoid": {"semi_axes"}}

func (b *motionBuilder) shape(p path, d *shapeDocument) bodies.Shape {
	if d == nil {
		return bodies.Point{}
	}
	found := map[string]bool{"radius": d.Radius != nil, "length": d.Length != nil, "semi_axes": d.SemiAxes != nil, "size": d.Size != nil, "vertices": d.Vertices != nil}
	needed := shapeKeys[d.Type]
	for _, key := range sortedKeys(found) {
		switch needs := slices.Contains(needed, key); {
		case needs && !found[key]:
			b.add(p, "the key %q is missing, which %s needs", key, article(d.Type))
			return bodies.Point{}
		case !needs && found[key]:
			b.add(p.with(key), "the key %q has no effect on %s", key, article(d.Type))
			return bodies.Point{}
		}
	}
	switch d.Type {
	case "disc":
		return bodies.Disc{R: *d.Radius}
	case "ellipse":
		if len(d.SemiAxes) == 2 {
			return bodies.Ellipse{A: d.SemiAxes[0], B: d.SemiAxes[1]}
		}
		b.add(p.with("semi_axes"), "found %d numbers, want 2", len(d.SemiAxes))
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
		b.add(p.with("semi_axes"), "found %d numbers, want 3", len(d.SemiAxes))
	}
	return bodies.Point{}
}
