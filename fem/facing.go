package fem

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/boxtree"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// face is a simplex of the boundary, an edge or a triangle. A place along its normal over it has the barycentric coordinates
//
//	λ_j(y) = [j = 0] + dual_j·(y − at).
type face struct {
	corners [3]int // as many as the mesh has dimensions, round the outward normal
	at      vec3.Vec
	dual    [3]vec3.Vec
	outward vec3.Vec
	size    float64 // [m^(Dim-1)]
}

// place returns a node in space, a plane being z = 0.
func (m *Mesh) place(i int) (x vec3.Vec) {
	copy(x[:], m.Node(i))
	return x
}

// unitVector has the coordinates of a corner.
func unitVector(c int) (e vec3.Vec) {
	e[c] = 1
	return e
}

// faces divides the side, in the order of the group, in all ways that count: quadrilaterals in two. Each is of the boundary.
func (s *Side) faces() (layers [][]face, err error) {
	m, ref := s.Mesh, references[s.Mesh.Kind][s.Mesh.Dim-1]
	boundary, _ := m.Surface()
	outward := map[[4]int][]int{}
	key := func(corners []int) (k [4]int) {
		copy(k[:], corners)
		slices.Sort(k[:len(corners)])
		return k
	}
	for k := 0; k < len(boundary.Elem); k += ref.nodes {
		corners := boundary.Elem[k : k+ref.corners]
		outward[key(corners)] = corners
	}
	cuts := [][][]int{{[]int{0, 1, 2}[:m.Dim]}}
	if ref.corners > m.Dim {
		cuts = [][][]int{{{0, 1, 2}, {0, 2, 3}}, {{1, 2, 3}, {1, 3, 0}}}
	}
	layers = make([][]face, len(cuts))
	for k := 0; k < len(s.Group.Elem); k += ref.nodes {
		nodes := s.Group.Elem[k : k+ref.nodes]
		corners, known := outward[key(nodes[:ref.corners])]
		if !known {
			return nil, fmt.Errorf("fem: the edge or face of the nodes %v is not on the boundary of its mesh", nodes[:ref.corners])
		}
		if slices.ContainsFunc(nodes[ref.corners:], func(i int) bool { return !m.Follows(i) }) {
			return nil, fmt.Errorf("fem: the quadratic edge or face of the nodes %v is not straight, see Mesh.StraightenEdges",
				nodes[:ref.corners])
		}
		for layer, simplices := range cuts {
			for _, simplex := range simplices {
				var f face
				for a, c := range simplex {
					f.corners[a] = corners[c]
				}
				f.measure(m)
				layers[layer] = append(layers[layer], f)
			}
		}
	}
	return layers, nil
}

// measure sets what follows of the corners. An edge has z as its second direction: a × z is its normal in the plane, as long as itself.
func (f *face) measure(m *Mesh) {
	f.at = m.place(f.corners[0])
	a, b, factor := vec3.Add(m.place(f.corners[1]), -1, f.at), unitVector(2), 1.0
	if m.Dim == 3 {
		b, factor = vec3.Add(m.place(f.corners[2]), -1, f.at), 0.5
	}
	n := vec3.Cross(a, b)
	square := vec3.Dot(n, n)
	f.size, f.outward = factor*math.Sqrt(square), vec3.Scale(n, 1/math.Sqrt(square))
	f.dual[1] = vec3.Scale(vec3.Cross(b, n), 1/square)
	if m.Dim == 3 {
		f.dual[2] = vec3.Scale(vec3.Cross(n, a), 1/square)
	}
	f.dual[0] = vec3.Scale(vec3.Add(f.dual[1], 1, f.dual[2]), -1)
}

// coordinates are those of the foot of a place.
func (f *face) coordinates(y vec3.Vec) (at vec3.Vec) {
	off := vec3.Add(y, -1, f.at)
	at[0] = 1
	for j := range at {
		at[j] += vec3.Dot(f.dual[j], off)
	}
	return at
}

// facing is a division of a side, to find what faces a face.
type facing struct {
	faces []face
	tree  boxtree.Tree
}

func newFacing(m *Mesh, faces []face) facing {
	things := make([]boxtree.Thing, len(faces))
	for k := range faces {
		x := &things[k]
		x.Low = faces[k].at
		x.High = x.Low
		for _, node := range faces[k].corners[:m.Dim] {
			y := m.place(node)
			x.Middle = vec3.Add(x.Middle, 1/float64(m.Dim), y)
			for c := range y {
				x.Low[c], x.High[c] = min(x.Low[c], y[c]), max(x.High[c], y[c])
			}
		}
	}
	return facing{faces, boxtree.New(things)}
}

// over reports whether a box may be over the face, along its normal: on no coordinate is all of it outside.
func (f *face) over(b *boxtree.Box) bool {
	most := f.coordinates(vec3.Scale(vec3.Add(b.Low, 1, b.High), 0.5))
	for j := range most {
		for c := range b.Low {
			most[j] += math.Abs(f.dual[j][c]) * (b.High[c] - b.Low[c]) / 2
		}
		if most[j] < -flatness { // of rounding
			return false
		}
	}
	return true
}

// shadow is what a face sees of another one: the place over λ has the coordinates on λ there, at the
// distance depth·λ along the normal [m].
type shadow struct {
	facing *face
	to     [3]vec3.Vec
	depth  vec3.Vec
}

