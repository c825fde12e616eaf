package halfspace

import (
	"fmt"
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

// Sampled is a profile known on a rectangular grid, bilinear between its points and
// constant beyond its edge.
type Sampled struct {
	NX, NY int
	DX, DY float64   // distances of points [m]
	X0, Y0 float64   // the first point [m]
	H      []float64 // [m], rows along x
}

// Profile checks the numbers and returns the interpolation.
func (s Sampled) Profile() (Profile, error) {
	switch {
	case s.NX < 1 || s.NY < 1 || s.NX > elementLimit || s.NY > elementLimit || len(s.H) != s.NX*s.NY:
		return nil, fmt.Errorf("halfspace: profile of %d×%d points has %d values", s.NX, s.NY, len(s.H))
	case !(s.DX > 0 && s.DY > 0) || math.IsInf(s.DX+s.DY, 1) || math.IsNaN(s.X0+s.Y0) || math.IsInf(s.X0, 0) || math.IsInf(s.Y0, 0):
		return nil, fmt.Errorf("halfspace: profile with points %v×%v m apart from (%v, %v) on", s.DX, s.DY, s.X0, s.Y0)
	}
	for k, v := range s.H {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("halfspace: height %d of the profile is %v", k, v)
		}
	}
	return func(x, y float64) float64 {
		i, u := cell((x-s.X0)/s.DX, s.NX)
		j, v := cell((y-s.Y0)/s.DY, s.NY)
		i1, j1 := min(i+1, s.NX-1), min(j+1, s.NY-1)
		lower := (1-u)*s.H[i+j*s.NX] + u*s.H[i1+j*s.NX]
		upper := (1-u)*s.H[i+j1*s.NX] + u*s.H[i1+j1*s.NX]
		return (1-v)*lower + v*upper
	}, nil
}

// cell returns the point before x in units of the grid, and how far beyond it x is.
func cell(x float64, n int) (int, float64) {
	x = max(0, min(x, float64(n-1)))
	i := min(int(x), max(n-2, 0))
	return i, x - float64(i)
}
