package contact

import "math"

// infNorm returns the largest magnitude, NaN if there is one.
func infNorm(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		if a := math.Abs(v); a > m || a != a {
			m = a
		}
	}
	return m
}
