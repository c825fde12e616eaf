package assembly

import (
	"fmt"
	"math"
	"slices"
)

// A Gradient has the derivatives of a margin, from the dual solution of its program: where that is not unique, between those of its sides.
// A margin λ of H r + dead + λ live = 0 is −min −λ, so that with the multipliers y
//
//	dλ = y·(d dead + λ d live + dH r)
//
// the work of loads and reactions on y as a motion of the blocks, V + Ω × (p − c) at a point p of a block with its centroid at c,
// which changes with what they are and where. Friction is in the column H_N/μ of μ r_N: dλ/dμ = −r_N y·H_N/μ. A reaction along an axis e
// is min c·r, with the reactions on its block in c: to their work on y that on e is added.
type Gradient struct {
	Density  []float64 // of each block, by kg/m³; 0 for supports
	Friction []float64 // of each interface
	// Position of each block, by m, as it takes its loads along, and those corners of its interfaces that are vertices of it; what
	// is at a vertex or an edge of both has the mean of both sides. NaN where a corner that carries is none of these. That
	// blocks part or overlap is not looked at: it is for motions of blocks whose faces stay in contact, of which it may be the sum.
	Position [][3]float64
	Force    [][3]float64 // of each load, by N
	Point    [][3]float64 // of each load, by m
	work     work
}

// A work is that of loads and reactions of an assembly on a virtual motion of its blocks, in parts of what changes a margin by 1.
type work struct {
	a        *Assembly
	motion   [][6]float64 // V, Ω
	gravity  [3]float64   // m/s²
	factor   float64      // of live loads
	contacts []pressed
	block    int        // whose reaction along the axis is the margin
	axis     [3]float64 // 0 for other margins
	force    float64    // N of the loads
	pulled   int        // an interface whose blocks a pull draws apart at its middle
	pull     float64    // N
}

// pressed is a corner with its reaction on the second block.
type pressed struct {
	face     int
	point    [3]float64
	normal   float64    // N, with the tension that it holds
	friction [3]float64 // N
}

// gradient reads it from multipliers and reactions of a program, at which weights act along a direction, in parts of gravity, and live
// loads with a factor; the rate is how fast y·f grows with the margin.
func (s *statics) gradient(y, reactions []float64, direction [3]float64, factor, rate float64) *Gradient {
	w := work{a: s.a, motion: s.blockRates(y[:s.nv]), gravity: add([3]float64{}, direction, norm(s.a.Gravity)),
		factor: factor, force: s.force}
	for i := range w.motion {
		for k := range w.motion[i] {
			w.motion[i][k] /= s.force * rate
		}
	}
	for j := range s.contacts {
		c := &s.contacts[j]
		p := pressed{face: c.face, point: c.point, normal: s.force * reactions[j*s.dim]}
		for e := 1; e < s.dim; e++ {
			p.friction = add(p.friction, c.frame[e], s.force*reactions[j*s.dim+e])
		}
		w.contacts = append(w.contacts, p)
	}
	return w.gradient()
}

// gradient is that of its assembly; what carries less than a share of 1e-9 of the loads does not matter.
func (w *work) gradient() *Gradient {
	a := w.a
	g := &Gradient{Density: make([]float64, len(a.Blocks)), Friction: make([]float64, len(a.Interfaces)),
		Position: make([][3]float64, len(a.Blocks)),
		work:     *w}
	for i := range a.Blocks {
		g.Density[i] = a.Blocks[i].Volume * dot(w.gravity, [3]float64(w.motion[i][:3]))
	}
	for _, l := range a.Loads {
		f := w.share(&l)
		g.Force = append(g.Force, add([3]float64{}, w.at(a, l.Block, l.Point), f))
		g.Point = append(g.Point, add([3]float64{}, cross(l.Force, w.turn(l.Block)), f))
	}
	bends := make([][][2]int, len(a.Blocks))
	for i := range a.Blocks {
		bends[i] = a.Blocks[i].bends()
	}
	for k := range w.contacts {
		c := &w.contacts[k]
		f := &a.Interfaces[c.face]
		if f.Friction > 0 {
			g.Friction[c.face] -= c.normal / f.Friction * dot(f.Normal, w.between(a, f, c.point))
		}
		reaction := add(c.friction, f.Normal, c.normal-f.Tension)
		if norm(reaction) < 1e-9*w.force {
			continue
		}
		onA, onB := cross(reaction, w.turn(f.A)), cross(reaction, w.turn(f.B))
		moved := sub(onB, onA) // by the corner
		withA, known := a.followed(f, c.point, bends, moved)
		if !known || a.Strength > 0 && f.Tension > 0 { // that is of the area, which moves with the corners
			withA = [3]float64{math.NaN(), math.NaN(), math.NaN()}
		}
		g.Position[f.A] = add(g.Position[f.A], add(withA, onA, 1), 1)
		g.Position[f.B] = add(g.Position[f.B], sub(sub(moved, withA), onB), 1)
	}
	return g
}

