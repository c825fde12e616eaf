package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Cone is a solid right circular cone along z, its apex at 3/4 of the height above the centre of
// mass and the disc of its base, of radius R, a quarter below [m].
type Cone struct{ R, Height float64 }

var cone = shapeKind{Cone{}, keys{"radius": 1, "height": 1},
	map[string]string{"height": `{"description": "Of a cylinder, along z, the centre at half of it; of a cone, from the base to the apex along z, the base at -1/4 of it [m].", "type": "number", "exclusiveMinimum": 0}`},
	func(x map[string][]float64) Shape { return Cone{x["radius"][0], x["height"][0]} }}

// Dim implements [Shape].
func (Cone) Dim() int { return 3 }

// Name implements [Shape].
func (Cone) Name() string { return "cone" }

func (Cone) round() [3]bool    { return [3]bool{2: true} }
func (c Cone) volume() float64 { return math.Pi / 3 * c.R * c.R * c.Height }
func (c Cone) validate() error { return positive("radius and height of a cone", c.R, c.Height) }

// inertia about the centre of mass: 3mR²/10 along the axis, 3m(R²/20 + H²/80) across it.
func (c Cone) inertia(m float64) vec {
	across := 3 * m * (c.R*c.R/20 + c.Height*c.Height/80)
	return vec{across, across, 0.3 * m * c.R * c.R}
}

// form: the least extent is the height, or that from a line of the side to the rim opposite.
func (c Cone) form() form {
	side := math.Hypot(c.R, c.Height)
	return form{solid: c, width: min(c.Height, 2*c.R*c.Height/side), reach: max(0.75*c.Height, math.Hypot(c.R, c.Height/4)), spins: true}
}

func (c Cone) bases() (radius float64, z []float64) { return c.R, []float64{-c.Height / 4} }

// rimPoints stand for the rim of a base that lies flat: it tips over the lowest point, which is
// exact, once it leaves the angle in which they count.
const rimPoints = 16

// corners are the apex, the lowest point of the rim and, where the base lies flat, some around it.
func (c Cone) corners(dst []vec, m vec) (list []vec, roll bool) {
	across := vec3.Norm(vec{m[0], m[1]})
	low := vec{1}
	if across > 0 {
		low = vec3.Scale(vec{m[0], m[1]}, 1/across)
	}
	rim := func(x, y float64) { dst = append(dst, vec{c.R * x, c.R * y, -c.Height / 4}) }
	dst = append(dst, vec{2: 0.75 * c.Height})
	rim(low[0], low[1])
	flat := m[2] < 0 && across <= parallel
	if flat {
		for k := range rimPoints {
			y, x := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / rimPoints)
			rim(x, y)
		}
	}
	return dst, !flat
}
