package assembly

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A Path is what an assembly does while a support is moved slowly.
type Path struct {
	Steps []Step
	// Collapsed: beyond the last of the steps no step down to Least keeps a balance.
	Collapsed bool
	Least     float64 // m
	// Ends says why the path ends before the support is where it was to be, and has not collapsed: the interfaces are no
	// more what they were.
	Ends string
}

// A Step is a state in balance, with the step that goes on from it. Its geometry is that of all motions so far,
// the forces balance there, at corners that are closed to Gap after the step.
type Step struct {
	Distance  float64      // m that the support has moved
	Force     float64      // N on the support along its way: thrust, where it yields to that
	Gap       float64      // m: largest distance between corners that carry
	Dilation  float64      // m: largest lift of corners that slid in the step, which the next takes back
	Motion    [][6]float64 // of blocks by m of the support, which moves too
	Hinges    []int        // interfaces of the assembly that carry and turn
	Slides    []int        // that carry and slide
	Reactions []Reaction
	Assembly  *Assembly // as it is now
}

// PathOptions are the wishes for a path. The zero value works, and so does nil.
type PathOptions struct {
	// Steps is how many are wished for; states are told at their ends. Default 20.
	Steps int
	// Gap [-] is how far corners that carry may be apart, by the size of what is free. Default 1e-5.
	Gap float64
}

// Displace moves a support by a displacement, slowly, as long as forces balance.
//
// Rigid blocks do not move before a support does, and then with it: for a step h of the support, displacements
// Δ of the blocks are those by which the loads work most without pressing a corner,
//
//	max f·Δ,   u = HᵀΔ + g + h u⁰,   u_N ≥ μ‖u_T‖
//
// where g are the gaps of corners (in u_N) and u⁰ is the motion of the support at them. The dual solution has the
// forces, min (g + h u⁰)·r, H r + f = 0, r ∈ K: of all that balance, those of the least, or most, thrust. Both
// together are Coulomb's law in a step but that what slides is lifted by μ‖u_T‖ [Anitescu06]; as gaps are those
// of the geometry, the next step takes the lift back, and it is of the order of a step however far it slides. Where
// nothing slides, the law holds without lift.
//
// A step is taken back and halved until corners that carry are closed in the geometry that it leads to, turned by finite
// angles. So it is seen, too, that no balance is left: what falls moves far in any step. Collapse lies
// between the last state and Least beyond.
func Displace(ctx context.Context, a *Assembly, block int, way [3]float64, o *PathOptions) (*Path, error) {
	steps, gap := 20, 1e-5
	if o != nil && o.Steps > 0 {
		steps = o.Steps
	}
	if o != nil && o.Gap > 0 {
		gap = o.Gap
	}
	total := norm(way)
	if !a.Blocks[block].Support {
		return nil, fmt.Errorf("block %s is no support: it moves as it must", a.Blocks[block].called())
	}
	if !(total > 0) || a.Plane && way[1] != 0 {
		return nil, fmt.Errorf("the displacement %v is none, or not in the plane", way)
	}
	w := newWalk(a, block, add([3]float64{}, way, 1/total))
	p := &Path{Least: total * 1e-6} // a share that no drawing shows
	var last *Step                  // that leads to w
	var back *walk                  // from where
	lost := total * 2               // a distance at which no forces balance
	h := total / float64(steps)
	for len(p.Steps) <= steps {
		end := total * float64(len(p.Steps)) / float64(steps)
		there := w.distance >= end-p.Least/2
		if there {
			end += total / float64(steps)
		}
		h = min(h, end-w.distance, max((lost-w.distance)/2, p.Least))
		step, next, err := w.shorten(ctx, h, p.Least, gap)
		switch {
		case err != nil:
			return nil, err
		case step == nil && back != nil && w.distance-back.distance > 1.5*p.Least:
			// The last step led to where no forces balance: less of it, on the way that is halved.
			lost = w.distance
			w, back = back, nil
			continue
		case step == nil:
			p.Collapsed = true
			if last != nil && !there {
				p.Steps = append(p.Steps, *last)
			}
			return p, nil
		case there:
			p.Steps = append(p.Steps, *step)
			if p.Ends = w.ends(step); p.Ends != "" {
				return p, nil
			}
		}
		h = 2 * (next.distance - w.distance)
		w, back, last = next, w, step
	}
	return p, nil
}

// shorten takes a step of at most h; nil where none above the least leads on.
func (w *walk) shorten(ctx context.Context, h, least, tolerance float64) (*Step, *walk, error) {
	for ; h >= least/2; h /= 2 {
		step, next, err := w.try(ctx, h, tolerance)
		if step != nil || err != nil {
			return step, next, err
		}
	}
	return nil, nil, nil
}

// A walk is a geometry on the way. Each corner of an interface is one of its own, as it goes on with both
// blocks.
type walk struct {
	a        *Assembly
	block    int
	way      [3]float64
	distance float64
	corners  []pair // of each interface
	face     []int  // which it is of the assembly that was given
}

