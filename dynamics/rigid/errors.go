package rigid

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// ZenoError is a step, or the shortest part into which it is cut, with too many collisions.
type ZenoError struct {
	Contact     string     // with the most of them
	At          [3]float64 // where it last was [m]
	Count       int
	T           float64 // of the last one [s]
	Restitution float64 // of the contact
}

func (e *ZenoError) Error() string {
	advice := "a smaller step, a larger limit (Options.MaxCollisions) or Options.Grid = GapGrid helps"
	if e.Restitution > 0 {
		advice = fmt.Sprintf("less restitution than %g, a larger Options.RestitutionSpeed or a smaller step helps", e.Restitution)
	}
	return fmt.Sprintf("%d collisions in one step, the last at t = %.9g s, most of them of %s at %s: %s", e.Count, e.T,
		e.Contact, multibody.Where(e.At), advice)
}

// OverlapError is a start in which bodies overlap, which [Options.Settle] allows.
type OverlapError struct {
	Body, Other int // the second one −1 − f for half-space f
	Depth       float64
	text        string
}

func (e *OverlapError) Error() string { return e.text }

// errNotFinite is a state whose squares are no numbers any more.
var errNotFinite = errors.New("the state is not finite any more: the motion grows without bound; a smaller step may help")
