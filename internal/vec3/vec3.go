// Package vec3 has the products of vectors of the space, one for all rooms:
//
//	Dot    a·b            Cross  a × b
//	Norm   ‖a‖            Scale  f a
//	Add    a + f b
//
// Sums go from the first component to the last, so that results have the same bits
// wherever they are computed.
//
// # Limits
//
// Norm squares: beyond 1e154, or below 1e-154, it overflows or vanishes.
package vec3

import "math"

// Vec is a vector of the space; in the plane its last component is zero.
type Vec = [3]float64

// Dot returns a·b.
func Dot(a, b Vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Cross returns a × b.
func Cross(a, b Vec) Vec {
	return Vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Norm returns ‖a‖.
func Norm(a Vec) float64 { return math.Sqrt(Dot(a, a)) }

// Scale returns f a.
func Scale(a Vec, f float64) Vec { return Vec{f * a[0], f * a[1], f * a[2]} }

// Add returns a + f b.
func Add(a Vec, f float64, b Vec) Vec {
	return Vec{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]}
}
