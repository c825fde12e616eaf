package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// path bounds the motion of a body over a step. The velocity along it is, in
// shares of the step, linear between
//
//	b₀ = h v^l,  b₁ = h(v^l + 2γ(v^{l+1} − v^l)).
type path struct {
	b     [2]vec
	turn  float64 // largest angle a share times the lever [m]
	most  float64 // largest motion of a point [m]
	bend  float64 // largest second derivative of the place of a point by the share [m]
	width float64
	swept bool // it is looked for what the body meets on the way
}

// sweep looks for pairs that are apart at both ends of the step and met in between, and returns the
// earliest such touch and its share of the step. Bodies that move by more than half their width are
// looked at, others cannot pass through each other within a step, and on grids that detect
// collisions those that may graze each other.
func (s *detection) sweep(h float64) (hit *bodies.Touch, at float64, err error) {
	fast := s.fast(h)
	at = math.Inf(1)
	s.swept = s.swept[:0]
	try := func(t bodies.Touch) {
		if err != nil || s.listed(&t) {
			return
		}
		x, ok, e := s.advanceTo(&t, h)
		if err = e; ok && x < at && (s.mode.grid != GapGrid || s.through(&t, h)) {
			s.swept, at = append(s.swept[:0], t), x
		}
	}
	if s.mode.grid != GapGrid {
		for i := range s.touches {
			if t := &s.touches[i]; s.grazes(t, -1) && !slices.ContainsFunc(s.next, func(x bodies.Touch) bool { return x.Pair() == t.Pair() }) { // else its end tells
				try(bodies.PairTouch(t.A, t.B))
			}
		}
		for i := range s.next {
			if t := &s.next[i]; s.grazes(t, 1) {
				try(bodies.PairTouch(t.A, t.B))
			}
		}
	}
	w := s.model.World
	for i := range s.paths {
		if !fast {
			break
		}
		fast := s.paths[i].swept
		for f := range w.Obstacles() {
			if fast || s.passes(f, i, h) { // of those that are apart nothing is found
				try(bodies.FloorTouch(i, f))
			}
		}
		if !fast || !s.model.Meets[i] {
			continue
		}
		for j := range s.paths {
			if i == j || j < i && s.paths[j].swept || s.beyond(i, j) {
				continue
			}
			if a, b := min(i, j), max(i, j); !s.model.Apart(a, b) {
				try(bodies.PairTouch(a, b))
			}
		}
	}
	if len(s.swept) > 0 {
		hit = &s.swept[0]
	}
	return hit, at, err
}

// fast bounds all paths and reports whether one is fast.
func (s *detection) fast(h float64) bool {
	m, g, any := s.model, s.gamma, s.driven
	s.paths = grow(s.paths, len(m.Bodies))
	for i := range m.Bodies {
		p, x := &m.Bodies[i], &s.paths[i]
		lever := m.World.Lever(i)
		*x = path{width: m.World.Width(i)}
		fastest, change := 0.0, 0.0 // of the turn
		for k := range 2 {
			spin := 0.0
			for d := range p.N {
				v0, v1 := s.v[p.V+d], s.vEnd[p.V+d]
				b := h * (v0 + 2*g*float64(k)*(v1-v0))
				if d < m.Dim {
					x.b[k][d] = b
				} else {
					spin += b * b
					change += float64(k) * math.Abs(2*g*h*(v1-v0))
				}
			}
			fastest = max(fastest, math.Sqrt(spin))
			x.turn = max(x.turn, math.Sqrt(spin)*lever)
			x.most = max(x.most, vec3.Norm(x.b[k]))
		}
		x.most += x.turn
		x.bend = vec3.Norm(vec3.Add(x.b[1], -1, x.b[0]))
		if lever > 0 { // ω² to the centre, and at most as much because the axis turns
			x.bend += m.World.Reach(i) * (change + 2*fastest*fastest)
		}
		x.swept = x.most > 0.5*x.width
		any = any || x.swept
	}
	return any
}

// grazes reports whether two bodies that touch t tells apart at an end of the step may meet within
// it, as balls that strike each other aslant: they part after (sign 1) or approach before (−1) by
// more than the gap, without a turn, and none is thin. Of those that turn what is overlooked
// overlaps for less than a step, as of those that are apart by more than Options.Margin at both
// ends.
func (s *detection) grazes(t *bodies.Touch, sign float64) bool {
	if t.B < 0 || t.Gap <= s.unit*touchGap {
		return false
	}
	a, b := &s.paths[t.A], &s.paths[t.B]
	if !a.straight() || !b.straight() || a.swept || b.swept {
		return false
	}
	speed := math.Inf(-1)
	for k := range 2 {
		speed = max(speed, sign*(vec3.Dot(t.N, a.b[k])-vec3.Dot(t.N, b.b[k])))
	}
	return speed > t.Gap
}

// straight: no point of the body leaves the line, but for what the velocity changes, and it has a
// width.
func (p *path) straight() bool { return p.turn == 0 && p.width > 0 }

// beyond reports whether two bodies stay apart, by the balls around them.
func (s *detection) beyond(i, j int) bool {
	w := s.model.World
	d := vec3.Add(s.poses[i].Centre, -1, s.poses[j].Centre)
	return vec3.Norm(d) > w.Reach(i)+w.Reach(j)+s.paths[i].most+s.paths[j].most
}

// listed reports whether a touch of the pair takes part in the step; on the gap
// grid, whether it is known at all.
func (s *detection) listed(t *bodies.Touch) bool {
	for i := s.firstOf(t.Pair()); i < len(s.touches) && s.touches[i].Pair() == t.Pair(); i++ {
		if s.marks[i].active || s.mode.grid == GapGrid {
			return true
		}
	}
	return false
}

