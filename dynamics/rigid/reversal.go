package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Event location for slip that reverses or stops. The equations of a step have one friction force
// for all of it. Where the slip u_T passes through zero within the step the force changes its sign,
// or the contact begins to stick: v' is then off by up to h/2 times the jump of the acceleration, or
// by O(h²) if it sticks, and schemes with α < 1 lose their second order. So the step is cut where
// u_T = 0, if it has few contacts.

const (
	reversalContacts = 8    // at most: where more take part, the slip of some ends in most steps, and is noise
	reversalMost     = 4    // in one step
	reversalTrials   = 12   // solutions for one time; four do
	reversalEdge     = 1e-6 // of the step, from its ends: rounding of times
	reversalGoal     = .1   // of the speed that counts as slip
)

// keepTrial saves what a trial step changes, so that the search can go back to it.
func (s *scheme) keepTrial() {
	s.tried.put = false
	if s.locates() {
		s.tried.marks = append(s.tried.marks[:0], s.marks...)
		s.tried.v, s.tried.w = append(s.tried.v[:0], s.v...), append(s.tried.w[:0], s.w...)
	}
}

// locates reports whether the scheme is event-driven.
func (s *scheme) locates() bool {
	return s.o.Scheme == Secant && s.mode.grid == CollisionGrid && !s.alone
}

// seesReversals reports whether the scheme locates reversals: event-driven ones with α < 1.
func (s *scheme) seesReversals() bool { return s.mode.alpha < 1 && s.locates() }

// untilReversal returns the time from the start of the trial step to the first zero of a slip, h if
// there is none; the trial has that length then.
func (s *scheme) untilReversal(ctx context.Context, h float64) (float64, error) {
	if !s.seesReversals() || len(s.p.list) == 0 || len(s.p.list) > reversalContacts || s.reversals == reversalMost ||
		s.kinked || s.step.Painleve > 0 {
		return h, nil
	}
	part := h
	for range reversalMost { // in the shorter step another contact may come first
		x, along, at := s.reverses(part)
		if x.touch < 0 {
			if part < h {
				s.until = s.t + part
				s.reversals++
			}
			return part, nil
		}
		var ok bool
		if part, ok = s.findReversal(ctx, x, along, at, part); !ok || part < reversalEdge*h || part > (1-reversalEdge)*h {
			break
		}
	}
	s.backToTrial()
	return h, s.trial(ctx, h)
}

// untilSlipChanges returns the time to the first end or beginning of a slip, and which it is.
func (s *scheme) untilSlipChanges(ctx context.Context, h float64) (part float64, why string, err error) {
	if part, err = s.untilReversal(ctx, h); err != nil || part < h {
		return part, "the slip of a contact ends", err
	}
	if s.freed { // where the part before was cut
		s.freed = false
		return h, "", nil
	}
	if part, err = s.untilRelease(ctx, h); err == nil && part == h {
		part, err = s.untilOverload(ctx, h)
	}
	return part, "a contact begins to slip, or comes loose", err
}

// rubbing is what friction or a moment opposes at a touch.
type rubbing struct {
	touch int
	kind  int // slip, spin or roll
}

const (
	slipping = iota
	spinning
	rolling
	rubbings
)

// reverses returns what reaches zero first in the trial step, its initial velocity, and a guess of the
// time by linear interpolation; of touch −1 if there is nothing.
func (s *scheme) reverses(h float64) (first rubbing, along vec, at float64) {
	first.touch, at = -1, math.Inf(1)
	for _, i := range s.p.list {
		for kind := range rubbings {
			if kind > slipping && s.clings == 0 {
				break
			}
			r := rubbing{i, kind}
			did, does := s.opposed(r)
			if !did {
				continue
			}
			u := s.rateNow(r)
			speed, x := vec3.Norm(u), 0.5*h // what sticks at the end has no slip to interpolate
			if speed <= s.pace*slides || kind == slipping && speed <= s.swayOf(i) {
				continue
			}
			if does {
				end, ok := s.rateThen(r, h)
				left := vec3.Dot(u, end) / speed
				if !ok || left >= -reversalGoal*s.pace*slides {
					continue
				}
				x = h * speed / (speed - left)
			}
			if x < at {
				first, along, at = r, u, x
			}
		}
	}
	return first, along, at
}

// opposed reports whether something that is opposed was moving in the step before, and is in the trial.
func (s *scheme) opposed(r rubbing) (did, does bool) {
	m := &s.marks[r.touch]
	if r.kind == slipping {
		return s.slid[r.touch] && (m.state == Slip || m.state == Stick), m.state == Slip
	}
	a := s.model.MaterialOf(&s.touches[r.touch]).Resistance
	switch {
	case a == nil || !(m.pressed() > 0) || r.kind == rolling && a.Rolling == 0:
		return false, false
	case r.kind == spinning && a.Drilling > 0: // which ends at once only where nothing slips beside
		alone := vec3.Norm(s.slipNow(r.touch)) <= s.pace*slides
		return alone && s.slid[r.touch] && (m.state == Slip || m.state == Stick), m.state == Slip
	case r.kind == spinning && a.Spinning == 0:
		return false, false
	}
	return s.turned[r.touch][r.kind-spinning], m.turns[r.kind-spinning]
}

