package rigid

import (
	"errors"
	"fmt"
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
	if !s.mayRetake || s.mode.grid != GapGrid || len(s.p.list) > retakeContacts || !s.model.World.HasGravity() { // without weights projections make no energy
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
