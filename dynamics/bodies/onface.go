package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// onFace adds the points of a body a with no faces on a face of b, as those of the half-space under
// it, or else, as of one that reaches over an edge, by [clipper.convex].
func (c *clipper) onFace(a, b *form, pa, pb *pose) {
	if face, ok := c.stands(a, b, pa, pb, 1); !ok && !c.onEdge(a, b, pa, pb, face, 1) {
		c.convex(a, b, pa, pb)
	}
}

// underFace is [clipper.onFace] where the second body is that on the first.
func (c *clipper) underFace(a, b *form, pa, pb *pose) {
	if face, ok := c.stands(b, a, pb, pa, -1); !ok && !c.onEdge(b, a, pb, pa, face, -1) {
		c.convex(a, b, pa, pb)
	}
}

// onFaceNames begin the names of corners of a body without faces on a face or an edge of one.
const onFaceNames = 1 << 11

// stands adds the points of a on the face of b above which it is highest, where all that are lowest
// lie over that face: its height is their distance then, and where it is deep below it, and no face
// is nearer, they are no less deep along any other normal. It is not ok where that is not so.
func (c *clipper) stands(a, b *form, pa, pb *pose, sign float64) (best int, ok bool) {
	size := a.reach + b.reach
	s := math.Inf(-1)
	for k := range b.faces {
		f := &b.faces[k]
		n := pb.turn(f.n)
		h := vec3.Dot(n, vec3.Add(pa.c, -1, pb.c)) - vec3.Dot(f.n, b.core[f.loop[0]]) - a.radius
		if h-a.reach > c.margin {
			return k, true
		}
		if h += a.lowest(c, pa, n); h > s+shallow*size {
			best, s = k, h
		}
	}
	if s > c.margin {
		return best, true
	}
	n, first := pb.turn(b.faces[best].n), len(c.out)
	var roll bool
	c.points, roll = a.corners(c.points[:0], pa.back(vec3.Scale(n, -1)))
	for k, y := range c.points {
		x := vec3.Add(pa.place(y), -a.radius, n)
		local := pb.local(x)
		h := vec3.Dot(b.faces[best].n, vec3.Add(local, -1, b.core[b.faces[best].loop[0]]))
		over := b.over(best, local, h, size)
		if low := h-s <= parallel*vec3.Norm(y) || h-s <= shallow*size; low && !over {
			c.out = c.out[:first]
			return best, false
		}
		if over {
			c.out = append(c.out, point{spot: spot{vec3.Add(x, -h/2, n), vec3.Scale(n, sign), h}, feature: onFaceNames | k, leaps: !roll})
		}
	}
	return best, len(c.out) > first
}

// lowest is the least n·(x − centre) of the core of a form.
func (f *form) lowest(c *clipper, p *pose, n vec) float64 {
	m, least := p.back(n), math.Inf(1)
	c.points, _ = f.corners(c.points[:0], vec3.Scale(m, -1))
	for _, y := range c.points {
		least = min(least, vec3.Dot(m, y))
	}
	return least
}

// over reports whether a point at the height h above a face has its foot in it, or, where it is
// below, no other face is nearer.
func (f *form) over(face int, x vec, h, size float64) bool {
	foot := vec3.Add(x, -max(h, 0), f.faces[face].n)
	for k := range f.faces {
		s := &f.faces[k]
		if k != face && vec3.Dot(s.n, vec3.Add(foot, -1, f.core[s.loop[0]])) > min(h, 0)+shallow*size {
			return false
		}
	}
	return true
}
