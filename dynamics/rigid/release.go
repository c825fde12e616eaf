package rigid

import "context"

// Event location for what begins to slip, or comes loose from what it adheres to. Where friction falls
// as slip begins, or the pull is lost, a step that sticks
// for a part of it is off by the fall times that part, O(h). A contact sticks in a step where the
// mean of its force is admissible; with a force that changes evenly that is the force in the middle.
// So if x is the longest step that sticks, the contact is released at x/2, and the step is cut
// there; that lies within a step of h where one of 2h does not stick.

const (
	releaseTrials = 24  // halvings: 1e-7 of a step
	releaseShare  = 0.5 // of what a contact holds: a force that has less of it does not come to all of it in twice the step, unless it turns
)

// untilRelease returns the time from the start of the trial step to the first release of a contact
// that sticks, h if there is none; the trial has that length then.
func (s *scheme) untilRelease(ctx context.Context, h float64) (float64, error) {
	if !s.slip.on && s.clings == 0 || !s.seesReversals() || len(s.p.list) > reversalContacts || s.reversals == reversalMost || s.kinked || s.step.Painleve > 0 {
		return h, nil
	}
	released, near := s.released()
	if !released && !near || s.freed {
		s.freed = false
		return h, nil
	}
	part := h
	if x := s.longestHold(ctx, h, released) / 2; x > reversalEdge*h && x < (1-reversalEdge)*h {
		part, s.freed = x, s.clings > 0
		s.until = s.t + part
		s.reversals++
	}
	s.backToTrial()
	return part, s.trial(ctx, part)
}

// longestHold is the longest step in which all that stuck sticks, up to one of 2h; released: it is
// shorter than h.
func (s *scheme) longestHold(ctx context.Context, h float64, released bool) float64 {
	low, high := reversalEdge*h, h
	if !released {
		low, high = h, 2*h
	}
	switch {
	case released && !s.holdsFor(ctx, low): // nothing sticks
		return 0
	case !released && s.holdsFor(ctx, high):
		return high
	}
	for range releaseTrials {
		if x := 0.5 * (low + high); s.holdsFor(ctx, x) {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// holdsFor reports whether all that stuck sticks in a step of length x.
func (s *scheme) holdsFor(ctx context.Context, x float64) bool {
	s.backToTrial()
	s.alpha, s.gamma, s.ends = s.mode.alpha, s.mode.gamma, false
	if s.solveStep(ctx, x) != nil {
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
