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
	Parts   []Surfaces   // of a polyhedron, or a body of parts; nil for others
}

// Surfaces are those of a convex body: faces by the numbers of their points, counter-clockwise from
// outside; in the plane one of all points.
type Surfaces struct {
	Points [][3]float64
	Faces  [][]int
}

// surfaces are those of all parts of a form at p.
func (f *form) surfaces(p *pose, plane bool) (list []Surfaces) {
	for i := range f.count() {
		x, at := f.part(i, p)
		s := x.surface(plane)
		for k, y := range s.Points {
			s.Points[k] = at.place(y)
		}
		list = append(list, s)
	}
	return list
}

// surface is that of a form of one part.
func (f *form) surface(plane bool) (s Surfaces) {
	switch {
	case plane:
		s.Points = slices.Clone(f.outline())
		s.Faces = [][]int{nil}
		for k := range s.Points {
			s.Faces[0] = append(s.Faces[0], k)
		}
	case f.faces != nil:
		s.Points = slices.Clone(f.core)
		for _, x := range f.faces {
			s.Faces = append(s.Faces, x.loop)
		}
	default:
		s.Points = f.hull()
		for row := 0; row+HullAround < len(s.Points); row += HullAround {
			for k := range HullAround {
				a, c := row+k, row+(k+1)%HullAround
				s.Faces = append(s.Faces, []int{a, a + HullAround, c + HullAround, c})
			}
		}
	}
	return s
}

// Surfaces are those of the parts of an obstacle that is a [Solid].
func (w *World) Surfaces(obstacle int) []Surfaces {
	s, solid := w.floors[obstacle].Surface.(Solid)
	if !solid {
		return nil
	}
	return s.own.surfaces(&s.at, w.dim == 2)
}

// Rings of points of a hull: those that are farthest in directions from the z-axis, about which
// cylinders and cones are round, to the opposite; at both ends the middle of them.
const HullRings, HullAround = 8, 16

// hull returns those points.
func (f *form) hull() (list [][3]float64) {
	for i := range HullRings + 1 {
		end := i%HullRings == 0
		across, along := math.Sincos(math.Pi * float64(i) / HullRings)
		if end { // aside of the axis, where an end that is flat has no farthest point
			across = 1e-3
		}
		var ring [HullAround]vec
		var middle vec
		for k := range ring {
			s, c := math.Sincos(2 * math.Pi * float64(k) / HullAround)
			m := vec{across * c, across * s, along}
			points, _ := f.corners(nil, m)
			top := slices.MaxFunc(points, func(x, y vec) int { return cmp.Compare(vec3.Dot(m, x), vec3.Dot(m, y)) })
			ring[k] = vec3.Add(top, f.radius, m)
			middle = vec3.Add(middle, 1.0/HullAround, ring[k])
		}
		for k := range ring {
			if end {
				ring[k] = middle
			}
			list = append(list, ring[k])
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
	case f.parts != nil || f.faces != nil && !isBox(f):
		return Appearance{Parts: f.surfaces(&pose{r: identity}, w.dim == 2)}
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
