package assembly

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A finder looks at pairs of blocks whose boxes touch.
type finder struct {
	a     *Assembly
	f     Finding
	pairs [][2]int
}

func newFinder(a *Assembly, f Finding) *finder {
	var sizes []float64
	for i := range a.Blocks {
		sizes = append(sizes, norm(sub(a.Blocks[i].high, a.Blocks[i].low)))
	}
	slices.Sort(sizes)
	if f.Gap <= 0 {
		f.Gap = 1e-4 * sizes[len(sizes)/2]
	}
	w := &finder{a: a, f: f}
	order := make([]int, len(a.Blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(a.Blocks[i].low[0], a.Blocks[j].low[0]) })
	for k, i := range order {
		p := &a.Blocks[i]
		for _, j := range order[k+1:] {
			q := &a.Blocks[j]
			if q.low[0] > p.high[0]+f.Gap {
				break
			}
			if q.low[1] <= p.high[1]+f.Gap && p.low[1] <= q.high[1]+f.Gap && q.low[2] <= p.high[2]+f.Gap && p.low[2] <= q.high[2]+f.Gap {
				w.pairs = append(w.pairs, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	slices.SortFunc(w.pairs, func(p, q [2]int) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	return w
}

// find returns the interfaces of all pairs.
func (w *finder) find() []Interface {
	var all []Interface
	for _, p := range w.pairs {
		if w.a.Plane {
			all = append(all, w.edges(p[0], p[1])...)
		} else {
			all = append(all, w.faces(p[0], p[1])...)
		}
	}
	return all
}

// edges finds the segments along which two polygons touch.
func (w *finder) edges(i, j int) []Interface {
	var found []Interface
	p, q := &w.a.Blocks[i], &w.a.Blocks[j]
	for k := range p.Faces[0] {
		a0, a1 := p.edge(k)
		t := sub(a1, a0)
		length := norm(t)
		if length == 0 {
			continue
		}
		t = add([3]float64{}, t, 1/length)
		n := [3]float64{t[2], 0, -t[0]} // out of a polygon that is anticlockwise in x, z
		for l := range q.Faces[0] {
			b0, b1 := q.edge(l)
			s0, s1 := dot(sub(b1, a0), t), dot(sub(b0, a0), t)
			if s1 <= s0 || math.Abs(dot(sub(b0, a0), n)) > w.f.Gap || math.Abs(dot(sub(b1, a0), n)) > w.f.Gap {
				continue
			}
			from, to := max(0, s0), min(length, s1)
			if to-from > max(w.f.Gap, w.f.Area) {
				found = append(found, Interface{A: i, B: j, Normal: n, Friction: -1, Area: to - from,
					Points: [][3]float64{add(a0, t, from), add(a0, t, to)}})
			}
		}
	}
	return found
}

func (b *Block) edge(k int) (from, to [3]float64) {
	f := b.Faces[0]
	return b.Vertices[f[k]], b.Vertices[f[(k+1)%len(f)]]
}

// A facet is a face with its mean plane (Newell).
type facet struct {
	points [][3]float64
	normal [3]float64 // outwards
	centre [3]float64
}

func (b *Block) facet(k int) (f facet, flat bool) {
	for _, i := range b.Faces[k] {
		f.points = append(f.points, b.Vertices[i])
		f.centre = add(f.centre, b.Vertices[i], 1/float64(len(b.Faces[k])))
	}
	for i, p := range f.points {
		f.normal = add(f.normal, cross(sub(p, f.centre), sub(f.points[(i+1)%len(f.points)], f.centre)), 1)
	}
	size := norm(f.normal)
	f.normal = add([3]float64{}, f.normal, 1/size)
	return f, size > 0
}

// faces finds the polygons on which two meshes touch. Pieces in one plane are one interface: what
// forces at inner points can do, forces at the corners of the hull can, and motions that do not
// press the corners do not press what lies between.
func (w *finder) faces(i, j int) []Interface {
	var found []Interface
	p, q := &w.a.Blocks[i], &w.a.Blocks[j]
	for k := range p.Faces {
		f, ok := p.facet(k)
		if !ok {
			continue
		}
		for l := range q.Faces {
			g, ok := q.facet(l)
			if !ok || dot(f.normal, g.normal) > -.9 { // 26°: what is in one plane within a gap is flatter
				continue
			}
			if pieces := w.touch(&f, &g); pieces != nil {
				found = w.join(found, i, j, &f, pieces)
			}
		}
	}
	for k := range found {
		u, v := Axes(found[k].Normal)
		found[k].Points = hull(found[k].Points, u, v, w.f.Gap*1e-3)
	}
	return found
}

// touch returns the polygons, in the plane of f, that f and g share.
func (w *finder) touch(f, g *facet) [][][3]float64 {
	for _, x := range g.points {
		if math.Abs(dot(sub(x, f.centre), f.normal)) > w.f.Gap {
			return nil
		}
	}
	u, v := Axes(f.normal)
	project := func(x [3]float64) [2]float64 {
		d := sub(x, f.centre)
		return [2]float64{dot(d, u), dot(d, v)}
	}
	var pieces [][][3]float64
	for _, a := range convexParts(f.points, project) {
		for _, b := range convexParts(g.points, project) {
			piece := clip(a, b)
			if area, perimeter := measure(piece); area > cmp.Or(w.f.Area, w.f.Gap*perimeter/2) {
				var points [][3]float64
				for _, x := range piece {
					points = append(points, add(add(f.centre, u, x[0]), v, x[1]))
				}
				pieces = append(pieces, points)
			}
		}
	}
	return pieces
}

// join adds pieces to the interface of their plane, or to a new one.
func (w *finder) join(found []Interface, i, j int, f *facet, pieces [][][3]float64) []Interface {
	at := slices.IndexFunc(found, func(o Interface) bool {
		return dot(o.Normal, f.normal) > 1-1e-6 && math.Abs(dot(sub(f.centre, o.Points[0]), o.Normal)) <= w.f.Gap
	})
	if at < 0 {
		at = len(found)
		found = append(found, Interface{A: i, B: j, Normal: f.normal, Friction: -1})
	}
	for _, points := range pieces {
		u, v := Axes(f.normal)
		var flat [][2]float64
		for _, x := range points {
			flat = append(flat, [2]float64{dot(x, u), dot(x, v)})
		}
		area, _ := measure(flat)
		found[at].Area += area
		found[at].Points = append(found[at].Points, points...)
	}
	return found
}

// deepest is the gap of the finder, or half of the depth to which any two blocks are in each other, if that is more.
func (w *finder) deepest() float64 {
	gap := w.f.Gap
	for _, p := range w.pairs {
		gap = max(gap, w.overlap(&w.a.Blocks[p[0]], &w.a.Blocks[p[1]])/2)
	}
	return gap
}

// overlaps refuses two blocks of which one reaches deeper into the other than the gap.
func (w *finder) overlaps() error {
	for _, p := range w.pairs {
		a, b := &w.a.Blocks[p[0]], &w.a.Blocks[p[1]]
		if depth := w.overlap(a, b); depth > w.allowed() {
			return fmt.Errorf("blocks %s and %s overlap by %.3g m", a.called(), b.called(), depth)
		}
	}
	return nil
}
