package assembly

import (
	"math"
	"slices"
)

// A side is a face of a block, in the plane an edge of its polygon.
type side struct {
	points [][3]float64
	normal [3]float64 // outwards
	flat   bool       // of some size
}

func (b *Block) sides(plane bool) int {
	if plane {
		return len(b.Faces[0])
	}
	return len(b.Faces)
}

func (b *Block) sideOf(plane bool, k int) side {
	if !plane {
		f, ok := b.facet(k)
		return side{f.points, f.normal, ok}
	}
	p, q := b.edge(k)
	t := sub(q, p)
	l := norm(t)
	return side{[][3]float64{p, q}, [3]float64{t[2] / l, 0, -t[0] / l}, l > 0}
}

// height is how far a point is outside of the plane of the side.
func (s *side) height(x [3]float64) float64 { return dot(sub(x, s.points[0]), s.normal) }

// beyond is how far a point, on the plane, is from the side.
func (s *side) beyond(x [3]float64) float64 {
	foot := add(x, s.normal, -s.height(x))
	if len(s.points) > 2 && s.around(foot) {
		return 0
	}
	near := math.Inf(1)
	for k, p := range s.points {
		near = min(near, distanceToSegment(sub(p, foot), sub(s.points[(k+1)%len(s.points)], foot)))
	}
	return near
}

// around reports whether the polygon goes around a point of its plane: by the angles to its corners.
func (s *side) around(x [3]float64) bool {
	angle := 0.
	for k, p := range s.points {
		a, b := sub(p, x), sub(s.points[(k+1)%len(s.points)], x)
		angle += math.Atan2(dot(cross(a, b), s.normal), dot(a, b))
	}
	return math.Abs(angle) > math.Pi
}

// has reports whether a vertex of block i is among the corners with block j.
func (w *walk) has(i, v, j int) bool {
	for k := range w.corners {
		f, c := &w.a.Interfaces[k], &w.corners[k]
		if f.A == i && f.B == j && c.vertex[0] == v || f.B == i && f.A == j && c.vertex[1] == v {
			return true
		}
	}
	return false
}

// meet adds the corner of a vertex of block i on a side of block j, with the friction of an interface of the two.
func (w *walk) meet(i, v, j, k int, like *Interface) {
	s := w.a.Blocks[j].sideOf(w.a.Plane, k)
	x := w.a.Blocks[i].Vertices[v]
	foot := add(x, s.normal, -s.height(x))
	inwards := add([3]float64{}, s.normal, -1)
	w.a.Interfaces = append(w.a.Interfaces, Interface{A: i, B: j, Normal: inwards, Friction: like.Friction,
		Points: [][3]float64{x}})
	w.corners = append(w.corners, pair{vertex: [2]int{v, -1}, side: k, point: [2][3]float64{x, foot},
		normal: [2][3]float64{inwards, inwards}})
}

// between is an interface of two blocks; nil where they meet anew.
func (w *walk) between(i, j int) *Interface {
	for _, all := range [][]Interface{w.a.Interfaces, w.found} {
		for k := range all {
			if f := &all[k]; f.A == i && f.B == j || f.A == j && f.B == i {
				return f
			}
		}
	}
	return nil
}

// meetings adds corners where in the geometry next a vertex of a block is in another that it did not touch: on the side
// through which it went. It reports whether there were any.
func (w *walk) meetings(next *walk) bool {
	any := false
	for _, p := range newFinder(next.a, Finding{Gap: w.near}).pairs {
		for _, q := range [][2]int{p, {p[1], p[0]}} {
			i, j := q[0], q[1]
			b := &next.a.Blocks[j]
			if next.a.Blocks[i].Support && b.Support {
				continue
			}
			depth := b.depth
			if w.a.Plane {
				depth = b.depthInPlane
			}
			for v, x := range next.a.Blocks[i].Vertices {
				if outside(b, x) > 3*w.near || w.has(i, v, j) || depth(next.a.Blocks[i].behind(w.a.Plane, v, 3*w.near)) <= w.near {
					continue
				}
				k := w.entered(i, v, j)
				if k < 0 {
					continue
				}
				like := w.between(i, j)
				if like == nil {
					like = &Interface{Friction: w.a.Friction}
					w.met = append(w.met, Joint{Blocks: [2]int{min(i, j), max(i, j)}, Point: x})
				}
				w.meet(i, v, j, k, like)
				any = true
			}
		}
	}
	return any
}

