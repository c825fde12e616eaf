package bodies

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Mesh is a surface of triangles, counter-clockwise as seen from the bodies, from [NewMesh]: the
// obstacle is what lies behind. One that is closed is a body, or with its triangles turned all that is
// around one; an open one is ground, which goes down from it without an end, and has an edge where it
// ends.
//
// A body touches a triangle where a point of it that is lowest there lies over it, as on the half-space
// under it; an edge or a vertex along normals that all triangles around it are behind (the normal cone
// of the surface). So a seam between two triangles in one plane is not felt, nor is an edge of a
// hollow, where the triangles beside it are met.
type Mesh struct {
	at    []vec
	faces []triangle
	edges []meshEdge
	tips  []tip // by the numbers of their vertices
	tree  tree
	open  bool
	grain float64 // mean length of an edge [m]
}

// triangle is a face of a mesh.
type triangle struct {
	v    [3]int
	n    vec    // towards the bodies
	out  [3]vec // out of the triangle, across the edge from v[k], in its plane
	edge [3]int
	hue  int // faces that a body may touch at once differ in it
}

// meshEdge is an edge of a mesh.
type meshEdge struct {
	v      [2]int
	from   vec
	along  vec // of length 1
	length float64
	face   [2]int // −1: the mesh ends here
	into   [2]vec // into both faces, in their planes
	split  vec    // normal of the plane between the faces, from the first to the second
	mean   vec    // sum of the normals of the faces
	flat   bool   // the faces lie in one plane, within hullTilt
	hollow bool   // they rise from it: no body touches it alone
}

// ends reports whether the mesh does, at an edge.
func (e *meshEdge) ends() bool { return e.face[1] < 0 }

// sharp reports whether a body may touch an edge alone.
func (e *meshEdge) sharp() bool { return !e.flat && !e.hollow }

// tip is a vertex of a mesh.
type tip struct {
	n      vec   // sum of the normals around, by their angles: what is nearest to the vertex is outside where it is on that side (Bærentzen and Aanæs 2005)
	edges  []int // none of vertices in a face or on a straight edge, which touch nothing of their own
	border bool
}

// NewMesh makes a mesh of polygons by the numbers of their vertices, each taken as a fan of triangles
// from its first corner. A closed mesh encloses a volume; an open one is to be said to be so. Inside:
// the bodies are on the other side. The work is O(n log n).
func NewMesh(vertices [][3]float64, polygons [][]int, open, inside bool) (Mesh, error) {
	m := Mesh{open: open}
	number := map[vec]int{} // vertices in one place are one
	of := make([]int, len(vertices))
	for i, x := range vertices {
		if !finite(x[:]...) {
			return m, fmt.Errorf("bodies: vertex %d of a mesh is at %v, want three finite numbers", i, x)
		}
		x = vec3.Add(x, 0, vec{}) // −0 is 0
		k, known := number[x]
		if !known {
			k = len(m.at)
			number[x], m.at = k, append(m.at, x)
		}
		of[i] = k
	}
	for i, p := range polygons {
		if err := m.fan(i, p, of, inside); err != nil {
			return m, err
		}
	}
	if len(m.faces) == 0 {
		return m, errors.New("bodies: a mesh has no faces, want at least one triangle")
	}
	if err := m.join(inside); err != nil {
		return m, err
	}
	m.round()
	m.paint()
	m.tree = newTree(&m)
	return m, nil
}

