package bodies

import (
	"cmp"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// tree has the triangles of a mesh in boxes: each holds two others, or four triangles at most. It
// is cut at the middle of the centres along the longest side, so that its depth is log₂ of their number.
// Four triangles are as soon looked at as the boxes around them.
type tree struct {
	boxes []crate
	order []int // of the triangles, those of a leaf beside each other
}

// crate is a box of a tree. The first half is the next in the list.
type crate struct {
	low, high   vec
	from, to    int // its triangles in the order
	second, end int // the second half, 0 of a leaf; what comes after all that it holds
}

func newTree(m *Mesh) tree {
	t := tree{order: make([]int, len(m.faces))}
	middle := make([]vec, len(m.faces))
	for i := range m.faces {
		t.order[i] = i
		for _, v := range m.faces[i].v {
			middle[i] = vec3.Add(middle[i], 1./3, m.at[v])
		}
	}
	t.grow(m, middle, 0, len(m.faces))
	return t
}

// grow appends the box of some triangles and what it holds.
func (t *tree) grow(m *Mesh, middle []vec, from, to int) {
	at := len(t.boxes)
	x := crate{low: m.at[m.faces[t.order[from]].v[0]], from: from, to: to}
	x.high = x.low
	for _, i := range t.order[from:to] {
		for _, v := range m.faces[i].v {
			for k, y := range m.at[v] {
				x.low[k], x.high[k] = min(x.low[k], y), max(x.high[k], y)
			}
		}
	}
	t.boxes = append(t.boxes, x)
	if to-from > 4 {
		long, size := 0, vec3.Add(x.high, -1, x.low)
		for k := range size {
			if size[k] > size[long] {
				long = k
			}
		}
		slices.SortStableFunc(t.order[from:to], func(i, j int) int { return cmp.Compare(middle[i][long], middle[j][long]) })
		half := (from + to) / 2
		t.grow(m, middle, from, half)
		t.boxes[at].second = len(t.boxes)
		t.grow(m, middle, half, to)
	}
	t.boxes[at].end = len(t.boxes)
}

// within visits the triangles of all leaves that meet a box.
func (t *tree) within(low, high vec, visit func(face int)) {
	for i := 0; i < len(t.boxes); {
		x := &t.boxes[i]
		if x.low[0] > high[0] || x.high[0] < low[0] || x.low[1] > high[1] || x.high[1] < low[1] || x.low[2] > high[2] || x.high[2] < low[2] {
			i = x.end
			continue
		}
		if x.second == 0 {
			for _, face := range t.order[x.from:x.to] {
				visit(face)
			}
		}
		i++
	}
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
		b := &m.tree.boxes[stack[n]]
		if b.off(x) >= best {
			continue
		}
		if b.second == 0 {
			for _, k := range m.tree.order[b.from:b.to] {
				y, on := m.onTriangle(k, x)
				if d := vec3.Add(y, -1, x); vec3.Dot(d, d) < best {
					best, f.at, part, face = vec3.Dot(d, d), y, on, k
				}
			}
			continue
		}
		first, second := stack[n]+1, b.second
		if m.tree.boxes[second].off(x) < m.tree.boxes[first].off(x) {
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
func (b *crate) off(x vec) (d float64) {
	for k := range x {
		out := max(0, b.low[k]-x[k], x[k]-b.high[k])
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