// behind is a point of the block at a distance from its vertex, away from the sides that meet there: vertices on the rim of a
// side are in none by themselves.
func (b *Block) behind(plane bool, v int, distance float64) [3]float64 {
	var normal [3]float64
	for k := range b.sides(plane) {
		of := b.Faces[0]
		if !plane {
			of = b.Faces[k]
		}
		if plane && of[k] != v && of[(k+1)%len(of)] != v || !slices.Contains(of, v) {
			continue
		}
		normal = add(normal, b.sideOf(plane, k).normal, 1)
	}
	return add(b.Vertices[v], normal, -distance/norm(normal))
}

// entered is the side of block j from which a vertex of block i is farthest outside; -1 where it is inside of all.
func (w *walk) entered(i, v, j int) int {
	best, at := -w.near, -1
	x := w.a.Blocks[i].Vertices[v]
	for k := range w.a.Blocks[j].sides(w.a.Plane) {
		s := w.a.Blocks[j].sideOf(w.a.Plane, k)
		if h := s.height(x); s.flat && h > best {
			best, at = h, k
		}
	}
	return at
}

// renew replaces corners that slid off their sides by those that are there. Of a corner on no vertex the side is not known:
// the blocks are told, once it carries and slid by a twentieth of the smaller.
func (w *walk) renew() (lost string) {
	for k := 0; k < len(w.corners); k++ {
		f, c := w.a.Interfaces[k], w.corners[k]
		a, b := &w.a.Blocks[f.A], &w.a.Blocks[f.B]
		off, on := false, c.single()
		switch {
		case c.side >= 0:
			s := []*Block{b, a}[on].sideOf(w.a.Plane, c.side)
			off = s.beyond(c.point[on]) > w.near
		case c.vertex[0] >= 0 && c.vertex[1] >= 0 || c.edges != [2][2]int{}:
			off = norm(c.slid) > w.near
		case c.carries && norm(c.slid) > .05*min(norm(sub(a.high, a.low)), norm(sub(b.high, b.low))):
			lost = "a corner that carries slid off: of blocks " + a.called() + " and " + b.called()
		}
		if !off {
			continue
		}
		w.a.Interfaces, w.corners = slices.Delete(w.a.Interfaces, k, k+1), slices.Delete(w.corners, k, k+1)
		had := len(w.corners)
		if w.find(&f, c.face()); c.carries && len(w.corners) == had && !w.touch(f.A, f.B) {
			lost = "a corner that carries slid off: of blocks " + a.called() + " and " + b.called()
		}
		k--
	}
	return lost
}

// touch reports whether two blocks have a corner.
func (w *walk) touch(i, j int) bool {
	return slices.ContainsFunc(w.a.Interfaces, func(f Interface) bool { return f.A == i && f.B == j || f.A == j && f.B == i })
}

// find adds the vertices of either block of an interface that are on the other, on sides across a normal, and in space their edges
// that cross.
func (w *walk) find(f *Interface, normal [3]float64) {
	for _, q := range [][2]int{{f.A, f.B}, {f.B, f.A}} {
		i, j := q[0], q[1]
		towards := 1. // sides of B look against the normal
		if j == f.B {
			towards = -1
		}
		for v, x := range w.a.Blocks[i].Vertices {
			if w.has(i, v, j) {
				continue
			}
			for k := range w.a.Blocks[j].sides(w.a.Plane) {
				s := w.a.Blocks[j].sideOf(w.a.Plane, k)
				if s.flat && towards*dot(s.normal, normal) > .7 && math.Abs(s.height(x)) <= 3*w.near && s.beyond(x) <= w.near { // 45°
					w.meet(i, v, j, k, f)
					break
				}
			}
		}
	}
	if !w.a.Plane {
		w.cross(f, normal)
	}
}

