package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Two sharp corners in one place have no normal of their own: every n with n·x >= 0 of the one body
// and n·y <= 0 of the other parts them. The edge that rounding prefers is that of one of the
// bodies, and two equal ones would not fall as each other's image. The choice is the middle of the
// cone, n = (w_A − w_B)/‖w_A − w_B‖ with the mean directions w from the corner into each body: it
// turns with the bodies, changes its sign when they change their places, and is the limit of
// corners of equal, small radii that lean at each other as images. A choice it is: [Touch.Free]
// says so.

const (
	// tipsNear of the sizes is a distance of corners in one place: contacts at rest are open by
	// less, and rounding turns the line between corners that are further apart by less than 1e-6.
	tipsNear = 1e-9
	// tipsSharp is the sine of the least angle of an edge with the plane across the normal. Of what
	// is flatter all normals are about the same, and that of an edge does, as that of faces that
	// lie on each other or have just begun to turn about a corner.
	tipsSharp = 0.1
)

// tips adds the meeting of two corners in one place, and reports whether there is one.
func (c *clipper) tips(a, b *form, pa, pb *pose) bool {
	if a.radius+b.radius > 0 || !isSharp(a) || !isSharp(b) {
		return false
	}
	far := tipsNear * (a.reach + b.reach)
	for i := range a.core {
		x := pa.place(a.core[i])
		if vec3.Norm(vec3.Add(x, -1, pb.c)) > b.reach+far {
			continue
		}
		for j := range b.core {
			y := pb.place(b.core[j])
			d := vec3.Add(x, -1, y)
			if vec3.Norm(d) > far {
				continue
			}
			first, second := a.edges(pa, i), b.edges(pb, j)
			n := vec3.Add(mean(first), -1, mean(second))
			l := vec3.Norm(n)
			if l < tipsSharp {
				return false
			}
			n = vec3.Scale(n, 1/l)
			if !beyond(first, n) || !beyond(second, vec3.Scale(n, -1)) {
				return false
			}
			gap := vec3.Dot(n, d)
			c.out = append(c.out, point{spot{vec3.Add(y, gap/2, n), n, gap}, tipsFeature | i<<6 | j, c.turns(n, first, second), false})
			return true
		}
	}
	return false
}

// tipsFeature is a bit that no other feature of polygons and boxes has.
const tipsFeature = 1 << 15

// isSharp reports whether a form has corners.
func isSharp(f *form) bool { return len(f.core) >= 2 && !isQuadric(f) }

// turns is the angle by which n may turn before it parts two corners no more, in the direction in
// which that is most [rad]: towards m, across n, the vector cos φ n + sin φ m leaves the cone of
// x·d >= 0 where tan φ = −n·d/m·d.
func (c *clipper) turns(n vec, first, second []vec) (most float64) {
	dim, ways := 3, turnsWays
	if c.plane {
		dim, ways = 2, 2
	}
	u, v := tangents(n, dim)
	for k := range ways {
		sine, cosine := math.Sincos(2 * math.Pi * float64(k) / float64(ways))
		m, least := vec3.Add(vec3.Scale(u, cosine), sine, v), math.Pi
		for s, list := range [2][]vec{first, second} {
			for _, d := range list {
				if s == 1 {
					d = vec3.Scale(d, -1)
				}
				if across := vec3.Dot(m, d); across < 0 {
					least = min(least, math.Atan2(vec3.Dot(n, d), -across))
				}
			}
		}
		most = max(most, least)
	}
	return most
}

// turnsWays are the directions in space that turns looks at.
const turnsWays = 16

// edges are the directions from a corner to the others.
func (f *form) edges(p *pose, i int) (list []vec) {
	x := p.place(f.core[i])
	for k := range f.core {
		if d := vec3.Add(p.place(f.core[k]), -1, x); k != i {
			list = append(list, vec3.Scale(d, 1/vec3.Norm(d)))
		}
	}
	return list
}

// mean is the direction of the sum of some.
func mean(list []vec) (w vec) {
	for _, d := range list {
		w = vec3.Add(w, 1, d)
	}
	return vec3.Scale(w, 1/vec3.Norm(w))
}

// beyond reports whether all directions lie well on the side of n.
func beyond(list []vec, n vec) bool {
	for _, d := range list {
		if !(vec3.Dot(n, d) > tipsSharp) {
			return false
		}
	}
	return true
}
