package num

import (
	"math"
)

// FactorLU overwrites the n×n matrix a (row by row) by its factors with
// partial pivoting and reports whether it is regular.
func FactorLU(a []float64, perm []int, n int) bool {
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[p*n+k]) {
				p = i
			}
		}
		perm[k] = p
		d := a[p*n+k]
		if d == 0 || math.IsNaN(d) || math.IsInf(d, 0) {
			return false
		}
		if p != k {
			for j := range n {
				a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
			}
		}
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / d
			if f == 0 {
				continue
			}
			a[i*n+k] = f
			row, top := a[i*n:i*n+n], a[k*n:k*n+n]
			for j := k + 1; j < n; j++ {
				row[j] -= f * top[j]
			}
		}
	}
	return true
}

// SolveLU overwrites x by A⁻¹x.
func SolveLU(a []float64, perm []int, n int, x []float64) {
	for k := range n {
		if p := perm[k]; p != k {
			x[k], x[p] = x[p], x[k]
		}
	}
	for i := 1; i < n; i++ {
		s := x[i]
		for j, v := range a[i*n : i*n+i] {
			s -= v * x[j]
		}
		x[i] = s
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for j := i + 1; j < n; j++ {
			s -= a[i*n+j] * x[j]
		}
		x[i] = s / a[i*n+i]
	}
}
