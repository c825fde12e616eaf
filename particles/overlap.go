package particles

import (
	"cmp"
	"math"
	"slices"
)

// Shape is a body made of simplices: triangles in the plane y = 0 or tetrahedra.
type Shape struct {
	Dim     int
	Node    []float64 // positions, three a node, global [m]
	Element []int     // Dim+1 nodes each
	// Surface are the elements that a body which passes through itself does so with first: those of its surface, where
	// the body is connected, else all. A map that keeps orientation and is one-to-one on the boundary of a connected body
	// is so inside (Ball, Proc. Roy. Soc. Edinburgh 88A, 1981).
	Surface []int
}

// Solid is implemented by an Energy whose particles bound matter. Contact between
// two of them, or of two sides of one, is not part of E: where they overlap, E does not describe them.
type Solid interface {
	// Shape stores the deformed body; the slices of dst are reused.
	Shape(dst *Shape, t float64, x []float64)
}

// Overlap is two solids that lie in each other, or one that lies in itself.
type Overlap struct {
	First, Second int     // their numbers among the solids of the system, twice the same of one
	Depth         float64 // that two elements share along every axis, of the deepest pair [m]
}

// Overlap returns the deepest overlap of two solids, or of one with itself, at (t, z), zero without one. Two that meet in
// relative coordinates are apart in the mean over segments, and overlap between nodes by a part of
// these: round sides as polygons of edges that see the radius under 45° by tan(45°/4)/2 of an edge, a tenth.
// Costs a comparison of bounding boxes where they are apart, else of the elements
// inside the common box, n log² n and the pairs whose boxes meet there; of one, of those at its surface.
func (s *System) Overlap(t float64, z []float64) Overlap {
	if s.solids == nil {
		s.solids = []Solid{}
		for _, e := range s.energies {
			if b, ok := e.(Solid); ok {
				s.solids = append(s.solids, b)
			}
		}
		s.shapes = make([]Shape, len(s.solids))
	}
	if len(s.solids) == 0 {
		return Overlap{}
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

// DeepestOverlap returns the deepest overlap of two of the bodies, or of one with itself, zero without one. Depths up to
// that allowed for a pair are none; nil: 0. Elements of one body that share a node are not compared: those of two bricks
// whose common face warps overlap, and a body that folds about a node shows by the elements beside.
func DeepestOverlap(shapes []Shape, allowed func(i, k int) float64) (deepest Overlap) {
	boxes := make([]box, len(shapes))
	for i := range shapes {
		boxes[i] = boxOf(shapes[i].Node, nil)
	}
	for i := range shapes {
		for k := range i + 1 {
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

// overlap returns the depth of the deepest pair of elements, a and b may be the same.
func overlap(a, b *Shape, boxA, boxB box) float64 {
	size := 0.0
	for c := range 3 {
		size = max(size, boxA.hi[c]-boxA.lo[c], boxB.hi[c]-boxB.lo[c])
	}
	tol := 1e-9 * size // what bodies that share a face overlap by
	if a.Dim != b.Dim || a.Dim < 2 || !boxA.meets(&boxB, tol, a.Dim) {
		return 0
	}
	deepest := tol
	compare := func(e, f *element) {
		if a != b || !neighbours(e.nodes, f.nodes) {
			deepest = max(deepest, depth(a, b, e.nodes, f.nodes))
		}
	}
	if a == b {
		first := newTree(a.elements(a.Surface, &boxB, tol))
		first.meet(first, &deepest, a.Dim, compare)
	} else {
		first, second := newTree(a.elements(a.Element, &boxB, tol)), newTree(b.elements(b.Element, &boxA, tol))
		first.meet(second, &deepest, a.Dim, compare)
	}
	if deepest <= tol {
		return 0
	}
	return deepest
}

// neighbours reports whether two elements share a node.
func neighbours(p, q []int) bool {
	return slices.ContainsFunc(p, func(i int) bool { return slices.Contains(q, i) })
}

// element is an element with its box.
type element struct {
	box
	nodes []int
}

// elements returns those of a list that meet a box.
func (s *Shape) elements(list []int, within *box, tol float64) []element {
	var out []element
	n := s.Dim + 1
	for k := 0; k < len(list); k += n {
		nodes := list[k : k+n]
		if b := boxOf(s.Node, nodes); b.meets(within, tol, s.Dim) {
			out = append(out, element{box: b, nodes: nodes})
		}
	}
	return out
}

// tree is a list of elements with its box, which is halved until few are left.
type tree struct {
	box
	list []element
	half [2]*tree // nil: it is a leaf
}

// newTree halves a list, which it sorts, across the longest side of its box.
func newTree(list []element) *tree {
	t := &tree{list: list, box: boxOf(nil, []int{})}
	for i := range list {
		for c := range 3 {
			t.lo[c], t.hi[c] = min(t.lo[c], list[i].lo[c]), max(t.hi[c], list[i].hi[c])
		}
	}
	if len(list) <= 8 { // all of their pairs are compared sooner than halves are made
		return t
	}
	longest := 0
	for c := range 3 {
		if t.hi[c]-t.lo[c] > t.hi[longest]-t.lo[longest] {
			longest = c
		}
	}
	slices.SortFunc(list, func(a, b element) int {
		return cmp.Compare(a.lo[longest]+a.hi[longest], b.lo[longest]+b.hi[longest])
	})
	t.half = [2]*tree{newTree(list[:len(list)/2]), newTree(list[len(list)/2:])}
	return t
}

// meet calls compare for the pairs of elements of two trees, or of one, whose boxes overlap by more than tol.
func (t *tree) meet(o *tree, tol *float64, dim int, compare func(e, f *element)) {
	switch {
	case !t.meets(&o.box, *tol, dim):
	case t == o && t.half[0] != nil:
		t.half[0].meet(t.half[0], tol, dim, compare)
		t.half[1].meet(t.half[1], tol, dim, compare)
		t.half[0].meet(t.half[1], tol, dim, compare)
	case t.half[0] != nil && len(t.list) >= len(o.list):
		t.half[0].meet(o, tol, dim, compare)
		t.half[1].meet(o, tol, dim, compare)
	case o.half[0] != nil:
		t.meet(o.half[0], tol, dim, compare)
		t.meet(o.half[1], tol, dim, compare)
	default:
		for i := range t.list {
			from := 0
			if t == o {
				from = i + 1 // each pair once
			}
			for k := from; k < len(o.list); k++ {
				if e, f := &t.list[i], &o.list[k]; e.meets(&f.box, *tol, dim) {
					compare(e, f)
				}
			}
		}
	}
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
