package rigid

import "github.com/quasistatic/quasistatic/dynamics/bodies"

// Friction returns μ of the two sides of a touch at a time; where that is a field, so far from the
// place of the touch on the obstacle [m].
func (m *Model) Friction(t *bodies.Touch, time float64, by [2]float64) float64 {
	return m.muAt(t, time, t.At, by)
}

// Mapped reports whether μ of a touch depends on its place.
func (m *Model) Mapped(t *bodies.Touch) bool {
	x := m.material(t)
	return x.Field != nil
}

// Joints returns the joints of the model; they belong to it.
func (m *Model) Joints() []Joint { return m.setup.Joints }

// Forces returns the forces of the model; they belong to it.
func (m *Model) Forces() []Force { return m.setup.Forces }