// A pair was one point of two blocks.
type pair struct {
	vertex [2]bool       // of block A, of B: a vertex of it was there
	point  [2][3]float64 // on A, on B
	normal [2][3]float64 // as it goes with A, with B
	slid   [3]float64    // of B on A, as it goes with A
}

// face is the normal of the face on which the corner is: that of the other block, where it is a vertex of one;
// between two vertices it is in the middle.
func (c *pair) face() [3]float64 {
	switch {
	case c.vertex[0] && !c.vertex[1]:
		return c.normal[1]
	case c.vertex[1] && !c.vertex[0]:
		return c.normal[0]
	}
	n := add(c.normal[0], c.normal[1], 1)
	return add([3]float64{}, n, 1/norm(n))
}

func newWalk(a *Assembly, block int, way [3]float64) *walk {
	split := *a
	split.Interfaces = nil
	w := &walk{a: &split, block: block, way: way}
	for k, f := range a.Interfaces {
		for _, p := range f.Points {
			c := pair{point: [2][3]float64{p, p}, normal: [2][3]float64{f.Normal, f.Normal}}
			for side, i := range []int{f.A, f.B} {
				b := &a.Blocks[i]
				near := 1e-6 * norm(sub(b.high, b.low)) // what found the interface rounds
				for _, x := range b.Vertices {
					c.vertex[side] = c.vertex[side] || norm(sub(x, p)) < near
				}
			}
			one := f
			one.Points = [][3]float64{p}
			split.Interfaces, w.corners = append(split.Interfaces, one), append(w.corners, c)
			w.face = append(w.face, k)
		}
	}
	return w
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

// ends looks for blocks that met anew, and for corners that carry and slid off their face: a vertex out of the box
// of the other block, or what was a vertex of both, or of neither, by a twentieth of the block.
func (w *walk) ends(step *Step) string {
	if err := newFinder(w.a, Finding{}).overlaps(); err != nil {
		return err.Error()
	}
	most := 0.
	for _, r := range step.Reactions {
		most = max(most, norm(r.Force))
	}
	for _, r := range step.Reactions {
		f, c := &w.a.Interfaces[r.Interface], &w.corners[r.Interface]
		if norm(r.Force) < 1e-6*most { // rounding of the program
			continue
		}
		d := sub(c.point[1], c.point[0])
		lift := add([3]float64{}, c.face(), dot(d, c.face()))
		a, b := &w.a.Blocks[f.A], &w.a.Blocks[f.B]
		small := .05 * min(norm(sub(a.high, a.low)), norm(sub(b.high, b.low)))
		off := norm(c.slid) > small
		switch {
		case c.vertex[0] && !c.vertex[1]:
			off = outside(b, add(c.point[0], lift, 1)) > 1e-3*small
		case c.vertex[1] && !c.vertex[0]:
			off = outside(a, sub(c.point[1], lift)) > 1e-3*small
		}
		if off {
			return fmt.Sprintf("a corner that carries slid off: of blocks %s and %s", a.called(), b.called())
		}
	}
	return ""
}

// outside is how far a point is out of the box of a block.
func outside(b *Block, x [3]float64) float64 {
	far := 0.
	for e := range x {
		far = max(far, b.low[e]-x[e], x[e]-b.high[e])
	}
	return far
}

// try takes a step h; nil where forces do not balance, or not at corners that are closed after it. The forces are
// those at its beginning.
func (w *walk) try(ctx context.Context, h, tolerance float64) (*Step, *walk, error) {
	s := newStatics(w.a)
	f := s.total(1)
	p := s.program(f, own)
	along := make([]float64, s.dim*len(s.contacts))
	at := 0
	for j := range s.contacts {
		c := &s.contacts[j]
		face := &w.a.Interfaces[c.face]
		side := 0.
		switch w.block {
		case face.A:
			side = -1
		case face.B:
			side = 1
		}
		for e := range s.dim {
			along[j*s.dim+e] = side * dot(c.frame[e], w.way)
		}
		gap := w.offset(c)
		if c.mu == 0 {
			p.C[at] = gap[0]/h + along[j*s.dim]
			at++
			continue
		}
		for e := range s.dim {
			p.C[at+e] = gap[e]/h + along[j*s.dim+e]
		}
		p.C[at] /= c.mu
		at += s.dim
	}
	r, err := conic.Solve(ctx, p, nil)
	if err != nil {
		return nil, nil, err
	}
	switch r.Status {
	case conic.Unbounded:
		return nil, nil, errors.New("the support is jammed: blocks between it and others do not let it go this way")
	case conic.Infeasible, conic.Undecided:
		return nil, nil, nil
	}
	rates := make([]float64, s.nv)
	for i, y := range r.Y {
		rates[i] = -y
	}
	reactions := s.reactions(r.X, own)
	step := &Step{Distance: w.distance, Assembly: w.a, Motion: s.blockRates(rates), Reactions: s.newtons(reactions)}
	copy(step.Motion[w.block][:], w.way[:])
	for _, r := range step.Reactions {
		switch face := &w.a.Interfaces[r.Interface]; w.block {
		case face.A:
			step.Force -= dot(r.Force, w.way)
		case face.B:
			step.Force += dot(r.Force, w.way)
		}
	}
	if math.Abs(step.Force) < 1e-9*s.force { // rounding of the program
		step.Force = 0
	}
	slips := make([]float64, len(along))
	s.motion(slips, rates)
	next := w.moved(step.Motion, h)
	for j := range s.contacts {
		c, o := &s.contacts[j], &next.corners[s.contacts[j].face]
		gap, slip := w.offset(c), [3]float64{} // of the step, with what the last one missed
		for e := 1; e < s.dim; e++ {
			slip = add(slip, c.frame[e], h*(slips[j*s.dim+e]+along[j*s.dim+e])+gap[e])
		}
		if reactions[j*s.dim] < 1e-6 { // of the loads: rounding of the program
			o.slid = sub(o.point[1], o.point[0]) // where it touches again is not where it parted
			o.slid = add(o.slid, o.face(), -dot(o.slid, o.face()))
			continue
		}
		o.slid = add(o.slid, slip, 1)
		step.tell(w, c.face, norm(slip)/h, largest(rates))
		miss, lift := next.offset(c), c.mu*norm(slip)
		step.Gap, step.Dilation = max(step.Gap, math.Abs(miss[0])-lift, math.Hypot(miss[1], miss[2])), max(step.Dilation, lift)
	}
	if step.Gap > tolerance*s.length || step.Dilation > 100*tolerance*s.length {
		return nil, nil, nil
	}
	return step, next, nil
}

// tell notes what a corner that carries does, where it is more than rounding of the largest rate.
func (p *Step) tell(w *walk, corner int, slip, most float64) {
	const rounding = 1e-6
	f, k := &w.a.Interfaces[corner], w.face[corner]
	turn := sub([3]float64(p.Motion[f.B][3:]), [3]float64(p.Motion[f.A][3:]))
	note := func(list *[]int, yes bool) {
		if yes && (len(*list) == 0 || (*list)[len(*list)-1] != k) {
			*list = append(*list, k)
		}
	}
	note(&p.Slides, slip > rounding*most)
	note(&p.Hinges, slip <= rounding*most && norm(turn) > rounding*most)
}

// blockRates gives rates block by block: velocity of the centroid and of turning [1/m].
func (s *statics) blockRates(v []float64) [][6]float64 {
	all := s.blockMotion(v)
	size := largest(v)
	for i := range all {
		for k := range all[i] {
			all[i][k] *= size
		}
	}
	return all
}

// moved is the geometry after a step, with finite rotations about the centroids.
func (w *walk) moved(motion [][6]float64, h float64) *walk {
	a := *w.a
	next := &walk{a: &a, block: w.block, way: w.way, distance: w.distance + h, face: w.face}
	moves := make([]func([3]float64) [3]float64, len(a.Blocks))
	turns := make([]func([3]float64) [3]float64, len(a.Blocks))
	a.Blocks = append([]Block(nil), a.Blocks...)
	for i := range a.Blocks {
		b := &a.Blocks[i]
		shift, turn := add([3]float64{}, [3]float64(motion[i][:3]), h), add([3]float64{}, [3]float64(motion[i][3:]), h)
		centre := b.Centroid
		turns[i] = func(x [3]float64) [3]float64 { return rotated(x, turn) }
		moves[i] = func(x [3]float64) [3]float64 {
			return add(add(centre, rotated(sub(x, centre), turn), 1), shift, 1)
		}
		b.Vertices = append([][3]float64(nil), b.Vertices...)
		for k, x := range b.Vertices {
			b.Vertices[k] = moves[i](x)
		}
		b.Centroid = moves[i](centre)
		for k, x := range b.Vertices { // the box, of which the size of the program is made
			for e := range 3 {
				if k == 0 {
					b.low[e], b.high[e] = x[e], x[e]
				}
				b.low[e], b.high[e] = min(b.low[e], x[e]), max(b.high[e], x[e])
			}
		}
	}
	a.Loads = append([]Load(nil), a.Loads...)
	for k := range a.Loads {
		a.Loads[k].Point = moves[a.Loads[k].Block](a.Loads[k].Point)
	}
	a.Interfaces = append([]Interface(nil), a.Interfaces...)
	for k := range a.Interfaces {
		f := &a.Interfaces[k]
		c := w.corners[k]
		c.point = [2][3]float64{moves[f.A](c.point[0]), moves[f.B](c.point[1])}
		c.normal = [2][3]float64{turns[f.A](c.normal[0]), turns[f.B](c.normal[1])}
		c.slid = turns[f.A](c.slid)
		next.corners = append(next.corners, c)
		f.Normal = c.face()
		f.Points = [][3]float64{add(c.point[0], sub(c.point[1], c.point[0]), .5)}
	}
	return next
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
