package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// sweep looks for pairs that are apart at both ends of the step and met in between, and returns the
// earliest such touch and its share of the step. Bodies that move by more than half their width are
// looked at, others cannot pass through each other within a step, and on grids that detect
// collisions those that may graze each other.
func (s *detection) sweep(h float64) (hit *bodies.Touch, at float64, err error) {
	fast := s.fast(h)
	at = math.Inf(1)
	s.swept = s.swept[:0]
	try := func(t bodies.Touch) {
		if err != nil {
			return
		}
		if s.listed(&t) {
			if x, ok := s.course(h).Enters(&t); ok {
				err = s.tunnel(&x.Touch, h)
			}
			return
		}
		x, ok, e := s.advanceTo(&t, h)
		if err = e; ok && x < at && (s.mode.grid != GapGrid || s.through(&t, h)) {
			s.swept, at = append(s.swept[:0], t), x
		}
	}
	if s.mode.grid != GapGrid {
		for i := range s.touches {
			if t := &s.touches[i]; s.grazes(t, -1) &&
				!slices.ContainsFunc(s.next, func(x bodies.Touch) bool { return x.Pair() == t.Pair() }) { // else its end tells
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
		for f := range w.Obstacles() {
			t := bodies.FloorTouch(i, f)
			if way := s.course(h).Beside(&t); way.Fast() { // of those that are apart nothing is found
				try(t)
			}
		}
		if !s.paths[i].Fast() || !s.model.Meets[i] {
			continue
		}
		for j := range s.paths {
			if i == j || j < i && s.paths[j].Fast() || !s.passes(i, j) {
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

// fast bounds all paths and reports whether one is fast. The velocity along a step is, in shares of
// it, linear between v^l and v^l + 2γ(v^{l+1} − v^l).
func (s *detection) fast(h float64) bool {
	m, any := s.model, s.driven
	s.paths = grow(s.paths, len(m.Bodies))
	for i := range m.Bodies {
		p := &m.Bodies[i]
		var b [2][6]float64
		for d := range p.N {
			v0, v1 := s.v[p.V+d], s.vEnd[p.V+d]
			b[0][d], b[1][d] = h*v0, h*(v0+2*s.gamma*(v1-v0))
		}
		s.paths[i] = m.World.PathOf(i, s.poses[i].Centre, b[0][:p.N], b[1][:p.N])
		any = any || s.paths[i].Fast()
	}
	return any
}

// grazes reports whether two bodies that touch t tells apart at an end of the step may meet within
// it, as balls that strike each other aslant: they part after (sign 1) or approach before (−1) by
// more than the gap, without a turn, and none is thin.
func (s *detection) grazes(t *bodies.Touch, sign float64) bool {
	if t.B < 0 || t.Gap <= s.unit*touchGap {
		return false
	}
	way := s.paths[t.A].Beside(&s.paths[t.B])
	return way.Straight() && max(sign*vec3.Dot(t.N, way.B[0]), sign*vec3.Dot(t.N, way.B[1])) > t.Gap
}

// passes reports whether two bodies move so fast beside each other that they may pass through each
// other: they are not so far apart, by the balls around them, that they cannot meet.
func (s *detection) passes(i, j int) bool {
	way := s.paths[i].Beside(&s.paths[j])
	return way.Fast() && vec3.Norm(way.From) <= s.model.World.Reach(i)+s.model.World.Reach(j)+way.Most
}

// listed reports whether a touch of the pair takes part in the step; on the gap grid, whether it is
// known at all.
func (s *detection) listed(t *bodies.Touch) bool {
	for i := s.firstOf(t.Pair()); i < len(s.touches) && s.touches[i].Pair() == t.Pair(); i++ {
		if s.marks[i].active || s.mode.grid == GapGrid {
			return true
		}
	}
	return false
}

// advanceTo goes along the step to the first share at which a pair touches.
func (s *detection) advanceTo(t *bodies.Touch, h float64) (share float64, ok bool, err error) {
	c := s.course(h)
	p, ok := c.Meets(t)
	switch {
	case !ok:
		return 0, false, nil
	case p.Open:
		return 0, false, s.tunnel(&p.Touch, h)
	}
	if *t = p.Touch; t.Gap < 0 {
		x := *t
		return s.rootIn(&x, h, p.Before, p.Share, p.Gap, t.Gap), true, nil
	}
	return p.Share, true, nil
}

// glide is a gap in which thin bodies that turn or slide along each other count as met.
const glide = 1e-6

// course is the way through a step of length h.
func (s *detection) course(h float64) *bodies.Sweep {
	s.way = way{s.motion, h}
	c := &s.passage
	c.World, c.Find, c.Course, c.T, c.H, c.Paths, c.Touching, c.Glide = s.model.World, s.find.Toucher, &s.way, s.t, h,
		s.paths, s.unit*touchGap, s.unit*glide
	return c
}

// way is the motion through a step of length h.
type way struct {
	*motion
	h float64
}

// At implements [bodies.Course].
func (w *way) At(share float64) (t float64, q []float64) {
	w.along(w.h, share, nil)
	return w.at(w.h, share), w.qMid
}

// through reports whether a pair that met is apart again at the end, or so deep
// that the projection may part it on the wrong side.
func (s *detection) through(t *bodies.Touch, h float64) bool { return s.course(h).Through(t, false) }

func (s *detection) tunnel(t *bodies.Touch, h float64) error {
	return &bodies.TunnelError{Contact: s.model.TouchName(t), At: s.model.There(t.At), H: h * s.course(h).Resolves(t)}
}
