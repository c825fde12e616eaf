package halfspace

import (
	"math"
)

// Profile is the undeformed distance of two surfaces as a function of the place [m].
type Profile func(x, y float64) float64

// Sample evaluates a profile at the centres of the elements.
func (g Grid) Sample(f Profile) []float64 {
	h := make([]float64, g.Len())
	for k := range h {
		h[k] = f(g.At(k))
	}
	return h
}

// Quadratic is b1 x² + b2 xy + b3 y² + b4 x + b5 y + b6: a sphere of radius R is
// x²/2R + y²/2R, a cylinder along y x²/2R.
func Quadratic(b [6]float64) Profile {
	return func(x, y float64) float64 {
		return b[0]*x*x + b[1]*x*y + b[2]*y*y + b[3]*x + b[4]*y + b[5]
	}
}

// Cone rises with the slope tan of its flanks from its tip at the origin.
func Cone(slope float64) Profile {
	return func(x, y float64) float64 { return slope * math.Hypot(x, y) }
}

// RoundPunch is flat within a radius; beyond it the surface is out of reach.
func RoundPunch(radius, reach float64) Profile {
	return func(x, y float64) float64 {
		if x*x+y*y <= radius*radius {
			return 0
		}
		return reach
	}
}

// RectangularPunch is flat on |x| <= a, |y| <= b.
func RectangularPunch(a, b, reach float64) Profile {
	return func(x, y float64) float64 {
		if math.Abs(x) <= a && math.Abs(y) <= b {
			return 0
		}
		return reach
	}
}
