package particles

import (
	"math"
	"slices"
)

// Shape is a body made of simplices: triangles in the plane y = 0 or tetrahedra.
type Shape struct {
	Dim     int
	Node    []float64 // positions, three a node, global [m]
	Element []int     // Dim+1 nodes each
}

// Solid is implemented by an Energy whose particles bound matter. Contact between
// two of them is not part of E: where they overlap, E does not describe them.
type Solid interface {
	// Shape stores the deformed body; the slices of dst are reused.
	Shape(dst *Shape, t float64, x []float64)
}

// overlapRounding, of the size of two bodies, is no overlap: bodies that share a face.
const overlapRounding = 1e-9

// Overlap is two solids that lie in each other.
type Overlap struct {
	First, Second int     // their numbers among the solids of the system
	Depth         float64 // that two elements share along every axis, of the deepest pair [m]
}

// Overlap returns the deepest overlap of two solids at (t, z), zero without one. Two that meet in
// relative coordinates are apart in the mean over segments, and overlap between nodes by a part of
// these: round sides as polygons of edges that see the radius under 45° by tan(45°/4)/2 of an edge, a tenth.
// Costs a comparison of bounding boxes where they are apart, else of the elements
// inside the common box, n log n and the pairs that meet there.
func (s *System) Overlap(t float64, z []float64) Overlap {
	var deepest Overlap
	if s.solids == nil {
		s.solids = []Solid{}
		for _, e := range s.energies {
			if b, ok := e.(Solid); ok {
				s.solids = append(s.solids, b)
			}
		}
		s.shapes = make([]Shape, len(s.solids))
	}
	if len(s.solids) < 2 {
		return deepest
	}
	x := s.global(t, z, "Overlap")
	for i, b := range s.solids {
		b.Shape(&s.shapes[i], t, x)
	}
	return DeepestOverlap(s.shapes, s.metAllowance())
}

// metAllowance returns the depth of overlap of two solids that is none [m], by their numbers; nil: 0.
func (s *System) metAllowance() func(i, k int) float64 {
	if s.relative == nil {
		return nil
	}
	body, reach := s.meshes(), map[[2]int]float64{} // numbers by energies, from 1
	for k := range s.relative {
		r := &s.relative[k]
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, w := range r.Terms {
			lo, hi = min(lo, w.From), max(hi, w.From)
			pair := [2]int{body[r.Dof/3], body[w.Dof/3]}
			reach[pair] = max(reach[pair], hi-lo)
		}
	}
	var number []int // of the energy that is the solid, from 1
	for i, e := range s.energies {
		if _, ok := e.(Solid); ok {
			number = append(number, i+1)
		}
	}
	return func(i, k int) float64 {
		return 0.1 * max(reach[[2]int{number[i], number[k]}], reach[[2]int{number[k], number[i]}])
	}
}

// DeepestOverlap returns the deepest overlap of two of the bodies, zero without one. Depths up to that allowed
// for a pair are none; nil: 0.
func DeepestOverlap(shapes []Shape, allowed func(i, k int) float64) (deepest Overlap) {
	boxes := make([]box, len(shapes))
	for i := range shapes {
		boxes[i] = boxOf(shapes[i].Node, nil)
	}
	for i := range shapes {
		for k := range i {
			if d := overlap(&shapes[k], &shapes[i], boxes[k], boxes[i]); d > deepest.Depth && (allowed == nil || d > allowed(k, i)) {
				deepest = Overlap{k, i, d}
			}
		}
	}
	return deepest
}

// box is an axis-parallel box.
type box struct{ lo, hi [3]float64 }

