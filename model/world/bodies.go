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

// shapeDocument has the numbers of a shape by their keys, lists of points one after the other.
type shapeDocument struct {
	Type    string
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
		if text, ok := x.(string); ok && key == "type" {
			d.Type = text
			continue
		}
		d.Numbers[key] = flat([]float64{}, x)
	}
	return nil
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
		"ALL SHAPES", strings.Join(bodies.ShapeNames(0), `", "`), `"KEYS OF SHAPES": {}`, strings.Join(keys, ",\n      ")).Replace(schemaText)
	model = strings.ReplaceAll(model, `"FRICTION BY SLIP": {}`, strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(slipKeys), "{"), "}"))
	return []byte(strings.TrimSuffix(strings.TrimSpace(model), "\n}") + ",\n" + strings.TrimPrefix(own, "{\n"))
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

func (b *Builder) shape(p casefile.Path, d *shapeDocument) bodies.Shape {
	if d == nil {
		return bodies.Point{}
	}
	shape, err := bodies.NewShape(d.Type, d.Numbers)
	if e, ok := errors.AsType[*bodies.KeyError](err); ok {
		if e.Key != "" {
			p = p.With(e.Key)
		}
		b.Add(p, "%v", err)
		return bodies.Point{}
	}
	b.thick(p, d)
	return shape
}
