package rigid

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
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
	return fmt.Sprintf("%d collisions in one step, the last at t = %.9g s, most of them of %s at %s: %s", e.Count, e.T, e.Contact, whereText(e.At), advice)
}

// TunnelError is a step in which two bodies pass through each other, or come so
// close at such speeds that this cannot be excluded.
type TunnelError struct {
	Contact string
	At      [3]float64 // where they meet on the way [m]
	H       float64    // a step that resolves the passage [s]
}

func (e *TunnelError) Error() string {
	return fmt.Sprintf("%s pass through each other at %s within a step: a step of %.2g s resolves it", e.Contact, whereText(e.At), e.H)
}

// OverlapError is a start in which bodies overlap, which [Options.Settle] allows.
type OverlapError struct {
	Body, Other int // the second one −1 − f for half-space f
	Depth       float64
	text        string
}

func (e *OverlapError) Error() string { return e.text }

// ErrIndefinite: (4.7) need not have a solution. With the paper's remedies.
var ErrIndefinite = errors.New("the matrix M − αh(F + k̃_v) − αγh²k̃_q is not positive definite: a smaller step or semidefinite Jacobians help")

// errNotFinite is a state whose squares are no numbers any more.
var errNotFinite = errors.New("the state is not finite any more: the motion grows without bound; a smaller step may help")

// bodyName names a body for messages.
func (m *Model) bodyName(i int) string {
	if i < len(m.setup.Names) {
		return fmt.Sprintf("body %q", m.setup.Names[i])
	}
	return fmt.Sprintf("body %d", i)
}

// name of a touch for messages: its bodies, and the feature where a pair may
// have several.
func (m *Model) name(t *bodies.Touch) string {
	var other string
	switch {
	case t.B >= 0:
		other = m.bodyName(t.B)
	case t.Floor < len(m.setup.HalfSpaces):
		other = fmt.Sprintf("obstacle %q", m.setup.HalfSpaces[t.Floor])
	default:
		other = fmt.Sprintf("half-space %d", t.Floor)
	}
	name := m.bodyName(t.A) + " and " + other
	if _, _, _, feature := bodies.TouchOf(t.Key); feature > 0 || t.B < 0 && m.World.Features(t.A) > 1 {
		name += fmt.Sprintf(" (feature %d)", feature+1)
	}
	return name
}

// there is a point in the coordinates of messages.
func (m *Model) there(x vec) vec { return vec3.Add(x, 1, m.setup.Origin) }

// whereText writes a point.
func whereText(x vec) string { return fmt.Sprintf("(%.6g, %.6g, %.6g) m", x[0], x[1], x[2]) }
