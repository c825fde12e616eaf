package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/boxtree"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// tree has the triangles of a mesh in boxes.
type tree struct{ boxtree.Tree }

func newTree(m *Mesh) tree {
	things := make([]boxtree.Thing, len(m.faces))
	for i := range m.faces {
		x := &things[i]
		x.Low = m.at[m.faces[i].v[0]]
		x.High = x.Low
		for _, v := range m.faces[i].v {
			x.Middle = vec3.Add(x.Middle, 1./3, m.at[v])
			for k, y := range m.at[v] {
				x.Low[k], x.High[k] = min(x.Low[k], y), max(x.High[k], y)
			}
		}
	}
	return tree{boxtree.New(things)}
}

// foot is the point of a mesh that is nearest to another one.
type foot struct {
	at       vec
	distance float64
	n        vec  // of the surface there: what is on this side of it is outside
	border   bool // the mesh ends there
	hue      int  // of the face, −1 on an edge or a vertex
}

// foot finds the point of the mesh nearest to x, of those nearer than so far; not ok: there is none.
func (m *Mesh) foot(x vec, far float64) (f foot, ok bool) {
	best := far * far
	part, face := 0, -1
	var stack [64]int // a box and the second halves left, one for each level of the tree
	for n := 1; n > 0; {
		n--
		b := &m.tree.Boxes[stack[n]]
		if off(b, x) >= best {
			continue
		}
		if b.Second == 0 {
			for _, k := range m.tree.Order[b.From:b.To] {
				y, on := m.onTriangle(k, x)
				if d := vec3.Add(y, -1, x); vec3.Dot(d, d) < best {
					best, f.at, part, face = vec3.Dot(d, d), y, on, k
				}
			}
			continue
		}
		first, second := stack[n]+1, b.Second
		if off(&m.tree.Boxes[second], x) < off(&m.tree.Boxes[first], x) {
			first, second = second, first
		}
		stack[n], stack[n+1] = second, first
		n += 2
	}
	if face < 0 {
		return f, false
	}
	f.distance, f.hue = math.Sqrt(best), -1
	switch t := &m.faces[face]; {
	case part < 3:
		f.n, f.border = m.tips[t.v[part]].n, m.tips[t.v[part]].border
	case part < 6:
		e := &m.edges[t.edge[part-3]]
		f.n, f.border = e.mean, e.ends()
	default:
		f.n, f.hue = t.n, t.hue
	}
	f.n = vec3.Scale(f.n, 1/vec3.Norm(f.n))
	return f, true
}

// off is the square of the distance of a point from a box.
func off(b *boxtree.Box, x vec) (d float64) {
	for k := range x {
		out := max(0, b.Low[k]-x[k], x[k]-b.High[k])
		d += out * out
	}
	return d
}

// onTriangle is the point of a triangle that is nearest to x: on corner 0 to 2, on the edge from corner
// 3 to 5 less 3, or 6 inside.
func (m *Mesh) onTriangle(face int, x vec) (y vec, on int) {
	t := &m.faces[face]
	on, h := 6, vec3.Dot(t.n, vec3.Add(x, -1, m.at[t.v[0]]))
	y = vec3.Add(x, -h, t.n)
	least := math.Inf(1)
	for k := range t.v {
		from, to := m.at[t.v[k]], m.at[t.v[(k+1)%3]]
		if vec3.Dot(t.out[k], vec3.Add(x, -1, from)) <= 0 {
			continue
		}
		u := vec3.Add(to, -1, from)
		s, z, part := vec3.Dot(u, vec3.Add(x, -1, from))/vec3.Dot(u, u), from, k
		switch {
		case s >= 1:
			z, part = to, (k+1)%3
		case s > 0:
			z, part = vec3.Add(from, s, u), 3+k
		}
		if d := vec3.Add(x, -1, z); vec3.Dot(d, d) < least {
			least, y, on = vec3.Dot(d, d), z, part
		}
	}
	return y, on
}
