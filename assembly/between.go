package assembly

import "math"

// A Between bounds what is between the states of a path, on the way of the finite turns that lead from one to the next.
type Between struct {
	// Unbalanced [-] bounds, in parts of all loads, the force and the moment (over the farthest vertex of the block from its centroid) that
	// are left on any block at any time, by forces within friction that vary evenly between those of the states.
	Unbalanced float64
	// Open [m] bounds the gap at the states of corners that carry between them, as where a hinge goes from one corner to another.
	Open float64
	// Unbounded counts steps in which corners that carry are found anew, of which nothing is said; of Steps in all.
	Unbounded, Steps int
}

// add takes the step that leads from a state at w to one at end.
//
// With forces f̂ of each corner in the frame that turns with it, linear in 0 ≤ s ≤ 1, all of them are within friction, as cones are convex.
// The force E(s) that they leave on a block, and the moment, are 0 at the states, so that |E| ≤ max‖E″‖/8. With θ the turn of a block in
// the step, c its centre, p the corner and d = p − c,
//
//	‖f″‖ ≤ 2θ‖Δf̂‖ + θ²‖f̂‖,   ‖p″‖ ≤ θ²‖p − c‖,   ‖(d × f)″‖ ≤ ‖d″‖‖f‖ + 2‖d′‖‖f′‖ + ‖d‖‖f″‖
//
// summed over the corners of the block, with the larger θ of both blocks. Centroids of free blocks go straight. Programs leave 1e-7 at the
// states themselves, at most.
func (b *Between) add(w *walk, first *Step, end *walk, last *Step) {
	b.Steps++
	h := last.Distance - first.Distance
	moves := w.moves(first.Motion, h)
	s := newStatics(w.a)
	force, moment := make([]float64, len(moves)), make([]float64, len(moves))
	least := 1e-6 * s.force // as in take: rounding of the program
	before, known := w.cornerForces(first, least)
	after, too := end.cornerForces(last, least)
	if !known || !too {
		b.Unbounded++
		return
	}
	matched := make([]bool, len(w.a.Interfaces))
	for k := range end.a.Interfaces {
		f := &end.a.Interfaces[k]
		j := w.was(f, moves)
		switch {
		case j >= 0 && !matched[j]:
			matched[j] = true
		case norm(after[k]) > least:
			b.Unbounded++
			return
		default:
			continue
		}
		if max(norm(before[j]), norm(after[k])) > least {
			b.Open = max(b.Open, w.corners[j].gap(), end.corners[k].gap())
		}
		p, q := w.a.Interfaces[j].Points[0], f.Points[0]
		turn, bend := 0., 0. // θ, ‖p″‖
		for _, i := range []int{f.A, f.B} {
			theta := norm(moves[i].turn)
			turn, bend = max(turn, theta), max(bend, theta*theta*norm(sub(p, moves[i].centre)))
		}
		size := max(norm(before[j]), norm(after[k]))
		change := norm(sub(after[k], before[j])) + turn*norm(after[k]) // Δf̂, which is turned back
		square := turn * turn
		if w.corners[j].single() < 0 {
			square *= 6 // its normal is in the middle of two, at most 26° apart, and is brought to length 1
		}
		slope, curve := change+turn*size, 2*turn*change+square*size // ‖f′‖, ‖f″‖
		for _, i := range []int{f.A, f.B} {
			d, e := sub(p, w.a.Blocks[i].Centroid), sub(q, end.a.Blocks[i].Centroid)
			force[i] += curve
			moment[i] += bend*size + 2*(norm(sub(e, d))+bend/2)*slope + (max(norm(d), norm(e))+bend/8)*curve
		}
	}
	for j, f := range before {
		if !matched[j] && norm(f) > least {
			b.Unbounded++
			return
		}
	}
	w.addLoads(force, moment, moves, first, last)
	for i := range moves {
		if block := &w.a.Blocks[i]; !block.Support {
			reach := 0.
			for _, x := range block.Vertices {
				reach = max(reach, norm(sub(x, block.Centroid)))
			}
			b.Unbalanced = max(b.Unbalanced, max(force[i], moment[i]/reach)/8/s.force)
		}
	}
}

// addLoads adds what loads on blocks that turn, and gravity that does, leave: levels are linear between states, too.
func (w *walk) addLoads(force, moment []float64, moves []move, first, last *Step) {
	change := 0.
	if len(w.drive.Supports) == 0 {
		change = math.Abs(last.Level - first.Level)
	}
	for _, l := range w.a.Loads {
		theta, arm, size := norm(moves[l.Block].turn), norm(sub(l.Point, w.a.Blocks[l.Block].Centroid)), norm(l.Force)
		level, slope := 1., 0.
		if l.Live && w.drive.Loads {
			level, slope = max(math.Abs(first.Level), math.Abs(last.Level)), change
		}
		moment[l.Block] += theta*theta*arm*size*level + 2*theta*arm*size*slope
	}
	if len(w.drive.Supports) == 0 && !w.drive.Loads {
		for i := range w.a.Blocks {
			force[i] += change * change * w.a.Blocks[i].Mass() * norm(w.a.Gravity)
		}
	}
}

// was is the interface that one of the geometry after moves was before; −1 for none.
func (w *walk) was(f *Interface, moves []move) int {
	best, at := 10*w.near, -1 // what a step misses is taken back in the next
	for j := range w.a.Interfaces {
		o := &w.a.Interfaces[j]
		if o.A != f.A || o.B != f.B {
			continue
		}
		on := [2][3]float64{moves[f.A].point(w.corners[j].point[0]), moves[f.B].point(w.corners[j].point[1])}
		c := w.corners[j]
		c.point = on
		if d := norm(sub(c.at(), f.Points[0])); d < best {
			best, at = d, j
		}
	}
	return at
}

// gap is how far a corner is open along its normal [m].
func (c *pair) gap() float64 { return max(dot(sub(c.point[1], c.point[0]), c.face()), 0) }

// cornerForces are the reactions of a state at the corners of its geometry, each of which is an interface of its own; not known where one
// carries that its step has found.
func (w *walk) cornerForces(s *Step, least float64) (all [][3]float64, known bool) {
	all = make([][3]float64, len(w.corners))
	for _, r := range s.Reactions {
		if r.Interface < len(all) {
			all[r.Interface] = r.Force
		} else if norm(r.Force) > least {
			return nil, false
		}
	}
	return all, true
}
