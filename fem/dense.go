package fem

import (
	"errors"
	"math"
)

var errSingular = errors.New("singular system")

// singular: below this share of the largest entry a pivot is rounding.
const singular = 1e-13

// solveDense solves A X = B in place by Gauss elimination with row pivoting; A
// of a few rows, row by row, is destroyed, as many columns of B as it has are solved for. A pivot
// that is rounding of the largest entry counts as zero.
func solveDense(a, b []float64) error {
	n, largest := int(math.Sqrt(float64(len(a)))), 0.0
	for _, x := range a {
		largest = max(largest, math.Abs(x))
	}
	columns := len(b) / n
	row := func(of []float64, i, long int) []float64 { return of[i*long : i*long+long] }
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
		pivot, right := row(a, k, n), row(b, k, columns)
		if p != k {
			exchange(pivot, row(a, p, n))
			exchange(right, row(b, p, columns))
		}
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / pivot[k]
			if f == 0 {
				continue
			}
			subtract(row(a, i, n)[k:], f, pivot[k:])
			subtract(row(b, i, columns), f, right)
		}
	}
	for k := n - 1; k >= 0; k-- {
		x := row(b, k, columns)
		for j := k + 1; j < n; j++ {
			subtract(x, a[k*n+j], row(b, j, columns))
		}
		for c := range x {
			x[c] /= a[k*n+k]
		}
	}
	return nil
}

// subtract computes x −= f y.
func subtract(x []float64, f float64, y []float64) {
	for i, v := range y {
		x[i] -= f * v
	}
}

func exchange(x, y []float64) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}
