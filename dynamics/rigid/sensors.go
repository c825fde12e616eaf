package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Snapshot is the present state as forces see it; it belongs to the stepper.
func (s *Stepper) Snapshot() *multibody.Snapshot { return &s.snap }

// Weighted is the present state with the velocities v^α of the step, which forces that damp have been
// made with: v itself may alternate from step to step.
func (s *Stepper) Weighted() *multibody.Snapshot {
	x := s.snap
	x.V = s.w
	return &x
}

// SnapshotOf is a state within the last step as forces see it.
func (s *Stepper) SnapshotOf(x *Instant) *multibody.Snapshot {
	return &multibody.Snapshot{M: s.model, Poses: s.model.World.Poses(nil, x.Q), Q: x.Q, V: x.V}
}

// Distance is the least gap at q of a body and another one, or an obstacle −1 − other, at a time; +Inf
// where they never meet [m].
func (s *Stepper) Distance(body, other int, time float64, q []float64) float64 {
	t := bodies.FloorTouch(body, -1-other)
	if other >= 0 {
		t = bodies.PairTouch(min(body, other), max(body, other))
	}
	s.again = s.find.Again(s.again[:0], time, q, &t)
	least := math.Inf(1)
	for i := range s.again {
		least = min(least, s.again[i].Gap)
	}
	return least
}
