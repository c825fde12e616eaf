package bodies

import (
	"errors"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Solid is an obstacle of the shape of a body: a body that stands still, or moves as told.
type Solid struct {
	Shape       Shape
	Position    [3]float64 // of the origin of the shape [m]
	Angle       float64    // in the plane [rad]
	Orientation [4]float64 // in space, a unit quaternion; zero: not turned

	own form
	at  pose
}

func (s Solid) validate(dim int) error {
	if s.Shape == nil {
		return errors.New("bodies: an obstacle has no shape")
	}
	if c, ok := s.Shape.(Compound); ok {
		if err := c.validate(); err != nil {
			return err
		}
	} else if err := (&Part{Shape: s.Shape, Position: s.Position, Angle: s.Angle, Orientation: s.Orientation}).validate(dim); err != nil {
		return err
	}
	if !finite(s.Position[:]...) || !finite(s.Angle) || s.Shape.Dim() != dim {
		return misfit(s.Shape, dim)
	}
	return nil
}

// Place is where a point on the axes of the shape is.
func (s Solid) Place(y [3]float64) [3]float64 {
	p := (&Part{Position: s.Position, Angle: s.Angle, Orientation: s.Orientation}).pose(s.Shape.Dim())
	return p.place(y)
}

func (Solid) accepts(*form) error { return nil }

func (Solid) features(*form) int { return 1 }

func (s Solid) meeting(f *form, p *pose, _ int) meeting {
	if s.own.parts == nil {
		return nearest(f, p, s.own, s.at)
	}
	c := clipper{plane: s.Shape.Dim() == 2, margin: math.Inf(1)}
	c.pair(f, &s.own, p, &s.at)
	least := &c.out[0]
	for i := range c.out {
		if c.out[i].gap < least.gap {
			least = &c.out[i]
		}
	}
	return meeting{vec3.Add(least.at, -1, p.c), least.n, least.gap}
}

func (s Solid) collect(c *clipper, f *form, p *pose) { c.pair(f, &s.own, p, &s.at) }

func (s Solid) far(f *form, p *pose) float64 {
	return vec3.Norm(vec3.Add(p.c, -1, s.at.c)) - s.own.reach - f.reach
}

// isSolid reports whether an obstacle is a [Solid] or a [Mesh], which a body can pass through.
func (w *World) isSolid(obstacle int) bool {
	switch w.floors[obstacle].Surface.(type) {
	case Solid, Mesh:
		return true
	}
	return false
}
