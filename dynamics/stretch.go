package dynamics

import "math"

// Steps that are chosen end at the times at which loads are not smooth: the run is made in
// stretches between these, each of dyadic steps of its own, so that a load within a step is smooth,
// and the run and its twin know the same of it.

// length is that of a stretch [s].
func (a *Adaptive) length(stretch int) float64 { return a.marks[stretch+1] - a.marks[stretch] }

// levelRounding: stretches that are a power of two of the run are so to rounding.
const levelRounding = 1e-9

// coarsest is the level of the longest pairs of a stretch, no longer than those of the run.
func (a *Adaptive) coarsest(stretch int) int {
	return max(0, a.coarse+a.state.Unseen+a.state.Even-a.doublings(stretch))
}

// finest is the level of the shortest ones.
func (a *Adaptive) finest(stretch int) int {
	return max(a.coarsest(stretch), lastLevel-a.doublings(stretch))
}

// doublings is how often a stretch is doubled without becoming longer than the run.
func (a *Adaptive) doublings(stretch int) int {
	return int(math.Floor(math.Log2(a.o.Until/a.length(stretch)) + levelRounding))
}

// enter goes to the start of a stretch, with pairs no longer than a length.
func (a *Adaptive) enter(stretch int, longest float64) {
	s := &a.state
	s.Stretch, s.At, s.Level = stretch, 0, a.coarsest(stretch)
	for s.Level < a.finest(stretch) && math.Ldexp(a.length(stretch), -s.Level) > longest*(1+levelRounding) {
		s.Level++
	}
}
