package friction

import "math"

// Norm is the largest singular value of the tangential part of a block of W, row by row: one number
// in the plane, two rows and columns in space.
func Norm(block []float64, dim int) float64 {
	if dim == 2 {
		return math.Abs(block[3])
	}
	a, b, c, d := block[4], block[5], block[7], block[8]
	return (math.Hypot(a+d, b-c) + math.Hypot(a-d, b+c)) / 2
}