// fan adds the triangles of a polygon.
func (m *Mesh) fan(i int, p, of []int, inside bool) error {
	if len(p) < 3 {
		return fmt.Errorf("bodies: face %d of a mesh has %d corners, want at least 3", i, len(p))
	}
	for _, k := range p {
		if k < 0 || k >= len(of) {
			return fmt.Errorf("bodies: face %d of a mesh has the corner %d, want one of 0 to %d", i, k, len(of)-1)
		}
	}
	for k := 2; k < len(p); k++ {
		t := triangle{v: [3]int{of[p[0]], of[p[k-1]], of[p[k]]}}
		if inside {
			t.v[1], t.v[2] = t.v[2], t.v[1]
		}
		a, b, c := m.at[t.v[0]], m.at[t.v[1]], m.at[t.v[2]]
		u, v, w := vec3.Add(b, -1, a), vec3.Add(c, -1, a), vec3.Add(c, -1, b)
		t.n = vec3.Cross(u, v)
		area, long := vec3.Norm(t.n), max(vec3.Norm(u), vec3.Norm(v), vec3.Norm(w))
		if !(area > 1e-12*long*long) { // less high, and rounding of its corners turns its normal by 1e-4 and more
			return fmt.Errorf("bodies: face %d of a mesh has no area at (%.6g, %.6g, %.6g) m: the corners of a triangle lie on a line, want it left out or its corners mended",
				i, a[0], a[1], a[2])
		}
		t.n = vec3.Scale(t.n, 1/area)
		for e := range t.v {
			d := vec3.Add(m.at[t.v[(e+1)%3]], -1, m.at[t.v[e]])
			t.out[e] = vec3.Cross(vec3.Scale(d, 1/vec3.Norm(d)), t.n)
		}
		m.faces = append(m.faces, t)
	}
	return nil
}

// join finds the edges and what they join, and refuses what encloses nothing.
func (m *Mesh) join(inside bool) error {
	known := map[[2]int]int{}
	total := 0.0
	for i := range m.faces {
		t := &m.faces[i]
		for k := range t.v {
			a, b := t.v[k], t.v[(k+1)%3]
			e, second := known[[2]int{b, a}]
			_, again := known[[2]int{a, b}]
			switch {
			case again || second && m.edges[e].face[1] >= 0:
				return fmt.Errorf("bodies: the edge of a mesh %s is that of two faces that go along it the same way: one of them is flipped, or three meet there; want two, both counter-clockwise from outside",
					m.span(a, b))
			case second:
				m.edges[e].face[1], m.edges[e].into[1] = i, vec3.Scale(t.out[k], -1)
			default:
				e = len(m.edges)
				d := vec3.Add(m.at[b], -1, m.at[a])
				l := vec3.Norm(d)
				total += l
				m.edges = append(m.edges, meshEdge{v: [2]int{a, b}, from: m.at[a], along: vec3.Scale(d, 1/l), length: l,
					face: [2]int{i, -1}, into: [2]vec{vec3.Scale(t.out[k], -1)}})
			}
			known[[2]int{a, b}] = e
			t.edge[k] = e
		}
	}
	m.grain = total / float64(len(m.edges))
	return m.unfold(inside)
}

// span writes where an edge is.
func (m *Mesh) span(a, b int) string {
	x, y := m.at[a], m.at[b]
	return fmt.Sprintf("from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m", x[0], x[1], x[2], y[0], y[1], y[2])
}

// unfold finds how the faces of all edges lie, and on which side of them the bodies are.
func (m *Mesh) unfold(inside bool) error {
	ends, volume := false, 0.0
	for i := range m.edges {
		e := &m.edges[i]
		n := m.faces[e.face[0]].n
		if e.face[1] < 0 {
			if !m.open {
				return fmt.Errorf("bodies: the edge of a mesh %s has a face on one side only: want a closed mesh, or \"open\": true of ground that ends there, where all that is behind its faces is solid",
					m.span(e.v[0], e.v[1]))
			}
			e.mean, ends = n, true
			continue
		}
		other := m.faces[e.face[1]].n
		e.mean = vec3.Add(n, 1, other)
		if vec3.Norm(e.mean) <= hullTilt {
			return fmt.Errorf("bodies: two faces of a mesh lie on each other at their edge %s: want a body with a thickness",
				m.span(e.v[0], e.v[1]))
		}
		e.split = vec3.Cross(e.along, e.mean)
		rise := vec3.Dot(n, e.into[1])
		e.flat = math.Abs(rise) <= hullTilt && vec3.Dot(n, other) > 0
		e.hollow = !e.flat && rise >= 0
	}
	if m.open {
		if !ends {
			return errors.New("bodies: a mesh that is said to be open is closed: want it without \"open\"")
		}
		return nil
	}
	for i := range m.faces {
		t, o := &m.faces[i], m.at[0]
		volume += vec3.Dot(vec3.Add(m.at[t.v[0]], -1, o), vec3.Cross(vec3.Add(m.at[t.v[1]], -1, o), vec3.Add(m.at[t.v[2]], -1, o))) / 6
	}
	if inside {
		volume = -volume
	}
	if !(volume > 0) {
		return fmt.Errorf("bodies: a closed mesh encloses %.6g m³: its faces are inside out, want their corners counter-clockwise from outside",
			volume)
	}
	return nil
}