// findReversal solves u·u_T(x) = 0 for the length x of a step at whose end something stops to move
// along u, by the secant method within a bracket: steps in which v^α slides back are too long.
func (s *scheme) findReversal(ctx context.Context, r rubbing, u vec, x, h float64) (float64, bool) {
	speed := vec3.Norm(u)
	u = vec3.Scale(u, 1/speed)
	low, high := 0.0, h
	last, was := 0.0, speed
	for range reversalTrials {
		copy(s.w, s.tried.w)
		s.alpha, s.gamma, s.ends = s.mode.alpha, s.mode.gamma, false
		if s.solveStep(ctx, x) != nil {
			return 0, false
		}
		end, ok := s.rateThen(r, x)
		g := vec3.Dot(u, end)
		_, does := s.opposed(r)
		switch {
		case !ok:
			return 0, false
		case !does || s.pushOf(r, u) >= 0: // it slides back or sticks
			high, x = x, 0.5*(low+x)
			continue
		case math.Abs(g) <= reversalGoal*s.pace*slides:
			s.dateOff = math.Abs(g * (x - last) / (was - g))
			return x, true
		case g > 0:
			low = x
		}
		next := x + g*(x-last)/(was-g)
		last, was = x, g
		if x = next; !(x > low && x < high) {
			x = 0.5 * (low + high)
		}
	}
	return 0, false
}

// pushOf is the friction on the first body along u [N s], or the moment [N m s].
func (s *scheme) pushOf(r rubbing, u vec) (push float64) {
	m := &s.marks[r.touch]
	if r.kind != slipping {
		return vec3.Dot(s.coupleOf(m, 1), u)
	}
	for d := 1; d < s.model.Dim; d++ {
		push += m.r[d] * vec3.Dot(m.frame[d], u)
	}
	return push
}

// rateNow is slipNow, or the spin that a moment opposes, as a speed.
func (s *scheme) rateNow(r rubbing) vec {
	if r.kind == slipping {
		return s.slipNow(r.touch)
	}
	return s.part(r, s.relativeSpin(r.touch, s.v))
}

// rateThen is slipThen, or the spin at the end of the trial step.
func (s *scheme) rateThen(r rubbing, h float64) (vec, bool) {
	if r.kind == slipping {
		return s.slipThen(r.touch, h)
	}
	copy(s.x, s.vEnd)
	t := &s.touches[r.touch]
	w := vec3.Add(s.spinAt(t.A), -1, s.model.ObstacleSpin(t, s.t+h, 0))
	if t.B >= 0 {
		w = vec3.Add(w, -1, s.spinAt(t.B))
	}
	return s.part(r, w), true
}

// part is what of a spin is about the normal, or across it, as a speed.
func (s *scheme) part(r rubbing, w vec) vec {
	l := s.lengthOf(r.touch)
	if s.clings == 1 {
		return vec3.Scale(w, l)
	}
	n := s.touches[r.touch].N
	about := vec3.Scale(n, vec3.Dot(n, w))
	if r.kind == spinning {
		return vec3.Scale(about, l)
	}
	return vec3.Scale(vec3.Add(w, -1, about), l)
}

// slipNow is the slip velocity of contact i at the start of the step.
func (s *scheme) slipNow(i int) vec {
	u, n := s.relativeSpeed(i, s.v), s.touches[i].N
	return vec3.Add(u, -vec3.Dot(n, u), n)
}

// slipThen is the slip velocity of contact i at the end of the trial step of length h; not ok: its
// features do not meet there.
func (s *scheme) slipThen(i int, h float64) (u vec, ok bool) {
	t := &s.touches[i]
	if x := s.brakeOf(t); x != nil {
		rate := x.Along(x.Rate(s.model, s.rowPoses, s.vEnd))[1] - x.Drive(s.t+h, 0, s.find.stateAt(s.qNext))
		return vec3.Scale(s.marks[i].frame[1], rate), true
	}
	place, ok := s.touchAt(t, s.t+h, s.qNext)
	if !ok {
		return vec{}, false
	}
	copy(s.x, s.vEnd)
	var arm [2]vec
	s.armsAt(&arm, t, &place, s.qNext)
	u = s.armSpeed(t.A, arm[0])
	switch {
	case t.B >= 0:
		u = vec3.Add(u, -1, s.armSpeed(t.B, arm[1]))
	case s.onMoving(t):
		u = vec3.Add(u, -1, s.motions[t.Floor].Rate(s.t+h, place.At))
	}
	return vec3.Add(u, -vec3.Dot(place.N, u), place.N), true
}
