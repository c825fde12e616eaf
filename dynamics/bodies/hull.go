package bodies

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// face is a flat part of the surface of a convex body: its outward normal, and its corners by their
// numbers, counter-clockwise as seen from outside.
type face struct {
	n    vec
	loop []int
}

// boxFaces are those of a box, by the corners of [Box.form].
var boxFaces = []face{
	{vec{-1, 0, 0}, []int{0, 4, 6, 2}}, {vec{1, 0, 0}, []int{1, 3, 7, 5}},
	{vec{0, -1, 0}, []int{0, 1, 5, 4}}, {vec{0, 1, 0}, []int{2, 6, 7, 3}},
	{vec{0, 0, -1}, []int{0, 2, 3, 1}}, {vec{0, 0, 1}, []int{4, 5, 7, 6}},
}

const (
	// hullFlat of the size is how far points may be off a face that they are taken to lie on: what
	// single precision, in which STL files are, leaves of a place is 6e-8.
	hullFlat = 2e-7
	// hullTilt is what the normals of triangles of one face may differ by [rad]: what hullFlat is of
	// an edge of a hundredth of the size.
	hullTilt = 2e-5
)

// convexHull returns the corners and faces of the convex hull of points, of at most so many corners:
// from a tetrahedron on it takes the point that is farthest outside, which sees some faces, and
// spans the rim of these to it (Clarkson and Shor 1989, in the order of Barber, Dobkin and Huhdanpaa
// 1996). out is how far points are outside of what is returned [m]. nil: the points lie in a plane.
// Cost: points times faces for each corner.
func convexHull(points []vec, most int) (corners []vec, faces []face, out float64) {
	h := &hull{points: points}
	if !h.start() {
		return nil, nil, 0
	}
	for used := 4; ; used++ {
		i, far := h.farthest()
		if out = far; far <= hullFlat*h.size || used >= most {
			break
		}
		if !h.add(i) {
			return nil, nil, 0
		}
	}
	corners, faces = h.merge()
	return corners, faces, max(out, 0)
}

// hull is one under construction.
type hull struct {
	points []vec
	size   float64
	sides  []side
}

// side is a triangle of it, n·x = d.
type side struct {
	v [3]int
	n vec
	d float64
}

func (h *hull) side(a, b, c int) side {
	n := vec3.Cross(vec3.Add(h.points[b], -1, h.points[a]), vec3.Add(h.points[c], -1, h.points[a]))
	if l := vec3.Norm(n); l > 0 {
		n = vec3.Scale(n, 1/l)
	}
	return side{[3]int{a, b, c}, n, vec3.Dot(n, h.points[a])}
}

// start makes a large tetrahedron, and reports whether there is one.
func (h *hull) start() bool {
	most := func(value func(x vec) float64) (at int, best float64) {
		best = math.Inf(-1)
		for i, x := range h.points {
			if v := value(x); v > best {
				at, best = i, v
			}
		}
		return at, best
	}
	a, _ := most(func(x vec) float64 { return -x[0] })
	from := h.points[a]
	b, size := most(func(x vec) float64 { return vec3.Norm(vec3.Add(x, -1, from)) })
	if h.size = size; !(size > 0) {
		return false
	}
	u := vec3.Scale(vec3.Add(h.points[b], -1, from), 1/size)
	c, wide := most(func(x vec) float64 { return vec3.Norm(vec3.Cross(u, vec3.Add(x, -1, from))) })
	if !(wide > hullFlat*size) {
		return false
	}
	s := h.side(a, b, c)
	d, high := most(func(x vec) float64 { return math.Abs(vec3.Dot(s.n, x) - s.d) })
	if !(high > hullFlat*size) {
		return false
	}
	if vec3.Dot(s.n, h.points[d]) > s.d {
		b, c = c, b
	}
	h.sides = []side{h.side(a, b, c), h.side(a, d, b), h.side(b, d, c), h.side(c, d, a)}
	return true
}

// farthest is the point that is farthest outside, and how far.
func (h *hull) farthest() (at int, out float64) {
	out = math.Inf(-1)
	for i, x := range h.points {
		for k := range h.sides {
			if d := vec3.Dot(h.sides[k].n, x) - h.sides[k].d; d > out {
				at, out = i, d
			}
		}
	}
	return at, out
}

