package world

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/obstacle"
)

// farAway is the distance of a scene from the origin, in its sizes, from which on it has an inner
// origin: nearer ones lose no more than 12 of the 52 bits of their places.
const farAway = 1 << 12

// near returns the inner origin of the bodies as they start, each coordinate for itself. Far from
// the origin x + hv is rounded to 2⁻⁵³x in each step, and boxes that stand on each other collide
// with what that opens and closes. The inner origin is a multiple of a power of two that is larger
// than the scene: so is the unit in the last place of x a divisor of both, and x less the origin is
// exact.
func (b *Builder) near() (origin [3]float64) {
	least, most, size := [3]float64{}, [3]float64{}, 0.0
	for i := range b.doc.Bodies {
		d := &b.doc.Bodies[i]
		size = max(size, d.size())
		for k := range b.Dim {
			x := 0.0
			if k < len(d.Position) {
				x = d.Position[k]
			}
			if i == 0 {
				least[k], most[k] = x, x
			}
			least[k], most[k] = min(least[k], x), max(most[k], x)
		}
	}
	for k := range least {
		size = max(size, most[k]-least[k])
	}
	grid := math.Exp2(math.Ceil(math.Log2(size)) + 4)
	for k, x := range least {
		if math.Abs(x) > farAway*size && grid > 0 && !math.IsInf(grid, 1) {
			origin[k] = math.Round(x/grid) * grid
		}
	}
	return origin
}

// size is the largest length of a body [m].
func (d *BodyDocument) size() float64 {
	size := d.Shape.size()
	for i := range d.Parts {
		size = max(size, d.Parts[i].Shape.size())
		for _, x := range d.Parts[i].Position {
			size = max(size, math.Abs(x))
		}
	}
	return size
}

// size is the largest length of a shape [m].
func (d *shapeDocument) size() (size float64) {
	if d == nil {
		return 0
	}
	for _, list := range d.Numbers {
		for _, x := range list {
			size = max(size, math.Abs(x))
		}
	}
	return size
}

// Place reads a point of the case, from the inner origin; nothing is the origin of the case.
func (b *Builder) Place(p casefile.Path, v []float64) (x [3]float64, ok bool) {
	x, ok = b.Vec(p, v)
	for k := range x {
		x[k] -= b.Origin[k]
	}
	return x, ok
}

// bringNear takes an obstacle to the inner origin.
func (b *Builder) bringNear(o *obstacle.Obstacle) {
	if b.Origin == [3]float64{} {
		return
	}
	for k, x := range b.Origin {
		o.Point[k] -= x
		o.Motion.Center[k] -= x
	}
	for i := range o.Vertices {
		o.Vertices[i] = vec3.Add(o.Vertices[i], -1, b.Origin)
	}
	up := b.Dim - 1 // the axis of the heights of a graph
	o.X = shifted(o.X, b.Origin[0])
	if b.Dim == 3 {
		o.Y = shifted(o.Y, b.Origin[1])
	}
	rows := make([][]float64, len(o.Height))
	for i, row := range o.Height {
		rows[i] = shifted(row, b.Origin[up])
	}
	o.Height = rows
}

// shifted returns a list of coordinates from an origin.
func shifted(list []float64, origin float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = x - origin
	}
	return out
}
