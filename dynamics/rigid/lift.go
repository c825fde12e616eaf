package rigid

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// On the gap grid a step knows the touches that bodies have when it begins. Two boxes that meet edge by edge, corner by face or face by
// face at its end may do so in others: no row of the beginning tells, they entered by up to 28 mm in 10 ms, and the projection that parts them
// lifted .4 J. And the gaps that it knows bend, ½h²Φ″ a step. Where a projection opens a gap that is
// wide beside the bodies, and lifts them by more than the step itself costs, the step is taken again with the bends of all its touches, see bend, and if
// that does not do its halves are. What is left is of touches that come within 2^−MaxCuts of a step.

const (
	// liftContacts take part in such a step at most: a step is taken again as a whole, and where more bodies tumble some pair comes so in most steps. Of 64 boxes that fall
	// 69 of 100 steps would be taken again, in twenty times the time, for .04 J in place of .8 of 130.
	liftContacts = 24
	// liftDepth is the gap that makes a step be taken again, of the smaller of its bodies: twelve scenes of two to six boxes that are thrown at
	// h = 10 ms then take 6 % more parts than steps, for projections of .008 J at most in place of .75.
	liftDepth = 5e-4
	// liftShare is what a projection may make, of ½m(gh)² of the bodies that it lifts, which a step of first order takes from them where they fall.
	liftShare = 0.01
)

// liftError is a projection that makes more energy than a step may.
type liftError struct {
	made, most float64
	text       string
}

func (e *liftError) Error() string {
	return fmt.Sprintf("the projection of gaps makes %.3g J, more than %.3g J%s", e.made, e.most, e.text)
}

// lift is what a projection begins with.
type lift struct {
	deep    bool      // a gap is wide beside its bodies
	text    string    // about the deepest
	heights []float64 // potentials of the bodies [J]
}

// openLift looks at the gaps before a projection.
func (s *Stepper) openLift() {
	x := &s.lift
	if x.deep = s.mayLift && s.o.Grid == GapGrid && len(s.p.list) <= liftContacts && s.sunken(); !x.deep {
		return
	}
	x.text, x.heights = s.overlap(0), x.heights[:0]
	for i := range s.model.body {
		x.heights = append(x.heights, s.potentialOf(i, s.q))
	}
}

// sunken reports whether a gap is deeper than liftDepth of the smaller of its bodies.
func (s *Stepper) sunken() bool {
	for i := range s.touches {
		t := &s.touches[i]
		if t.Gap >= 0 {
			continue
		}
		size := s.model.World.Reach(t.A)
		if t.B >= 0 {
			size = min(size, s.model.World.Reach(t.B))
		}
		if size > 0 && t.Gap < -liftDepth*size { // points are as deep as they are large at any gap
			return true
		}
	}
	return false
}

// closeLift is the error of a projection that has made more than it may.
func (s *Stepper) closeLift() error {
	x := &s.lift
	if !x.deep {
		return nil
	}
	made, most := 0.0, 0.0
	fall := s.step.H * vec3.Norm(s.model.World.Gravity())
	for i, before := range x.heights {
		rise := s.potentialOf(i, s.q) - before
		if made += rise; rise > 0 {
			most += liftShare * 0.5 * s.model.body[i].mass * fall * fall
		}
	}
	if made <= most {
		return nil
	}
	return &liftError{made, most, x.text}
}

// lifts reports whether an error is a projection that lifts too much, in a step that has not been taken with its bends.
func (s *Stepper) lifts(err error) bool {
	_, lift := errors.AsType[*liftError](err)
	return lift && !s.curved
}
