package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Course is how a scheme moves a world within a step: the time at a share of it, and the
// coordinates, which are valid until the next call.
type Course interface {
	At(share float64) (t float64, q []float64)
}

// Sweep looks for what bodies meet on their way through a step (continuous collision detection by
// conservative advancement): it goes along the step, by steps that the gap along the present normal
// cannot close in, to where a pair touches.
type Sweep struct {
	World    *World
	Find     *Toucher
	Course   Course
	T, H     float64 // the step begins at T and takes H [s]
	Paths    []Path  // of the bodies
	Touching float64 // a gap that counts as closed [m]
	Glide    float64 // a gap in which thin bodies that turn or slide along each other count as met [m]

	part  int // one more than the parts that are looked at, 0: all
	again []Touch
	q     []float64 // at the share of the last look
}

// Passage is the first touch of a pair on its way.
type Passage struct {
	Touch  Touch
	Share  float64 // of the step, where it is found …
	Before float64 // … and an earlier one, …
	Gap    float64 // … where the pair is apart by this [m]
	Open   bool    // whether they meet cannot be told: they nearly touch, at such speeds
}

const (
	// dip is the depth, in sizes of a body, to which a thin one may enter a half-space and leave it
	// again within a step unseen; none gets behind it. Without it one that hovers at rounding of a
	// gap would never get through a step.
	dip = 1e-3
	// advances of a pair along a step; thin bodies that nearly touch all along need more.
	advances = 2000
	// strideLeast of a step is not worth the look at its end.
	strideLeast = 1e-4
)

// Beside is the path of the first body of a touch as seen from what it has beside it.
func (s *Sweep) Beside(t *Touch) Path {
	x := &s.Paths[t.A]
	if t.B >= 0 {
		return x.Beside(&s.Paths[t.B])
	}
	y := s.World.ObstaclePath(t.Floor, t.A, s.T, s.H, x)
	return x.Beside(&y)
}

// Meets reports whether the pair of a touch that is apart at the start of the step meets on the
// way, and where. Beside the conservative steps there are those of [Sweep.stride], and none is
// shorter than an eighth of what it takes to pass through the thinner body.
func (s *Sweep) Meets(t *Touch) (p Passage, ok bool) {
	n := s.World.partsOf(t)
	if n == 1 {
		return s.meets(t)
	}
	defer func() { s.part = 0 }()
	for s.part = 1; s.part <= n; s.part++ { // what is nearest may not be what meets first
		if x, met := s.meets(t); met && (!ok || x.Share < p.Share) {
			p, ok = x, true
		}
	}
	return p, ok
}

// meets is [Sweep.Meets] of bodies of one part, or of the present parts.
func (s *Sweep) meets(t *Touch) (p Passage, ok bool) {
	way := s.Beside(t)
	width := way.Width
	if t.B < 0 && !s.World.isSolid(t.Floor) {
		width = dip * s.World.Reach(t.A)
	}
	least := 0.125 * width / way.Most
	if t.B >= 0 && way.Straight() {
		least = 0 // the gap is convex: steps along its tangents end at its zero, or where it grows
	}
	found := false
	for range advances {
		p.Touch, found = s.nearest(t, p.Share)
		x := &p.Touch
		switch {
		case !found:
			return p, false
		case x.Gap <= s.Touching && p.Share == 0:
			return s.Enters(t)
		case x.Gap <= s.Touching:
			return p, true
		}
		speed := way.Turn - min(vec3.Dot(x.N, way.B[0]), vec3.Dot(x.N, way.B[1]))
		if speed <= 0 {
			return p, false
		}
		p.Before, p.Gap = p.Share, x.Gap
		// Short of closing: the distance of thin bodies has no sign, and at zero no
		// normal either.
		step := max((x.Gap-s.Touching/2)/speed, least)
		if step < 1-p.Share {
			step = max(step, s.stride(x, p.Share, way.Bend))
		}
		if p.Share += step; p.Share >= 1 {
			return p, false
		}
	}
	p.Open = p.Touch.Gap > s.Glide
	return p, true
}

const (
	// entered of the depth at which two round bodies have their centres at one place: between turning
	// bodies that touch all along a step, the chords of their ways leave gaps of a smaller order.
	entered = 0.25
	// rolled, of its size, is how far the chord of a point of a body leaves its way in an eighth of a
	// turn: as with loads, what is periodic is looked at eight times a period.
	rolled = (math.Pi / 4) * (math.Pi / 4) / 8
)

