package rigid

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// On the gap grid a step knows the touches that bodies have when it begins; those at its end may be
// between other features, and gaps curve by ½h²Φ″: the projection that parts what has entered makes
// energy. A step of few contacts that ends with a gap wide beside its bodies is taken again with
// the gaps of its end and H in its middle, for all touches, see curvature.go; if that ends so, too,
// its halves are.

const (
	// retakeContacts take part in such a step at most: of more bodies some pair does so in most
	// steps, and each is taken as a whole.
	retakeContacts = 24
	// retakeDepth is the gap that is wide, of the smaller of its bodies.
	retakeDepth = 4e-4
)

// penetrationError is a step that ends with bodies deep in each other.
type penetrationError struct{ text string }

func (e *penetrationError) Error() string { return e.text }

// endsDeep is the error of a step that ends with a gap deeper than retakeDepth of the smaller of
// its bodies, before projections, if it may be taken again.
func (s *scheme) endsDeep() error {
	if !s.mayRetake || s.mode.grid != GapGrid || len(s.p.list) > retakeContacts ||
		!s.model.World.HasGravity() { // without weights projections make no energy
		return nil
	}
	for i := range s.touches {
		t := &s.touches[i]
		size := s.model.World.Reach(t.A)
		if t.B >= 0 {
			size = min(size, s.model.World.Reach(t.B))
		}
		if size > 0 && t.Gap < -retakeDepth*size { // points are as deep as they are large at any gap
			return &penetrationError{fmt.Sprintf("the step ends %.2g of a body deep%s", retakeDepth, s.overlap(0))}
		}
	}
	return nil
}

// makesEnergy is the error of a step with curved gaps that makes energy, of all bodies together, if
// it may be cut: where the features of a touch part in its middle, its curvature is none of them.
// lost is what was lost in the run before it [J].
func (s *scheme) makesEnergy(lost float64) error {
	made := lost - s.ledger.lost()
	if !s.curved || !s.mayRetake || !(made > gainNoise*s.kinetic(s.v)) {
		return nil
	}
	return &penetrationError{fmt.Sprintf("the step makes %.3g J with the curvature of its gaps", made)}
}

// endedDeep reports whether an error is a step that ends so, which has not been taken with the
// curvature of its gaps.
func (s *scheme) endedDeep(err error) bool {
	_, sank := errors.AsType[*penetrationError](err)
	return sank && !s.curved
}

// entry is where a step begins.
type entry struct {
	depth, t float64 // penetration [m]
	q        []float64
}

// enter begins a step, or a part of it that is taken for itself, at the present state.
func (s *contactSet) enter() {
	s.entry.depth, s.entry.t, s.entry.q = s.deepest(), s.t, append(s.entry.q[:0], s.q...)
}

// roundEdge is the error of a touch, of those at (time, q), that is deeper behind ground than the body went
// in the step. It came round the edge where the ground ends, and what pushed it out would push it through
// a wall.
func (s *contactSet) roundEdge(list []bodies.Touch, time float64, q []float64) error {
	for i := range list {
		t := &list[i]
		if t.B >= 0 || t.Floor >= s.model.World.Obstacles() || !s.model.World.Ends(t.Floor) { // others are stops of joints
			continue
		}
		moved := s.model.World.Moved(t.A, t.Floor, s.entry.t, s.entry.q, time, q)
		if -t.Gap > s.entry.depth+moved+s.unit*projectDeep {
			return fmt.Errorf("%s are %.3g m deep in each other at %s, after a way of at most %.3g m: the body has come behind the ground round its edge, want ground that goes on there, or closed ground",
				s.model.TouchName(t), -t.Gap, multibody.Where(s.model.There(t.At)), moved)
		}
	}
	return nil
}
