package multibody

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// BodyName names a body for messages.
func (m *Model) BodyName(i int) string {
	if i < len(m.Setup.Names) {
		return fmt.Sprintf("body %q", m.Setup.Names[i])
	}
	return fmt.Sprintf("body %d", i)
}

// ObstacleName names an obstacle for messages.
func (m *Model) ObstacleName(i int) string {
	if i < len(m.Setup.HalfSpaces) {
		return fmt.Sprintf("obstacle %q", m.Setup.HalfSpaces[i])
	}
	return fmt.Sprintf("half-space %d", i)
}

// TouchName names a touch for messages: its bodies, and the feature where a pair may have several.
func (m *Model) TouchName(t *bodies.Touch) string {
	if x := m.StopOf(t); x != nil {
		return "the limit of " + m.JointName(x.Joint)
	}
	var other string
	if t.B >= 0 {
		other = m.BodyName(t.B)
	} else {
		other = m.ObstacleName(t.Floor)
	}
	name := m.BodyName(t.A) + " and " + other
	if _, _, _, feature := bodies.TouchOf(t.Key); feature > 0 || t.B < 0 && m.World.Features(t.A) > 1 {
		name += fmt.Sprintf(" (feature %d)", feature+1)
	}
	return name
}

// There is a point in the coordinates of messages.
func (m *Model) There(x vec) vec { return vec3.Add(x, 1, m.Setup.Origin) }

// Where writes a point for messages.
func Where(x vec) string { return fmt.Sprintf("(%.6g, %.6g, %.6g) m", x[0], x[1], x[2]) }

// ErrIndefinite: (4.7) need not have a solution. With the paper's remedies.
var ErrIndefinite = errors.New("the matrix M − αh(F + k̃_v) − αγh²k̃_q is not positive definite: a smaller step or semidefinite Jacobians help")
