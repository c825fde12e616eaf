package bodies

import (
	"cmp"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Appearance is what a picture of a body needs: one of the shapes, in its own frame.
type Appearance struct {
	Outline [][2]float64 // of a body in the plane, closed; nil in space
	Round   [3]float64   // semi-axes of an ellipsoid; zero for others
	Half    [3]float64   // half edges of a box; zero for others
	Length  float64      // of the core of a capsule along x; zero for others
	Radius  float64      // of a capsule
	Point   bool         // a point mass
	Hull    [][3]float64 // points of another convex body, HullRings + 1 rings of HullAround; nil for others
}

// Rings of points of a hull: those that are farthest in directions from the x-axis to the opposite.
const HullRings, HullAround = 8, 16

// hull returns those points.
func (f *form) hull() (list [][3]float64) {
	for i := range HullRings + 1 {
		across, along := math.Sincos(math.Pi * float64(i) / HullRings)
		for k := range HullAround {
			s, c := math.Sincos(2 * math.Pi * float64(k) / HullAround)
			m := vec{along, across * c, across * s}
			points, _ := f.corners(nil, m)
			list = append(list, slices.MaxFunc(points, func(x, y vec) int { return cmp.Compare(vec3.Dot(m, x), vec3.Dot(m, y)) }))
		}
	}
	return list
}

// Appearance returns the shape of a body for pictures.
func (w *World) Appearance(body int) Appearance {
	f := &w.bodies[body].form
	switch {
	case !f.spins || isRound(f) && f.radius == 0:
		return Appearance{Point: true}
	case w.dim == 2:
		var l Appearance
		for _, y := range f.outline() {
			l.Outline = append(l.Outline, [2]float64{y[0], y[1]})
		}
		return l
	case f.solid != nil:
		return Appearance{Hull: f.hull()}
	case isBox(f):
		return Appearance{Half: f.half}
	case isQuadric(f):
		return Appearance{Round: f.axes}
	case isRound(f):
		return Appearance{Round: vec{f.radius, f.radius, f.radius}}
	}
	return Appearance{Length: f.core[1][0] - f.core[0][0], Radius: f.radius}
}

// Meeting returns where the patch of a key lies at (t, q): the obstacle, −1 for one of
// two bodies, the place, and the normal, which points into the first body of
// [World.KeyOf].
func (w *World) Meeting(key int, t float64, q []float64) (obstacle int, at, n [3]float64) {
	a, b := w.KeyOf(key)
	pa := w.pose(a, q)
	m := meeting{}
	obstacle = -1
	if b >= 0 {
		pb := w.pose(b, q)
		m = between(&w.bodies[a].form, &w.bodies[b].form, &pa, &pb)
	} else {
		p := &w.pairs[w.pairOf(key)]
		obstacle = p.floor
		m = w.floors[p.floor].meeting(&w.bodies[a].form, &pa, key-p.key, t)
	}
	return obstacle, vec3.Add(pa.c, 1, m.r), m.n
}
