package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Obstacles that move enter by their speed s₀ at the contacts: laws, gaps and collisions see u =
// Hᵀv^α − s₀, and the impulses r do the work r·s₀, which is that of loads. In a step s₀ is the
// velocity that the body would have if it went with the obstacle, see [signal.Motion.Mean]: what
// sticks follows it exactly. What a roller passes under sees its velocity at the place: the way of a
// point of it has a part towards the axis, as if the roller fell away. In a collision it is the velocity of the instant, and in a step that
// is taken with α = 1 in place of a smaller one that of its end: what comes to stick then goes on
// with the obstacle and does not sway about its velocity. Steps end at kinks of the motion of
// obstacles in contact.

// openDrives lists the obstacles that move.
func (s *drives) openDrives() {
	w := s.model.World
	for f := range w.Obstacles() {
		s.motions = append(s.motions, w.Obstacle(f).Motion)
		s.driven = s.driven || w.Moving(f)
		s.rotates = s.rotates || s.motions[f].Angle != nil
		s.tilts = append(s.tilts, s.motions[f].Tilts(w.Normal(f)))
	}
	s.motions = append(s.motions, make([]signal.Motion, len(s.model.Stops))...)
	for i := range s.model.Stops {
		s.driven = s.driven || s.model.Stops[i].Brake != nil
	}
}

// shortDrive of a step is so short that chord and tangent of a motion hardly differ.
const shortDrive = 1e-4

// obstacleSpeed is the velocity of the obstacle at touch i, see obstacleAt.
func (s *drives) obstacleSpeed(i int, h float64) vec { return s.obstacleAt(i, h, s.touches[i].At) }

// obstacleAt is the velocity of the obstacle of touch i at x, the mean over h, or that of the
// instant for h = 0 and what is left of a step by rounding; zero for a body.
func (s *drives) obstacleAt(i int, h float64, x vec) vec {
	t := &s.touches[i]
	if x := s.brakeOf(t); x != nil {
		return s.brakeSpeed(i, x, h)
	}
	if !s.driven || t.B >= 0 || !s.motions[t.Floor].Moves() {
		return vec{}
	}
	if h == 0 || h < shortDrive*s.step.H { // a chord over 1e-14 s is rounding of times and places
		return s.motions[t.Floor].Rate(s.t, x)
	}
	if s.ends {
		return s.motions[t.Floor].End(s.t, h, s.poses[t.A].Centre, x)
	}
	if s.carries(t) {
		return s.motions[t.Floor].Mean(s.t, h, s.poses[t.A].Centre, x)
	}
	return s.motions[t.Floor].Under(s.t, h, s.poses[t.A].Centre, x, s.pointSpeed(t.A, x, s.v))
}

// obstacleAtEnds are the velocities of the obstacle at touch i at the start of a step of h, before a kink there and after it,
// and at its end; zero for a body.
func (s *drives) obstacleAtEnds(i int, h float64) (before, first, last vec) {
	t := &s.touches[i]
	if !s.onMoving(t) {
		return
	}
	m := &s.motions[t.Floor]
	return m.Before(s.t, h, t.At), m.Rate(s.t, t.At), m.End(s.t, h, s.poses[t.A].Centre, t.At)
}

// curvedSpeed is obstacleSpeed where the present H has touch i: s₀ of a curved one belongs to its
// arm, so that what goes with an obstacle that turns has u = 0 there.
func (s *drives) curvedSpeed(i int, h float64) vec {
	if i < len(s.curves) && s.curves[i].on {
		return s.obstacleAt(i, h, vec3.Add(s.poses[s.touches[i].A].Centre, 1, s.curves[i].arm[0]))
	}
	return s.obstacleSpeed(i, h)
}

// stands reports whether the obstacle of a touch, if it is one, does not move in the step.
func (s *drives) stands(t *bodies.Touch, h float64) bool {
	if x := s.brakeOf(t); x != nil {
		return x.Drive(s.t, 0, &s.snap) == 0 && x.Drive(s.t, h, &s.snap) == 0
	}
	if !s.driven || t.B >= 0 || !s.motions[t.Floor].Moves() {
		return true
	}
	m := &s.motions[t.Floor]
	return m.Rate(s.t, t.At) == (vec{}) && m.Mean(s.t, h, t.At, t.At) == (vec{})
}

// onMoving reports whether a touch is one with an obstacle that moves.
func (s *drives) onMoving(t *bodies.Touch) bool {
	return s.driven && t.B < 0 && s.motions[t.Floor].Moves()
}

