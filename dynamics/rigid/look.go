package rigid

import "github.com/quasistatic/quasistatic/dynamics/bodies"

// Friction returns μ of the two sides of a touch at a time.
func (m *Model) Friction(t *bodies.Touch, time float64) float64 {
	x := m.material(t)
	return x.mu(time)
}

// Joints returns the joints of the model; they belong to it.
func (m *Model) Joints() []Joint { return m.setup.Joints }

// Forces returns the forces of the model; they belong to it.
func (m *Model) Forces() []Force { return m.setup.Forces }