// dip is the depth, in sizes of a body, to which a thin one may enter a
// half-space and leave it again within a step unseen; none gets behind it.
// Without it one that hovers at rounding of a gap would never get through a step.
const dip = 1e-3

// advanceTo goes along the step, by steps that the gap along the present
// normal cannot close in (conservative advancement, or stride), or by an eighth of what it
// takes to pass through the thinner body, to the first share at which a pair
// touches.
func (s *detection) advanceTo(t *bodies.Touch, h float64) (share float64, ok bool, err error) {
	a := &s.paths[t.A]
	b := &path{}
	if t.B < 0 {
		b.turn = s.sway(t.Floor, t.A, h)
		b.most = b.turn
	}
	width := max(a.width, dip*s.model.World.Reach(t.A))
	if t.B >= 0 {
		b = &s.paths[t.B]
		width = min(a.width, b.width)
	}
	least := 0.125 * width / (a.most + b.most)
	if t.B >= 0 && a.straight() && b.straight() {
		least = 0 // the gap is convex: steps along its tangents end at its zero, or where it grows
	}
	last, lastGap := 0.0, 0.0
	x, found := *t, false
	for range advances {
		x, found = s.nearest(t, h, share)
		switch {
		case !found:
			return 0, false, nil
		case x.Gap <= s.unit*touchGap && share == 0: // closed at the start: not swept
			return 0, false, nil
		case x.Gap < 0:
			*t = x
			return s.rootIn(&x, h, last, share, lastGap, x.Gap), true, nil
		case x.Gap <= s.unit*touchGap:
			*t = x
			return share, true, nil
		}
		speed := a.turn + b.turn
		closing := math.Inf(-1)
		for k := range 2 {
			closing = max(closing, vec3.Dot(x.N, b.b[k])-vec3.Dot(x.N, a.b[k]))
		}
		if speed += closing; speed <= 0 {
			return 0, false, nil
		}
		last, lastGap = share, x.Gap
		// Short of closing: the distance of thin bodies has no sign, and at zero no
		// normal either.
		step := max((x.Gap-s.unit*touchGap/2)/speed, least)
		if step < 1-share {
			step = max(step, s.stride(&x, h, share, a.bend+b.bend))
		}
		if share += step; share >= 1 {
			return 0, false, nil
		}
	}
	if x.Gap <= s.unit*glide {
		*t = x
		return share, true, nil
	}
	return 0, false, s.tunnel(&x, h)
}

// stride returns the rest of the step, or its half, its quarter …, in which a pair stays apart
// along the present normal by more than counts as touching; 0: such a part is short. What n·x of a
// point is below its chord over a part d of the step is at most d²/8 of its second derivative. Thin
// bodies that glide past each other, of which no bound of their speeds says that they do not meet,
// are passed by it.
func (s *detection) stride(x *bodies.Touch, h, share, bend float64) float64 {
	point, at := vec{}, x.B < 0
	if at {
		plane, flat := s.model.World.Obstacle(x.Floor).Surface.(bodies.HalfSpace)
		if !flat || s.model.World.Moving(x.Floor) {
			return 0
		}
		point = plane.Point
	}
	apart := func() float64 { // along the normal, at qMid
		d := -s.model.World.Support(x.A, s.qMid, vec3.Scale(x.N, -1))
		if at {
			return d - vec3.Dot(x.N, point)
		}
		return d - s.model.World.Support(x.B, s.qMid, x.N)
	}
	now := apart()
	for d := 1 - share; d > strideLeast; d /= 2 {
		least := bend*d*d/8 + s.unit*touchGap
		if now <= least {
			continue
		}
		if s.along(h, share+d, nil); apart() > least {
			return d
		}
	}
	return 0
}

// advances of a pair along a step; thin bodies that nearly touch all along need more.
const advances = 2000

// glide is a gap in which thin bodies that turn or slide along each other count as met.
const glide = 1e-6

// strideLeast of a step is not worth the look at its end.
const strideLeast = 1e-4

// through reports whether a pair that met is apart again at the end, or so deep
// that the projection may part it on the wrong side.
func (s *detection) through(t *bodies.Touch, h float64) bool {
	width := s.paths[t.A].width
	if t.B >= 0 {
		width = min(width, s.paths[t.B].width)
	}
	x, _ := s.nearest(t, h, 1)
	return x.Gap > 0 || t.B >= 0 && x.Gap < -0.25*width
}

// nearest returns the touch of a pair with the least gap at a share of the step.
func (s *detection) nearest(t *bodies.Touch, h, share float64) (x bodies.Touch, found bool) {
	s.along(h, share, nil)
	s.again = s.find.Again(s.again[:0], s.at(h, share), s.qMid, t)
	x.Gap = math.Inf(1)
	for i := range s.again {
		if s.again[i].Gap < x.Gap {
			x, found = s.again[i], true
		}
	}
	return x, found
}

func (s *detection) tunnel(t *bodies.Touch, h float64) error {
	most, width := s.paths[t.A].most, s.paths[t.A].width
	if t.B >= 0 {
		most += s.paths[t.B].most
		width = max(width, s.paths[t.B].width)
	} else {
		most += s.sway(t.Floor, t.A, h)
	}
	if width == 0 {
		width = most // points: half the step
	}
	return &TunnelError{s.model.TouchName(t), s.model.There(t.At), h * min(0.5, 0.5*width/most)}
}