// hurries reports whether a touch is one with an obstacle whose velocity changes in the step. In
// one of constant velocity a step is what it is at rest.
func (s *drives) hurries(t *bodies.Touch, h float64) bool {
	if !s.onMoving(t) {
		return false
	}
	_, steady := s.motions[t.Floor].Steady(s.t, h)
	return !steady
}

// manyKinks in one step are those of a sampled motion, which is taken by its means.
const manyKinks = 4

// toKink is the length of the part of a step, left of which is left until end, to the first kink of
// an obstacle of an active contact; and sets until to its end.
func (s *drives) toKink(left, end float64) float64 {
	s.until = end
	if !s.driven {
		return left
	}
	first := math.Inf(1)
	from, to := s.t+kinkSlack*left, end-kinkSlack*left
	for i := range s.touches {
		t := &s.touches[i]
		s.breaks = s.breaks[:0]
		if x := s.brakeOf(t); x != nil {
			s.breaks = x.Brake.Breaks(s.breaks, from, to)
		} else if s.marks[i].active && s.onMoving(t) {
			s.breaks = s.motions[t.Floor].Breaks(s.breaks, from, to)
		}
		if n := len(s.breaks); n > 0 && n <= manyKinks {
			first = min(first, s.breaks[0])
		}
	}
	if math.IsInf(first, 1) {
		return left
	}
	s.until = first
	return first - s.t
}

// recordKink notes that the step was cut at a kink: a collision without an impulse, as of a contact
// that closes without speed.
func (s *drives) recordKink() {
	for i := range s.touches {
		if t := &s.touches[i]; s.onMoving(t) {
			s.note(t)
			return
		}
	}
	s.step.Cuts = append(s.step.Cuts, Cut{T: s.t, Reason: "the motion of an obstacle or a motor has a kink"})
}

// hasKink reports whether the motion of the obstacle of a touch has a kink at the present time, to
// the rounding of times in steps of length h.
func (s *drives) hasKink(t *bodies.Touch, h float64) bool {
	return s.onMoving(t) && s.motions[t.Floor].Kinked(s.t, kinkSlack*h)
}

// kinkSlack: a kink at the end of a step is at the beginning of the next one, to rounding of the
// times, in steps.
const kinkSlack = 1e-6

var _ signal.Breaker = (*signal.Motion)(nil)

// drives are the motions of obstacles: their speeds at contacts, and the kinks that end a part of a
// step.
type drives struct {
	*motion
	*contactSet

	motions []signal.Motion // of the obstacles
	carried carried
	breaks  []float64 // of a motion
	driven  bool      // obstacles move …
	rotates bool      // … and some of them turn
	tilts   []bool    // the normal of an obstacle that is a plane turns
	ends    bool      // the step has α = 1 in place of a smaller one: s₀ is that of the end
	kinked  bool      // an obstacle of a contact had a kink in the step
	paths   []bodies.Path
}

// approach returns u_N of touch i under the velocities w, over a step of length h; for 0 that of
// the instant.
func (s *drives) approach(i int, w []float64, h float64) float64 {
	t, spins := &s.touches[i], [2]vec{}
	spins[0] = s.spinOf(t.A, w)
	if t.B >= 0 {
		spins[1] = s.spinOf(t.B, w)
	}
	return s.approachBy(i, w, h, &spins)
}

// approachBy is approach with known spins of the bodies in space.
func (s *drives) approachBy(i int, w []float64, h float64, spins *[2]vec) float64 {
	t := &s.touches[i]
	if x := s.model.StopOf(t); x != nil {
		return s.stopRate(x, w)[0]
	}
	u := s.pointOf(t.A, t.At, w, spins[0])
	if s.driven {
		u = vec3.Add(u, -1, s.obstacleSpeed(i, h))
	}
	if t.B >= 0 {
		u = vec3.Add(u, -1, s.pointOf(t.B, t.At, w, spins[1]))
	}
	return vec3.Dot(u, t.N)
}

// relativeSpeed is the velocity of the first body at touch i, by the velocities v, to what it meets
// there at the beginning of the step.
func (s *drives) relativeSpeed(i int, v []float64) vec {
	t := &s.touches[i]
	if x := s.model.StopOf(t); x != nil {
		rate := s.stopRate(x, v)
		u := vec3.Add(vec3.Scale(t.N, rate[0]), rate[1], s.marks[i].frame[1])
		return vec3.Add(u, -1, s.obstacleSpeed(i, 0))
	}
	u := vec3.Add(s.pointSpeed(t.A, t.At, v), -1, s.obstacleSpeed(i, 0))
	if t.B >= 0 {
		u = vec3.Add(u, -1, s.pointSpeed(t.B, t.At, v))
	}
	return u
}
