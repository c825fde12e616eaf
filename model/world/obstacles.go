package world

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/obstacle"
	"github.com/quasistatic/quasistatic/particles"
)

// obstacles adds those of the case to the world.
func (b *Builder) obstacles() {
	b.Obstacle = map[string]int{}
	for _, name := range casefile.Keys(b.doc.Obstacles) {
		p, d := casefile.Path{"obstacles", name}, b.doc.Obstacles[name]
		o, ok := obstacle.Read(b.Builder, p, &d, b.Dim)
		if !ok {
			continue
		}
		b.bringNear(&o)
		surface, ok := b.surface(p, &o)
		if !ok {
			continue
		}
		i, err := b.World.AddObstacle(bodies.Obstacle{Surface: surface, Motion: o.Motion})
		if b.Accept(p, err) {
			b.Obstacle[name] = i
		}
	}
}

// surface is the shape of an obstacle.
func (b *Builder) surface(p casefile.Path, o *obstacle.Obstacle) (bodies.Surface, bool) {
	switch o.Kind {
	case "sphere":
		return bodies.Ball{Center: o.Point, R: o.Radius, Inside: o.Inside}, true
	case "cylinder":
		return bodies.Cylinder{Point: o.Point, Axis: o.Direction, R: o.Radius, Inside: o.Inside}, true
	case "ellipsoid":
		return bodies.Oval{Center: o.Point, Axes: o.SemiAxes, Inside: o.Inside}, true
	case "torus":
		return bodies.Torus{Center: o.Point, Axis: o.Direction, Radius: o.Radius, Tube: o.Tube, Inside: o.Inside}, true
	case "graph":
		g, err := particles.NewGraph(o.X, o.Y, o.Height, o.Inside)
		return bodies.Graph{Relief: g, Below: o.Inside}, b.Accept(p, err)
	case "mesh":
		m, err := bodies.NewMesh(o.Vertices, o.Faces, o.Open, o.Inside)
		return m, b.Accept(p.With(o.From), err)
	}
	return bodies.HalfSpace{Point: o.Point, Normal: o.Direction}, true
}

// MeetObstacles objects to bodies whose gap to an obstacle is not known, but for those apart
// from it.
func (b *Builder) MeetObstacles(apart func(body, obstacle int) bool) {
	for i := range b.World.Bodies() {
		for _, name := range casefile.Keys(b.Obstacle) {
			f := b.Obstacle[name]
			if apart(i, f) {
				continue
			}
			if err := b.World.Meets(i, f); err != nil {
				b.Add(casefile.Path{"bodies", b.At[i], "shape"},
					"%v; the obstacle is %q: another shape, or an entry of \"contacts\" with \"apart\"", err, casefile.Abbreviate(name))
			}
			b.Begins(i, name)
		}
	}
}

// Begins objects to a body that begins behind an obstacle.
func (b *Builder) Begins(body int, obstacle string) {
	if b.start == nil {
		b.start, _ = b.World.Start()
	}
	if err := b.World.Begins(b.start, body, b.Obstacle[obstacle]); err != nil {
		b.Add(casefile.Path{"bodies", b.At[body], "position"}, "%v; the obstacle is %q", err, casefile.Abbreviate(obstacle))
	}
}
