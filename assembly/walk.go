package assembly

import (
	"math"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A walk is a geometry on the way of a path. Each corner of an interface is one of its own, as it goes on with
// both blocks.
type walk struct {
	a        *Assembly
	drive    Drive
	distance float64
	first    float64    // factor of the live loads at which motion begins
	down     [3]float64 // gravity of the beginning, and across it the tilt
	across   [3]float64
	angle    float64      // rad of the tilt
	near     float64      // m: what is closed
	deep     float64      // m: the gap by which blocks overlap that do so from the beginning, as curved ones may
	corners  []pair       // of each interface
	found    []Interface  // of the beginning
	met      []Joint      // of blocks that did not touch
	status   conic.Status // of the last program of a step
	off      string       // what slid off where it is not known what is beside it
}

// A pair was one point of two blocks.
type pair struct {
	vertex  [2]int        // of block A, of B, that is there; -1 for none
	side    int           // of the other block, where one vertex is there; -1 for none
	edges   [2][2]int     // of A, of B, that cross there, by their vertices; zero for none
	point   [2][3]float64 // on A, on B
	normal  [2][3]float64 // as it goes with A, with B
	slid    [3]float64    // of B on A, as it goes with A
	slips   float64       // ‖u_T‖ by unit of the path, as far as it is known
	carries bool
}

// face is the normal of the face on which the corner is: that of the other block, where it is a vertex of one;
// between two vertices it is in the middle.
func (c *pair) face() [3]float64 {
	switch {
	case c.vertex[0] >= 0 && c.vertex[1] < 0:
		return c.normal[1]
	case c.vertex[1] >= 0 && c.vertex[0] < 0:
		return c.normal[0]
	}
	n := add(c.normal[0], c.normal[1], 1)
	return add([3]float64{}, n, 1/norm(n))
}

// single is the place of A and B whose vertex is on a side of the other; -1 where there is none or both.
func (c *pair) single() int {
	switch {
	case c.vertex[0] >= 0 && c.vertex[1] < 0:
		return 0
	case c.vertex[1] >= 0 && c.vertex[0] < 0:
		return 1
	}
	return -1
}

// at is where the corner carries: at the vertex, or between the points.
func (c *pair) at() [3]float64 {
	if on := c.single(); on >= 0 {
		return c.point[on]
	}
	return add(c.point[0], sub(c.point[1], c.point[0]), .5)
}

func newWalk(a *Assembly, d *Drive) *walk {
	split := *a
	split.Interfaces = nil
	w := &walk{a: &split, drive: *d, found: a.Interfaces, down: add([3]float64{}, a.Gravity, 1/norm(a.Gravity))}
	if w.across = add(d.Tilt, w.down, -dot(d.Tilt, w.down)); norm(w.across) > 0 {
		w.across = add([3]float64{}, w.across, 1/norm(w.across))
	}
	for k := range a.Interfaces {
		f := &a.Interfaces[k]
		for _, p := range f.Points {
			one := *f
			one.Points = [][3]float64{p}
			split.Interfaces = append(split.Interfaces, one)
			w.corners = append(w.corners, w.newPair(f, p))
		}
	}
	return w
}

func (w *walk) newPair(f *Interface, p [3]float64) pair {
	c := pair{side: -1, point: [2][3]float64{p, p}, normal: [2][3]float64{f.Normal, f.Normal}}
	for side, i := range []int{f.A, f.B} {
		b := &w.a.Blocks[i]
		near := 1e-6 * norm(sub(b.high, b.low)) // what found the interface rounds
		c.vertex[side] = -1
		for v, x := range b.Vertices {
			if norm(sub(x, p)) < near {
				c.vertex[side] = v
			}
		}
	}
	if c.vertex[0] < 0 && c.vertex[1] < 0 {
		c.edges = crossing(&w.a.Blocks[f.A], &w.a.Blocks[f.B], p)
	}
	if on := c.single(); on >= 0 {
		b := &w.a.Blocks[[]int{f.B, f.A}[on]]
		outwards := float64(2*on - 1) // the normal is from A to B
		near := 1e-3 * norm(sub(b.high, b.low))
		best := .9 // 26°, as faces that touch
		for k := range b.sides(w.a.Plane) {
			s := b.sideOf(w.a.Plane, k)
			if along := outwards * dot(s.normal, f.Normal); along > best && s.beyond(p) < near && s.height(p) < near {
				best, c.side = along, k
			}
		}
	}
	return c
}

// offset is how far B is from where it would touch A, but for what it slid: along the frame of a contact.
func (w *walk) offset(c *corner) (gap [3]float64) {
	p := &w.corners[c.face]
	d := sub(sub(p.point[1], p.point[0]), p.slid)
	for e := range gap {
		gap[e] = dot(d, c.frame[e])
	}
	return gap
}

// A move takes a point along with a block, a turn a direction.
type move struct {
	centre, shift, turn [3]float64
}

func (m *move) point(x [3]float64) [3]float64 {
	return add(add(m.centre, rotated(sub(x, m.centre), m.turn), 1), m.shift, 1)
}
func (m *move) direction(x [3]float64) [3]float64 { return rotated(x, m.turn) }

// moves are those of the blocks in a step: free ones turn about their centroids, supports about their points.
func (w *walk) moves(motion [][6]float64, h float64) []move {
	all := make([]move, len(motion))
	for i := range all {
		all[i] = move{w.a.Blocks[i].Centroid, add([3]float64{}, [3]float64(motion[i][:3]), h),
			add([3]float64{}, [3]float64(motion[i][3:]), h)}
	}
	for k := range w.drive.Supports {
		m := &w.drive.Supports[k]
		all[m.Block].centre = m.Point
		rate := Moved(&w.a.Blocks[m.Block], motion[m.Block], m.Point)
		all[m.Block].shift = add([3]float64{}, rate, h)
	}
	return all
}

// moved is the geometry after a step, with finite rotations.
func (w *walk) moved(motion [][6]float64, h float64) *walk {
	a, next := *w.a, *w
	next.a, next.distance, next.corners, next.met = &a, w.distance+h, nil, nil
	moves := w.moves(motion, h)
	next.drive.Supports = append([]SupportMotion(nil), w.drive.Supports...)
	for k := range next.drive.Supports {
		m := &next.drive.Supports[k]
		m.Point = moves[m.Block].point(m.Point)
	}
	a.Blocks = append([]Block(nil), a.Blocks...)
	for i := range a.Blocks {
		a.Blocks[i].move(&moves[i])
	}
	a.Loads = append([]Load(nil), a.Loads...)
	for k := range a.Loads {
		a.Loads[k].Point = moves[a.Loads[k].Block].point(a.Loads[k].Point)
	}
	a.Interfaces = append([]Interface(nil), a.Interfaces...)
	for k := range a.Interfaces {
		f := &a.Interfaces[k]
		c := w.corners[k]
		c.point = [2][3]float64{moves[f.A].point(c.point[0]), moves[f.B].point(c.point[1])}
		c.normal = [2][3]float64{moves[f.A].direction(c.normal[0]), moves[f.B].direction(c.normal[1])}
		c.slid = moves[f.A].direction(c.slid)
		next.corners = append(next.corners, c)
		f.Normal = c.face()
		f.Points = [][3]float64{c.at()}
	}
	return &next
}

// move takes the block along, with the box of which the size of programs is made; its inertia stays as it was.
func (b *Block) move(m *move) {
	b.Vertices = append([][3]float64(nil), b.Vertices...)
	for k, x := range b.Vertices {
		b.Vertices[k] = m.point(x)
	}
	b.Centroid = m.point(b.Centroid)
	for k, x := range b.Vertices {
		for e := range 3 {
			if k == 0 {
				b.low[e], b.high[e] = x[e], x[e]
			}
			b.low[e], b.high[e] = min(b.low[e], x[e]), max(b.high[e], x[e])
		}
	}
}

// rotated turns x by a rotation vector (Rodrigues).
func rotated(x, turn [3]float64) [3]float64 {
	angle := norm(turn)
	if angle == 0 {
		return x
	}
	k := add([3]float64{}, turn, 1/angle)
	sin, cos := math.Sincos(angle)
	y := add([3]float64{}, x, cos)
	y = add(y, cross(k, x), sin)
	return add(y, k, dot(k, x)*(1-cos))
}
