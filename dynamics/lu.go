package dynamics

import "math"

// denseLU factorises the matrix M − hF of Newton's method, which need not be
// symmetric, with partial pivoting.
type denseLU struct {
	n   int
	a   []float64
	row []int
	x   []float64
}

func (f *denseLU) resize(n int) []float64 {
	f.n = n
	f.a, f.x = grow(f.a, n*n), grow(f.x, n)
	f.row = grow(f.row, n)
	return f.a
}

// factor overwrites a and reports whether it is regular.
func (f *denseLU) factor() bool {
	n := f.n
	for i := range n {
		f.row[i] = i
	}
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(f.a[i*n+k]) > math.Abs(f.a[p*n+k]) {
				p = i
			}
		}
		if d := f.a[p*n+k]; d == 0 || d != d {
			return false
		}
		if p != k {
			for j := range n {
				f.a[k*n+j], f.a[p*n+j] = f.a[p*n+j], f.a[k*n+j]
			}
			f.row[k], f.row[p] = f.row[p], f.row[k]
		}
		for i := k + 1; i < n; i++ {
			m := f.a[i*n+k] / f.a[k*n+k]
			f.a[i*n+k] = m
			for j := k + 1; j < n; j++ {
				f.a[i*n+j] -= m * f.a[k*n+j]
			}
		}
	}
	return true
}

// solve overwrites x by the solution.
func (f *denseLU) solve(x []float64) {
	n := f.n
	for i, r := range f.row {
		s := x[r]
		for j := range i {
			s -= f.a[i*n+j] * f.x[j]
		}
		f.x[i] = s
	}
	for i := n - 1; i >= 0; i-- {
		s := f.x[i]
		for j := i + 1; j < n; j++ {
			s -= f.a[i*n+j] * f.x[j]
		}
		f.x[i] = s / f.a[i*n+i]
	}
	copy(x, f.x)
}