// round finds at which vertices a body can touch the surface.
func (m *Mesh) round() {
	m.tips = make([]tip, len(m.at))
	for i := range m.faces {
		t := &m.faces[i]
		for k, v := range t.v {
			u, w := vec3.Scale(t.out[k], -1), vec3.Scale(t.out[(k+2)%3], -1) // of the edges from the corner and to it
			angle := math.Pi - math.Acos(max(-1, min(1, vec3.Dot(u, w))))
			m.tips[v].n = vec3.Add(m.tips[v].n, angle, t.n)
		}
	}
	straight := make([]bool, len(m.at))
	for i := range m.edges {
		for end, v := range m.edges[i].v {
			x := &m.tips[v]
			x.border = x.border || m.edges[i].ends()
			for _, k := range x.edges {
				other := &m.edges[k]
				u, w := m.edges[i].away(end), other.away(other.end(v))
				if !m.edges[i].flat && !other.flat && vec3.Norm(vec3.Add(u, 1, w)) <= hullTilt {
					straight[v] = true
				}
			}
			x.edges = append(x.edges, i)
		}
	}
	for v := range m.tips {
		if straight[v] || !slices.ContainsFunc(m.tips[v].edges, func(i int) bool { return m.edges[i].sharp() }) {
			m.tips[v].edges = nil
		}
	}
}

// end is the end of an edge at which a vertex is.
func (e *meshEdge) end(v int) int {
	if e.v[0] == v {
		return 0
	}
	return 1
}

// away is the direction from an end of an edge to the other.
func (e *meshEdge) away(end int) vec { return vec3.Scale(e.along, float64(1-2*end)) }

// paint gives faces hues: one to all that lie in a plane side by side, and others to those that a body
// may touch at once because the surface is hollow between them.
func (m *Mesh) paint() {
	groups := forest.New(len(m.faces))
	hollow := make([]bool, len(m.at))
	for i := range m.edges {
		switch e := &m.edges[i]; {
		case e.flat:
			groups.Join(e.face[0], e.face[1])
		case e.hollow:
			hollow[e.v[0]], hollow[e.v[1]] = true, true
		}
	}
	of, count := groups.Number()
	around := make([][]int, len(m.at)) // the groups at the vertices of hollows
	meets := make([][]int, count)      // these vertices of the groups
	for i := range m.faces {
		for _, v := range m.faces[i].v {
			if g := of[i]; hollow[v] && !slices.Contains(around[v], g) {
				around[v], meets[g] = append(around[v], g), append(meets[g], v)
			}
		}
	}
	hues := make([]int, count)
	for g := range hues {
		taken := map[int]bool{}
		for _, v := range meets[g] {
			for _, other := range around[v] {
				if other < g {
					taken[hues[other]] = true
				}
			}
		}
		for taken[hues[g]] {
			hues[g]++
		}
	}
	for i := range m.faces {
		m.faces[i].hue = hues[of[i]]
	}
}

// Vertices are the corners of the triangles of a mesh, those in one place as one.
func (m Mesh) Vertices() [][3]float64 { return m.at }

// Triangles are the faces of a mesh by the numbers of [Mesh.Vertices], counter-clockwise as seen from
// the bodies.
func (m Mesh) Triangles() [][3]int {
	list := make([][3]int, len(m.faces))
	for i := range list {
		list[i] = m.faces[i].v
	}
	return list
}