// on returns the coordinates on the other face.
func (s *shadow) on(at vec3.Vec) vec3.Vec {
	return vec3.Vec{vec3.Dot(s.to[0], at), vec3.Dot(s.to[1], at), vec3.Dot(s.to[2], at)}
}

// shadow projects another face. One that is steeper than 60° is beside it rather than opposite.
func (m *mortar) shadow(e, f *face) (s shadow, opposite bool) {
	if vec3.Dot(e.outward, f.outward) > -0.5 {
		return s, false
	}
	var corners [3][3]float64 // of f on e: λ = Σ_k μ_k λ(y_k)
	var depth vec3.Vec
	for k, node := range f.corners[:m.dim] {
		y := m.other.place(node)
		corners[k], depth[k] = e.coordinates(y), vec3.Dot(e.outward, vec3.Add(y, -1, e.at))
	}
	_, inverse := invert(m.dim, &corners)
	s.facing = f
	for k := range m.dim {
		for j := range m.dim {
			s.to[k][j] = inverse[j][k]
			s.depth[j] += depth[k] * inverse[j][k]
		}
	}
	return s, true
}

// polygon is a convex part of a face by the coordinates of its corners, in order; of an edge it has two.
type polygon []vec3.Vec

// cut returns the part where a·λ ≥ 0 ([SutherlandHodgman74]).
func (p polygon) cut(a vec3.Vec, dim int) (in polygon) {
	for k := range p {
		here := vec3.Dot(a, p[k])
		if here >= 0 {
			in = append(in, p[k])
		}
		next := (k + 1) % len(p)
		if next == 0 && dim == 2 {
			break
		}
		if there := vec3.Dot(a, p[next]); (here > 0 && there < 0) || (here < 0 && there > 0) {
			in = append(in, vec3.Add(p[k], here/(here-there), vec3.Add(p[next], -1, p[k])))
		}
	}
	return in
}

// within returns the part that sees the face of a shadow.
func (p polygon) within(s *shadow, dim int) polygon {
	for _, a := range s.to[:dim] {
		p = p.cut(a, dim)
	}
	return p
}

// box is that of the coordinates of its corners.
func (p polygon) box() (x boxtree.Thing) {
	x.Low, x.High = p[0], p[0]
	for _, at := range p {
		x.Middle = vec3.Add(x.Middle, 1/float64(len(p)), at)
		for c, v := range at {
			x.Low[c], x.High[c] = min(x.Low[c], v), max(x.High[c], v)
		}
	}
	return x
}

// fan visits the simplices of a polygon, with their parts of the face; that of an edge has the idle
// direction as its last corner.
func (p polygon) fan(dim int, visit func(s [3]vec3.Vec, part float64)) {
	for k := 1; k+dim-2 < len(p); k++ {
		s := [3]vec3.Vec{p[0], p[k], unitVector(2)}
		if dim == 3 {
			s[2] = p[k+1]
		}
		visit(s, vec3.Dot(s[0], vec3.Cross(s[1], s[2])))
	}
}

// size is the part of the face that the polygon has.
func (p polygon) size(dim int) (size float64) {
	p.fan(dim, func(_ [3]vec3.Vec, part float64) { size += part })
	return size
}

// piece is a part of a face that sees one other.
type piece struct {
	polygon
	*shadow
	part float64 // that counts
}

// pieces divides the part of a face that faces others: where there are several, that one counts which is
// nearest at the middle of what they have in common.
func (m *mortar) pieces(e *face, others *facing) (list []piece) {
	var shadows []shadow
	var seen []polygon
	whole := polygon{unitVector(0), unitVector(1), unitVector(2)}[:m.dim]
	others.tree.Visit(e.over, func(k int) {
		if s, opposite := m.shadow(e, &others.faces[k]); opposite {
			if p := whole.within(&s, m.dim); p.size(m.dim) > 0 {
				shadows, seen = append(shadows, s), append(seen, p)
			}
		}
	})
	things := make([]boxtree.Thing, len(seen))
	for i, p := range seen {
		things[i] = p.box()
	}
	tree := boxtree.New(things)
	for i := range shadows {
		var beside []int
		tree.Within(things[i].Low, things[i].High, func(j int) { beside = append(beside, j) })
		slices.Sort(beside)
		parts := []polygon{seen[i]}
		for _, j := range beside {
			if i != j {
				parts = m.behind(parts, &shadows[i], &shadows[j], i < j)
			}
		}
		for _, p := range parts {
			list = append(list, piece{polygon: p, shadow: &shadows[i]})
		}
	}
	return list
}

// behind takes off the parts that see a face what they see of another one that is nearer, or as near and before it.
func (m *mortar) behind(parts []polygon, s, other *shadow, before bool) (left []polygon) {
	for _, p := range parts {
		common := p.within(other, m.dim)
		var middle vec3.Vec
		for _, x := range common {
			middle = vec3.Add(middle, 1/float64(len(common)), x)
		}
		// Neighbours have rounding in common, and depths that differ by less than it are as near.
		farther := math.Abs(vec3.Dot(s.depth, middle)) - math.Abs(vec3.Dot(other.depth, middle))
		small := flatness * math.Pow(s.facing.size, 1/float64(m.dim-1))
		if common.size(m.dim) <= 1e-12 || farther < -small || farther <= small && before {
			left = append(left, p)
			continue
		}
		for _, a := range other.to[:m.dim] {
			if off := p.cut(vec3.Scale(a, -1), m.dim); off.size(m.dim) > 0 {
				left = append(left, off)
			}
			p = p.cut(a, m.dim)
		}
	}
	return left
}
