package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// SolidCylinder is a solid right circular cylinder of radius R along z, from −Height/2 to Height/2
// [m]; [Cylinder] is the endless obstacle.
type SolidCylinder struct{ R, Height float64 }

var cylinder = shapeKind{SolidCylinder{}, keys{"radius": 1, "height": 1}, nil,
	func(x map[string][]float64) Shape { return SolidCylinder{x["radius"][0], x["height"][0]} }}

// Dim implements [Shape].
func (SolidCylinder) Dim() int { return 3 }

// Name implements [Shape].
func (SolidCylinder) Name() string { return "cylinder" }

func (SolidCylinder) round() [3]bool    { return [3]bool{2: true} }
func (c SolidCylinder) volume() float64 { return math.Pi * c.R * c.R * c.Height }
func (c SolidCylinder) validate() error {
	return positive("radius and height of a cylinder", c.R, c.Height)
}

// inertia about the centre: mR²/2 along the axis, m(R²/4 + H²/12) across it.
func (c SolidCylinder) inertia(m float64) vec {
	across := m * (c.R*c.R/4 + c.Height*c.Height/12)
	return vec{across, across, m * c.R * c.R / 2}
}

func (c SolidCylinder) form() form {
	return form{solid: c, width: min(c.Height, 2*c.R), reach: math.Hypot(c.R, c.Height/2), spins: true}
}

func (c SolidCylinder) bases() (radius float64, z []float64) {
	return c.R, []float64{-c.Height / 2, c.Height / 2}
}

// corners are the points of both rims that are farthest, which are the ends of the line on which a
// lying cylinder rolls, and some around the rim of an end that lies flat.
func (c SolidCylinder) corners(dst []vec, m vec) (list []vec, roll bool) {
	across := vec3.Norm(vec{m[0], m[1]})
	low := vec{1}
	if across > 0 {
		low = vec3.Scale(vec{m[0], m[1]}, 1/across)
	}
	half := c.Height / 2
	rim := func(x, y, z float64) { dst = append(dst, vec{c.R * x, c.R * y, z}) }
	rim(low[0], low[1], half)
	rim(low[0], low[1], -half)
	flat := across <= parallel
	if flat {
		for k := range rimPoints {
			y, x := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / rimPoints)
			rim(x, y, math.Copysign(half, m[2]))
		}
	}
	return dst, !flat
}
