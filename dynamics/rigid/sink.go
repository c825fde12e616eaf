package rigid

import (
	"errors"
	"fmt"
)

// On the gap grid a step knows the touches that bodies have when it begins. Two boxes that meet
// edge by edge, corner by face or face by face at its end may do so in others: no row of the
// beginning tells, they entered by up to 28 mm in 10 ms, and the projection that parts them lifted
// .4 J. And the gaps that it knows bend, ½h²Φ″ a step. A step of few contacts that ends with a gap
// wide beside its bodies is taken again with the gaps of its end and H in its middle, for all
// touches, see bend; if that ends so, too, its halves are. What is left to projections is of
// touches that come within 2^−MaxCuts of a step.

const (
	// sinkContacts take part in such a step at most: it is taken again as a whole, and where more
	// bodies tumble some pair does so in most steps. Of 64 boxes that fall 69 of 100 steps would
	// be, in twenty times the time.
	sinkContacts = 24
	// sinkDepth is the gap that is wide, of the smaller of its bodies.
	sinkDepth = 4e-4
)

// sinkError is a step that ends with bodies deep in each other.
type sinkError struct{ text string }

func (e *sinkError) Error() string { return e.text }

// sinks is the error of a step that ends with a gap deeper than sinkDepth of the smaller of its
// bodies, before projections, if it may be taken again.
func (s *scheme) sinks() error {
	if !s.maySink || s.mode.grid != GapGrid || len(s.p.list) > sinkContacts || s.model.World.Gravity() == (vec{}) { // without weights projections make no energy
		return nil
	}
	for i := range s.touches {
		t := &s.touches[i]
		size := s.model.World.Reach(t.A)
		if t.B >= 0 {
			size = min(size, s.model.World.Reach(t.B))
		}
		if size > 0 && t.Gap < -sinkDepth*size { // points are as deep as they are large at any gap
			return &sinkError{fmt.Sprintf("the step ends %.2g of a body deep%s", sinkDepth, s.overlap(0))}
		}
	}
	return nil
}

// gives is the error of a step with bends that makes energy, of all bodies together, if it may be
// cut: where the features of a touch part in its middle, its bend is none of them. lost is what was
// lost in the run before it [J].
func (s *scheme) gives(lost float64) error {
	made := lost - s.ledger.lost()
	if !s.curved || !s.maySink || !(made > gainNoise*s.kinetic(s.v)) {
		return nil
	}
	return &sinkError{fmt.Sprintf("the step makes %.3g J with the bends of its gaps", made)}
}

// sank reports whether an error is a step that ends so, which has not been taken with its bends.
func (s *scheme) sank(err error) bool {
	_, sank := errors.AsType[*sinkError](err)
	return sank && !s.curved
}
