// Package world decodes rigid bodies, obstacles and gravity of case files into a
// [bodies.World], for the models that move them.
package world

import (
	"encoding/json"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/obstacle"
)

// Document has the keys of all models of rigid bodies.
type Document struct {
	casefile.Document
	Dimension *float64                     `json:"dimension"`
	Gravity   json.RawMessage              `json:"gravity"`
	Obstacles map[string]obstacle.Document `json:"obstacles"`
	Bodies    []BodyDocument               `json:"bodies"`
	Loads     []LoadDocument               `json:"loads"`
}

// Builder makes a world of the keys of a case.
type Builder struct {
	*casefile.Builder
	doc *Document

	Dim      int
	Origin   [3]float64 // inner origin, from which the world has its places, see [Builder.near]; 0: that of the case [m]
	World    *bodies.World
	IDs      []string       // of the bodies
	Body     map[string]int // by id
	Obstacle map[string]int // by name, those of fixed bodies among them
	At       []int          // where the bodies are in the case
	Fixed    map[string]bodies.Solid

	rigid bool      // of the model rigid
	start []float64 // places of the bodies, once all are known
}

// New makes the world; it is nil after a fault of the dimension.
func New(c *casefile.Builder, d *Document) *Builder { return open(c, d).build() }

// NewNear makes a world whose places are from an inner origin near the bodies.
func NewNear(c *casefile.Builder, d *Document) *Builder {
	b := open(c, d)
	b.rigid = true
	b.Origin = b.near()
	return b.build()
}

func open(c *casefile.Builder, d *Document) *Builder {
	b := &Builder{Builder: c, doc: d, Dim: 3}
	if d.Dimension != nil {
		b.Dim = int(*d.Dimension)
	}
	return b
}

func (b *Builder) build() *Builder {
	d := b.doc
	world, err := bodies.NewWorld(b.Dim, [3]float64{})
	if err != nil {
		b.Add(casefile.Path{"dimension"}, "%v", err)
		return b
	}
	b.World, b.Fixed = world, map[string]bodies.Solid{}
	b.gravity(casefile.Path{"gravity"}, d.Gravity)
	b.obstacles()
	b.rigidBodies()
	return b
}

// gravity reads the acceleration of all masses.
func (b *Builder) gravity(p casefile.Path, raw json.RawMessage) {
	var list []json.RawMessage
	switch {
	case raw == nil:
	case json.Unmarshal(raw, &list) == nil && len(list) != b.Dim:
		b.Add(p, "found %d components, want %d, the dimension", len(list), b.Dim)
	default:
		if g := b.Vector(p, raw, b.Dim); g != nil {
			b.Accept(p, b.World.SetGravity(g))
		}
	}
}

// Vec reads a vector of the dimension of the case; nothing is zero.
func (b *Builder) Vec(p casefile.Path, v []float64) (x [3]float64, ok bool) {
	if v == nil {
		return x, true
	}
	if len(v) != b.Dim {
		b.Add(p, "found %d numbers, want %d, the dimension", len(v), b.Dim)
		return x, false
	}
	copy(x[:], v)
	return x, true
}

// Obstacles returns the names of the obstacles by their numbers.
func (b *Builder) Obstacles() []string {
	names := make([]string, len(b.Obstacle))
	for name, i := range b.Obstacle {
		names[i] = name
	}
	return names
}

// FindBody looks up a body by its id.
func (b *Builder) FindBody(p casefile.Path, id string) (int, bool) {
	return casefile.Find(b.Builder, p, id, "body", b.Body)
}

// Moving finds a body that is not fixed.
func (b *Builder) Moving(p casefile.Path, id string) (int, bool) {
	if _, fixed := b.Fixed[id]; fixed {
		b.Add(p, "%q is fixed, want a body that moves; in a joint or a spring the fixed one stands in \"to\"", casefile.Abbreviate(id))
		return 0, false
	}
	return b.FindBody(p, id)
}

// FindObstacle looks up an obstacle by its name.
func (b *Builder) FindObstacle(p casefile.Path, name string) (int, bool) {
	return casefile.Find(b.Builder, p, name, "obstacle", b.Obstacle)
}

// Quantities completes quantities of bodies: an axis that Must names as "turn" is needed in
// space alone, where a body has three.
func (b *Builder) Quantities(list []casefile.Quantity) []casefile.Quantity {
	out := make([]casefile.Quantity, len(list))
	for i, q := range list {
		axis := ""
		if b.Dim == 3 {
			axis = "axis"
		}
		q.Must = strings.ReplaceAll(q.Must, "turn", axis)
		out[i] = q
	}
	return out
}

// Subject finds the body of an expectation; turns says that it is about its rotation.
func (b *Builder) Subject(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation, turns bool) bool {
	if d.Body == nil {
		return false
	}
	if _, fixed := b.Fixed[*d.Body]; fixed {
		b.Add(p.With("body"), "%q is fixed: it has no motion of its own", casefile.Abbreviate(*d.Body))
		return false
	}
	body, ok := b.FindBody(p.With("body"), *d.Body)
	if !ok {
		return false
	}
	e.Subject, e.ID = body, *d.Body
	if turns && !b.World.Spins(body) {
		b.Add(p.With("body"), "a point does not turn")
	}
	return true
}
