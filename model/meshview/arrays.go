package meshview

import (
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/table"
)

// StressFields are the arrays of tensors: stress 6, xx, yy, zz, xy, yz, zx, and von_mises 1, their equivalent one [Pa].
func StressFields(t []fem.Tensor) []fem.Field {
	mises := fem.Field{Name: "von_mises", Components: 1}
	for _, x := range t {
		mises.Values = append(mises.Values, x.VonMises())
	}
	return []fem.Field{fem.StressField("stress", t), mises}
}

// Solid are the arrays of elements: those of [StressFields], and strain 6, in the same order, xy being half of the
// angle [-].
func Solid(stress, strain []fem.Tensor) []fem.Field {
	return append(StressFields(stress), fem.StressField("strain", strain))
}

// Contacts are what obstacles, and bodies that are met, do to points; zero where nothing is touched.
type Contacts struct {
	Normal, Friction []float64 // forces, three components each, global [N]
	Pressure         []float64 // the normal force over the area that a node has of its side, before deformation [Pa] …
	Traction         []float64 // … and friction over it, three components each, global [Pa]
	Status           []byte
}

// NewContacts are those of a number of points.
func NewContacts(n int) *Contacts {
	return &Contacts{make([]float64, 3*n), make([]float64, 3*n), make([]float64, n), make([]float64, 3*n), make([]byte, n)}
}

// Set stores a force, by its components along the axes of a contact, the normal first. Without an area there are no
// tractions.
func (c *Contacts) Set(point int, axes [][3]float64, force []float64, area float64) {
	for k, axis := range axes {
		to := c.Friction
		if k == 0 {
			to = c.Normal
		}
		for a, x := range axis {
			to[3*point+a] += force[k] * x
		}
	}
	if !(area > 0) {
		return
	}
	c.Pressure[point] = force[0] / area
	for a := 3 * point; a < 3*point+3; a++ {
		c.Traction[a] = c.Friction[a] / area
	}
}

// Between stores the tractions of a point amid two others, which are linear between these.
func (c *Contacts) Between(point, a, b int) {
	c.Pressure[point] = (c.Pressure[a] + c.Pressure[b]) / 2
	for k := range 3 {
		c.Traction[3*point+k] = (c.Traction[3*a+k] + c.Traction[3*b+k]) / 2
	}
}

// Fields are the arrays without the states: contact_force 3, friction_force 3, pressure 1, friction_traction 3.
func (c *Contacts) Fields() []fem.Field {
	return []fem.Field{{Name: "contact_force", Components: 3, Values: c.Normal},
		{Name: "friction_force", Components: 3, Values: c.Friction}, {Name: "pressure", Components: 1, Values: c.Pressure},
		{Name: "friction_traction", Components: 3, Values: c.Traction}}
}

// Write writes arrays.
func Write(d *table.Document, fields []fem.Field) {
	for _, f := range fields {
		d.Floats(f.Name, f.Values, f.Components)
	}
}
