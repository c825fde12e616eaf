package rigid

import "context"

// Event location for what begins to slip, or comes loose from what it adheres to. Where friction falls
// as slip begins, or the pull is lost, a step that sticks
// for a part of it is off by the fall times that part, O(h). A contact sticks in a step where the
// mean of its force is admissible; with a force that changes evenly that is the force in the middle.
// So if x is the longest step that sticks, the contact is released at x/2, and the step is cut
// there; that lies within a step of h where one of 2h does not stick. Each of these steps begins with velocities
// that are put back onto what holds, see putback.go: else the force in it is another one.
//
// Slip counts from some speed on, so that a contact is held for longer than that, by friction on its bound. The force
// that is missing grows evenly with x, and the slip over x with it: the release is where that is zero. For how much
// longer the contact was held is what the time is known to.

const (
	releaseTrials = 24  // halvings: 1e-7 of a step
	releaseShare  = 0.5 // of what a contact holds: a force that has less of it does not come to all of it in twice the step, unless it turns
)

// untilRelease returns the time from the start of the trial step to the first release of a contact
// that sticks, h if there is none; the trial has that length then.
func (s *scheme) untilRelease(ctx context.Context, h float64) (float64, error) {
	if !s.slip.on && s.clings == 0 || !s.seesReversals() || len(s.p.list) > reversalContacts ||
		s.reversals == reversalMost || s.kinked || s.step.Painleve > 0 {
		return h, nil
	}
	released, near := s.released()
	if !released && !near {
		return h, nil
	}
	part := h
	x, open := s.longestHold(ctx, h, !s.holdsFor(ctx, h))
	copy(s.v, s.tried.v)
	if x/2 > reversalEdge*h && x/2 < (1-reversalEdge)*h {
		part, s.freed, s.dateOff = x/2, true, open/2
		s.until = s.t + part
		s.reversals++
		if moved, err := s.putBack(part); err != nil {
			return h, err
		} else if moved {
			s.bookPutBack()
		}
	}
	s.backToTrial()
	return part, s.trial(ctx, part)
}

// longestHold is the longest step in which all that stuck sticks, up to one of 2h, and how much longer it is held;
// released: it is shorter than h.
func (s *scheme) longestHold(ctx context.Context, h float64, released bool) (longest, open float64) {
	low, high := reversalEdge*h, h
	var x, a [2]float64 // the first and the last step held beyond it, and slip over step
	if !released {
		low, high = h, 2*h
	}
	switch {
	case released && !s.holdsFor(ctx, low): // nothing sticks
		return 0, 0
	case !released && s.holdsFor(ctx, high):
		return high, 0
	}
	for range releaseTrials {
		middle := 0.5 * (low + high)
		if !s.holdsFor(ctx, middle) {
			high = middle
			continue
		}
		low = middle
		if slip := s.slipHeld(); slip >= reversalGoal*s.pace*slides {
			if a[0] == 0 {
				x[0], a[0] = low, slip/low
			}
			x[1], a[1] = low, slip/low
		}
	}
	if longest = low; a[1] > a[0] {
		longest = max(reversalEdge*h, x[0]-a[0]*(x[1]-x[0])/(a[1]-a[0]))
	}
	return longest, high - longest
}

// slipHeld is the largest slip in the trial of what is held.
func (s *scheme) slipHeld() (speed float64) {
	for n := range s.slip.list {
		if stuck, _ := s.slip.Held(n); stuck {
			_, _, _, slip := s.slipState(n)
			speed = max(speed, s.slip.Beyond(n, slip))
		}
	}
	return speed
}

// holdsFor reports whether all that stuck sticks in a step of length x.
func (s *scheme) holdsFor(ctx context.Context, x float64) bool {
	copy(s.v, s.tried.v)
	if _, err := s.putBack(x); err != nil {
		return false
	}
	s.backToTrial()
	s.alpha, s.gamma, s.ends = s.mode.alpha, s.mode.gamma, false
	s.dating = true
	err := s.solveStep(ctx, x)
	s.dating = false
	if err != nil {
		return false
	}
	released, _ := s.released()
	return !released
}

// released reports whether a contact that stuck slides in the trial, or one that adhered is loose, and
// whether one is near it.
func (s *scheme) released() (released, near bool) {
	for i := range s.marks {
		if m := &s.marks[i]; m.clings && s.tried.marks[i].loaded {
			released = released || m.loose
			near = near || m.pressed() <= (1-releaseShare)*m.pull
		}
	}
	for n, k := range s.slip.list {
		_, normal, along, _ := s.slipState(n)
		stuck, holds := s.slip.Held(n)
		released = released || stuck && !holds
		near = near || stuck && normal > 0 && along >= releaseShare*s.slipLaw(s.p.list[k]).Mu(0)*normal
	}
	return released, near
}

// backToTrial puts what a trial step changes to what it was before.
func (s *scheme) backToTrial() {
	copy(s.marks, s.tried.marks)
	copy(s.w, s.tried.w)
}