// add takes a point in. The sides that it sees are those around the one that it is farthest from,
// so that they are of one piece; false: they have no rim, which rounding can do to slivers.
func (h *hull) add(i int) bool {
	x := h.points[i]
	seen := make([]bool, len(h.sides))
	best, top := 0, math.Inf(-1)
	height := func(k int) float64 { return vec3.Dot(h.sides[k].n, x) - h.sides[k].d }
	for k := range h.sides {
		if d := height(k); d > top {
			best, top = k, d
		}
	}
	of := map[[2]int]int{} // the side that an edge belongs to
	for k := range h.sides {
		v := h.sides[k].v
		of[[2]int{v[0], v[1]}], of[[2]int{v[1], v[2]}], of[[2]int{v[2], v[0]}] = k, k, k
	}
	seen[best] = true
	var rim [][2]int
	for todo := []int{best}; len(todo) > 0; todo = todo[1:] {
		v := h.sides[todo[0]].v
		for e := range 3 {
			edge := [2]int{v[e], v[(e+1)%3]}
			switch k := of[[2]int{edge[1], edge[0]}]; {
			case seen[k]:
			case height(k) > 1e-14*h.size: // rounding of a height
				seen[k] = true
				todo = append(todo, k)
			}
		}
	}
	var sides []side
	for k := range h.sides {
		if !seen[k] {
			sides = append(sides, h.sides[k])
			continue
		}
		v := h.sides[k].v
		for e := range 3 {
			if edge := [2]int{v[e], v[(e+1)%3]}; !seen[of[[2]int{edge[1], edge[0]}]] {
				rim = append(rim, edge)
			}
		}
	}
	if len(rim) < 3 {
		return false
	}
	for _, e := range rim {
		sides = append(sides, h.side(e[0], e[1], i))
	}
	h.sides = sides
	return true
}

// merge makes faces of the triangles that lie in one plane, and leaves out corners within them and
// on their edges.
func (h *hull) merge() (corners []vec, faces []face) {
	group := make([]int, len(h.sides))
	var ways []vec
	var largest []float64
	order := make([]int, len(h.sides))
	area := func(k int) float64 {
		v := h.sides[k].v
		return vec3.Norm(vec3.Cross(vec3.Add(h.points[v[1]], -1, h.points[v[0]]), vec3.Add(h.points[v[2]], -1, h.points[v[0]])))
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { // large ones have the better normals
		switch x, y := area(a), area(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, k := range order {
		s := &h.sides[k]
		group[k] = -1
		for g, n := range ways {
			d := 0.0
			for _, v := range s.v {
				d = max(d, math.Abs(vec3.Dot(n, h.points[v])-largest[g]))
			}
			if d <= 2*hullFlat*h.size && (vec3.Norm(vec3.Add(s.n, -1, n)) <= hullTilt || vec3.Dot(s.n, n) > 0 && d <= 1e-12*h.size) {
				group[k] = g
				break
			}
		}
		if group[k] < 0 {
			group[k] = len(ways)
			ways, largest = append(ways, s.n), append(largest, s.d)
		}
	}
	meets := map[int]map[int]bool{} // the faces at a corner
	for k := range h.sides {
		for _, v := range h.sides[k].v {
			if meets[v] == nil {
				meets[v] = map[int]bool{}
			}
			meets[v][group[k]] = true
		}
	}
	number := map[int]int{}
	for v := range h.points {
		if len(meets[v]) >= 3 {
			number[v] = len(corners)
			corners = append(corners, h.points[v])
		}
	}
	for g, n := range ways {
		if loop := h.loop(group, g, number); len(loop) >= 3 {
			faces = append(faces, face{n, loop})
		}
	}
	return corners, faces
}

// loop is the rim of a group of triangles, its corners by their numbers.
func (h *hull) loop(group []int, g int, number map[int]int) (loop []int) {
	after := map[int]int{}
	inner := map[[2]int]bool{}
	for k := range h.sides {
		if v := h.sides[k].v; group[k] == g {
			inner[[2]int{v[0], v[1]}], inner[[2]int{v[1], v[2]}], inner[[2]int{v[2], v[0]}] = true, true, true
		}
	}
	first := -1
	for e := range inner {
		if !inner[[2]int{e[1], e[0]}] {
			after[e[0]] = e[1]
			if first < 0 || e[0] < first {
				first = e[0]
			}
		}
	}
	at := first
	for range len(after) {
		if k, ok := number[at]; ok {
			loop = append(loop, k)
		}
		if at = after[at]; at == first {
			break
		}
	}
	return loop
}

// HullOf returns [MostCorners] corners of the convex hull of the vertices of a mesh at most, how far
// vertices are outside of these [m], 0 to rounding, and which share of the hull the triangles of the
// mesh enclose; nil: the vertices lie in a plane.
func HullOf(vertices [][3]float64, triangles [][3]int) (corners [][3]float64, out, share float64) {
	corners, _, out = convexHull(vertices, MostCorners)
	if corners == nil {
		return nil, 0, 0
	}
	size, inner := 0.0, 0.0
	o := vertices[0]
	for _, x := range corners {
		size = max(size, vec3.Norm(vec3.Add(x, -1, o)))
	}
	for _, t := range triangles {
		a, b, c := vec3.Add(vertices[t[0]], -1, o), vec3.Add(vertices[t[1]], -1, o), vec3.Add(vertices[t[2]], -1, o)
		inner += vec3.Dot(a, vec3.Cross(b, c)) / 6
	}
	hull := Polyhedron{corners}.volume()
	if out <= 2*hullFlat*size {
		return corners, 0, math.Abs(inner) / hull
	}
	return corners, out, math.Abs(inner) / hull
}
