package fem

import (
	"errors"
	"math"
)

var errSingular = errors.New("singular system")

// singular: below this share of the largest entry a pivot is rounding.
const singular = 1e-13

// solveDense solves A x = b in place by Gauss elimination with row pivoting; A
// of a few rows, row by row, is destroyed. A pivot that is rounding of the largest entry
// counts as zero.
func solveDense(a, b []float64) error {
	n, largest := len(b), 0.0
	for _, x := range a {
		largest = max(largest, math.Abs(x))
	}
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[p*n+k]) {
				p = i
			}
		}
		if !(math.Abs(a[p*n+k]) > singular*largest) {
			return errSingular
		}
		if p != k {
			for j := range n {
				a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
			}
			b[k], b[p] = b[p], b[k]
		}
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / a[k*n+k]
			for j := k; j < n; j++ {
				a[i*n+j] -= f * a[k*n+j]
			}
			b[i] -= f * b[k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			b[k] -= a[k*n+j] * b[j]
		}
		b[k] /= a[k*n+k]
	}
	return nil
}
