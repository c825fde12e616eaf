package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// A contact whose slip comes to zero within a step has one friction in the equations of the step,
// where there are two in the motion: v' is off by up to half the difference of the decelerations
// times h, or by O(h²) where it comes to stick. Where α < 1, whose steps are of second order
// otherwise, the step is cut at that time, if few contacts take part: its first part ends with u_T
// = 0.

const (
	reversalContacts = 8    // at most: where more take part, the slip of some ends in most steps, and is noise
	reversalMost     = 4    // in one step
	reversalTrials   = 12   // solutions for one time; four do
	reversalEdge     = 1e-6 // of the step, from its ends: rounding of times
	reversalGoal     = .1   // of the speed that counts as slip
)

// keepTrial remembers what a trial changes, for those that look for the time of a reversal.
func (s *scheme) keepTrial() {
	if s.seesReversals() {
		s.tried.marks = append(s.tried.marks[:0], s.marks...)
		s.tried.w = append(s.tried.w[:0], s.w...)
	}
}

// seesReversals reports whether steps are cut where slip reverses.
func (s *scheme) seesReversals() bool {
	return s.mode.alpha < 1 && s.o.Scheme == Secant && s.mode.grid == CollisionGrid && !s.alone
}

// untilReversal is the length of a part of a step up to the first end of a slip, h for none, after
// the trial of all of it; the trial is that of the part then.
func (s *scheme) untilReversal(ctx context.Context, h float64) (float64, error) {
	if !s.seesReversals() || len(s.p.list) == 0 || len(s.p.list) > reversalContacts || s.reversals == reversalMost || s.kinked || s.step.Painleve > 0 {
		return h, nil
	}
	part := h
	for range reversalMost { // what ends in the part that another one has left is earlier
		i, along, at := s.reverses(part)
		if i < 0 {
			if part < h {
				s.until = s.t + part
				s.reversals++
			}
			return part, nil
		}
		var ok bool
		if part, ok = s.findReversal(ctx, i, along, at, part); !ok || part < reversalEdge*h || part > (1-reversalEdge)*h {
			break
		}
	}
	copy(s.marks, s.tried.marks)
	copy(s.w, s.tried.w)
	return h, s.trial(ctx, h)
}

// reverses is the touch whose slip first ends in the trial, the velocity of its slip at the
// beginning and the time of the end, about; −1: there is none.
func (s *scheme) reverses(h float64) (first int, along vec, at float64) {
	first, at = -1, math.Inf(1)
	for _, i := range s.p.list {
		state := s.marks[i].state
		if !s.slid[i] || state != Slip && state != Stick {
			continue
		}
		u := s.slipNow(i)
		speed, x := vec3.Norm(u), 0.5*h // of what sticks it is not known
		if speed <= s.pace*slides {
			continue
		}
		if state == Slip {
			end, ok := s.slipThen(i, h)
			left := vec3.Dot(u, end) / speed
			if !ok || left >= -reversalGoal*s.pace*slides {
				continue
			}
			x = h * speed / (speed - left)
		}
		if x < at {
			first, along, at = i, u, x
		}
	}
	return first, along, at
}

// findReversal solves for the length of a part at whose end touch i, which slides along u, does no
// longer: by secants, over lengths so short that it slides forward at v^α.
func (s *scheme) findReversal(ctx context.Context, i int, u vec, x, h float64) (float64, bool) {
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
		end, ok := s.slipThen(i, x)
		g := vec3.Dot(u, end)
		switch {
		case !ok:
			return 0, false
		case s.marks[i].state != Slip || s.pushOf(i, u) >= 0: // it slides back, or sticks: too long
			high, x = x, 0.5*(low+x)
			continue
		case math.Abs(g) <= reversalGoal*s.pace*slides:
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

// pushOf is the friction on the first body of touch i along u [N s].
func (s *scheme) pushOf(i int, u vec) (push float64) {
	m := &s.marks[i]
	for d := 1; d < s.model.Dim; d++ {
		push += m.r[d] * vec3.Dot(m.frame[d], u)
	}
	return push
}

// slipNow is the velocity of slip of touch i at the beginning of the step.
func (s *scheme) slipNow(i int) vec {
	u, n := s.relativeSpeed(i, s.v), s.touches[i].N
	return vec3.Add(u, -vec3.Dot(n, u), n)
}

// slipThen is that at the end of the trial, of length h, if the features of touch i meet there.
func (s *scheme) slipThen(i int, h float64) (u vec, ok bool) {
	t := &s.touches[i]
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