// Enters reports whether a body that touches another one or an obstacle at the start of the step, or
// whose contact bears a force in it, turns into that on the way: the contact holds by the normal
// that they have at the start, and says nothing of what comes once they have moved by their widths.
// A step in which they do is too long, and the passage is open. Bodies that do not turn, and slow
// ones, part or stay; those that are as deep in each other at the end are seen by that.
func (s *Sweep) Enters(t *Touch) (p Passage, ok bool) {
	way, turn := s.Beside(t), s.Paths[t.A].Turn
	depth := max(entered*way.Width, rolled*s.World.Reach(t.A))
	switch {
	case t.B < 0 && s.World.isSolid(t.Floor): // thin ones have another side
		depth = max(entered*way.Width, dip*s.World.Reach(t.A))
	case t.B >= 0:
		turn += s.Paths[t.B].Turn
		depth = max(entered*(s.Paths[t.A].Width+s.Paths[t.B].Width)/2, dip*(s.World.Reach(t.A)+s.World.Reach(t.B)))
	}
	if turn == 0 || !way.Fast() {
		return p, false
	}
	if x, found := s.nearest(t, 1); found && x.Gap < -depth/2 {
		return p, false
	}
	looks := min(math.Ceil(way.Most/depth), advances)
	for k := 1.0; k <= looks; k++ {
		x, found := s.nearest(t, k/looks)
		if found && x.Gap < -depth {
			return Passage{Touch: x, Share: k / looks, Open: true}, true
		}
	}
	return p, false
}

// stride returns the rest of the step, or its half, its quarter …, in which a pair stays apart
// along the present normal by more than counts as touching; 0: such a part is short. What n·x of a
// point is below its chord over a part d of the step is at most d²/8 of its second derivative. Thin
// bodies that glide past each other, of which no bound of their speeds says that they do not meet,
// are passed by it.
func (s *Sweep) stride(x *Touch, share, bend float64) float64 {
	point, at := vec{}, x.B < 0
	if at {
		plane, flat := s.World.floors[x.Floor].Surface.(HalfSpace)
		if !flat || s.World.Moving(x.Floor) {
			return 0
		}
		point = plane.Point
	}
	apart := func(q []float64) float64 { // along the normal
		d := -s.World.Support(x.A, q, vec3.Scale(x.N, -1))
		if at {
			return d - vec3.Dot(x.N, point)
		}
		return d - s.World.Support(x.B, q, x.N)
	}
	now := apart(s.q)
	for d := 1 - share; d > strideLeast; d /= 2 {
		least := bend*d*d/8 + s.Touching
		if now <= least {
			continue
		}
		if _, q := s.Course.At(share + d); apart(q) > least {
			return d
		}
	}
	return 0
}

// Through reports whether a pair that met in a touch is apart again at the end of the step, or so
// deep that what parts it may do so on the wrong side, or is on the other side. Where a force holds
// the pair apart in the step, the last one alone tells: else it ends in touch, to what the force is
// solved to.
func (s *Sweep) Through(t *Touch, held bool) bool {
	width := s.Paths[t.A].Width
	if t.B >= 0 {
		width = min(width, s.Paths[t.B].Width)
	}
	if s.World.partsOf(t) > 1 {
		s.part = int(t.Key&(1<<FeatureBits-1)>>partShift) + 1
		defer func() { s.part = 0 }()
	}
	x, _ := s.nearest(t, 1)
	thin := t.B >= 0 || s.World.isSolid(t.Floor) // has another side
	if thin && vec3.Dot(x.N, t.N) < 0 {
		return true
	}
	return !held && (x.Gap > 0 || thin && x.Gap < -0.25*width)
}

// nearest returns the touch of a pair with the least gap at a share of the step.
func (s *Sweep) nearest(t *Touch, share float64) (x Touch, found bool) {
	time, q := s.Course.At(share)
	s.q, s.again = q, s.Find.again(s.again[:0], time, q, t, s.part)
	x.Gap = math.Inf(1)
	for i := range s.again {
		if s.again[i].Gap < x.Gap {
			x, found = s.again[i], true
		}
	}
	return x, found
}

// Resolves returns the part of the step that resolves how a pair passes: half of what it takes to
// go through the wider of the two.
func (s *Sweep) Resolves(t *Touch) float64 {
	width := s.Paths[t.A].Width
	if t.B >= 0 {
		width = max(width, s.Paths[t.B].Width)
	}
	if width == 0 {
		return 0.5 // points
	}
	way := s.Beside(t)
	return min(0.5, 0.5*width/way.Most)
}
