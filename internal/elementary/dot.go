package elementary

// Dot returns xᵀy, added in the order of gonum's assembly for amd64, which is not that of
// gonum on other processors: four partial sums, of every fourth product each, the last products,
// less than four, to the first, and (s₀ + s₂) + (s₁ + s₃) at the end. y is at least as long as x.
func Dot(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += float64(v * y[i])
	}
	return (s0 + s2) + (s1 + s3)
}

// pairs returns the sums of every second product of n entries, n even.
func pairs(n int, x []float64, incX int, y []float64, incY int) (s0, s1 float64) {
	ix, iy := 0, 0
	for ; n >= 2; n -= 2 {
		s0 += float64(x[ix] * y[iy])
		s1 += float64(x[ix+incX] * y[iy+incY])
		ix, iy = ix+2*incX, iy+2*incY
	}
	return s0, s1
}
