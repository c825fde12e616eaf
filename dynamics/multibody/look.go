package multibody

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// Friction returns μ of the two sides of a touch at a time; where that is a field, so far from the
// place of the touch on the obstacle [m].
func (m *Model) Friction(t *bodies.Touch, time float64, by [2]float64) float64 {
	return m.FrictionAt(t, time, t.At, by)
}

// Mapped reports whether μ of a touch depends on its place.
func (m *Model) Mapped(t *bodies.Touch) bool {
	x := m.MaterialOf(t)
	return x.Field != nil
}

// Joints returns the joints of the model; they belong to it.
func (m *Model) Joints() []Joint { return m.Setup.Joints }

// Forces returns the forces of the model; they belong to it.
func (m *Model) Forces() []Force { return m.Setup.Forces }