func (w *work) turn(block int) [3]float64 { return [3]float64(w.motion[block][3:]) }

// at is the motion of a point of a block.
func (w *work) at(a *Assembly, block int, p [3]float64) [3]float64 {
	return add([3]float64(w.motion[block][:3]), cross(w.turn(block), sub(p, a.Blocks[block].Centroid)), 1)
}

// between is how the second block of an interface moves from the first at a point, the block whose reaction is looked at along its axis, too.
func (w *work) between(a *Assembly, f *Interface, p [3]float64) [3]float64 {
	u := sub(w.at(a, f.B, p), w.at(a, f.A, p))
	switch w.block {
	case f.A:
		return sub(u, w.axis)
	case f.B:
		return add(u, w.axis, 1)
	}
	return u
}

// Implicit is the gradient of a number x that keeps the margin where it is, which grows with x by slope: dx = −dλ/slope.
func (g *Gradient) Implicit(slope float64) *Gradient {
	w := g.work
	w.motion = slices.Clone(w.motion)
	for i := range w.motion {
		for k := range w.motion[i] {
			w.motion[i][k] /= -slope
		}
	}
	return w.gradient()
}

// share is by what a load is multiplied.
func (w *work) share(l *Load) float64 {
	if l.Live {
		return w.factor
	}
	return 1
}

// Between is by how much the margin is larger of one than of another assembly, both so near to that of the gradient that derivatives
// say it: they have its blocks and interfaces, all else may differ.
func (g *Gradient) Between(less, more *Assembly) (float64, error) {
	low, err := g.work.of(less)
	if err != nil {
		return 0, err
	}
	high, err := g.work.of(more)
	return high - low, err
}

// of is the work in another assembly. Its reactions are in the same places of their cones.
func (w *work) of(a *Assembly) (float64, error) {
	if len(a.Blocks) != len(w.a.Blocks) || len(a.Interfaces) != len(w.a.Interfaces) {
		return 0, fmt.Errorf("%d blocks have %d interfaces, where %d have %d", len(a.Blocks), len(a.Interfaces),
			len(w.a.Blocks), len(w.a.Interfaces))
	}
	size := norm(a.Gravity) / norm(w.a.Gravity)
	if norm(sub(a.Gravity, add([3]float64{}, w.a.Gravity, size))) > 1e-12*norm(a.Gravity) {
		return 0, fmt.Errorf("gravity turns: the tilt has margins of its own")
	}
	sum := 0.
	for i := range a.Blocks {
		sum += a.Blocks[i].Mass() * size * dot(w.gravity, [3]float64(w.motion[i][:3]))
	}
	for _, l := range a.Loads {
		sum += w.share(&l) * dot(l.Force, w.at(a, l.Block, l.Point))
	}
	for k := range w.contacts {
		c := &w.contacts[k]
		was, f := &w.a.Interfaces[c.face], &a.Interfaces[c.face]
		p, ok := was.moved(f, c.point)
		if !ok || (was.Friction > 0) != (f.Friction > 0) {
			return 0, fmt.Errorf("the interface of blocks %s and %s has other corners, or friction on one side only",
				a.Blocks[was.A].called(), a.Blocks[was.B].called())
		}
		normal := c.normal
		if f.Friction > 0 {
			normal *= was.Friction / f.Friction
		}
		friction := sub(c.friction, add([3]float64{}, f.Normal, dot(f.Normal, c.friction))) // turns with the normal
		sum += dot(add(friction, f.Normal, normal-f.Tension), w.between(a, f, p))
	}
	if w.pull != 0 {
		f := &a.Interfaces[w.pulled]
		sum += w.pull * dot(f.Normal, w.between(a, f, f.Middle(a.Plane)))
	}
	return sum, nil
}