// edges are those of the faces of a block, by their vertices.
func (b *Block) edges() (all [][2]int) {
	for _, f := range b.Faces {
		for k, v := range f {
			if u := f[(k+1)%len(f)]; v < u { // the other face has it from u to v
				all = append(all, [2]int{v, u})
			}
		}
	}
	return all
}

// crossing are edges of two blocks that go through a point, along two directions.
func crossing(a, b *Block, p [3]float64) (none [2][2]int) {
	near := 1e-6 * norm(sub(a.high, a.low)) // what found the interface rounds
	through := func(o *Block, e [2]int) bool {
		return distanceToSegment(sub(o.Vertices[e[0]], p), sub(o.Vertices[e[1]], p)) < near
	}
	for _, e := range a.edges() {
		if !through(a, e) {
			continue
		}
		for _, f := range b.edges() {
			if n := across(a, b, e, f); through(b, f) && norm(n) > .1 { // 6°
				return [2][2]int{e, f}
			}
		}
	}
	return none
}

// across is the product of the directions of two edges.
func across(a, b *Block, e, f [2]int) [3]float64 {
	u, v := sub(a.Vertices[e[1]], a.Vertices[e[0]]), sub(b.Vertices[f[1]], b.Vertices[f[0]])
	return add([3]float64{}, cross(u, v), 1/(norm(u)*norm(v)))
}

// cross adds the edges of two blocks that cross each other along a normal.
func (w *walk) cross(like *Interface, normal [3]float64) {
	a, b := &w.a.Blocks[like.A], &w.a.Blocks[like.B]
	other := b.edges()
	for _, e := range a.edges() {
		if p := a.Vertices[e[0]]; outside(b, p)-norm(sub(a.Vertices[e[1]], p)) > w.near { // too far for any
			continue
		}
		for _, f := range other {
			n := across(a, b, e, f)
			size := norm(n)
			if size < .1 || math.Abs(dot(n, normal)) < .7*size || w.crossed(like, e, f) {
				continue
			}
			n = add([3]float64{}, n, math.Copysign(1/size, dot(n, normal)))
			p, q, ok := nearestPoints(a.Vertices[e[0]], a.Vertices[e[1]], b.Vertices[f[0]], b.Vertices[f[1]])
			if !ok || norm(sub(p, q)) > 3*w.near {
				continue
			}
			o := *like
			o.Normal, o.Tension, o.Points = n, 0, [][3]float64{add(p, sub(q, p), .5)}
			w.a.Interfaces = append(w.a.Interfaces, o)
			w.corners = append(w.corners, pair{vertex: [2]int{-1, -1}, side: -1, edges: [2][2]int{e, f},
				point: [2][3]float64{p, q}, normal: [2][3]float64{n, n}})
		}
	}
}

// crossed reports whether two edges are among the corners.
func (w *walk) crossed(like *Interface, e, f [2]int) bool {
	for k := range w.corners {
		if o := &w.a.Interfaces[k]; o.A == like.A && o.B == like.B && w.corners[k].edges == [2][2]int{e, f} {
			return true
		}
	}
	return false
}

// nearestPoints are those of two segments that are not parallel; not ok, where they are at an end.
func nearestPoints(a, b, c, d [3]float64) (p, q [3]float64, ok bool) {
	u, v, w := sub(b, a), sub(d, c), sub(c, a)
	uu, uv, vv := dot(u, u), dot(u, v), dot(v, v)
	det := uu*vv - uv*uv
	s := (dot(w, u)*vv - dot(w, v)*uv) / det
	t := (dot(w, u)*uv - dot(w, v)*uu) / det
	return add(a, u, s), add(c, v, t), s > 0 && s < 1 && t > 0 && t < 1
}

// outside is how far a point is out of the box of a block.
func outside(b *Block, x [3]float64) float64 {
	far := 0.
	for e := range x {
		far = max(far, b.low[e]-x[e], x[e]-b.high[e])
	}
	return far
}
