package rigid

import (
	"context"
	"slices"
)

// Event location for what loads of time make slip. A contact sticks in a step where the mean of its load is
// below the limit of friction, though the load at its end is beyond it, and slips in all of a step where the
// mean is beyond. Either leaves an error of O(h²) in the velocity. Steps end where loads have kinks, those of
// any reference run too: where slip begins on a ramp shortly before its end, all of them stick until then, and
// comparing them shows nothing. So the step is cut where a step that holds until then would slip under the load
// of its end, by the friction of its end.

// Slip counts from some speed on, see release.go: with the load growing evenly the slip under the load of the
// end, over the length x of the step, is in proportion to what x has come beyond the release, which is where it
// is zero.

// untilOverload returns the time from the start of the trial step to the first slip, by the loads that depend on time,
// of a contact that stuck, h if there is none; the trial has that length then.
func (s *scheme) untilOverload(ctx context.Context, h float64) (float64, error) {
	if !s.locates() || s.kinked || s.step.Painleve > 0 || s.reversals == reversalMost ||
		len(s.p.list) > reversalContacts || !s.burdened() || !s.limitsVary(h) {
		return h, nil
	}
	part := h
	if slip, slips := s.slipsUnderEnd(ctx, h); slips {
		low, high := 0.0, h
		var x, a [2]float64 // the last steps that slip, and slip over step
		x[0], a[0] = h, slip/h
		for range releaseTrials {
			middle := 0.5 * (low + high)
			if slip, slips = s.slipsUnderEnd(ctx, middle); !slips {
				low = middle
				continue
			}
			high = middle
			x, a = [2]float64{high, x[0]}, [2]float64{slip / high, a[0]}
		}
		if a[1] > a[0] {
			low = max(0, x[0]-a[0]*(x[1]-x[0])/(a[1]-a[0]))
		}
		if low > reversalEdge*h && low < (1-reversalEdge)*h {
			part, s.freed, s.dateOff = low, true, high-low
			s.until = s.t + part
			s.reversals++
		}
	}
	s.backToTrial()
	return part, s.trial(ctx, part)
}

// slipsUnderEnd reports whether a step of length x under the loads of its end would slip, and how fast; none is told
// where friction falls as slip begins, which is fast at once.
func (s *scheme) slipsUnderEnd(ctx context.Context, x float64) (slip float64, slips bool) {
	s.backToTrial()
	s.alpha, s.gamma, s.ends = s.mode.alpha, s.mode.gamma, false
	s.endLoads = true
	err := s.solveStep(ctx, x)
	s.endLoads = false
	if err != nil || len(s.p.list) == 0 {
		return 0, false
	}
	s.uMean = grow(s.uMean, len(s.p.list)*s.p.dim)
	s.relative(s.uMean, s.w)
	s.curveTerms(s.uMean)
	for k, i := range s.p.list {
		if s.stuck(i) && s.marks[i].state == Slip {
			if slips = true; s.slipLaw(i) == nil {
				slip = max(slip, length(s.uMean[k*s.p.dim+1:(k+1)*s.p.dim]))
			}
		}
	}
	return slip, slips
}

// stuck reports whether touch i stuck by friction, or by that of its joint, in the step before.
func (s *scheme) stuck(i int) bool {
	m := &s.tried.marks[i]
	return m.state == Stick && (m.loaded && m.mu > 0 || s.brakeOf(&s.touches[i]) != nil)
}

// burdened reports whether a contact that stuck bears enough along the surface to slip under a load that grows, or with
// less friction.
func (s *scheme) burdened() bool {
	for i := range s.marks {
		if m := &s.marks[i]; s.stuck(i) && length(m.r[1:]) >= 0.5*releaseShare*s.frictionBound(i) {
			return true
		}
	}
	return false
}

// limitsVary reports whether a load at the end of a step of h differs from its mean, or the friction of time of a contact
// that stuck from that of the step. What rests under a constant load has slept, and is no part of the problem.
func (s *scheme) limitsVary(h float64) bool {
	s.loadsOver(s.f0, s.t, h)
	s.loadsOver(s.f1, s.t+h, 0)
	if !slices.Equal(s.f0, s.f1) {
		return true
	}
	for i := range s.touches {
		t := &s.touches[i]
		if over := s.model.MaterialOf(t).Over; over != nil && s.stuck(i) && over.At(s.t+h) != over.At(s.t+s.mode.alpha*h) {
			return true
		}
	}
	return false
}