// moved is where a corner is on an interface that moved by little.
func (f *Interface) moved(to *Interface, p [3]float64) (q [3]float64, ok bool) {
	if to.A != f.A || to.B != f.B || len(to.Points) != len(f.Points) {
		return q, false
	}
	near := math.Inf(1)
	for _, x := range to.Points {
		if d := norm(sub(x, p)); d < near {
			near, q = d, x
		}
	}
	for _, x := range f.Points {
		if norm(sub(x, q)) < near { // that is the nearer one to it
			return q, false
		}
	}
	return q, true
}

// bends are the edges at which faces meet that are not in one plane, or the sides of a polygon.
func (b *Block) bends() (all [][2]int) {
	normals := map[[2]int][3]float64{}
	for _, f := range b.Faces {
		var n [3]float64
		for k := range f {
			n = add(n, cross(sub(b.Vertices[f[k]], b.Vertices[f[0]]), sub(b.Vertices[f[(k+1)%len(f)]], b.Vertices[f[0]])), 1)
		}
		n = add([3]float64{}, n, 1/norm(n))
		for k, v := range f {
			u := f[(k+1)%len(f)]
			e := [2]int{min(u, v), max(u, v)}
			if o, twice := normals[e]; !twice {
				normals[e] = n
			} else if dot(o, n) > 1-1e-9 { // 4e-5 rad
				delete(normals, e)
			}
		}
	}
	for _, f := range b.Faces {
		for k, v := range f {
			u := f[(k+1)%len(f)]
			e := [2]int{min(u, v), max(u, v)}
			if _, bent := normals[e]; bent {
				all = append(all, e)
				delete(normals, e)
			}
		}
	}
	return all
}

// followed returns Tᵀw, where T δ is how a corner moves when block A of the interface does by δ; by B it is (1 − T) δ. Along the normal
// T is 1/2, which matters in no motion that leaves the faces in contact. In their plane a vertex of one block goes with it; but
// across an edge of the other it does so on one side only, as where both have a vertex. Where an edge e of A crosses f of B, a
// motion of A takes the corner along f, by (δ × e)·n/(f × e)·n.
func (a *Assembly) followed(f *Interface, p [3]float64, bends [][][2]int, w [3]float64) (withA [3]float64, known bool) {
	n := f.Normal
	flat := add(w, n, -dot(n, w))
	half := add([3]float64{}, n, dot(n, w)/2)
	var vertex [2]bool
	var edge [2][3]float64
	for side, i := range []int{f.A, f.B} {
		b := &a.Blocks[i]
		near := 1e-6 * norm(sub(b.high, b.low)) // what found the interface rounds
		for _, v := range b.Vertices {
			vertex[side] = vertex[side] || norm(sub(v, p)) < near
		}
		for _, e := range bends[i] {
			x, y := b.Vertices[e[0]], b.Vertices[e[1]]
			along := add([3]float64{}, sub(y, x), 1/norm(sub(y, x)))
			if math.Abs(dot(along, n)) < 1e-3 && distanceToSegment(sub(x, p), sub(y, p)) < near { // rad; in the plane of the interface
				edge[side] = along
			}
		}
	}
	across := func(e [3]float64) [3]float64 { // the part of w across an edge, halved
		m := cross(n, e)
		return add([3]float64{}, m, dot(m, w)/2)
	}
	e, o := edge[0], edge[1]
	switch turn := dot(cross(o, e), n); {
	case vertex[0] && vertex[1]:
		return add(half, flat, .5), true
	case vertex[0]:
		return sub(add(half, flat, 1), across(o)), true
	case vertex[1]:
		return add(half, across(e), 1), true
	case math.Abs(turn) > .1: // 6°
		return add(half, cross(e, n), dot(o, w)/turn), true
	}
	return w, false
}