// boxOf returns the box of the nodes listed, or of all.
func boxOf(node []float64, list []int) box {
	b := box{[3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
	include := func(p []float64) {
		for c, v := range p[:3] {
			b.lo[c], b.hi[c] = min(b.lo[c], v), max(b.hi[c], v)
		}
	}
	if list == nil {
		for i := 0; i < len(node); i += 3 {
			include(node[i:])
		}
	}
	for _, i := range list {
		include(node[3*i:])
	}
	return b
}

// meets reports whether two boxes overlap by more than tol, in all directions that
// both extend in.
func (b *box) meets(o *box, tol float64, dim int) bool {
	for c := range 3 {
		if dim == 2 && c == 1 {
			continue
		}
		if min(b.hi[c], o.hi[c])-max(b.lo[c], o.lo[c]) <= tol {
			return false
		}
	}
	return true
}

// overlap returns the depth of the deepest pair of elements.
func overlap(a, b *Shape, boxA, boxB box) float64 {
	size := 0.0
	for c := range 3 {
		size = max(size, boxA.hi[c]-boxA.lo[c], boxB.hi[c]-boxB.lo[c])
	}
	tol := overlapRounding * size
	if a.Dim != b.Dim || a.Dim < 2 || !boxA.meets(&boxB, tol, a.Dim) {
		return 0
	}
	first, second := a.elements(&boxB, tol), b.elements(&boxA, tol)
	deepest, from := 0.0, 0
	for i := range first {
		e := &first[i]
		for from < len(second) && second[from].reach <= e.lo[0] { // no later one of first meets it
			from++
		}
		for k := from; k < len(second) && second[k].lo[0] < e.hi[0]; k++ {
			if f := &second[k]; e.meets(&f.box, max(tol, deepest), a.Dim) {
				deepest = max(deepest, depth(a, b, e.nodes, f.nodes))
			}
		}
	}
	if deepest <= tol {
		return 0
	}
	return deepest
}

// element is an element with its box; reach is the largest x of it and all before.
type element struct {
	box
	nodes []int
	reach float64
}

// elements returns those that meet a box, by ascending x.
func (s *Shape) elements(within *box, tol float64) []element {
	var out []element
	n := s.Dim + 1
	for k := 0; k < len(s.Element); k += n {
		nodes := s.Element[k : k+n]
		if b := boxOf(s.Node, nodes); b.meets(within, tol, s.Dim) {
			out = append(out, element{box: b, nodes: nodes})
		}
	}
	slices.SortStableFunc(out, func(a, b element) int {
		switch {
		case a.lo[0] < b.lo[0]:
			return -1
		case a.lo[0] > b.lo[0]:
			return 1
		}
		return 0
	})
	reach := math.Inf(-1)
	for i := range out {
		reach = max(reach, out[i].hi[0])
		out[i].reach = reach
	}
	return out
}

// depth returns the length that two simplices share along the axis where that is
// least, 0 if an axis separates them: the normals of their faces, and in space the products
// of their edges.
func depth(a, b *Shape, p, q []int) float64 {
	least := math.Inf(1)
	try := func(axis vec) {
		l := math.Sqrt(axis.dot(axis))
		if l == 0 || least == 0 {
			return
		}
		loA, hiA := a.project(p, axis)
		loB, hiB := b.project(q, axis)
		least = min(least, max((min(hiA, hiB)-max(loA, loB))/l, 0))
	}
	ea, eb := a.edges(p), b.edges(q)
	if a.Dim == 2 {
		for _, e := range append(ea, eb...) {
			try(vec{-e.z, 0, e.x})
		}
		return least
	}
	for _, edges := range [][]vec{ea, eb} {
		for i := range edges {
			for k := range i {
				try(edges[i].cross(edges[k])) // the four faces are among them
			}
		}
	}
	for _, e := range ea {
		for _, f := range eb {
			try(e.cross(f))
		}
	}
	return least
}

func (a vec) cross(b vec) vec {
	return vec{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}
}

// edges returns those of a simplex.
func (s *Shape) edges(nodes []int) []vec {
	var out []vec
	for i := range nodes {
		for k := range i {
			out = append(out, at(s.Node, nodes[i]).sub(at(s.Node, nodes[k])))
		}
	}
	return out
}

// project returns the interval of a simplex along an axis.
func (s *Shape) project(nodes []int, axis vec) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, i := range nodes {
		d := at(s.Node, i).dot(axis)
		lo, hi = min(lo, d), max(hi, d)
	}
	return lo, hi
}
